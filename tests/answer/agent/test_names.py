"""kb.answer.agent.names: order numbers, codes and trace ids in text."""

from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from kb.answer.agent.names import Kind, holds, names_in
from kb.answer.agent.rules import ERROR_CODE, ORDER, TRACE

HEX = "7f3a9c0e51d24b8896e2d417c05ab3f1"


@pytest.mark.parametrize(
    ("kind", "text", "found"),
    [
        (ORDER, "订单123为什么支付失败", ["123"]),
        (ORDER, "订单号：１２３ 和订单 456，再看订单123", ["123", "456"]),
        (ORDER, "why did order #A2026-0099 fail? ORDER NO. 7", ["A2026-0099", "7"]),
        (ORDER, "order_id=123 amount=268", ["123"]),
        (ORDER, '{"order_id": "B12"}', ["B12"]),
        (ORDER, "订单号是 88 吗", ["88"]),
        (ORDER, "orders-1, border 12, in order to wait 30 min, 订单为什么失败", []),
        (ORDER, "下单后 30 分钟", []),
        (ORDER, "订单123、124和125为什么失败", ["123", "124", "125"]),
        (ORDER, "orders A-12 or A-13 failed; 我的单子 77 呢", ["A-12", "A-13", "77"]),
        (ORDER, "order 123, 5 days ago and 124 too", ["123"]),
        (ERROR_CODE, "返回 err_timeout，不是ERR_CARD_INVALID。", ["err_timeout", "ERR_CARD_INVALID"]),
        (ERROR_CODE, "泵显示E-07故障; E-31-2 SE-07 MY_ERR_X", ["E-07"]),
        (ERROR_CODE, "an ERR_ here", []),
        (ERROR_CODE, "error_code: F-21; err_code=CONN_RESET; 错误码为 40004", ["F-21", "CONN_RESET", "40004"]),
        (ERROR_CODE, "ERROR code=PAY-X-7 after 3 tries, status_code: S20, zip code 75001", ["PAY-X-7"]),
        (ERROR_CODE, "故障码：P0301、P0302; fault E-07; error_code: 0; 报错 F-12", ["P0301", "P0302", "E-07", "F-12"]),
        (ERROR_CODE, "error code missing, ERROR 2026-11-20 10:21:19, error_rate 12, err_code: none", []),
        (TRACE, f"trace_id={HEX} traceId: {HEX.upper()}", [HEX]),
        (TRACE, f"流水号 {HEX}", [HEX]),
        (TRACE, "trace the order, trace_id of it", []),
    ],
)
def test_names_are_recognised(kind: Kind, text: str, found: list[str]) -> None:
    assert names_in(kind, text) == found


@pytest.mark.parametrize(
    ("text", "name", "expected"),
    [
        ("order 123 failed", "123", True), ("订单123失败", "123", True), ("at 10:00:00.123 x", "123", False),
        ("1234", "123", False), ("123.50", "123", False), ("2026-11-123", "123", False), ("id:123,", "123", True),
        ("ERR_TIMEOUT_2", "ERR_TIMEOUT", False), ("code=err_timeout.", "ERR_TIMEOUT", True),
        ("支付超时", "超时", True), ("", "超时", False), ("E-07", "e-07", True), ("E-07-1", "E-07", False),
    ],
)  # fmt: skip
def test_a_name_stands_as_a_whole(text: str, name: str, expected: bool) -> None:
    assert holds(text, name) is expected


@pytest.mark.parametrize(("masks", "after"), [((), ()), (("",), ()), (("#-#-*-#",), ()), (("*",), ()), (("##",), ())])
def test_masks_that_say_nothing_are_refused(masks: tuple[str, ...], after: tuple[str, ...]) -> None:
    with pytest.raises(ValueError, match="k: a mask"):
        Kind("k", masks, after)


def test_what_stands_anywhere_must_say_something() -> None:
    assert names_in(Kind("k", ("#",), ("pump",), bare=("P-#",)), "pump 7, P-8, 9") == ["7", "P-8"]
    with pytest.raises(ValueError, match="k: a mask"):
        Kind("k", ("#",), ("pump",), bare=("*",))


@given(st.text(alphabet="aA1_-#*. 订单=", max_size=60))
def test_a_name_that_is_found_stands_in_the_text(text: str) -> None:
    for kind in (ORDER, ERROR_CODE, Kind("any", ("a*-#", "#_*"))):
        assert all(name in text for name in names_in(kind, text))


def test_masks_are_literal_beside_their_runs() -> None:
    assert names_in(Kind("k", ("X.(#)",)), "X.(12) Xa(12)") == ["X.(12)"]
    assert names_in(Kind("k", ("X+#",)), "X+12 XX12") == ["X+12"]


def test_no_mask_makes_matching_slow() -> None:
    """Exponential matching would not end here."""
    for text in ("a" * 20_000, "1" * 20_000, "a-" * 10_000, "order " * 4_000, "trace_id=" * 2_000):
        for kind in (ORDER, TRACE, Kind("k", ("*a*a*",), ("a",))):
            assert all(name in text for name in names_in(kind, text))
