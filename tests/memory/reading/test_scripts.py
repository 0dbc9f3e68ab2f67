"""kb.memory.reading.scripts: raised and lowered characters."""

from __future__ import annotations

from hypothesis import given
from hypothesis import strategies as st

from kb.memory.reading.scripts import scripted


def test_digits_and_signs_are_raised_and_lowered() -> None:
    assert scripted("-3", 1) == "⁻³"
    assert scripted("2", -1) == "₂"


def test_what_unicode_cannot_raise_stays_whole() -> None:
    assert scripted("2x", 1) == "2x"
    assert scripted("2", 0) == "2"


@given(st.text(max_size=10), st.sampled_from([-1, 0, 1]))
def test_as_many_characters_as_before(text: str, raised: int) -> None:
    assert len(scripted(text, raised)) == len(text)
