"""kb.memory.extract.statements: subject, name and value of what a sentence states."""

from __future__ import annotations

import pytest

from kb.memory.extract.constraints import limits
from kb.memory.extract.dates import dates
from kb.memory.extract.mentions import KnownNames
from kb.memory.extract.statements import statements

KNOWN = KnownNames([("XM-2000", "XM-2000"), ("本设备", "XM-2000")])
CASES = [
    ("本设备在低温环境下需预热 30 分钟", [("XM-2000", "预热", "30 分钟")]),
    ("除易损件外,质保期为 24 个月。", [("", "质保期", "24 个月")]),
    ("XM-2000 的额定功率为 5.5 kW,电压 380 V。", [("XM-2000", "额定功率", "5.5 kW"), ("XM-2000", "电压", "380 V")]),
    ("液压油的更换周期为 500 小时", [("液压油", "更换周期", "500 小时")]),
    ("液压油应每 500 小时更换一次", [("液压油", "更换", "500 小时")]),
    ("额定功率:5.5 kW", [("", "额定功率", "5.5 kW")]),
    ("加入 20 升清水", [("", "加入清水", "20 升")]),
    ("温度不得超过 60 ℃", [("", "温度", "不得超过 60 ℃")]),
    ("Preheat for 30 minutes below -10 °C.", [("", "Preheat", "30 minutes")]),
    ("The rated power of the XM-2000 is 5.5 kW.", [("XM-2000", "rated power", "5.5 kW")]),
    ("The hydraulic oil must be changed every 500 hours.", [("hydraulic oil", "changed", "500 hours")]),
    ("Use 20 litres of clean water.", [("", "Use clean water", "20 litres")]),
    ("防护等级为 IP65", [("", "防护等级", "IP65")]),
    ("外壳的材质为铸铁", [("外壳", "材质", "铸铁")]),
    ("不可抗力是指不能预见的情况", [("不可抗力", "definition", "不能预见的情况")]),
    ("pH 值为 6.5", [("", "pH 值", "6.5")]),
    ("母液静置不超过 2 小时。", [("", "母液静置", "不超过 2 小时")]),
    ("种蛋保存温度 15 ℃,保存时间不宜超过 7 天", [("", "种蛋保存温度", "15 ℃"), ("", "种蛋保存时间", "不宜超过 7 天")]),
    ("饮水器流速 0.8 升,安装高度 25 厘米", [("", "饮水器流速", "0.8 升"), ("", "饮水器安装高度", "25 厘米")]),
    ("工作压力 0.3 MPa(最高 0.5 MPa)", [("", "工作压力", "0.3 MPa"), ("", "工作压力最高", "0.5 MPa")]),
    ("总水量 1200 万立方米", [("", "总水量", "1200 万立方米")]),
    (
        "Set the bale density to 120 bar for dry hay and to 90 bar for silage.",
        [("", "Set the bale density for dry hay", "120 bar"), ("", "Set the bale density for silage", "90 bar")],
    ),
    ("Either party may end the lease with 90 days' notice.", [("Either party", "end the lease notice", "90 days")]),
    (
        "Install the unit at least 50 cm above the ground.",
        [("", "Install the unit above the ground", "at least 50 cm")],
    ),
    ("Carbon dioxide must stay under 0.5 %.", [("Carbon dioxide", "stay", "under 0.5 %")]),
    ("The freight rate is GBP 14.50 per tonne, all in.", [("", "freight rate", "GBP 14.50 per tonne")]),
    ("Ventilate with 80 m3/h per tonne.", [("", "Ventilate", "80 m3/h per tonne")]),
    ("Mix petrol and oil at 50:1.", [("", "Mix petrol and oil", "50:1")]),
    ("请在 10:30 前到场", []),
    ("The cell count was 165,000 per ml.", [("cell count", "was", "165,000")]),
    ("设备运行正常。", []),
]


@pytest.mark.parametrize(("text", "expected"), CASES)
def test_statements(text: str, expected: list[tuple[str, str, str]]) -> None:
    found = statements(text, limits(text), dates(text), KNOWN)
    assert [(item.subject, item.name, item.value) for item in found] == expected
    for item in found:
        assert item.value in text[item.start : item.end]


def test_a_value_in_a_condition_alone_is_stated_with_what_is_then_done() -> None:
    for text, name, value in (
        ("锤片磨损超过 3 mm 时应调头使用", "锤片磨损调头使用", "超过 3 mm"),
        ("If the pump is not used for more than 30 days, drain the tank.", "drain the tank", "more than 30 days"),
        ("Switch the fan on when the temperature reaches 28 °C.", "Switch the fan on", "28 °C"),
    ):
        found = statements(text, limits(text), [], KNOWN)
        assert [(item.name, item.value, item.threshold) for item in found] == [(name, value, True)]
    text = "低于 -10 ℃ 时预热 30 分钟"
    assert [item.value for item in statements(text, limits(text), [], KNOWN)] == ["30 分钟"]


def test_conditions_belong_to_the_values_beside_them() -> None:
    text = "低于 -10 ℃ 时预热 30 分钟;其他情况预热 5 分钟"
    found = statements(text, limits(text), [], KNOWN)
    assert [len(item.conditions) for item in found] == [1, 0]
