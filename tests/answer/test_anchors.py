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
        ("公式里C代表什么", ["c ="]),
        ("What is H in the formula for power?", ["h ="]),
        ("Give me a formula for a cow", []),
        ("ERR_TIMEOUT是什么意思", ["err_timeout"]),
        ("病害55每亩用多少克", ["病害55"]),
        ("Which box is XC23?", ["xc23"]),
        ("大豆播种深度是多少", []),
        ("Which box holds 1 toy?", []),
        ("稀释500倍怎么配", []),
        ("水温30℃可以吗", []),
        ("pH 5.5 的土壤", []),
        ("P-07", ["p-07"]),
        ("故障码P0301", ["p0301"]),
        ("N15P15K15复合肥", []),
        ("p0.05, N15, K8", []),
        ("192.168.88.1", ["192.168.88.1"]),
        ("固件5.4.1要什么系统", ["5.4.1"]),
        ("2026.3.1 之后", []),
        ("2026-03-01", []),
        ("0471-5550123是谁的", ["0471-5550123"]),
        ("200QJ32-91扬程", ["200qj32-91"]),
        ("0x8007", ["0x8007"]),
        ("24LC256 address", ["24lc256"]),
        ("200KJ40-80扬程", ["200kj40-80"]),
        ("5W40机油", ["5w40"]),
        ("45x30, 220V50Hz, 3h20min, 10000-20000", []),
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
        ("E-12是什么意思", True),
        ("What does alarm E-12 mean?", True),
        ("公式里C代表什么", True),
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
        ("m3", "| Flow (m3/h) | 20 m3 |", False),  # a unit
        ("m3", "- **M3** pump dry", True),
        ("h =", "where H is the head in m", True),
        ("h =", "P = Q H, Q in m3/h", False),
        ("c =", "W 为体重 (kg)，C 为浓度", True),
        ("γ =", "其中 γ (g/cm³) 为容重", True),
    ],
)
def test_a_name_stands_there_whole_or_not_at_all(name: str, text: str, there: bool) -> None:
    assert stands_in(name, folded(text)) is there


@given(st.text(max_size=80))
def test_no_question_falls_over(question: str) -> None:
    for name in anchors(question):
        assert stands_in(name, folded(rendered(question))) or "_" in name or "-" in name


@pytest.mark.parametrize(
    ("name", "text", "stands"),
    [
        ("zb40", "the zb-40 pump", True),
        ("zb-40", "the zb 40 pump", True),
        ("zb-40", "the zb-401 pump", False),
        ("e-7", "e-07", False),
        ("5.4.1", "firmware v5.4.1.", True),
        ("5.4.1", "firmware 5.4.10", False),
        ("5.4.1", "firmware 5.4.1.2", False),
        ("192.168.88.1", "1192.168.88.1", False),
        ("0471-5550123", "电话0471-5550123。", True),
        ("0471-5550123", "10471-5550123", False),
        ("错误码5007", "错误码：5007；说明：图片过大", True),
        ("错误码5007", "错误码：50071", False),
    ],
)
def test_a_code_is_the_same_with_or_without_its_joint_and_an_address_is_whole(
    name: str, text: str, *, stands: bool
) -> None:
    assert stands_in(name, text) is stands
