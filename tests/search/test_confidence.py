"""kb.search.confidence: a number between 0 and 1 that rises with what speaks for a section."""

from __future__ import annotations

import math

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from kb.search.confidence import CURVES, MARKS, Curve, inputs
from kb.search.ranking import Voices

_PART = st.floats(0, 1.5)


@given(_PART, _PART, _PART, st.floats(-5, 5), st.floats(0, 1), st.sampled_from(list(CURVES.values())))
def test_always_a_chance(
    text: float, meaning: float, number: float, lead: float, familiar: float, curve: Curve
) -> None:
    voices = Voices(text, 0.0, 0.0, meaning, number, text + meaning)
    assert 0.0 <= curve.chance(inputs(voices, lead, familiar)) <= 1.0


@pytest.mark.parametrize(("meaning", "foreign"), list(CURVES))
def test_what_leads_is_trusted_more(meaning: bool, foreign: bool) -> None:
    voices = Voices(0.6, 0.0, 0.0, 0.6 if meaning else 0.0, 0.0, 1.0)
    chances = [CURVES[meaning, foreign].chance(inputs(voices, lead, 0.9)) for lead in (-0.5, 0.0, 0.3, 1.0)]
    assert chances == sorted(chances)
    assert chances[0] < chances[-1]


@pytest.mark.parametrize("curve", list(CURVES.values()))
def test_more_of_what_speaks_for_it_is_never_less_sure(curve: Curve) -> None:
    chances = [curve.chance((1.0, part, part, part, part, part, part)) for part in np.linspace(-2, 3, 400).tolist()]
    assert chances == sorted(chances)
    assert chances[0] < 0.001
    assert chances[-1] > 0.99


def test_the_curve_is_corrected_where_it_was_wrong() -> None:
    right = (0.01, 0.02, 0.2, 0.3, 0.3, 0.6, 0.6, 0.7, 0.9, 0.95)
    curve = Curve(0.0, 1.0, 0.0, 0.0, 0.0, 0.0, 0.0, right)
    for mark, told in zip(MARKS[1:-1], right, strict=True):
        assert curve.chance((1.0, math.log(mark / (1 - mark)), 0, 0, 0, 0, 0)) == pytest.approx(told)
    assert curve.chance((1.0, math.log(0.6 / 0.4), 0, 0, 0, 0, 0)) == pytest.approx(0.6)
    assert curve.chance((1.0, 50.0, 0, 0, 0, 0, 0)) == pytest.approx(1.0)
    assert curve.chance((1.0, -50.0, 0, 0, 0, 0, 0)) == pytest.approx(0.0)
