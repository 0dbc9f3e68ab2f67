"""kb.search.quantities: numbers, ranges, units, denials."""

from __future__ import annotations

from decimal import Decimal

import pytest
from hypothesis import given
from hypothesis import strategies as st

from kb.search.quantities import asks_quantity, negations, quantities


def _read(text: str) -> list[tuple[tuple[str, ...], str]]:
    return [(tuple(f"{value:f}" for value in found.values), found.unit) for found in quantities(text)]


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        ("3-5厘米", [(("3", "5"), "厘米")]),
        ("深度为3-5厘米", [(("3", "5"), "厘米")]),
        ("每次施5公斤", [(("5",), "公斤")]),
        ("45～60 kg/ha", [(("45", "60"), "kg/ha")]),
        ("3天到5天", [(("3", "5"), "天")]),
        ("1,500公斤", [(("1500",), "公斤")]),
        ("0.50 mg/L", [(("0.5",), "mg/l")]),
        ("１５％", [(("15",), "%")]),
        ("十五天", [(("15",), "天")]),
        ("两万株", [(("20000",), "株")]),
        ("一百二十公斤", [(("120",), "公斤")]),
        ("- 15 天：3 毫升", [(("15",), "天"), (("3",), "毫升")]),
        ("surface:\n  - 4 kg", [(("4",), "kg")]),
        ("WQ-23 型 5 千瓦", [(("5",), "千瓦")]),
        ("3 m-5 m", [(("3", "5"), "m")]),
        ("-15 天", [(("-15",), "天")]),
        ("约 - 5 ℃", [(("-5",), "°c")]),
        ("between 4 and 6 cm", [(("4",), ""), (("6",), "cm")]),
        ("没有数字", []),
        ("", []),
    ],
)
def test_numbers_are_read_with_their_units(text: str, expected: list[tuple[tuple[str, ...], str]]) -> None:
    assert _read(text) == expected


@pytest.mark.parametrize(
    ("text", "unit"),
    [
        ("10 MPa", "mpa"), ("10MPa", "mpa"), ("3 kPa", "kpa"), ("3 psi", "psi"), ("5 mm", "mm"), ("5 m", "m"),
        ("5 m3/h", "m3/h"), ("5 m2", "m2"), ("3 lb", "lb"), ("10 gal", "gal"), ("20 gpm", "gpm"), ("5 ml/L", "ml/l"),
        ("1500 rpm", "rpm"), ("12 V", "v"), ("3 kWh", "kwh"), ("5 h", "h"), ("30 ℃", "°c"), ("30 °C", "°c"),
        ("7个月", "个月"), ("500倍液", "倍液"), ("3千瓦", "千瓦"), ("2平方米", "平方米"), ("5毫升", "毫升"),
    ],
)  # fmt: skip
def test_the_longest_unit_counts(text: str, unit: str) -> None:
    assert [found.unit for found in quantities(text)] == [unit]


@pytest.mark.parametrize("text", ["10 apples", "3 animals", "5 seeds", "7 mice", "2 hoses"])
def test_the_first_letter_of_a_word_is_no_unit(text: str) -> None:
    assert [found.unit for found in quantities(text)] == [""]


@pytest.mark.parametrize("pair", [("5 minutes", "5 months"), ("5 m", "5 minutes"), ("3 l", "3 lb"), ("2 g", "2 gal")])
def test_different_units_stay_different(pair: tuple[str, str]) -> None:
    first, second = (quantities(text)[0] for text in pair)
    assert first != second


@given(st.decimals("0", "99999", places=2), st.sampled_from(["公斤", "kg", "%", "天", "MPa", "mg/kg"]))
def test_width_and_trailing_zeros_do_not_matter(value: Decimal, unit: str) -> None:
    wide = str(value).translate({ord(digit): ord(digit) + 0xFEE0 for digit in "0123456789"})
    assert quantities(f"{value} {unit}") == quantities(f"{wide} {unit}") == quantities(f"{value}0 {unit}")


@given(st.text(max_size=200))
def test_no_text_is_an_error(text: str) -> None:
    for found in quantities(text):
        assert len(found.values) in (1, 2)
    assert negations(text) >= 0
    asks_quantity(text)


@pytest.mark.parametrize(
    ("text", "count"),
    [
        ("不得使用", 1),
        ("do not use", 1),
        ("don't", 1),
        ("可以使用", 0),
        ("未经检验不得使用", 2),
        ("notable", 0),
        ("know", 0),
    ],
)
def test_denials_are_counted(text: str, count: int) -> None:
    assert negations(text) == count


@pytest.mark.parametrize(
    ("question", "wanted"),
    [("施多少钾肥", True), ("大豆播种深度", True), ("How deep is maize sown?", True), ("水泵在哪里", False),
     ("Who owns the pump?", False), ("间隔几天", True)],
)  # fmt: skip
def test_questions_for_a_number_are_known(question: str, wanted: bool) -> None:
    assert asks_quantity(question) is wanted
