"""kb.search.normalise: one spelling for many."""

from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from kb.search.normalise import normalise, plain_formulas, rendered


@pytest.mark.parametrize(
    ("written", "plain"),
    [
        ("ＥＲＲ＿０１", "err_01"),
        ("水稻紋枯病", "水稻纹枯病"),
        ("Pump", "pump"),
        ("$R_5$", " r5 "),
        ("$E = mc^2$", " e = mc2 "),
        (r"$\mathrm{NH_4^+}$", " nh4+ "),
        (r"$\mathrm{kg\cdot hm^{-2}}$", " kg/hm2 "),
        (r"$0.3\,\mathrm{mg\,L^{-1}}$", " 0.3 mg/l "),
        (r"$3\sim5\,cm$", " 3~5 cm "),
        ("mg·L⁻¹", "mg/l"),
        ("kg·hm^{-2}", "kg/hm2"),
        ("３０℃", "30°c"),
        ("50%", "50%"),
        ("a $ b", "a $ b"),
    ],
)
def test_spellings_fold(written: str, plain: str) -> None:
    assert normalise(written) == plain


def test_prices_are_no_formulas_across_lines() -> None:
    assert "5" in plain_formulas("costs $5 and $6")


_ALPHABET = st.characters(codec="utf-8") | st.sampled_from("$^_{}\\⁻·*.¹²³℃ＡａＺ１＄％大豆豐紋mgkLhlИß")


@given(st.text(_ALPHABET, max_size=60))
def test_normalising_twice_changes_nothing(text: str) -> None:
    once = normalise(text)
    assert normalise(once) == once


@pytest.mark.parametrize("text", ["mg kg^-1 d^-1", "＄a_b＄", "mg·kg⁻¹·d⁻¹", "kg hm^-2 a^-1"])
def test_compound_units_and_wide_dollars_too(text: str) -> None:
    once = normalise(text)
    assert normalise(once) == once


def test_every_single_character_is_settled_after_one_pass() -> None:
    unsettled = [
        f"U+{code:04X}"
        for code in range(0x20, 0x30000)
        if not 0xD800 <= code < 0xE000 and normalise(normalise(chr(code))) != normalise(chr(code))
    ]
    assert unsettled == []


@pytest.mark.parametrize(
    ("written", "seen"),
    [
        ('see [the manual](https://x.example/a_(b).html "title") now', "see [the manual] now"),
        ("![pump](images/a b.png)", "![pump](images/a b.png)"),
        ("![pump](images/pump.png)", "![pump]"),
        ("at https://x.example/a?b=c、下一句", "at  、下一句"),
        ("a <b>bold</b> < 5 and <!-- hidden --> x", "a  bold  < 5 and   x"),
        ("水泵（见[手册](a.md)）", "水泵（见[手册]）"),
        ("plain", "plain"),
    ],
)
def test_what_a_reader_sees(written: str, seen: str) -> None:
    assert rendered(written) == seen
