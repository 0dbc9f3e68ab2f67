"""kb.memory.extract.naming: names and owners of the values of a sentence."""

from __future__ import annotations

import pytest

from kb.memory.extract.constraints import limits
from kb.memory.extract.mentions import KnownNames
from kb.memory.extract.statements import statements

CASES = [
    ("最低供货量从 60 吨降为 45 吨", [("原最低供货量", "60 吨"), ("最低供货量", "45 吨")]),
    (
        "The cycle time grows from 10 to 25 seconds.",
        [("former cycle time", "10"), ("cycle time", "25 seconds")],
    ),
    ("Gearbox oil, 1.9 litres of SAE 90, should be renewed.", [("Gearbox oil SAE", "1.9 litres")]),
    ("Check whether the vent position is set to zero; we recommend 5 %.", [("vent position we recommend", "5 %")]),
    ("甲烷报警器共 8 只，其余动作值 20%", [("甲烷报警器", "8 只"), ("甲烷报警器动作值", "20%")]),
]


@pytest.mark.parametrize(("text", "expected"), CASES)
def test_values_are_named_by_their_clause_by_those_before_and_by_what_is_spoken_of(
    text: str, expected: list[tuple[str, str]]
) -> None:
    found = statements(text, limits(text), [], KnownNames(()), "Service")
    assert [(item.name, item.value) for item in found] == expected


def test_a_value_without_any_word_is_called_what_the_heading_says() -> None:
    found = statements("10 L.", [], [], KnownNames(()), "Net contents")
    assert [(item.name, item.value) for item in found] == [("Net contents", "10 L")]


def test_what_a_clause_ends_with_is_not_what_the_next_one_is_of() -> None:
    known = KnownNames([("HG-120", "HG-120")])
    found = statements("甲方向乙方供应 HG-120 共 4 台，总价 5 万元", [], [], known)
    assert [(item.subject, item.value) for item in found] == [("HG-120", "4 台"), ("", "5 万元")]
