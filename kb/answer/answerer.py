"""Question in, answer out: find, weigh, quote, let the model word it, check, cite."""

from __future__ import annotations

import copy
import datetime
import hashlib
import re
import time
from collections.abc import Callable, Iterable
from dataclasses import dataclass, replace
from typing import Protocol

from kb.answer import prompts
from kb.answer.anchors import only_names
from kb.answer.answer import Answer, Evidence, Limit, MadeWith, Nearest, Timings, Way
from kb.answer.answerable import facts, other_name, other_value
from kb.answer.asked import Asked
from kb.answer.cautions import warnings
from kb.answer.citing import to_evidence
from kb.answer.composing import Source
from kb.answer.conflicts import conflicts, may_answer
from kb.answer.evidence import Ranked, rank
from kb.answer.followup import Session, resolve
from kb.answer.journal import Journal
from kb.answer.subjects import KnownSubjects
from kb.answer.text_model import TextModel
from kb.answer.units import shorten
from kb.answer.weights import ACROSS, ANSWERS, chance
from kb.answer.wording import Task, default_way, word
from kb.errors import AlmanacError, ExitCode
from kb.plain import whole
from kb.search.quantities import folded
from kb.search.query import MAX_CHARACTERS
from kb.search.retriever import Found, Retriever
from kb.search.snapshot import Filter, Snapshot
from kb.search.tokens import question_terms, words
from kb.texts import Lang
from kb.tree.document import language_of
from kb.tree.taxonomy import Taxonomy
from kb.versions.history import KnowledgeVersion

SHOWN = 4
_SECTIONS = 12
_MAX_QUOTE = 420
# The most of `refuse_below` that the chance can be where the evidence is about another thing. No less: nearly one in
# twenty questions that the documents answer names a part which they do not, and those are nearer to an answer than
# questions about nothing here.
_OTHER_THING = 0.99
# A unit that is so much weaker than the best one says nothing of the question.
_FAINT = 0.05
_QUOTES = re.compile('["＂]')
_NUMBER = re.compile(r"\d+(?:\.\d+)?")


@dataclass(frozen=True, slots=True)
class Policy:
    """When to refuse, and who words an answer.

    `refuse_below` is the chance under which the documents do not say (None: as fitted, see kb.answer.weights); `way` is
    the wanted one where the model can do it (None: see `wording.default_way`); `budget` is the most tokens of a prompt.
    """

    refuse_below: float | None = None
    conflict_above: float = 0.35
    way: Way | None = None
    budget: int = 1500


@dataclass(frozen=True, slots=True)
class Listener:
    """Where progress goes: the answer without its words as soon as its evidence stands, then the text so far. Called in
    the asking thread."""

    on_evidence: Callable[[Answer], None] = lambda answer: None
    on_text: Callable[[str], None] = lambda text: None
    cancelled: Callable[[], bool] = lambda: False


class HasRetriever(Protocol):
    """What has an engine below it, such as the SDK's `KnowledgeRetriever`."""

    @property
    def retriever(self) -> Retriever:
        """The engine."""


class Answerer:
    """Answers questions from one retriever. Without a model every answer is a quote."""

    def __init__(
        self,
        retriever: Retriever | HasRetriever,
        version: Callable[[], KnowledgeVersion] = KnowledgeVersion,
        model: Callable[[], TextModel | None] = lambda: None,
        policy: Policy | None = None,
        clock: Callable[[], datetime.date] = datetime.date.today,
        journal: Journal | None = None,
        made_with: Callable[[], MadeWith] = lambda: MadeWith(prompt=prompts.VERSION),
        limits_for: Callable[[str, Filter], tuple[Limit, ...]] = lambda question, limits: (),
    ) -> None:
        self.retriever = retriever if isinstance(retriever, Retriever) else retriever.retriever
        self.policy = policy or Policy()
        self._version = version
        self._model = model
        self._clock = clock
        self._journal = journal
        self._made_with = made_with
        self._limits_for = limits_for
        self._known: tuple[Snapshot, Taxonomy, KnownSubjects] | None = None
        # Why the last answer could not be kept: an answer that was found is given, whatever the disk says.
        self.not_kept: AlmanacError | None = None

    def ask(
        self,
        question: str,
        session: Session | None = None,
        *,
        listener: Listener | None = None,
        limits: Filter | None = None,
    ) -> Answer:
        """Answer `question`; one that leans on what was asked before in `session` is resolved first.

        AlmanacError when it is empty; a question without an answer is a refusal, not an error.
        """
        listener = listener or Listener()
        asked = whole(question).strip()[:MAX_CHARACTERS]
        if not any(char.isalnum() for char in asked):
            raise AlmanacError("empty_question", ExitCode.USAGE)
        started = time.perf_counter()
        limits = limits or Filter(on=self._clock())
        resolved = self.resolve(asked, session)
        answer = self._answer(asked, resolved, limits, listener, started)
        answer = replace(answer, timings=replace(answer.timings, total_ms=_since(started)))
        if self._journal is not None and not listener.cancelled():
            self.not_kept = None
            try:
                self._journal.keep(answer)
            except AlmanacError as error:
                self.not_kept = error
        return answer

    def resolve(self, question: str, session: Session | None) -> str:
        """The whole question that `question` stands for after those of `session`."""
        return resolve(question, session, self._subjects())

    def without_journal(self) -> Answerer:
        """The same answerer, keeping nothing of what it is asked."""
        other = copy.copy(self)
        other._journal = None
        return other

    def _answer(self, asked: str, resolved: str, limits: Filter, listener: Listener, started: float) -> Answer:
        names = question_terms(resolved)
        about = Asked.of(
            resolved,
            self.retriever.term_weights(names),
            self._subjects().named(resolved),
            self.retriever.translated(resolved),
            self.retriever.keyness(resolved),
            self.retriever.synonyms(resolved),
        )
        found = self._find(resolved, about, limits) if _says(names) or about.anchors or about.demands.figure else []
        similar = self.retriever.similarities(resolved)
        ranked = rank(about, found, similar)
        confidence, enough = self._confidence(about, ranked, meaning=similar is not None)
        if found and about.abroad is not None and not enough and not limits.lang:
            abroad = replace(limits, lang="en" if about.lang == "zh" else "zh")
            other = rank(about, self.retriever.find(resolved, _SECTIONS, abroad), similar)
            sure, enough = self._confidence(about, other, meaning=similar is not None)
            if enough:
                ranked, confidence = other, sure
        shown = [item for item in _distinct(ranked)[:SHOWN] if item.score >= _FAINT * ranked[0].score]
        base = Answer(
            id=_identifier(asked, started),
            question=asked,
            resolved=resolved,
            text="",
            refused=True,
            confidence=confidence,
            way=Way.REFUSED,
            nearest=_nearest(found),
            looked_for=tuple(words(resolved))[:8],
            day=limits.on.isoformat() if limits.on else "",
            knowledge_version=self._version(),
            made_with=replace(
                self._made_with(), model="", tree=self.retriever.tree_digest(), way=self.policy.way or ""
            ),
        )
        if not enough:
            return replace(base, timings=Timings(evidence_ms=_since(started)))
        differing = conflicts(about, ranked, self.policy.conflict_above)
        if differing and may_answer(differing[0], ranked[0]):
            # Of documents that say different things the newest one answers.
            shown = _distinct([differing[0], *shown])[:SHOWN]
        evidence = tuple(to_evidence(item) for item in shown)
        timings = Timings(evidence_ms=_since(started))
        answer = replace(
            base,
            refused=False,
            evidence=evidence,
            nearest=(),
            warnings=tuple(to_evidence(item) for item in warnings(differing or shown[:1])),
            conflicts=tuple(to_evidence(item) for item in differing),
            limits=_unsaid(self._limits_for(resolved, limits), evidence),
            timings=timings,
        )
        listener.on_evidence(answer)
        return self._word(shown, answer, listener)

    def _find(self, question: str, about: Asked, limits: Filter) -> list[Found]:
        """The sections that may answer; of a question that is a figure first those which hold its number, since words
        and meaning say little of it."""
        number = _NUMBER.search(folded(question)) if about.demands.figure else None
        if number is not None:
            holding = replace(limits, phrases=(*limits.phrases, number[0]))
            if found := self.retriever.find(question, _SECTIONS, holding):
                return found
        found = self.retriever.find(question, _SECTIONS, limits)
        # Who quotes a message seldom has it letter by letter.
        unquoted = _QUOTES.sub(" ", question)
        return found or (self.retriever.find(unquoted, _SECTIONS, limits) if unquoted != question else [])

    def _subjects(self) -> KnownSubjects:
        """The subjects of the tree as it is now; kept while snapshot and taxonomy stay the same objects."""
        snapshot, taxonomy = self.retriever.snapshot(), self.retriever.taxonomy
        kept = self._known
        if kept is None or kept[0] is not snapshot or kept[1] is not taxonomy:
            kept = self._known = (snapshot, taxonomy, KnownSubjects.of(snapshot.paths, taxonomy))
        return kept[2]

    def _confidence(self, asked: Asked, ranked: list[Ranked], *, meaning: bool) -> tuple[float, bool]:
        """The chance that the best evidence answers, and whether that is enough to answer.

        Another subject, or demands that the evidence does not meet, cut the chance as they cut its score; with another
        name or value it stays just too small for an answer.
        """
        if not ranked:
            return 0.0, False
        zh = asked.lang == "zh"
        away = asked.foreign(ranked[0].found) and (meaning or asked.abroad is not None)
        fitted = (ACROSS if away else ANSWERS)[zh, meaning]
        found = chance(facts(asked, ranked), fitted.weights) * ranked[0].suits
        # Without an embedder nothing but its words speaks for a document in the other language.
        untold = away and not meaning and ranked[0].unnamed > 0.0
        if untold or other_name(asked, ranked[0]) or other_value(asked, ranked):
            found = min(found, _OTHER_THING * fitted.refuse_below)
        if self.policy.refuse_below is not None:
            return found, found >= self.policy.refuse_below
        if ranked[0].factor == 1.0 and (only_names(asked.question) or asked.demands.figure):
            # The weights were fitted on sentences; of a bare code or figure that stands in the unit they say little.
            return max(found, fitted.refuse_below), True
        return found, found >= fitted.refuse_below and ranked[0].score >= fitted.weakest

    def _word(self, shown: list[Ranked], answer: Answer, listener: Listener) -> Answer:
        """The answer with its words: the quote, or what the model may say of it."""
        model = self._model()
        way = default_way(model, self.policy.way)
        lang: Lang = "zh" if language_of(answer.resolved) == "zh" else "en"
        sources = tuple(_source(item) for item in shown)
        task = Task(answer.resolved, lang, sources, self.policy.budget, listener.on_text, listener.cancelled)
        worded = word(task, model, way)
        asked = model if model is not None and way is not Way.QUOTE else None
        made = answer.made_with
        if asked:
            made = replace(made, model=self._made_with().model, budget=self.policy.budget)
        first = None if worded.first_s is None else round(answer.timings.evidence_ms + worded.first_s * 1000, 1)
        return replace(
            answer,
            text=worded.text,
            way=worded.way,
            cited=worded.cited,
            replaced=worded.replaced,
            model=asked.source.name if asked else "",
            made_with=made,
            timings=replace(answer.timings, first_token_ms=first, tokens=worded.tokens),
        )


def _source(item: Ranked) -> Source:
    heads = " ".join((item.found.document.facts.title, *item.found.section.trail))
    return Source(item.prose, heads, quote(item))


def _unsaid(limits: tuple[Limit, ...], evidence: tuple[Evidence, ...]) -> tuple[Limit, ...]:
    """The limits that the first evidence does not say itself."""
    said = "".join(evidence[0].full.split()) if evidence else ""
    return tuple(limit for limit in limits if "".join(limit.text.split()) not in said)


def quote(best: Ranked) -> str:
    """The best unit as it is shown: a table row with its header's names, other units as they stand."""
    text = best.prose
    return text if len(text) <= _MAX_QUOTE else shorten(text, _MAX_QUOTE) + " …"


def _says(names: Iterable[str]) -> bool:
    """Whether a question is about anything: a bare number or single letters name no subject."""
    return any(re.search(r"[^\W\d_]{2}|[\u3400-\u9fff]|[a-z].*\d", name) for name in names)


def _distinct(ranked: list[Ranked]) -> list[Ranked]:
    """Without units that say the same words again."""
    seen: set[str] = set()
    kept: list[Ranked] = []
    for item in ranked:
        key = " ".join(item.unit.text.split())
        if key not in seen:
            seen.add(key)
            kept.append(item)
    return kept


def _nearest(found: list[Found], limit: int = 3) -> tuple[Nearest, ...]:
    unique: dict[str, Nearest] = {}
    for item in found:
        unique.setdefault(item.path, Nearest(item.path, item.document.facts.title, item.confidence))
    return tuple(unique.values())[:limit]


def _identifier(question: str, started: float) -> str:
    return hashlib.sha256(f"{question}\0{time.time_ns()}\0{started}".encode()).hexdigest()[:12]


def _since(started: float) -> float:
    return round((time.perf_counter() - started) * 1000, 1)
