"""kb.memory.extract.pointing: what a pronoun at the front of a sentence stands for."""

from __future__ import annotations

import pytest

from tests.memory.helpers import read

CASES = [
    ("# TX-80 Pump manual\n\nThe motor draws 3.2 A. It weighs 12 kg.", "TX-80", "motor weighs", "12 kg"),
    ("# TX-80 Pump manual\n\nThe pump weighs 12 kg. Its speed is 900 rpm.", "TX-80", "speed", "900 rpm"),
    ("# TX-80 Pump manual\n\nThe motor and the pump need 3 kW. It weighs 12 kg.", "TX-80", "weighs", "12 kg"),
    ("# LG-37 空压机说明\n\n## 储气罐\n\n该罐设计压力 1.25 MPa。", "储气罐", "设计压力", "1.25 MPa"),
    ("# LG-37 空压机说明\n\n## 储气罐\n\n该罐设计压力 1.25 MPa，容积 600 升。", "储气罐", "容积", "600 升"),
    ("# LG-37 空压机说明\n\n## 电动机\n\n其额定功率为 37 kW。", "电动机", "额定功率", "37 kW"),
    ("# 沼气站巡检\n\n## 发酵罐\n\n1 号罐罐温 36 ℃；液位 5 m。", "1 号罐", "液位", "5 m"),
    ("# LG-37 空压机说明\n\n## 电动机\n\n它的额定功率为 37 kW。", "电动机", "额定功率", "37 kW"),
]


@pytest.mark.parametrize(("text", "entity", "name", "value"), CASES)
def test_a_pronoun_stands_for_one_thing(text: str, entity: str, name: str, value: str) -> None:
    _, found = read(text)
    said = [(each.name, item.name, item.value) for each in found.entities for item in each.attributes]
    assert (entity, name, value) in said


def test_a_new_passage_does_not_go_on_about_the_last_one() -> None:
    _, found = read("# TX-80 Pump manual\n\nThe motor draws 3.2 A.\n\nIt weighs 12 kg.")
    said = [(each.name, item.name, item.value) for each in found.entities for item in each.attributes]
    assert ("TX-80", "weighs", "12 kg") in said
