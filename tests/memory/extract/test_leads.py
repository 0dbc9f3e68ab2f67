"""kb.memory.extract.leads: names and subjects from the words before a value."""

from __future__ import annotations

import pytest

from kb.memory.extract.deeds import each_of
from kb.memory.extract.leads import completed, lead_of
from kb.memory.extract.mentions import KnownNames

KNOWN = KnownNames([("XM-2000", "XM-2000")])
CASES = [
    ("XM-2000 的额定功率为", ("额定功率", "XM-2000")),
    ("液压油的更换周期应为", ("更换周期", "液压油")),
    ("安全水分上限为", ("安全水分上限", "")),
    ("The rated power of the XM-2000 is", ("rated power", "XM-2000")),
    ("the pump's head is", ("head", "pump")),
    ("circulate acid at a concentration of", ("concentration", "")),
    ("The air filter must be replaced every", ("replaced", "air filter")),
    ("Payment is due within", ("Payment", "")),
    ("", ("", "")),
]


@pytest.mark.parametrize(("lead", "expected"), CASES)
def test_leads(lead: str, expected: tuple[str, str]) -> None:
    name, subject = lead_of(lead, KNOWN)
    assert (name, subject) == expected


def test_what_is_done_each_time_names_the_value() -> None:
    assert each_of("液压油应每", "更换一次", KNOWN) == ("更换", "液压油")


def test_a_name_that_says_too_little_is_completed() -> None:
    assert completed("加入", "清水") == "加入清水"
    assert completed("Use", "of clean water for rinsing") == "Use clean water"
    assert completed("支付合同总价", "作为预付款") == "支付合同总价 预付款"
    assert completed("额定功率", "") == "额定功率"
    assert completed("服务长度", "的粪道") == "粪道服务长度"
    assert completed("允许", "的误差") == "允许误差"
    assert completed("差额部分", "承担仓储费") == "差额部分承担仓储费"
