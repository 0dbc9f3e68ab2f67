"""kb.answer.conditions: which table row a value in the question is about."""

from __future__ import annotations

from decimal import Decimal

import pytest

from kb.answer.conditions import about, named_values
from kb.answer.units import Unit


def _row(text: str, header: str, kind: str = "table") -> Unit:
    return Unit(text, header, 5, 5, kind)


@pytest.mark.parametrize(
    ("question", "text", "header", "expected"),
    [
        ("粮温 18 ℃ 要密闭几天", "| 15-20 | 21 |", "| 粮温（℃） | 最少密闭时间（天） |", 1),
        ("粮温 18 ℃ 要密闭几天", "| 20-25 | 16 |", "| 粮温（℃） | 最少密闭时间（天） |", -1),
        ("粮温 18 ℃ 要密闭几天", "| 25 以上 | 14 |", "| 粮温（℃） | 最少密闭时间（天） |", -1),
        ("粮温 30 度 要密闭几天", "| 25 以上 | 14 |", "| 粮温（℃） | 最少密闭时间（天） |", 1),
        ("零下35度用什么机油", "| 低于 -30 | 0W-40 |", "| 气温（°C） | 机油 |", 1),
        ("零下35度用什么机油", "| 高于 5 | 15W-40 |", "| 气温（°C） | 机油 |", -1),
        ("零下15度用什么机油", "| -10 至 -20 | 10W-40 |", "| 气温（°C） | 机油 |", 1),
        ("Light on day 10 days after hatch", "| 8-14 | 20 |", "| Age (days) | Light (hours) |", 1),
        ("moisture at 60 % and 20 °C", "| 20 °C | 60 % | 12.9 |", "| Air | Humidity | Corn |", 1),
        ("moisture at 60 % and 20 °C", "| 20 °C | 70 % | 14.6 |", "| Air | Humidity | Corn |", 0),
        ("moisture at 60 %", "| red | 4 m |", "| Colour | Height |", 0),
        ("播种深度是多少", "| 15-20 | 21 |", "| 粮温（℃） | 天 |", 0),
    ],
)
def test_a_row_is_about_the_value_or_not(question: str, text: str, header: str, expected: float) -> None:
    assert about(named_values(question), _row(text, header)) == expected


@pytest.mark.parametrize(
    ("question", "text", "above", "expected"),
    [
        ("15日龄打什么疫苗", "- 15 日龄：皮下注射 3 毫升", "", 1),
        ("30日龄打什么疫苗", "- 15 日龄：皮下注射 3 毫升", "", -1),
        ("30日龄打什么疫苗", "- 15-35 日龄：皮下注射 3 毫升", "", 1),
        ("30日龄打什么疫苗", "- 皮下注射 3 毫升", "- 10 日龄：", -1),
        ("30日龄打什么疫苗", "- 母羊：皮下注射 30 毫升", "", 0),
    ],
)
def test_an_item_is_about_the_values_of_its_labels(question: str, text: str, above: str, expected: float) -> None:
    assert about(named_values(question), _row(text, above, "item")) == expected


def test_only_rows_and_items_are_looked_at() -> None:
    assert about(named_values("18 ℃"), _row("粮温 20-25 ℃ 时 16 天。", "", "paragraph")) == 0


def test_a_range_in_the_question_names_no_single_value() -> None:
    assert named_values("15-20 ℃ 密闭几天") == ()
    assert named_values("at 20 °C, 20 °C") == ((Decimal(20), "°c"),)
