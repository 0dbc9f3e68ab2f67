"""kb.search.closer: what only the text tells."""

from __future__ import annotations

from collections.abc import Iterable

import pytest

from kb.search.closer import FAR, Closeness, Wanted, look
from kb.search.numbers import ANY
from kb.search.sections import Section, sections
from kb.search.snapshot import Term


def _section(text: str) -> Section:
    return sections(f"# T\n\n{text}")[0]


def _look(text: str, terms: dict[str, float], kinds: Iterable[str] = ()) -> Closeness:
    return look("T", _section(text), Wanted(terms, {}, {}, frozenset(kinds)))


def test_the_fullest_sentence_counts() -> None:
    assert _look("水泵要保养。密封圈每年换。", {"水泵": 1.0, "密封": 1.0}).sentence == pytest.approx(0.5)
    whole = _look("The pumps need new seals. Other text.", {"pump": 2.0, "seal": 1.0, "none": 1.0})
    assert whole.sentence == pytest.approx(0.75)


def test_codes_are_found_whole_and_in_part() -> None:
    assert _look("Error E-07 means low pressure.", {"e-07": 1.0}).sentence == 1.0
    assert _look("Error E-07 means low pressure.", {"e-08": 1.0}).sentence == 0.0


def test_the_value_is_read_out_when_asked_for() -> None:
    found = _look("播种深度3-5厘米。", {"深度": 1.0}, (ANY,))
    assert found.value is not None
    assert found.value.text == "3-5厘米"
    assert _look("播种深度3-5厘米。", {"深度": 1.0}).value is None


def test_words_that_stand_side_by_side_count_as_such() -> None:
    known = {term: Term(0, 1, 2.0, ()) for term in ("deep", "sleep", "current")}
    wanted = Wanted.of("What is the deep sleep current?", known)
    assert set(wanted.neighbours) == {("deep", "sleep"), ("sleep", "current")}
    together = look("T", _section("In deep sleep the current is low."), wanted)
    apart = look("T", _section("Sleep is deep; the current is low."), wanted)
    assert together.held == apart.held == pytest.approx(1.0)
    assert together.joined == pytest.approx(0.5)
    assert apart.joined == 0.0


def test_the_title_holds_words_too() -> None:
    wanted = Wanted.of("deep sleep", {term: Term(0, 1, 2.0, ()) for term in ("deep", "sleep")})
    assert look("Deep Sleep", _section("Nothing of it here."), wanted).held == pytest.approx(1.0)


def test_a_word_that_no_section_knows_weighs_as_the_rarest() -> None:
    wanted = Wanted.of("pump flux", {"pump": Term(0, 3, 1.0, ()), "flux": Term(0, 0, 4.0, ())})
    assert wanted.terms == {"pump": 1.0}
    assert wanted.words == {"pump": 1.0, "flux": 4.0}


def test_short_sections_are_brief() -> None:
    short, long = (_look(f"pump. {'word ' * times}", {"pump": 1.0}).brief for times in (2, 400))
    assert 1.0 > short > long > 0.0
    assert _look("pump " * 4000, {"pump": 1.0}).brief == 0.0


def test_nothing_known_means_nothing_seen() -> None:
    assert _look("text", {}) == FAR


def test_the_passage_is_what_holds_most() -> None:
    rows = "\n".join(f"| plot {number} | {number * 3} kg |" for number in range(60))
    table = f"Doses:\n\n| plot | dose |\n|---|---|\n{rows}"
    assert _look(table, {"plot": 1.0, "55": 2.0}).passage == "| plot | dose |\n| plot 55 | 165 kg |"
    assert _look("水泵要保养。密封圈每年换。", {"密封": 1.0, "水泵": 0.5}).passage == "密封圈每年换。"
    assert _look("Other text.", {"pump": 1.0}).passage == ""


def test_a_heading_without_text_has_no_passage() -> None:
    bare = sections("# Seals\n")[0]
    assert look("T", bare, Wanted({"seal": 1.0}, {}, {}, frozenset())).passage == ""
