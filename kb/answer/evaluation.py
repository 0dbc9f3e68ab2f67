"""A file of questions asked one by one: what was right, what was refused, what was wrong.

A question file holds JSON lines with `question`, `gold` (paths below the knowledge root; empty or missing: the
documents do not answer), `answers` (spans that answer) or `answer`.
"""

from __future__ import annotations

import json
import re
import statistics
from collections import Counter
from collections.abc import Callable, Iterable, Sequence
from dataclasses import dataclass
from pathlib import Path

from kb.answer.answer import Answer, Evidence
from kb.answer.answerer import Answerer
from kb.answer.checker import check_sentence, is_piece
from kb.errors import AlmanacError, ExitCode
from kb.search.normalise import normalise
from kb.search.sections import split_sentences
from kb.search.snapshot import Filter
from kb.search.tokens import HAN


@dataclass(frozen=True, slots=True)
class Question:
    """One question of a set. Without `gold` the right answer is a refusal."""

    id: str
    text: str
    gold: tuple[str, ...] = ()
    answers: tuple[str, ...] = ()


@dataclass(frozen=True, slots=True)
class Outcome:
    """What came of a question. Places count from 1; 0 is «not among them». `f1` is the best over the spans."""

    id: str
    question: str
    answerable: bool
    refused: bool
    document: int
    evidence: int
    holds: bool
    f1: float
    unsupported: bool
    confidence: float
    way: str
    text: str
    cited: str
    evidence_ms: float

    @property
    def right(self) -> bool:
        """Whether a person would be content: the answer is held, or nothing was to be said and nothing was."""
        return (self.holds and not self.refused) if self.answerable else self.refused


@dataclass(frozen=True, slots=True)
class Summary:
    """Shares (0..1) over the questions of a set; milliseconds."""

    answerable: int
    other: int
    document_first: float
    document_five: float
    evidence_first: float
    evidence_three: float
    holds: float
    f1: float
    refused_wrongly: float
    refused_rightly: float
    unsupported: float
    evidence_ms: float
    evidence_ms_95: float


def read_questions(path: Path) -> list[Question]:
    """The questions of a file, or of `questions.jsonl` in a folder; AlmanacError names file and line."""
    file = path / "questions.jsonl" if path.is_dir() else path
    try:
        lines = file.read_text("utf-8-sig").split("\n")
    except (OSError, UnicodeDecodeError) as error:
        reason = error.strerror if isinstance(error, OSError) else str(error)
        raise AlmanacError("unreadable", ExitCode.USAGE, path=str(file), reason=reason) from error
    found = [_question(file, number, line) for number, line in enumerate(lines, start=1) if line.strip()]
    if not found:
        raise AlmanacError("no_questions", ExitCode.USAGE, path=str(file))
    return found


def _question(file: Path, number: int, line: str) -> Question:
    try:
        item = json.loads(line)
        text = item["question"]
        answers, gold = _texts(item.get("answers") or item.get("answer")), _texts(item.get("gold"))
        if not isinstance(text, str):
            raise TypeError("`question` is no text")
    except (ValueError, KeyError, TypeError, AttributeError) as error:
        reason = f"{type(error).__name__}: {error}"
        raise AlmanacError("bad_question_file", ExitCode.USAGE, path=str(file), line=number, reason=reason) from error
    return Question(str(item.get("id", number)), text, gold, answers)


def _texts(value: object) -> tuple[str, ...]:
    """A list of texts, or one that stands by itself; TypeError for anything else."""
    if isinstance(value, str | None):
        return (value,) if value else ()
    if not isinstance(value, list) or not all(isinstance(item, str | int | float) for item in value):
        raise TypeError("`gold` and `answers` are lists of texts")
    return tuple(str(item) for item in value if item != "")


def below(questions: Iterable[Question], root: Path) -> list[Question]:
    """The questions with gold paths below `root`: leading folders that are the root's own name are taken away."""
    lead = f"{root.name}/"
    return [
        Question(item.id, item.text, tuple(path.split(lead, 1)[-1] for path in item.gold), item.answers)
        for item in questions
    ]


def evaluate(
    questions: Sequence[Question],
    answerer: Answerer,
    report: Callable[[int, int], None] = lambda done, total: None,
    stopped: Callable[[], bool] = lambda: False,
) -> list[Outcome]:
    """Ask every question without limits of validity; ends early when `stopped`."""
    outcomes: list[Outcome] = []
    asking = answerer.without_journal()
    for question in questions:
        if stopped():
            break
        answer = asking.ask(question.text, limits=Filter(on=None, released_only=False))
        outcomes.append(judge(question, answer))
        report(len(outcomes), len(questions))
    return outcomes


def judge(question: Question, answer: Answer) -> Outcome:
    """Compare an answer with what the question file says."""
    spans = [normalise(span) for span in question.answers]

    def held(text: str) -> bool:
        return any(span in normalise(text) for span in spans)

    paths = list(dict.fromkeys([item.path for item in answer.evidence] + [near.path for near in answer.nearest]))
    document = _first(path in question.gold for path in paths)
    evidence = _first(held(item.full) and item.path in question.gold for item in answer.evidence)
    whole = "\n".join(item.full + "\n" + item.plain for item in answer.evidence)
    return Outcome(
        id=question.id,
        question=question.text,
        answerable=bool(question.gold),
        refused=answer.refused,
        document=document,
        evidence=evidence,
        holds=held(answer.text) if spans else document == 1,
        f1=max((overlap(answer.text, span) for span in question.answers), default=0.0),
        unsupported=not _supported(answer, whole),
        confidence=answer.confidence,
        way=answer.way.value,
        text=answer.text,
        cited=f"{answer.evidence[0].path}:{answer.evidence[0].lines[0]}" if answer.evidence else "",
        evidence_ms=answer.timings.evidence_ms,
    )


def _first(right: Iterable[bool]) -> int:
    """The place of the first that is right, from 1; 0 for none."""
    return next((place for place, is_right in enumerate(right, start=1) if is_right), 0)


def _supported(answer: Answer, evidence: str) -> bool:
    """Whether every sentence of an answer is a piece of its evidence, or is made of the facts and words of one unit."""

    def made_of(item: Evidence, sentence: str) -> bool:
        heads = " ".join((item.title, *item.trail))
        return check_sentence(sentence, item.plain, f"{answer.resolved} {heads}").passed

    return all(
        is_piece(sentence, evidence) or any(made_of(item, sentence) for item in answer.evidence)
        # A long quote ends in «…», whatever follows it.
        for part in answer.text.split(" …")
        for sentence, _ in split_sentences(part)
        if sentence.strip(" \n。.…")
    )


def overlap(text: str, span: str) -> float:
    """F1 over characters in Chinese and words in English: how much of `text` is the span, and of the span in it."""
    ours, theirs = Counter(_pieces(text)), Counter(_pieces(span))
    common = sum((ours & theirs).values())
    return 2 * common / (sum(ours.values()) + sum(theirs.values())) if common else 0.0


def _pieces(text: str) -> list[str]:
    return re.findall(rf"[{HAN}]|[a-z0-9]+(?:[.,]\d+)*", normalise(text))


def summary(outcomes: Sequence[Outcome]) -> Summary:
    """The shares of a set; 0 where nothing is to be counted."""
    good = [item for item in outcomes if item.answerable]
    other = [item for item in outcomes if not item.answerable]
    times = sorted(item.evidence_ms for item in outcomes) or [0.0]

    def share(found: Sequence[Outcome], passes: Callable[[Outcome], bool]) -> float:
        return sum(map(passes, found)) / len(found) if found else 0.0

    return Summary(
        answerable=len(good),
        other=len(other),
        document_first=share(good, lambda item: item.document == 1),
        document_five=share(good, lambda item: 1 <= item.document <= 5),
        evidence_first=share(good, lambda item: item.evidence == 1),
        evidence_three=share(good, lambda item: 1 <= item.evidence <= 3),
        holds=share(good, lambda item: item.holds and not item.refused),
        f1=statistics.fmean(item.f1 for item in good) if good else 0.0,
        refused_wrongly=share(good, lambda item: item.refused),
        refused_rightly=share(other, lambda item: item.refused),
        unsupported=share(outcomes, lambda item: item.unsupported),
        evidence_ms=statistics.median(times),
        evidence_ms_95=times[min(len(times) - 1, int(0.95 * len(times)))],
    )
