"""kb.answer.conditions: which table row a value in the question is about."""

from __future__ import annotations

from decimal import Decimal

import pytest

from kb.answer.conditions import SAID, about, named_values, other_cases
from kb.answer.units import Unit


def _row(text: str, header: str, kind: str = "table") -> Unit:
    return Unit(text, header, 5, 5, kind)


@pytest.mark.parametrize(
    ("question", "text", "header", "expected"),
    [
        ("粮温 18 ℃ 要密闭几天", "| 15-20 | 21 |", "| 粮温（℃） | 最少密闭时间（天） |", 1),
        ("粮温 18 ℃ 要密闭几天", "| 20-25 | 16 |", "| 粮温（℃） | 最少密闭时间（天） |", -1),
        ("粮温 18 ℃ 要密闭几天", "| 25 以上 | 14 |", "| 粮温（℃） | 最少密闭时间（天） |", -1),
        ("5厘米的苗喂多少", "| 3-6 | 8 |", "| 体长（cm） | 克 |", 1),
        ("0.5厘米的苗喂多少", "| 3-6 | 8 |", "| 体长（cm） | 克 |", -1),
        ("两次间隔几天", "| 1 次 | 45 |", "| 次数 | 间隔（天） |", 0),  # how often is no condition
        ("一天喂几次", "| 21 | 4 |", "| 日龄（天） | 次数 |", 0),  # each day
        ("粮温 30 度 要密闭几天", "| 25 以上 | 14 |", "| 粮温（℃） | 最少密闭时间（天） |", 1),
        ("零下35度用什么机油", "| 低于 -30 | 0W-40 |", "| 气温（°C） | 机油 |", 1),
        ("零下35度用什么机油", "| 高于 5 | 15W-40 |", "| 气温（°C） | 机油 |", -1),
        ("零下15度用什么机油", "| -10 至 -20 | 10W-40 |", "| 气温（°C） | 机油 |", 1),
        ("Light on day 10 days after hatch", "| 8-14 | 20 |", "| Age (days) | Light (hours) |", 1),
        ("moisture at 60 % and 20 °C", "| 20 °C | 60 % | 12.9 |", "| Air | Humidity | Corn |", 1),
        ("moisture at 60 % and 20 °C", "| 20 °C | 70 % | 14.6 |", "| Air | Humidity | Corn |", -1),
        ("moisture at 60 %", "| red | 4 m |", "| Colour | Height |", 0),
        ("粮温 18 度和 22 度各密闭几天", "| 15-20 | 21 |", "| 粮温（℃） | 天 |", 0),  # one of two
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


@pytest.mark.parametrize(
    ("question", "text", "expected"),
    [
        ("粮温 18 ℃ 要密闭几天", "粮温 20-25 ℃ 时 16 天。", -1),
        ("粮温 18 ℃ 要密闭几天", "粮温 15-20 ℃ 时 21 天。", SAID),
        ("粮温 18 ℃ 要密闭几天", "密闭 16 天。", 0),
        ("How much milk in week 4?", "In weeks 2-5 it is 6 litres.", SAID),
        ("How much milk in week 7?", "In weeks 2-5 it is 6 litres.", -1),
        ("How much milk in week 10?", "No milk after week 8.", SAID),
        ("土壤 pH 5.8 施多少石灰", "pH 5.5-6.0 时 50 公斤；", SAID),
        ("土壤 pH 5.8 施多少石灰", "pH 低于 5.5 时 100 公斤；", -1),
        ("哪一年之后种了", "2004 年至今种了 2 年。", 0),
        ("1936 年种了多少亩", "1954 年种了 30 亩。", 0),
        ("30 日龄补铁多少", "3 日龄补铁 200 毫克；", -1),
    ],
)
def test_a_sentence_is_about_the_value_or_not(question: str, text: str, expected: float) -> None:
    assert about(named_values(question), _row(text, "", "paragraph")) == expected


@pytest.mark.parametrize(
    ("label", "below", "at", "above"),
    [
        ("不低于 18 ℃", -1, 1, 1),
        ("至少 18 ℃", -1, 1, 1),
        ("18 ℃ and later", -1, 1, 1),
        ("not below 18 °C", -1, 1, 1),
        ("低于 18 ℃", 1, 1, -1),
        ("不得超过 18 ℃", 1, 1, -1),
        ("至多 18 ℃", 1, 1, -1),
        ("no more than 18 °C", 1, 1, -1),
        ("within 18 °C", 1, 1, -1),
        ("18 ℃", -1, 1, -1),
        # Of two bounds each belongs to its own number, and two for one number leave the number.
        ("高于 18 ℃、低于 40 %", -1, 1, 1),
        ("低于 18 ℃ 或高于 18 ℃", -1, 1, -1),
    ],
)
def test_a_bound_is_read_however_it_is_worded(label: str, below: float, at: float, above: float) -> None:
    item = _row(f"- {label}：通风", "", "item")
    assert [about(named_values(f"{value} ℃ 怎么办"), item) for value in (10, 18, 30)] == [below, at, above]


def test_rows_of_another_case_are_told_by_the_cells_that_the_question_names() -> None:
    header = "| Drug | For | Dose |"
    rows = [_row("| Tiamulin | piglets | 8 |", header), _row("| Tiamulin | sows | 9 |", header)]
    assert other_cases("tiamulin dose for piglets", rows) == {1}
    assert other_cases("tiamulin dose", rows) == set()
    assert other_cases("tiamulin dose for one piglet", rows) == {1}
    assert other_cases("tiamulin dose for a pig", rows) == set()


def test_rows_of_codes_are_of_other_cases_than_another_code_of_their_kind() -> None:
    rows = [_row("| P1 | 15 |", "| Priority | Response |"), _row("| P2 | 60 |", "| Priority | Response |")]
    assert other_cases("response for p2", rows) == {0}
    assert other_cases("response for p5", rows) == {0, 1}
    assert other_cases("response of the sx24", rows) == set()  # of another kind


def test_a_row_with_nothing_in_the_column_asked_for_is_of_another_case() -> None:
    header = "| Grain | Seed (°C) | Feed (°C) |"
    rows = [_row("| Wheat | 43 | 80 |", header), _row("| Rape | 40 | - |", header)]
    assert other_cases("temperature for feed rape", rows) == {0, 1}
    assert other_cases("temperature for seed rape", rows) == {0}


def test_a_range_in_the_question_names_no_single_value() -> None:
    assert named_values("15-20 ℃ 密闭几天") == ()
    assert named_values("at 20 °C, 20 °C") == ((Decimal(20), "°c"),)


@pytest.mark.parametrize(
    ("question", "expected"),
    [("at 50 % load with a 3-year battery", 1.0), ("at 50 % load with a 5-year battery", -1.0)],
)
def test_a_column_may_be_for_another_value_than_the_question_names(question: str, expected: float) -> None:
    header = "| Load | Runtime, new battery | Runtime, 3-year battery |"
    assert about(named_values(question), _row("| 50 % | 18 min | 11 min |", header)) == expected


def test_a_count_per_something_is_asked_for_without_it() -> None:
    header = "| 等级 | 密度（头/kg） |"
    assert about(named_values("每公斤20头虫"), _row("| 一般 | 6～30 |", header)) == 1.0
    assert about(named_values("每公斤20头虫"), _row("| 严重 | >30 |", header)) == -1.0
