"""kb.supply.adoption_reading: clauses with places, numbers with bounds, what is forbidden and denied."""

from __future__ import annotations

from decimal import Decimal

import pytest

from kb.supply.adoption_reading import clause_of, clauses, denies, forbidden, sentences, sets_bound, words_of


def test_clauses_and_sentences_know_their_places() -> None:
    text = "  先灌水，再开泵。 干转不得超过 30 s!\n"
    for found in (*clauses(text), *sentences(text)):
        assert text[found.start : found.end] == found.text
    assert [one.text for one in clauses(text)] == ["先灌水", "再开泵。", "干转不得超过 30 s!"]
    assert [one.text for one in sentences(text)] == ["先灌水，再开泵。", "干转不得超过 30 s!"]


@pytest.mark.parametrize(
    ("text", "value", "unit", "bound"),
    [
        ("通风不少于 7 天", "7", "d", ">"),
        ("不超过 14.0%", "14.0", "%", "<"),
        ("接地电阻不大于 4 Ω", "4", "ω", "<"),
        ("保压 10 分钟", "10", "min", ""),
        ("25 ppm or more", "25", "ppm", ">"),
    ],
)
def test_a_number_has_its_unit_and_bound(text: str, value: str, unit: str, bound: str) -> None:
    (number,) = clause_of(text, 0, words_of(text)).numbers
    assert (number.values, number.unit, number.bound) == ((Decimal(value),), unit, bound)


@pytest.mark.parametrize(
    ("text", "banned", "denying"),
    [
        ("疑似非洲猪瘟严禁自行剖检", "自行剖检", True),
        ("疑似非洲猪瘟", "", False),
        ("never open the tank", "open the tank", True),
        ("不得超过 30 s", "", False),
        ("没有剖开尸体", "", True),
        ("肥皂千万别碰", "", True),
    ],
)
def test_what_is_forbidden_and_whether_anything_is_denied(text: str, banned: str, denying: bool) -> None:
    assert forbidden(text) == banned
    assert denies(text) is denying
    assert sets_bound(text) is ("超过" in text)
