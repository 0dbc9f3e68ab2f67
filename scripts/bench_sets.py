"""The public question sets, as benchmarks and fits read them: see SOURCE.md in each set's folder."""

from __future__ import annotations

import hashlib
import json
import os
import re
from collections.abc import Iterator, Sequence
from dataclasses import dataclass, replace
from pathlib import Path

PROJECT = Path(__file__).resolve().parent.parent


@dataclass(frozen=True, slots=True)
class Question:
    """One question: `gold` are paths below the docs folder; empty when the documents do not answer."""

    id: str
    text: str
    gold: tuple[str, ...]
    answers: tuple[str, ...]
    kind: str


@dataclass(frozen=True, slots=True)
class BenchSet:
    """A set: `name` as in tables, folder `docs` of documents, and its questions."""

    name: str
    docs: Path
    questions: tuple[Question, ...]


# name, set folder, docs folder, language of the questions ('' = all)
_SETS = (
    ("zh-reading", "zh-reading", "docs", ""),
    ("zh-agri", "zh-agri", "docs", ""),
    ("device-faq zh", "device-faq", "docs/zh", "zh"),
    ("device-faq en", "device-faq", "docs/en", "en"),
    ("device-faq zh>en", "device-faq", "docs/en", "zh"),
    ("device-faq en>zh", "device-faq", "docs/zh", "en"),
    ("en-reading", "en-reading", "docs", ""),
    ("en-agri", "en-agri", "docs", ""),
)
# Questions of one set whose passages stand at the same places in another set in the other language (half of them with
# spans, those of their translations): name, set of the questions, set of the documents, where the passages lie.
_PAIRED = (
    ("reading zh>en", "zh-reading", "en-reading", "xquad/"),
    ("reading en>zh", "en-reading", "zh-reading", "xquad/"),
)
READING_ACROSS = tuple(name for name, *_ in _PAIRED)


def folder() -> Path | None:
    """Where the sets lie: $ALMANAC_BENCH, else ../shared/bench beside the project; None when absent."""
    named = os.environ.get("ALMANAC_BENCH")
    place = Path(named) if named else PROJECT.parent / "shared" / "bench"
    return place.resolve() if place.is_dir() else None


def load(names: tuple[str, ...] = ()) -> Iterator[BenchSet]:
    """The sets that exist, those called `names` or all."""
    place = folder()
    if place is None:
        return
    for name, where, docs, lang in _SETS:
        if names and name not in names:
            continue
        base = place / where
        found = []
        for line in (base / "questions.jsonl").read_text("utf-8").splitlines():
            item = json.loads(line)
            gold = tuple(g.removeprefix(f"{docs}/") for g in item["gold"] if g.startswith(f"{docs}/"))
            if gold and item["lang"].startswith(lang):
                answers = tuple(item.get("answers") or ([item["answer"]] if item.get("answer") else []))
                found.append(Question(item["id"], item["question"], gold, answers, item.get("kind", "")))
        yield BenchSet(name, base / docs, tuple(found))
    for name, asked, answered, beginning in _PAIRED:
        if names and name not in names:
            continue
        (source,), (other,) = load((asked,)), load((answered,))
        spans = {_number(item): item.answers for item in other.questions}
        paired = (item for item in source.questions if item.gold[0].startswith(beginning))
        questions = tuple(replace(item, gold=item.gold[:1], answers=spans.get(_number(item), ())) for item in paired)
        yield BenchSet(name, place / answered / "docs", questions)


# Which questions without an answer belong to a set: the beginning of their `kb`, and of their `source`.
WITHOUT_ANSWER = {
    "zh-reading": ("zh-reading", ""), "en-reading": ("en-reading", ""), "zh-agri": ("zh-agri", ""),
    "device-faq zh": ("device-faq/docs/zh", ""), "device-faq en": ("device-faq/docs", "emanual"),
}  # fmt: skip


def unanswerable(name: str) -> list[Question]:
    """Questions that the documents of the set `name` do not answer; none where no such questions are known."""
    place = folder()
    if place is None or name not in WITHOUT_ANSWER:
        return []
    base, source = WITHOUT_ANSWER[name]
    lines = (place / "unanswerable" / "questions.jsonl").read_text("utf-8").splitlines()
    items = [json.loads(line) for line in lines]
    return [
        Question(item["id"], item["question"], (), (), f"{item['kind']}/{item['source']}")
        for item in items
        if item["kb"].startswith(base) and item["source"].startswith(source)
    ]


def asked_in_chinese(name: str) -> bool:
    """Whether the questions of the set `name` are Chinese."""
    return name.startswith("zh") or "zh" in name.split(" ")[-1].split(">")[0]


def sample(questions: Sequence[Question], limit: int) -> list[Question]:
    """`limit` questions, the same at every run, from all parts of the set."""
    return sorted(questions, key=lambda item: hashlib.sha1(item.id.encode()).hexdigest())[:limit]


# For evaluation alone (see its SOURCE.md): nothing is fitted on it, and its questions are not asked of other sets.
EVALUATION_ONLY = ("zh-agri",)
_ASKED_ELSEWHERE = ("zh-reading", "device-faq zh", "device-faq en", "en-reading", "en-agri")


def _number(question: Question) -> str:
    """What the question shares with its translation."""
    return question.id.rpartition("-")[2]


def _about(name: str) -> str:
    """What a set is about, whatever its languages."""
    return " ".join(word for word in re.split("[- ]", name) if not re.fullmatch("zh|en|zh>en|en>zh", word))


def of_other_sets(name: str, limit: int) -> list[Question]:
    """Questions in the same language that belong to sets about other things, `limit` in all, evenly."""
    chinese = asked_in_chinese(name)
    # «reading zh>en» asks what zh-reading asks, «device-faq zh>en» what device-faq zh does.
    others = [entry for entry in load(_ASKED_ELSEWHERE) if _about(entry.name) != _about(name)]
    alike = [entry for entry in others if asked_in_chinese(entry.name) is chinese]
    return [item for entry in alike for item in sample(entry.questions, limit // len(alike))]
