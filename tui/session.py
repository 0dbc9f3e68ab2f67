"""What was asked in this session, and how far each question is. Pure values, no widgets, no threads."""

from __future__ import annotations

import datetime
from dataclasses import dataclass, field, replace
from enum import StrEnum

from kb.answer.answer import Answer, Evidence
from kb.versions.asked import ChangesFound


class Phase(StrEnum):
    """How far a question is."""

    SEARCHING = "searching"
    EVIDENCE = "evidence"
    ANSWERING = "answering"
    DONE = "done"
    REFUSED = "refused"
    FAILED = "failed"
    CANCELLED = "cancelled"


RUNNING = frozenset({Phase.SEARCHING, Phase.EVIDENCE, Phase.ANSWERING})


@dataclass(frozen=True, slots=True)
class Exchange:
    """One question and what is known of its answer so far; `changes` answers one about the knowledge itself."""

    number: int
    question: str
    phase: Phase = Phase.SEARCHING
    evidence: tuple[Evidence, ...] = ()
    text: str = ""
    answer: Answer | None = None
    error: BaseException | None = None
    changes: ChangesFound | None = None
    asked: datetime.datetime = field(default_factory=datetime.datetime.now)

    @property
    def running(self) -> bool:
        """Whether an answer is still to come."""
        return self.phase in RUNNING


class Session:
    """The questions of this session in order. News about one that has ended, or is forgotten, is ignored."""

    def __init__(self) -> None:
        self.exchanges: list[Exchange] = []
        self._forgotten = 0

    def forget(self) -> None:
        """Everything that was asked is gone; its numbers are not given again, so that late news of it finds nothing."""
        self._forgotten += len(self.exchanges)
        self.exchanges.clear()

    def resolved(self) -> tuple[str, ...]:
        """The questions answered so far, as they were understood: what a follow-up may lean on."""
        return tuple(item.answer.resolved for item in self.exchanges if item.answer is not None)[-8:]

    def begin(self, question: str) -> Exchange:
        """A new question."""
        exchange = Exchange(self._forgotten + len(self.exchanges), question)
        self.exchanges.append(exchange)
        return exchange

    def get(self, number: int) -> Exchange:
        """The exchange with this number."""
        return self.exchanges[number - self._forgotten]

    def evidence(self, number: int, evidence: tuple[Evidence, ...]) -> Exchange | None:
        """Sources were found."""
        return self._change(number, phase=Phase.EVIDENCE, evidence=evidence)

    def grew(self, number: int, text: str) -> Exchange | None:
        """The answer reads `text` so far."""
        return self._change(number, phase=Phase.ANSWERING, text=text)

    def finished(self, number: int, answer: Answer) -> Exchange | None:
        """The complete answer, or the refusal."""
        phase = Phase.REFUSED if answer.refused else Phase.DONE
        return self._change(number, phase=phase, text=answer.text, answer=answer, evidence=sources_of(answer))

    def told_changes(self, number: int, changes: ChangesFound) -> Exchange | None:
        """It was about changes of the knowledge, and these are they."""
        return self._change(number, phase=Phase.DONE, changes=changes)

    def failed(self, number: int, error: BaseException) -> Exchange | None:
        """It ended with an error."""
        return self._change(number, phase=Phase.FAILED, error=error)

    def cancelled(self, number: int) -> Exchange | None:
        """The person stopped it; unchecked words of the model are dropped, sources stay."""
        return self._change(number, phase=Phase.CANCELLED, text="")

    def _change(self, number: int, **changes: object) -> Exchange | None:
        if number < self._forgotten:
            return None
        current = self.get(number)
        if current.running:
            current = replace(current, **changes)  # type: ignore[arg-type]
            self.exchanges[number - self._forgotten] = current
        return current


def sources_of(answer: Answer) -> tuple[Evidence, ...]:
    """The sources; how far to trust the first, which answers, is what the whole answer says of itself."""
    if answer.refused or not answer.evidence:
        return answer.evidence
    return (replace(answer.evidence[0], score=answer.confidence), *answer.evidence[1:])


class Pace:
    """Progress of one phase of long work, with an estimate of what is left."""

    def __init__(self, phase: str, started: float) -> None:
        self.phase = phase
        self.started = started
        self.done = 0
        self.total = 0

    @property
    def percent(self) -> int:
        """How far, 0..100."""
        return 100 * self.done // self.total if self.total else 0

    def left(self, now: float) -> float | None:
        """Seconds left, None while there is nothing to estimate from."""
        elapsed = now - self.started
        if elapsed < 1.0 or not self.done or self.done >= self.total:
            return None
        return elapsed * (self.total - self.done) / self.done
