"""kb.answer.agent.rules: which call follows from what was seen."""

from __future__ import annotations

import pytest

from kb.answer.agent.names import Kind
from kb.answer.agent.rules import DEFAULTS, NOTHING, Rule, RuleSet
from kb.answer.agent.values import Call, LogLine, Origin, Reason, Record, Step, ToolResult

ORIGINS = {
    "order_status": Origin.DATA,
    "log_search": Origin.DATA,
    "lookup_knowledge": Origin.KNOWLEDGE,
    "search_knowledge": Origin.KNOWLEDGE,
}
HEX = "7f3a9c0e51d24b8896e2d417c05ab3f1"


def wanted(question: str, *steps: Step, rules: RuleSet = DEFAULTS) -> list[str]:
    return [str(call) for _, call in rules.pending(question, steps, ORIGINS, "zh")]


def step(tool: str, result: ToolResult, **arguments: str) -> Step:
    return Step(1, Reason("r"), Call(tool, arguments), result, 1.0)


def row(*fields: tuple[str, str]) -> ToolResult:
    record = Record("orders.jsonl", 1, fields)
    return ToolResult(True, "\n".join(f"{name}: {value}" for name, value in fields), records=(record,))


def test_the_question_names_an_order() -> None:
    assert wanted("订单123为什么支付失败")[:2] == ['order_status(order_id="123")', 'log_search(order_id="123")']


def test_a_code_in_an_observation_is_looked_up_then_handled() -> None:
    seen = step("order_status", row(("error_code", "ERR_TIMEOUT"), ("trace_id", HEX)), order_id="123")
    first = wanted("订单123", seen)
    assert first[0] == 'lookup_knowledge(query_text="ERR_TIMEOUT")'
    assert f'log_search(query="{HEX}")' in first
    assert not any("怎么处理" in call for call in first)
    found = step("lookup_knowledge", ToolResult(True, "text"), query_text="ERR_TIMEOUT")
    assert 'search_knowledge(query="ERR_TIMEOUT 怎么处理")' in wanted("订单123", seen, found)
    missing = step("lookup_knowledge", ToolResult(False), query_text="err_timeout")
    then = wanted("订单123", seen, missing)
    assert 'search_knowledge(query="ERR_TIMEOUT")' in then and not any("怎么处理" in call for call in then)


def test_a_call_is_wanted_once_whatever_its_case() -> None:
    seen = step("log_search", ToolResult(True, lines=(LogLine("a.log", 1, "err_timeout ERR_TIMEOUT"),)), order_id="1")
    assert wanted("ERR_Timeout", seen).count('lookup_knowledge(query_text="ERR_Timeout")') == 1
    done = step("lookup_knowledge", ToolResult(True), query_text="err_timeout")
    assert not any(call.startswith("lookup") for call in wanted("ERR_Timeout", seen, done))


def test_codes_in_documents_start_nothing() -> None:
    text = "| ERR_BALANCE | 余额不足 |\n| ERR_RISK | 风控 |"
    assert not any(
        "ERR_" in call for call in wanted("帮帮我", step("lookup_knowledge", ToolResult(True, text), query_text="x"))
    )


def test_without_a_tool_its_rules_do_not_fire() -> None:
    knowledge = {name: origin for name, origin in ORIGINS.items() if origin is Origin.KNOWLEDGE}
    calls = [call.tool for _, call in DEFAULTS.pending("订单123 ERR_TIMEOUT", (), knowledge, "zh")]
    assert calls == ["lookup_knowledge"]


def test_a_question_that_names_nothing_is_searched() -> None:
    assert wanted("播种多深") == ['search_knowledge(query="播种多深")']
    assert len(wanted("深" * 500)[-1]) < 300
    assert wanted("播种多深", step("search_knowledge", ToolResult(False), query="播种多深")) == []
    assert not any("怎么了" in call for call in wanted("订单999怎么了"))
    missing = (
        step("order_status", ToolResult(False), order_id="999"),
        step("log_search", ToolResult(False), order_id="999"),
    )
    assert wanted("订单999怎么了", *missing) == []


def test_reasons_say_what_was_seen_and_where() -> None:
    seen = step("order_status", row(("error_code", "ERR_TIMEOUT")), order_id="123")
    reason = next(
        reason
        for reason, call in DEFAULTS.pending("订单123", (seen,), ORIGINS, "zh")
        if call.tool == "lookup_knowledge"
    )
    assert (reason.kind, reason.value, reason.seen_in) == ("error_code", "ERR_TIMEOUT", "orders.jsonl:1")
    assert not reason.by_model


def test_what_is_seen_is_filled_in_as_data() -> None:
    rules = RuleSet(
        {"word": Kind("word", ("*",), ("say",))},
        (Rule("r", "word", "search_knowledge", {"query": "about {word}, asked: {question}"}),),
    )
    assert wanted("say {word} or say abc", rules=rules) == [
        'search_knowledge(query="about abc, asked: say {word} or say abc")'
    ]


@pytest.mark.parametrize(
    "rule",
    [
        Rule("bad", "unknown_kind", "t", {}),
        Rule("bad", "order", "t", {"q": "{trace}"}),
        Rule("bad", "order", "t", {"q": {"zh": "{order}", "en": "{oder}"}}),
        Rule("bad", NOTHING, "t", {"q": "{order}"}),
    ],
)
def test_rules_that_cannot_work_are_refused(rule: Rule) -> None:
    with pytest.raises(ValueError, match="bad"):
        RuleSet(DEFAULTS.kinds, (rule,))
