"""kb.search.normalise: one spelling for many."""

from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from kb.search.normalise import normalise, plain_formulas


@pytest.mark.parametrize(
    ("written", "plain"),
    [
        ("ＥＲＲ＿０１", "err_01"),
        ("水稻紋枯病", "水稻纹枯病"),
        ("Pump", "pump"),
        ("$R_5$", " r5 "),
        ("$E = mc^2$", " e = mc2 "),
        (r"$\mathrm{NH_4^+}$", " nh4+ "),
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
