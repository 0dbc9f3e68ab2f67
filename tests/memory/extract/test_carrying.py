"""kb.memory.extract.carrying: what a value takes over from the words before it in its sentence."""

from __future__ import annotations

import pytest

from kb.memory.extract.constraints import limits
from kb.memory.extract.mentions import KnownNames
from kb.memory.extract.statements import statements

CASES = [
    ("It has a 12 m boom and a 900 litre tank.", [("", "boom", "12 m"), ("", "tank", "900 litre")]),
    ("Gearbox oil (SAE 90, 1.8 litres) is changed.", [("", "Gearbox oil", "1.8 litres")]),
    ("机油(SAE 15W-40,13.5 升)每年更换。", [("", "机油", "13.5 升")]),
    ("The boom is 12 m long and 2 m high.", [("boom", "boom long", "12 m"), ("boom", "boom high", "2 m")]),
    ("The tank, made of steel, holds 900 litres.", [("", "tank holds", "900 litres")]),
    ("滤网每班清洗,每 500 小时更换。", [("", "滤网更换", "500 小时")]),
    ("The price of the pump is EUR 450, delivery included.", [("pump", "price", "EUR 450")]),
    ("机油 20 升,齿轮箱油 3 升", [("", "机油", "20 升"), ("", "齿轮箱油", "3 升")]),
    ("种子用 55 ℃ 温水浸泡 15 分钟", [("", "种子温水浸泡", "55 ℃"), ("", "种子温水浸泡", "15 分钟")]),
    ("水泵流量 20 L/min,其扬程 8 m", [("", "水泵流量", "20 L/min"), ("", "水泵扬程", "8 m")]),
    ("饮水器随日龄调整,一般高于鸡背 5 厘米", [("", "饮水器一般高于鸡背", "5 厘米")]),
    ("Change the oil after the first 20 hours, then every 100 hours.", [("", "Change the oil", "100 hours")]),
    ("Width 50 cm (20 in)", [("", "Width", "50 cm"), ("", "Width", "20 in")]),
    ("宽度 50 cm (20 in)", [("", "宽度", "50 cm"), ("", "宽度", "20 in")]),
    (
        "One feeder serves ten calves, giving 2 litres per minute.",
        [("", "One feeder serves", "ten calves"), ("", "feeder giving", "2 litres per minute")],
    ),
    ("Noise at a distance of 7 m does not exceed 80 dB.", [("", "distance", "7 m"), ("", "Noise", "not exceed 80 dB")]),
    ("Yield was 7 t/ha at 14 % moisture.", [("", "Yield", "7 t/ha"), ("", "moisture", "14 %")]),
    ("幼苗期白天 25 ℃,夜间 15 ℃", [("", "幼苗期白天", "25 ℃"), ("", "幼苗期夜间", "15 ℃")]),
    ("储水罐应在 2 小时内把水温降到 4 ℃", [("", "储水罐把水温降到", "2 小时内"), ("", "储水罐水温降", "4 ℃")]),
    (
        "消毒:水温 80 ℃,浓度 0.6%",
        [("", "消毒", "水温 80 ℃,浓度 0.6%"), ("", "消毒水温", "80 ℃"), ("", "消毒浓度", "0.6%")],
    ),
    (
        "Gap: inlet 3 mm, exhaust 4 mm",
        [("", "Gap", "inlet 3 mm, exhaust 4 mm"), ("", "Gap inlet", "3 mm"), ("", "Gap exhaust", "4 mm")],
    ),
]


@pytest.mark.parametrize(("text", "expected"), CASES)
def test_what_is_said_once_for_two_values(text: str, expected: list[tuple[str, str, str]]) -> None:
    found = statements(text, limits(text), [], KnownNames(()))
    assert [(item.subject, item.name, item.value) for item in found] == expected
