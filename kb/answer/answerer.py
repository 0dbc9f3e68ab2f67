"""Question in, answer out: find, weigh, quote, let the model word it, check, cite."""

from __future__ import annotations

import datetime
import hashlib
import re
import time
from collections.abc import Callable
from dataclasses import dataclass, replace
from typing import Protocol

from kb.answer import evidence as choosing
from kb.answer import prompts, weights
from kb.answer.answer import Answer, Evidence, Nearest, Timings, Way
from kb.answer.checker import Follower, check
from kb.answer.evidence import Ranked
from kb.answer.model import TextModel
from kb.answer.signals import Asked
from kb.answer.subjects import KnownSubjects
from kb.answer.units import shorten
from kb.errors import AlmanacError, ExitCode
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
_MAX_ANSWER_TOKENS = 96
_MAX_QUOTE = 420


@dataclass(frozen=True, slots=True)
class Policy:
    """When to refuse and when the model may speak.

    `refuse_below` is the score of the best evidence under which the documents do not say (None: as fitted, see
    kb.answer.weights); `model_may_word` lets the model's checked words stand before the quote.
    """

    refuse_below: float | None = None
    conflict_above: float = 0.35
    model_may_word: bool = True


@dataclass(frozen=True, slots=True)
class Listener:
    """Where progress goes: evidence as soon as it stands, then the text so far. Called in the asking thread."""

    on_evidence: Callable[[tuple[Evidence, ...]], None] = lambda evidence: None
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
    ) -> None:
        self.retriever = retriever if isinstance(retriever, Retriever) else retriever.retriever
        self.policy = policy or Policy()
        self._version = version
        self._model = model
        self._clock = clock
        self._known: tuple[Snapshot, Taxonomy, KnownSubjects] | None = None

    def ask(self, question: str, listener: Listener | None = None, limits: Filter | None = None) -> Answer:
        """Answer `question`. AlmanacError when it is empty; a question without an answer is a refusal."""
        listener = listener or Listener()
        asked = question.encode("utf-8", "replace").decode().strip()[:MAX_CHARACTERS]
        if not any(char.isalnum() for char in asked):
            raise AlmanacError("empty_question", ExitCode.USAGE)
        started = time.perf_counter()
        names = question_terms(asked)
        found = self.retriever.find(asked, _SECTIONS, limits or Filter(on=self._clock())) if _says(names) else []
        wanted = self.retriever.term_weights(names)
        similar = self.retriever.similarities(asked)
        ranked = choosing.rank(Asked.of(asked, wanted, self._subjects().named(asked)), found, similar)
        shown = _distinct(ranked)[:SHOWN]
        base = Answer(
            id=_identifier(asked, started),
            question=asked,
            text="",
            refused=True,
            confidence=shown[0].score if shown else 0.0,
            way=Way.REFUSED,
            nearest=_nearest(found),
            looked_for=tuple(words(asked))[:8],
            knowledge_version=self._version(),
        )
        if not shown or shown[0].score < self._refuse_below(meaning=similar is not None):
            return replace(base, timings=Timings(total_ms=_since(started), evidence_ms=_since(started)))
        evidence = tuple(choosing.to_evidence(item) for item in shown)
        timings = Timings(evidence_ms=_since(started))
        listener.on_evidence(evidence)
        answer = replace(
            base,
            refused=False,
            evidence=evidence,
            text=quote(shown[0]),
            way=Way.QUOTE,
            nearest=(),
            warnings=tuple(choosing.to_evidence(item) for item in choosing.warnings(shown[0], shown)),
            conflicts=tuple(
                choosing.to_evidence(item) for item in choosing.conflicts(asked, ranked, self.policy.conflict_above)
            ),
            timings=timings,
        )
        worded = self._word(asked, shown[0], answer, listener, started)
        return replace(worded, timings=replace(worded.timings, total_ms=_since(started)))

    def _subjects(self) -> KnownSubjects:
        """The subjects of the tree as it is now; kept while snapshot and taxonomy stay the same objects."""
        snapshot, taxonomy = self.retriever.snapshot(), self.retriever.taxonomy
        kept = self._known
        if kept is None or kept[0] is not snapshot or kept[1] is not taxonomy:
            kept = self._known = (snapshot, taxonomy, KnownSubjects.of(snapshot.paths, taxonomy))
        return kept[2]

    def _refuse_below(self, *, meaning: bool) -> float:
        if self.policy.refuse_below is not None:
            return self.policy.refuse_below
        return weights.REFUSE_BELOW if meaning else weights.REFUSE_BELOW_LEXICAL

    def _word(self, asked: str, best: Ranked, answer: Answer, listener: Listener, started: float) -> Answer:
        """Let the model say it; its sentence stands only when the checker finds all of it in the evidence."""
        model = self._model() if self.policy.model_may_word else None
        if model is None or listener.cancelled():
            listener.on_text(answer.text)
            return answer
        passage = choosing.prose(best)
        lang: Lang = "zh" if language_of(asked) == "zh" else "en"
        if model.template:
            prompt, stop = model.apply_template(prompts.chat(asked, passage, lang)), ("\n\n",)
        else:
            prompt, stop = prompts.few_shot(asked, passage, lang), ("\n",)
        heads = " ".join((best.found.document.facts.title, *best.found.section.trail))
        evidence = f"{passage}\n{best.unit.text}"
        follower = Follower(evidence)
        left = False

        def grown(text: str) -> None:
            # Nothing that the evidence does not say is shown, not even for a moment.
            nonlocal left
            left = left or not follower.follows(text)
            if not left:
                listener.on_text(text)

        done = model.complete(prompt, _MAX_ANSWER_TOKENS, stop, grown, lambda: left or listener.cancelled())
        verdict = check(done.text, evidence, f"{asked} {heads}")
        before = answer.timings.evidence_ms
        timings = replace(answer.timings, first_token_ms=before + done.first_s * 1000, tokens=done.tokens)
        answer = replace(answer, timings=timings, model=model.source.name)
        if verdict.passed and not done.stopped:
            return replace(answer, text=done.text, way=Way.MODEL)
        listener.on_text(answer.text)
        return replace(answer, way=Way.REPLACED)


def quote(best: Ranked) -> str:
    """The best unit as it is shown: a table row with its header's names, other units as they stand."""
    text = choosing.prose(best)
    return text if len(text) <= _MAX_QUOTE else shorten(text, _MAX_QUOTE) + " …"


def _says(names: list[str]) -> bool:
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
