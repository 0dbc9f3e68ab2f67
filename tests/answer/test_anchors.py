"""kb.answer.anchors: names in a question that the evidence must be about."""

from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from kb.answer.anchors import anchors, only_names, stands_in
from kb.search.normalise import rendered
from kb.search.quantities import folded


@pytest.mark.parametrize(
    ("question", "names"),
    [
        ("水泵报E-07怎么处理", ["e-07"]),
        ("ERR_TIMEOUT是什么意思", ["err_timeout"]),
        ("病害55每亩用多少克", ["病害55"]),
        ("Which box is XC23?", ["xc23"]),
        ("大豆播种深度是多少", []),
        ("Which box holds 1 toy?", []),
        ("稀释500倍怎么配", []),
        ("水温30℃可以吗", []),
        ("pH 5.5 的土壤", []),
        ("见 https://docs.example.org/esp32/v5.1/boot.html 的说明", []),
        ("see [the page](https://example.org/e-07) on E-12", ["e-12"]),
        ("", []),
    ],
)
def test_names_are_codes_and_numbered_things(question: str, names: list[str]) -> None:
    assert anchors(question) == names


@pytest.mark.parametrize(
    ("question", "only"),
    [
        ("E-12", True),
        (" e-12？ ", True),
        ("Ｅ－１２", True),
        ("E-12, XC23!", True),
        ("ERR_BALANCE", True),
        ("E-12是什么故障", False),
        ("pump E-12", False),
        ("大豆", False),
        ("50%", False),
        ("", False),
    ],
)
def test_a_question_may_be_nothing_but_a_name(question: str, only: bool) -> None:
    assert only_names(question) is only


@pytest.mark.parametrize(
    ("name", "text", "there"),
    [
        ("e-07", "| E-07 | low pressure |", True),
        ("e-07", "| E-071 | low pressure |", False),
        ("xc23", "XC231", False),
        ("xc23", "箱子XC23装玩具", True),
        ("病害55", "| 病害55 | 药剂55号 |", True),
        ("病害55", "| 病害11 | 药剂11号 | 55 |", False),
        ("病害5", "| 病害55 |", False),
        ("h264/h265", "支持 H264 编码", True),
        ("h264/h265", "支持 MPEG 编码，264 行", False),
        ("esp32-s2/s3", "ESP32-S2 有此功能", True),
        ("e-07/e-08", "| E-071 | E-081 |", False),
    ],
)
def test_a_name_stands_there_whole_or_not_at_all(name: str, text: str, there: bool) -> None:
    assert stands_in(name, folded(text)) is there


@given(st.text(max_size=80))
def test_no_question_falls_over(question: str) -> None:
    for name in anchors(question):
        assert stands_in(name, folded(rendered(question))) or "_" in name or "-" in name
