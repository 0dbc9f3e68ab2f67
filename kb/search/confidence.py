"""How likely a found section is the right one: a logistic curve over what the voices say, corrected by what was right.

Fitted by scripts/fit_search.py on the open halves of public question sets, questions without an answer among them;
BENCHMARKS.md has the reliability table of the other half.
"""

from __future__ import annotations

import bisect
import math
from collections.abc import Mapping, Sequence
from dataclasses import dataclass

from kb.search.ranking import Voices

# Where the logistic curve is corrected: its ends, and the middle of each tenth.
MARKS = (0.0, *(tenth / 10 + 0.05 for tenth in range(10)), 1.0)


@dataclass(frozen=True, slots=True)
class Curve:
    """The weights of each input; `lead` is how far the score lies above the best section of another document,
    `familiar` how much of the question (by idf) the tree knows at all.

    `right`: how many were right (0..1, rising) where the logistic curve says 0.05, 0.15, ... 0.95; straight lines lie
    between, from 0 to 1 (isotonic calibration, Zadrozny & Elkan 2002).
    """

    bias: float
    text: float
    meaning: float
    number: float
    lead: float
    familiar: float
    score: float
    right: tuple[float, ...]

    def logistic(self, inputs: Sequence[float]) -> float:
        """The logistic curve alone, 0..1."""
        weights = (self.bias, self.text, self.meaning, self.number, self.lead, self.familiar, self.score)
        value = sum(weight * part for weight, part in zip(weights, inputs, strict=True))
        return 1.0 / (1.0 + math.exp(-max(-60.0, min(60.0, value))))

    def chance(self, inputs: Sequence[float]) -> float:
        """How likely a section with these `inputs` is right, 0..1."""
        told, levels = self.logistic(inputs), (0.0, *self.right, 1.0)
        after = min(max(bisect.bisect_left(MARKS, told), 1), len(MARKS) - 1)
        low, high = MARKS[after - 1 : after + 1]
        return levels[after - 1] + (levels[after] - levels[after - 1]) * (told - low) / (high - low)


# Below this a result is not worth showing: of a hundred documents below the first ones, less than one is right there.
NOTHING = 0.02

WITH_MEANING = Curve(
    bias=-7.01, text=2.02, meaning=5.96, number=1.42, lead=3.17, familiar=0.34, score=0.0,
    right=(0.05, 0.16, 0.293, 0.328, 0.44, 0.47, 0.648, 0.748, 0.885, 0.962),
)  # fmt: skip
WITHOUT_MEANING = Curve(
    bias=-5.52, text=4.55, meaning=0.0, number=0.49, lead=3.16, familiar=0.93, score=1.06,
    right=(0.05, 0.087, 0.203, 0.43, 0.592, 0.639, 0.726, 0.768, 0.819, 0.896),
)  # fmt: skip


# By (with an embedder, in the other language than the question).
CURVES: Mapping[tuple[bool, bool], Curve] = {
    (True, False): WITH_MEANING,
    (False, False): WITHOUT_MEANING,
    (True, True): Curve(
        bias=-8.81, text=3.23, meaning=4.62, number=0.0, lead=6.7, familiar=2.42, score=0.0,
        right=(0.016, 0.17, 0.363, 0.363, 0.39, 0.549, 0.657, 0.78, 0.861, 0.96),
    ),
    (False, True): Curve(
        bias=-8.43, text=5.16, meaning=0.0, number=3.49, lead=10.59, familiar=4.02, score=0.0,
        right=(0.021, 0.159, 0.244, 0.387, 0.448, 0.545, 0.67, 0.851, 0.898, 0.936),
    ),
}  # fmt: skip


def inputs(voices: Voices, lead: float, familiar: float) -> tuple[float, ...]:
    """What the curve weighs, in the order of its fields."""
    return (1.0, voices.text, voices.meaning, voices.number, max(-1.0, min(lead, 1.0)), familiar, voices.score)
