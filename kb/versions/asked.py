"""Questions about the knowledge itself, answered from its history: `上周更新了哪些大豆知识`."""

from __future__ import annotations

import datetime
import re
from collections.abc import Callable, Iterable
from dataclasses import dataclass
from pathlib import Path

from kb.errors import KnowledgeError
from kb.plain import one_line
from kb.texts import Lang, text
from kb.tree import document
from kb.tree.document import Facts
from kb.tree.taxonomy import Taxonomy, load_taxonomy, path_word
from kb.tree.walk import inside, is_document
from kb.versions.history import Change, History
from kb.versions.periods import RECENT_DAYS, Period, find_period

# So many commits are looked through for the changes of a period.
_MANY = 10_000
# To be asked about are changes of documents, not of what they describe: «水位变化» is a subject, «更新了哪些» is not.
_CHANGED = re.compile(
    r"更新|修改|修订|改动|变更|变动|新增|增加了|添加了|发布了|删除了|删掉|撤下|撤销了|改了|改过|"
    r"\b(?:changed|changes|updated|updates|revised|modified|edited|added|new|removed|deleted|released|published)\b",
    re.IGNORECASE,
)
_ASKS = re.compile(
    r"哪些|什么|哪几|哪份|哪个|多少|有没有|有无|是否|吗|列出|看看|查看|谁|"
    r"\b(?:what|which|who|list|show|any|anything|how many)\b",
    re.IGNORECASE,
)
_KNOWLEDGE = re.compile(
    r"知识库?|文档|资料|规程|文件|内容|条目|\b(?:knowledge|documents?|docs?|guides?|documentation|manuals?|pages?)\b",
    re.IGNORECASE,
)
_REFERENCE = re.compile(r"变化|不同|\bdifferen(?:t|ce)\b", re.IGNORECASE)
# Said of documents and of the world alike («今年新增的禁用农药»): only with a word for knowledge beside them.
_WORLDLY = re.compile(
    r"新增|增加了|添加了|发布了|删除|删掉|撤下|撤销了|\b(?:added|new|removed|deleted|released|published)\b",
    re.IGNORECASE,
)
# Without a period, only what can mean nothing else.
_PLAIN = re.compile(
    r"(?:更新|修改|修订|新增|发布|变更|改动|改)了?(?:哪些|什么|哪几)[^，。？?]{0,8}(?:知识|文档)"
    r"|(?:哪些|什么|哪几)[^，。？?]{0,8}(?:知识|文档)[^，。？?]{0,4}(?:更新|修改|修订|新增|变更|改动|改)[了过]|新增的(?:知识|文档)"
    r"|\b(?:what|which|any)\s+(?:\w+\s+){0,2}(?:documents?|docs|knowledge|guides?)\s+(?:\w+\s+){0,2}"
    r"(?:changed|updated|revised|modified|added|removed)\b",
    re.IGNORECASE,
)
_FILLING = re.compile(
    r"(?:有没有|有无|是否|列出|看看|查看|关于|有关|方面|相关|哪些|哪几|哪份|哪个|什么|多少|请问|告诉我|一下|我们|谁|吗|呢|"
    r"的|了|过|有|被|是|在|份|个|条|对|把|啊|吧|和|与|都|里|中|从|自|以来)+"
    r"|\b(?:what|which|who|list|show|any|anything|how|many|is|are|was|were|has|have|had|been|be|did|do|does|you|we|me|"
    r"us|the|a|an|of|in|on|for|about|there|there's|what's|to|with|regarding|concerning|and|or|since|from|it|that|"
    r"this|our|all|please|tell|most|get|got|things?)\b|[\s,，。.?？!！:：;；、'\"“”()（）]+",
    re.IGNORECASE,
)


@dataclass(frozen=True, slots=True)
class ChangesAsked:
    """What is asked for: a `period`, and the subject as path words of the taxonomy and other `terms`.

    A document fits when its path holds every word, and its title, tags, keywords or path every term.
    """

    period: Period
    words: tuple[str, ...] = ()
    terms: tuple[str, ...] = ()


@dataclass(frozen=True, slots=True)
class ChangedDocument:
    """A document that changed in the period: `letter` A, M, D or R, newest commit first in `changes`.

    `facts` is None when it is no longer there.
    """

    path: str
    letter: str
    facts: Facts | None
    changes: tuple[Change, ...]


@dataclass(frozen=True, slots=True)
class ChangesFound:
    """A question about changes and its answer; `names` are the subject's names as people call it."""

    asked: ChangesAsked
    documents: tuple[ChangedDocument, ...]
    names: tuple[str, ...] = ()

    def headline(self, lang: Lang) -> str:
        """The answer in a sentence: how many documents, in which period, about what."""
        named = " ".join(one_line(name) for name in self.names)
        subject = text(lang, "changes_about", subject=named) if named else ""
        period = text(lang, "changes_period", start=self.asked.period.start, end=self.asked.period.end)
        if not self.documents:
            return text(lang, "changes_none", period=period, subject=subject)
        return text(lang, "changes_head", count=len(self.documents), period=period, subject=subject)


def answered(question: str, history: History, root: Path, today: datetime.date, lang: Lang) -> ChangesFound | None:
    """The answer to a question about changes of the tree at `root`; None for a question about something else.

    AlmanacError when there is no history.
    """
    taxonomy = load_taxonomy(root)
    asked = asked_changes(question, today, taxonomy)
    return None if asked is None else find_changes(asked, history, root, taxonomy, lang)


def find_changes(asked: ChangesAsked, history: History, root: Path, taxonomy: Taxonomy, lang: Lang) -> ChangesFound:
    """The documents that are asked for, from the history of the tree at `root`; AlmanacError when there is none."""

    def facts_of(path: str) -> Facts | None:
        try:
            inside(root, path)
            return document.load(root, path).facts
        except KnowledgeError:
            return None

    found = changed_documents(history.changes(since=asked.period.start, limit=_MANY), asked, facts_of)
    return ChangesFound(asked, tuple(found), (*(taxonomy.label(word, lang) for word in asked.words), *asked.terms))


def asked_changes(question: str, today: datetime.date, taxonomy: Taxonomy) -> ChangesAsked | None:
    """What `question` asks about changes of the knowledge; None when it asks about something else."""
    said = find_period(question, today)
    named = _KNOWLEDGE.search(question) is not None
    if not (_about_changes(question, named=named) if said is not None else _PLAIN.search(question)):
        return None
    recent = Period(today - datetime.timedelta(days=RECENT_DAYS - 1), today)
    rest = question if said is None else question[: said.start] + " " + question[said.end :]
    rest = _REFERENCE.sub(" ", _KNOWLEDGE.sub(" ", _CHANGED.sub(" ", rest)))
    words, terms = subjects(rest, taxonomy)
    if len(terms) > (3 if named else 0):
        # It has a subject of its own, so what it asks stands in a document and not in the history.
        return None
    return ChangesAsked(said.period if said is not None else recent, words, terms)


def _about_changes(question: str, *, named: bool) -> bool:
    """Whether a question with a period asks for changes; `named`: it has a word for knowledge in it."""
    if _ASKS.search(question) is None:
        return False
    if named:
        return bool(_CHANGED.search(question) or _REFERENCE.search(question))
    return _CHANGED.search(_WORLDLY.sub(" ", question)) is not None


def subjects(text: str, taxonomy: Taxonomy) -> tuple[tuple[str, ...], tuple[str, ...]]:
    """What `text` is about: the path words whose names stand in it, longest names first, and what else it says."""
    names = sorted(
        (
            (name.lower(), word)
            for word in taxonomy.names
            for name in (*taxonomy.names_of(word), word.replace("_", " "))
        ),
        key=lambda one: -len(one[0]),
    )
    words: dict[str, None] = {}
    rest = text.lower()
    for name, word in names:
        pattern = re.escape(name) if not name.isascii() else rf"\b{re.escape(name)}s?\b"
        if len(name) > 1 and re.search(pattern, rest):
            rest = re.sub(pattern, " ", rest)
            words[word] = None
    terms = (term for term in _FILLING.sub(" ", rest).split() if len(term) > 1 or not term.isascii())
    return tuple(words), tuple(terms)


def changed_documents(
    changes: Iterable[Change], asked: ChangesAsked, facts_of: Callable[[str], Facts | None]
) -> list[ChangedDocument]:
    """The documents that the question asks for, the latest change first.

    `changes` come newest first (History.changes); `facts_of` gives a document's facts, None when it is gone.
    """
    grouped: dict[str, list[tuple[str, Change]]] = {}
    for change in changes:
        if not asked.period.holds(change.date.astimezone().date()):
            continue
        for letter, path in change.files:
            if is_document(path):
                grouped.setdefault(path, []).append((letter, change))
    found: list[ChangedDocument] = []
    for path, entries in grouped.items():
        facts = facts_of(path)
        if _fits(path, facts, asked):
            letters = [letter for letter, _ in entries]
            # Added and changed in one period is new; the newest entry says whether it is still there.
            letter = "D" if letters[0] == "D" else "A" if "A" in letters else letters[0]
            found.append(ChangedDocument(path, letter, facts, tuple(change for _, change in entries)))
    return found


def _fits(path: str, facts: Facts | None, asked: ChangesAsked) -> bool:
    parts = [path_word(part) for part in path.split("/")]
    inside = {piece for part in parts for piece in (part, *part.split("_"))}
    if not all(word in inside or any(f"_{word}_" in f"_{part}_" for part in parts) for word in asked.words):
        return False
    said = " ".join((path, *((facts.title, *facts.tags, *facts.keywords) if facts is not None else ()))).lower()
    return all(term.lower() in said for term in asked.terms)
