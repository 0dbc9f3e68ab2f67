"""kb.memory.extract.values: values as written, with unit, kind and bound."""

from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from kb.memory.extract.values import is_unit, kind_of, measures


@pytest.mark.parametrize(
    ("text", "value", "unit", "kind", "bound"),
    [
        ("需预热 30 分钟", "30 分钟", "分钟", "time", ""),
        ("低于 -10 ℃", "-10 ℃", "℃", "temperature", "<"),
        ("零下10℃", "零下10℃", "℃", "temperature", ""),
        ("电压 380 V±10%", "380 V±10%", "V", "electric", ""),
        ("人民币 1,200,000.00 元", "人民币 1,200,000.00 元", "元", "money", ""),
        ("USD 5,000", "USD 5,000", "", "money", ""),
        ("within thirty (30) days", "thirty (30) days", "days", "time", "<="),
        ("1200×800×600 mm", "1200×800×600 mm", "mm", "length", ""),
        ("每亩 30~50 克", "30~50 克", "克", "mass", ""),
        ("-10 ℃ 至 40 ℃", "-10 ℃ 至 40 ℃", "℃", "temperature", ""),
        ("20 kg per hectare", "20 kg per hectare", "kg per hectare", "mass", ""),
        ("百分之九十五以上", "百分之九十五", "", "share", ">="),
        ("十五个工作日内", "十五个工作日", "个工作日", "time", "<="),
        ("至少 3 台", "3 台", "台", "count", ">="),
        ("no more than 2.5 mm", "2.5 mm", "mm", "length", "<="),
        ("0.3 to 0.5 MPa", "0.3 to 0.5 MPa", "MPa", "pressure", ""),
        ("72 dB(A)", "72 dB(A)", "dB(A)", "sound", ""),
        ("流量 15 L/min", "15 L/min", "L/min", "flow", ""),
        ("每日0.5‰", "0.5‰", "‰", "share", ""),
    ],
)
def test_values(text: str, value: str, unit: str, kind: str, bound: str) -> None:
    found = measures(text)
    assert [(item.text, item.unit, item.kind, item.bound) for item in found] == [(value, unit, kind, bound)]


@pytest.mark.parametrize("text", ["XM-2000", "第3章", "图 2", "ISO 9001:2015", "Figure 4", "v2.0", "一次", "E-07"])
def test_what_counts_something_else_is_no_value(text: str) -> None:
    assert measures(text) == []


def test_taken_places_are_left_alone() -> None:
    assert measures("2024 年 30 天", [(0, 6)])[0].text == "30 天"


def test_kinds_and_units() -> None:
    assert kind_of("kg/ha") == "mass"
    assert kind_of("no unit") == ""
    assert is_unit("L/min")
    assert not is_unit("备注")


@given(st.text(alphabet="0123456789.,-~至℃kg天 元%/×()±", max_size=40))
def test_anything_is_read_without_an_error(text: str) -> None:
    for item in measures(text):
        assert 0 <= item.start < item.end <= len(text)
        assert item.text in text


def test_months_and_thousand_grain_weights_are_no_measures() -> None:
    assert [item.text for item in measures("防治适期在 8 月 10-20 日，千粒重 42 g，灭火器 12 具")] == ["42 g", "12 具"]
    assert [item.text for item in measures("Gate 4 leaks 12 litres, up to six zones")] == [
        "4",
        "12 litres",
        "six zones",
    ]
