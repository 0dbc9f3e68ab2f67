"""Small trees with questions whose right answers were written down before they were asked (tests/data/answers).

A line is `question => answer`: the words that the answer must hold, `&` between several, `|` between alternatives, `!`
before what it must not hold; `-` means that the documents do not answer. `mixed` was written after the rules for the
first three trees, `estate` after those for `hive` and `parlour`, `works` after those for `granary` and `desk`, and
asked only then. In the trees of ACROSS half of the documents are Chinese and half English, none about what another one
is about, and all that the documents answer is asked in the other language; no rule is made from the questions of
`both-2` and `both-3`, which are asked for figures only.
"""

from __future__ import annotations

from dataclasses import dataclass
from enum import StrEnum
from pathlib import Path

from kb.answer.answer import Answer
from kb.answer.answerer import Answerer

FOLDER = Path(__file__).resolve().parent.parent / "data" / "answers"
SETS = ("livestock", "crops", "machines", "mixed", "hive", "parlour", "estate", "granary", "desk", "works", "arena")
ACROSS = ("both-1", "both-2", "both-3")
_NONE = "-"


class Verdict(StrEnum):
    """What became of a question."""

    RIGHT = "right"
    WRONG = "wrong"
    REFUSED = "wrongly refused"
    ANSWERED = "wrongly answered"


@dataclass(frozen=True, slots=True)
class Case:
    """A question with its alternative answers; `-` among them allows a refusal."""

    question: str
    wanted: tuple[str, ...]

    def verdict(self, answer: Answer) -> Verdict:
        """Whether `answer` is what was written down."""
        if answer.refused:
            return Verdict.RIGHT if _NONE in self.wanted else Verdict.REFUSED
        if self.wanted == (_NONE,):
            return Verdict.ANSWERED
        return Verdict.RIGHT if self.told_by(answer.text) else Verdict.WRONG

    def told_by(self, text: str) -> bool:
        """Whether `text` holds what one of the alternatives demands."""
        said = _plain(text)
        return any(_holds(said, wanted) for wanted in self.wanted)


def load(name: str) -> list[Case]:
    """The questions of a set."""
    lines = (FOLDER / f"{name}.txt").read_text("utf-8").splitlines()
    pairs = [line.rpartition(" => ") for line in lines if line.strip()]
    return [Case(question, tuple(part.strip() for part in wanted.split("|"))) for question, _, wanted in pairs]


def judge(name: str, answerer: Answerer) -> list[tuple[Case, Verdict]]:
    """Every question of a set with what became of it."""
    return [(case, case.verdict(answerer.ask(case.question))) for case in load(name)]


def _holds(said: str, wanted: str) -> bool:
    parts = [part.strip() for part in wanted.split("&")]
    there = [_plain(part.removeprefix("!")) in said for part in parts]
    return wanted != _NONE and all(held is not part.startswith("!") for held, part in zip(there, parts, strict=True))


def _plain(text: str) -> str:
    return text.replace(" ", "").lower()
