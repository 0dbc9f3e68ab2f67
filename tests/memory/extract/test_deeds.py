"""kb.memory.extract.deeds: what is done each time, within a time, or once a value is reached."""

from __future__ import annotations

import pytest

from kb.memory.extract.constraints import limits
from kb.memory.extract.dates import dates
from kb.memory.extract.deeds import each_of
from kb.memory.extract.mentions import KnownNames
from kb.memory.extract.statements import statements

KNOWN = KnownNames(())
CASES = [
    ("滤芯厚度小于 3 mm 应整套更换。", [("滤芯厚度整套更换", "小于 3 mm")]),
    ("刀片磨损达到 4 mm 的必须更换。", [("刀片磨损更换", "4 mm")]),
    (
        "轴承间隙超过 1 mm、轴颈磨损超过 2 mm 的,更换新件。",
        [("轴承间隙更换新件", "超过 1 mm"), ("轴颈磨损更换新件", "超过 2 mm")],
    ),
    (
        "Change the belt after the first 10 hours and every 90 hours.",
        [("Change the belt", "10 hours"), ("Change the belt", "90 hours")],
    ),
    ("皮带每用 300 小时或者 6 个月更换。", [("皮带更换", "300 小时"), ("皮带更换", "6 个月")]),
]


@pytest.mark.parametrize(("text", "expected"), CASES)
def test_what_is_done_names_the_value(text: str, expected: list[tuple[str, str]]) -> None:
    found = statements(text, limits(text), dates(text), KNOWN)
    assert [(f"{item.subject}{item.name}", item.value) for item in found] == expected


def test_a_rate_is_no_deed() -> None:
    assert each_of("液压油应每", "更换一次", KNOWN) == ("更换", "液压油")
    assert each_of("每打", "检查一次刀片", KNOWN) == ("检查刀片", "")
    assert each_of("每亩", "作底肥", KNOWN) is None


def test_a_day_in_a_condition_is_no_quantity() -> None:
    text = "在 3 月 25 日前完成检修"
    assert statements(text, limits(text), dates(text), KNOWN) == []


def test_a_condition_beside_a_value_is_told_where_it_names_what_it_compares() -> None:
    for text, name, value in (
        (
            "Leave the cows for 30 minutes and blot if the wind chill is below -10 °C.",
            "wind chill Leave the cows for 30 minutes and blot",
            "below -10 °C",
        ),
        ("籽粒水分高于 18% 时 48 小时内进塔烘干", "籽粒水分 48 小时内进塔烘干", "高于 18%"),
    ):
        found = statements(text, limits(text), [], KnownNames(()))
        assert [(item.name, item.value) for item in found if item.loose] == [(name, value)]
    text = "低于 -10 ℃ 时预热 30 分钟"
    assert not [item for item in statements(text, limits(text), [], KnownNames(())) if item.threshold]
