"""What a document sets side by side: the rows of a table, the items of a list."""

from __future__ import annotations

import pytest

from kb.answer.siblings import Siblings
from kb.answer.units import Unit

_HEAD = "| 病名 | 药物 |"
_DISEASES = [Unit(f"| {name} | {drug} |", _HEAD, 1, 1, "table") for name, drug in (("烂鳃病", "甲"), ("肠炎病", "乙"))]
_PESTS = [
    Unit(f"- {name}：{said}", "", 1, 1, "item")
    for name, said in (("玉米象", "28 ℃"), ("谷蠹", "34 ℃"), ("麦蛾", "不食"))
]
_LEVELS = [Unit(f"| {name} | {hours} hours |", "| Priority | Response |", 1, 1, "table") for name, hours in
           (("P1", 4), ("P2", 8))]  # fmt: skip


def _prose(text: str) -> Unit:
    return Unit(text, "", 1, 1, "paragraph")


@pytest.mark.parametrize(
    ("question", "unit", "differs"),
    [
        ("麦蛾最适温度", _PESTS[0], True),
        ("麦蛾最适温度", _PESTS[2], False),
        ("麦蛾和玉米象的最适温度", _PESTS[0], False),
        ("麦蛾最适温度", _prose("各种害虫的成虫都怕冷。"), False),
        ("最适温度是多少", _PESTS[0], False),
    ],
)
def test_what_is_said_of_one_is_not_said_of_another(question: str, unit: Unit, differs: bool) -> None:
    assert Siblings.of(question, [_PESTS]).differ_from(unit, "", "") is differs


def test_a_heading_may_name_what_the_unit_does_not() -> None:
    found = Siblings.of("麦蛾最适温度", [_PESTS])
    assert not found.differ_from(_prose("比谷蠹低 2 ℃。"), "麦蛾", "")
    assert found.differ_from(_prose("比谷蠹低 2 ℃。"), "害虫", "")


@pytest.mark.parametrize(
    ("question", "unit", "section", "differs"),
    [
        ("烂尾病用什么药", _DISEASES[0], "烂鳃病 甲", True),
        ("烂尾病用什么药", _prose("烂尾病用盐水。"), "烂鳃病 甲 烂尾病用盐水。", False),
        ("烂尾病用什么药", _prose("泡半小时。"), "烂尾病用盐水。泡半小时。", False),
        ("白皮病有什么症状", _prose("赤皮病症状：充血。"), "赤皮病症状：充血。白皮病发白。", True),
        ("鱼得了什么病", _DISEASES[0], "烂鳃病 甲", False),
        ("烂鳃病用什么药", _DISEASES[0], "烂鳃病 甲", False),
    ],
)
def test_a_name_with_the_same_ending_that_no_row_has(question: str, unit: Unit, section: str, differs: bool) -> None:
    assert Siblings.of(question, [_DISEASES]).differ_from(unit, "", section) is differs


def test_a_row_is_about_its_first_cell() -> None:
    found = Siblings.of("Response for P1", [_LEVELS])
    assert [found.differ_from(unit, "", "") for unit in _LEVELS] == [False, True]


def test_a_row_tells_of_what_its_columns_name() -> None:
    animals = [Unit(f"- {name}: see below", "", 1, 1, "item") for name in ("Calves", "Heifers")]
    row = Unit("| Dose | 2 ml | 5 ml |", "| | Calves | Heifers |", 1, 1, "table")
    assert not Siblings.of("dose for heifers", [animals]).differ_from(row, "", "")


def test_values_and_sentences_are_no_names() -> None:
    rows = [
        Unit(f"| {cell} | x |", "| a | b |", 1, 1, "table") for cell in ("25 ℃", "a sentence that is much too long")
    ]
    assert not Siblings.of("at 30 ℃", [rows]).pairs
