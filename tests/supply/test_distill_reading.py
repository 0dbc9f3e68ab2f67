"""kb.supply.distill_reading: sentences with their places, and what they are."""

from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from kb.supply.distill_reading import Span, codes, fields, is_finding, judged, sentences, spans
from tests.supply.supply_helpers import event


def _judge(text: str) -> set[str]:
    found = judged(Span("x", 0, len(text), text))
    kinds = ("rule", "ban", "cause", "general", "correction", "guess", "errand")
    return {name for name in kinds if getattr(found, name)}


@pytest.mark.parametrize(
    ("text", "kinds"),
    [
        ("先清理滤网再复位", {"rule"}),
        ("严禁用吸水阀节流", {"rule", "ban"}),
        ("所有支付重试必须沿用原订单号", {"rule", "general"}),
        ("堵塞是因为两种肥混合", {"cause"}),
        ("卡片里写的不对", {"correction"}),
        ("怀疑是汽蚀", {"guess"}),
        ("可能重复扣款", set()),
        ("所有人必须参加，不得请假", {"rule", "ban", "general", "errand"}),
        ("应该注意安全", set()),
        ("已更换垫片", set()),
        ("Replace the set once the flow is 10 % above new", {"rule"}),
        ("Never open the tank before the pressure is 0 bar", {"rule", "ban"}),
        ("The seal was replaced", set()),
    ],
)
def test_what_a_sentence_is(text: str, kinds: set[str]) -> None:
    assert _judge(text) == kinds


def test_findings_come_before_what_was_asked() -> None:
    found = list(fields(event(title="t", request="r", review="v", comments=["a", 7, "b"], outcome="o", diff="d")))
    assert [name for name, _ in found] == ["review", "comments[0]", "comments[2]", "outcome", "title", "request"]
    assert [name for name, _ in found if is_finding(name)] == ["review", "comments[0]", "comments[2]", "outcome"]


def test_codes_as_they_are_met() -> None:
    assert codes(event(title="E-07 与 ERR_TIMEOUT", comments=["E-07 又来了，换 ALM-PC200 的 M8 螺栓"])) == [
        "E-07",
        "M8",
        "ERR_TIMEOUT",
    ]


@given(st.text(alphabet=st.sampled_from("ab 水泵。！？.!?\n-*•1"), max_size=80))
def test_spans_are_pieces_of_their_text(text: str) -> None:
    end = 0
    for span in spans("x", text):
        assert text[span.start : span.end] == span.text
        assert span.text == span.text.strip()
        assert span.start >= end
        end = span.end


def test_a_long_event_is_read_quickly_and_not_endlessly() -> None:
    found = sentences(event(comments=["先" * 30_000] * 3, review="a." * 30_000))
    assert all(len(one.span.text) <= 20_000 for one in found)
