"""kb.memory.extract.constraints: what limits a sentence, and how far it reaches."""

from __future__ import annotations

import pytest

from kb.memory.extract.constraints import limits

CASES = [
    ("本设备在低温环境下需预热 30 分钟", [("if", "在低温环境下", True)]),
    ("低于 -10 ℃ 时,需预热 30 分钟", [("if", "低于 -10 ℃ 时", True)]),
    ("本条款仅适用于华东区域", [("only", "本条款仅适用于华东区域", False)]),
    ("除易损件外,质保期为 24 个月", [("except", "除易损件外", True)]),
    ("质保期 12 个月,易损件不在保修范围内", [("except", "易损件不在保修范围内", False)]),
    ("报价不含运费", [("except", "报价不含运费", False)]),
    ("除非甲方书面同意,乙方不得转让", [("unless", "除非甲方书面同意", True), ("not", "乙方不得转让", False)]),
    ("若逾期超过 15 日,甲方有权解除合同", [("if", "若逾期超过 15 日", True)]),
    ("严禁带电操作", [("not", "严禁带电操作", False)]),
    ("Preheat for 30 minutes below -10 °C.", [("if", "below -10 °C", True)]),
    (
        "Spray only if the wind is 3-10 mph, unless the label is stricter.",
        [("only", "only if the wind is 3-10 mph", True), ("unless", "unless the label is stricter", True)],
    ),
    ("The warranty does not cover wear parts.", [("except", "The warranty does not cover wear parts", False)]),
    ("If it drops below 5.5 °C, drain the pump.", [("if", "If it drops below 5.5 °C", True)]),
    ("This clause applies only to Germany.", [("only", "This clause applies only to Germany", False)]),
    ("温度不得超过 60 ℃", []),
    ("must not exceed 60 °C", []),
    ("如图 3 所示,例如大豆", []),
    ("设备存在故障", []),
]


@pytest.mark.parametrize(("text", "expected"), CASES)
def test_limits(text: str, expected: list[tuple[str, str, bool]]) -> None:
    found = limits(text)
    assert [(item.kind.value, text[item.start : item.end], item.condition) for item in found] == expected


def test_a_sentence_that_is_all_condition_states_its_values() -> None:
    assert limits("When folded the S80-51 stands 3.9 m high.") == []
    text = "If in eyes: rinse for 15 minutes."
    assert [text[limit.start : limit.end] for limit in limits(text)] == ["If in eyes"]


def test_a_cell_with_nothing_to_tell_is_no_limit() -> None:
    assert limits("不适用") == limits("Not applicable") == []
    assert len(limits("不适用于菜用毛豆")) == len(limits("禁用")) == 1
