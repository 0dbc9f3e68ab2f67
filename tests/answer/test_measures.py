"""kb.answer.measures: a quantity stands for the words that name its measure, and for no others."""

from __future__ import annotations

import pytest

from kb.answer.measures import MASS, TIME, in_units, measure_words, one_spelling


def _named(text: str, word: str) -> bool:
    return any(words.search(word) for words in measure_words(text))


@pytest.mark.parametrize(
    ("text", "word"),
    [
        ("播 3 厘米", "深度"),
        ("sow at 3 cm", "depth"),
        ("every 14 days", "interval"),
        ("| 药剂 | 每亩用量（克） |", "重量"),
        ("€ 5 each", "price"),
        ("mixed 1:50", "ratio"),
    ],
)
def test_a_quantity_stands_for_the_words_of_its_measure(text: str, word: str) -> None:
    assert _named(text, word)


@pytest.mark.parametrize(("text", "word"), [("sow at 3 cm", "pressure"), ("5 bar", "depth"), ("no number", "depth")])
def test_it_stands_for_no_others(text: str, word: str) -> None:
    assert not _named(text, word)


def test_a_unit_may_be_per_something_but_no_longer_word() -> None:
    assert in_units(MASS).match("kg")
    assert in_units(MASS).match("kg/ha")
    assert not in_units(MASS).match("kgf")
    assert not in_units(TIME).match("mm")


@pytest.mark.parametrize(("unit", "other"), [("公分", "cm"), ("degrees", "℃"), ("日龄", "days"), ("千克", "公斤")])
def test_spellings_of_one_unit_are_one(unit: str, other: str) -> None:
    assert one_spelling(unit) == one_spelling(other)


def test_other_units_are_as_they_are() -> None:
    assert one_spelling("kg/ha") == "kg/ha"
    assert one_spelling("mm") != one_spelling("cm")
