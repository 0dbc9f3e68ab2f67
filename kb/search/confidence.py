"""How likely a found section is the right one: a logistic curve over what the voices say.

Fitted by scripts/fit_search.py on the open halves of public question sets, questions without an answer among them;
BENCHMARKS.md has the reliability table of the other half.
"""

from __future__ import annotations

import math
from dataclasses import dataclass

from kb.search.ranking import Voices


@dataclass(frozen=True, slots=True)
class Curve:
    """The weights of each input; `lead` is the score's distance to the best section of another document, `familiar`
    how much of the question (by idf) the tree knows at all."""

    bias: float
    text: float
    meaning: float
    number: float
    lead: float
    familiar: float
    score: float


# Below this a result is not worth showing: of a hundred such, about three are right.
NOTHING = 0.03

WITH_MEANING = Curve(bias=-6.5, text=1.79, meaning=5.61, number=0.75, lead=2.94, familiar=0.4, score=0.0)
WITHOUT_MEANING = Curve(bias=-5.06, text=2.24, meaning=0.0, number=0.0, lead=3.28, familiar=0.71, score=1.71)


def inputs(voices: Voices, lead: float, familiar: float) -> tuple[float, ...]:
    """What the curve weighs, in the order of its fields."""
    return (1.0, voices.text, voices.meaning, voices.number, max(-1.0, min(lead, 1.0)), familiar, voices.score)


def confidence(voices: Voices, lead: float, familiar: float, *, meaning: bool) -> float:
    """0..1; `meaning` says whether the embedder took part."""
    curve = WITH_MEANING if meaning else WITHOUT_MEANING
    weights = (curve.bias, curve.text, curve.meaning, curve.number, curve.lead, curve.familiar, curve.score)
    value = sum(weight * part for weight, part in zip(weights, inputs(voices, lead, familiar), strict=True))
    return 1.0 / (1.0 + math.exp(-max(-60.0, min(60.0, value))))
