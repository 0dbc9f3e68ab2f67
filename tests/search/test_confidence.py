"""kb.search.confidence: a number between 0 and 1 that rises with what speaks for a section."""

from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from kb.search.confidence import confidence
from kb.search.ranking import Voices

_PART = st.floats(0, 1.5)


@given(_PART, _PART, _PART, st.floats(-5, 5), st.floats(0, 1), st.booleans())
def test_always_a_chance(text: float, meaning: float, number: float, lead: float, familiar: float, both: bool) -> None:
    voices = Voices(text, 0.0, 0.0, meaning, number, text + meaning)
    assert 0.0 <= confidence(voices, lead, familiar, meaning=both) <= 1.0


@pytest.mark.parametrize("both", [True, False])
def test_what_leads_is_trusted_more(both: bool) -> None:
    voices = Voices(0.6, 0.0, 0.0, 0.6 if both else 0.0, 0.0, 1.0)
    chances = [confidence(voices, lead, 0.9, meaning=both) for lead in (-0.5, 0.0, 0.3, 1.0)]
    assert chances == sorted(chances)
    assert chances[0] < chances[-1]
