"""kb.answer.superlatives: which of several has the most, told by the rows of a table."""

from __future__ import annotations

import pytest

from kb.answer.superlatives import Superlative
from kb.answer.units import Unit

_PUMPS = "| 型号 | 射程（m） | 重量 (kg) | 价格（元） |"
_ROWS = ("| A | 15 | 4.5 | 90 |", "| B | 30 | 3 | – |", "| C | 20-40 | 3 | 60 |")
_TANKS = "| Tank | Volume (L) | Rent per day (EUR) | Withdrawal |"
_TANK_ROWS = ("| T1 | 500 | 25 | 96 h |", "| T2 | 1,000 | 40 | 5 days |")


def _best(question: str, header: str, rows: tuple[str, ...]) -> list[int]:
    superlative = Superlative.of(question)
    assert superlative is not None
    others = superlative.others([Unit(row, header, place, place, "table") for place, row in enumerate(rows)])
    return [place for place in range(len(rows)) if place not in others]


@pytest.mark.parametrize(
    ("question", "places"),
    [
        ("哪个型号射程最远", [2]),
        ("最重的是哪个", [0]),
        ("哪个最轻", [1, 2]),
        ("最便宜的是哪个", [2]),
        ("哪个流量最大", []),  # no such column
    ],
)
def test_the_row_with_the_most_of_the_column_that_is_named_or_measures_it(question: str, places: list[int]) -> None:
    assert _best(question, _PUMPS, _ROWS) == places


@pytest.mark.parametrize(
    ("question", "places"),
    [
        ("Which tank has the largest volume?", [1]),
        ("Which tank is the cheapest?", [0]),
        ("Which has the longest withdrawal?", []),  # hours and days are not compared
    ],
)
def test_english_questions_likewise(question: str, places: list[int]) -> None:
    assert _best(question, _TANKS, _TANK_ROWS) == places


@pytest.mark.parametrize(
    "question", ["最大称量是多少", "最多打几次", "Maximum load at full height", "Which oil?", "最后哪天"]
)
def test_a_bound_of_one_thing_compares_none(question: str) -> None:
    assert Superlative.of(question) is None


def test_a_text_that_says_it_itself() -> None:
    superlative = Superlative.of("Which is the heaviest pump?")
    assert superlative is not None
    assert superlative.said_in("the heaviest is b") and not superlative.said_in("b weighs 3 kg")


def test_the_superlative_itself_names_nothing() -> None:
    assert Superlative.left_of("which medium has the highest darkness?").split() == [
        "which", "medium", "has", "the", "darkness?",
    ]  # fmt: skip
    assert Superlative.left_of("哪个喷头射程最远").strip() == "哪个喷头射程"
