"""kb.search.closer: what only the text tells."""

from __future__ import annotations

import pytest

from kb.search.closer import FAR, look
from kb.search.numbers import ANY
from kb.search.sections import Section, sections


def _section(text: str) -> Section:
    return sections(f"# T\n\n{text}")[0]


def test_one_sentence_and_two_together() -> None:
    near = look(_section("水泵要保养。密封圈每年换。"), {"水泵": 1.0, "密封": 1.0}, frozenset())
    assert near.sentence == pytest.approx(0.5)
    assert near.pair == pytest.approx(1.0)
    whole = look(
        _section("The pumps need new seals. Other text."), {"pump": 2.0, "seal": 1.0, "none": 1.0}, frozenset()
    )
    assert whole.sentence == pytest.approx(0.75)


def test_codes_are_found_whole_and_in_part() -> None:
    section = _section("Error E-07 means low pressure.")
    assert look(section, {"e-07": 1.0}, frozenset()).sentence == 1.0
    assert look(section, {"e-08": 1.0}, frozenset()).sentence == 0.0


def test_the_value_is_read_out_when_asked_for() -> None:
    section = _section("播种深度3-5厘米。")
    found = look(section, {"深度": 1.0}, frozenset((ANY,)))
    assert found.value is not None
    assert found.value.text == "3-5厘米"
    assert look(section, {"深度": 1.0}, frozenset()).value is None


def test_nothing_known_means_nothing_seen() -> None:
    assert look(_section("text"), {}, frozenset()) == FAR
