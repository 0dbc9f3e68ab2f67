"""kb.answer.agent.words: steps and reports in both languages, harmless whatever was observed."""

from __future__ import annotations

from collections.abc import Callable

from kb.answer.agent.loop import Agent
from kb.answer.agent.values import Call, Ended, LogLine, Note, Reason, Record, Report, Step, ToolResult
from kb.answer.agent.words import Style, lines, remark, saw, step_line, why
from kb.texts import Lang
from tests.helpers import raw_controls

HOSTILE = "\x1b]0;pwn\x07[/]\x9b31m\n[@click=app.quit]x"


def test_a_report_reads_conclusion_first(agent_in: Callable[[str], Agent]) -> None:
    report = agent_in("zh").run("订单123为什么支付失败")
    told = list(lines(report, "zh"))
    assert told[0].style is Style.HEADING and told[0].text == "文档的说明"
    assert told[1].style is Style.SUBJECT and (told[1].label, told[1].text) == ("ERR_TIMEOUT", "orders.jsonl:1")
    labels = [line.label for line in told if line.style is Style.EXPLANATION]
    assert labels[:4] == ["含义", "原因", "处理", "可重试"]
    assert all(1 <= line.source <= len(report.evidence) for line in told if line.style is Style.EXPLANATION)
    assert told[-1].style is Style.NOTE and "示例" in told[-1].text


def test_finding_nothing_is_said_calmly() -> None:
    for lang, said in (("zh", "没有查到"), ("en", "Nothing was found")):
        told = list(lines(Report("q", False, Ended.DONE), "zh" if lang == "zh" else "en"))
        assert said in told[0].text and len(told) == 1


def test_a_code_that_is_not_known_is_named() -> None:
    record = Record("orders.jsonl", 1, (("error_code", "ERR_X"),))
    report = Report("q", False, Ended.DONE, records=(record,), unexplained=("ERR_X",))
    told = [line.text for line in lines(report, "en")]
    assert told[0] == "The documents do not explain what was seen." and "ERR_X" in told[1]


def test_limits_and_problems_are_told() -> None:
    failed = Step(1, Reason("r"), Call("t", {}), ToolResult(False, problem=Note("agent_no_tool", {"tool": "t"})), 1.0)
    report = Report("q", False, Ended.STEPS, steps=(failed,), notes=(Note("not_a_key"), Note("not_a_key")))
    told = [line.text for line in lines(report, "en")]
    assert "There is no tool named t." in told and "Stopped at the limit (1 steps); there was more to look at." in told
    assert told.count("not_a_key") == 1


def test_reasons() -> None:
    assert why(Reason(), "en") == "chosen by the model"
    assert why(Reason("r", "nothing"), "en") == "the question names no order and no code"
    assert why(Reason("r", "order", "123", "question"), "en") == "order 123 seen in the question"
    assert why(Reason("r", "pump", "E-07", "x.log:3"), "zh") == "看到pump E-07（x.log:3）"


def test_what_a_step_saw() -> None:
    assert saw(ToolResult(False), "en") == "nothing found"
    assert saw(ToolResult(True, "some text"), "en") == "some text"
    assert saw(ToolResult(True, lines=(LogLine("a", 1, "x"),)), "en") == "log lines: 1"
    assert saw(ToolResult(False, problem=Note("agent_no_tool", {"tool": "t"})), "en") == "There is no tool named t."
    assert remark(Note("agent_no_tool", {"other": 1}), "en") == "agent_no_tool"


def test_nothing_observed_reaches_the_screen_as_a_command() -> None:
    record = Record(HOSTILE, 1, ((HOSTILE, HOSTILE),))
    result = ToolResult(True, HOSTILE, records=(record,), lines=(LogLine(HOSTILE, 1, HOSTILE),))
    step = Step(1, Reason("r", HOSTILE, HOSTILE, HOSTILE), Call(HOSTILE, {"a": HOSTILE}), result, 1.0)
    report = Report(
        HOSTILE, False, Ended.DONE, (step,), (), (record,), result.lines, unexplained=(HOSTILE,), sample=HOSTILE
    )
    langs: tuple[Lang, ...] = ("zh", "en")
    for lang in langs:
        shown = [step_line(step, lang), saw(result, lang), *(line.text for line in lines(report, lang))]
        assert all(not raw_controls(text) and "\n" not in text for text in shown)
