"""kb.memory.extract.parties: who is called what."""

from __future__ import annotations

import pytest

from kb.memory.extract.parties import called, parties_between


@pytest.mark.parametrize(
    ("text", "pairs"),
    [
        (
            "甲方(买方):北京绿源农业科技有限公司",
            [("北京绿源农业科技有限公司", "甲方", True), ("北京绿源农业科技有限公司", "买方", True)],
        ),
        (
            "乙方:华丰机械有限公司(以下简称“华丰”)",
            [("华丰机械有限公司", "乙方", True), ("华丰机械有限公司", "华丰", False)],
        ),
        ('Acme Pump Co., Ltd. ("Supplier")', [("Acme Pump Co., Ltd.", "Supplier", True)]),
        ("Acme Corporation, hereinafter referred to as the Supplier, agrees", [("Acme Corporation", "Supplier", True)]),
        ("The World Food Programme (WFP) helps.", [("World Food Programme", "WFP", False)]),
        ("可编程逻辑控制器(PLC)控制泵", [("可编程逻辑控制器", "PLC", False)]),
        ("克百威又称呋喃丹", [("克百威", "呋喃丹", False)]),
        ("Carbofuran, also known as Furadan, is banned", [("Carbofuran", "Furadan", False)]),
        ("甲方:____", []),
        ("温度(最高)为 60 ℃", []),
    ],
)
def test_statements(text: str, pairs: list[tuple[str, str, bool]]) -> None:
    assert [(item.name, item.alias, item.local) for item in called(text)] == pairs


def test_between() -> None:
    text = "This Agreement is made between Green Valley Farms Ltd. and Acme Pump Co., Ltd. for pumps."
    assert parties_between(text) == ["Green Valley Farms Ltd.", "Acme Pump Co., Ltd."]
