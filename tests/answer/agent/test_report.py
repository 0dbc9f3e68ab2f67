"""kb.answer.agent.report: what is said of what was seen, and nothing else."""

from __future__ import annotations

from hypothesis import given
from hypothesis import strategies as st

from kb.answer.agent.report import compose
from kb.answer.agent.rules import Seen
from kb.answer.agent.values import Call, Ended, LogLine, Origin, Reason, Record, Role, Step, ToolResult
from kb.answer.answer import Evidence

HEADER = "| 代码 | 含义 | 原因 | 处理 |"


def unit(text: str, kind: str = "paragraph", context: str = "", line: int = 1, path: str = "a/b/c.md") -> Evidence:
    return Evidence(path, "T", (), (line, line), text, context, text.strip("| "), kind, "1", "", "", "", (), 1.0)


def step(*evidence: Evidence, **rest: object) -> Step:
    result = ToolResult(True, evidence=evidence, **rest)  # type: ignore[arg-type]
    return Step(1, Reason("r"), Call("t", {}), result, 1.0)


def seen(value: str, place: str = "orders.jsonl:1", origin: Origin = Origin.DATA, kind: str = "error_code") -> Seen:
    return Seen(kind, value, origin, place)


def test_a_row_is_told_by_its_columns() -> None:
    row = unit("| ERR_A | 超时 | 银行慢 | 先查单 |", "table", HEADER)
    report = compose("q", (step(row),), [seen("err_a")], Ended.DONE)
    assert [(found.role, found.label, found.text) for found in report.findings] == [
        (Role.MEANING, "含义", "超时"),
        (Role.CAUSE, "原因", "银行慢"),
        (Role.HANDLING, "处理", "先查单"),
    ]
    assert {(found.source, found.seen_in) for found in report.findings} == {(0, "orders.jsonl:1")}
    assert report.answered


def test_rows_of_other_codes_say_nothing() -> None:
    row = unit("| ERR_AB | 超时 | 银行慢 | 先查单 |", "table", HEADER)
    report = compose("q", (step(row),), [seen("ERR_A")], Ended.DONE)
    assert report.findings == () and report.unexplained == ("ERR_A",) and not report.answered


def test_a_row_without_such_columns_and_sentences_are_quoted() -> None:
    tip = unit("| ERR_A | 请稍候 |", "table", "| 代码 | 提示 |", line=3)
    broken = unit("| ERR_A | x |", "table", HEADER, line=4)
    sentence = unit("返回 ERR_A 时按本指南处理。", line=5)
    report = compose("q", (step(tip, broken, sentence),), [seen("ERR_A")], Ended.DONE)
    assert [found.role for found in report.findings] == [Role.QUOTE] * 3
    assert [found.source for found in report.findings] == [0, 1, 2]


def test_the_order_s_own_code_comes_before_those_of_logs_and_question() -> None:
    rows = [
        unit(f"| {code} | m | c | h |", "table", HEADER, line) for line, code in enumerate(("ERR_Q", "ERR_L", "ERR_O"))
    ]
    names = [seen("ERR_Q", "question", Origin.QUESTION), seen("ERR_L", "a.log:2"), seen("ERR_O")]
    report = compose("q", (step(*rows),), names, Ended.DONE)
    assert list(dict.fromkeys(found.subject for found in report.findings)) == ["ERR_O", "ERR_L", "ERR_Q"]


def test_the_same_place_is_cited_once_and_lines_are_in_order() -> None:
    one, warning = unit("ERR_A 一。"), unit("不得重试。", line=9)
    lines = (LogLine("b.log", 2, "x"), LogLine("a.log", 9, "y"), LogLine("a.log", 9, "y"))
    record = Record("orders.jsonl", 1, (("order_id", "1"),))
    steps = (step(one, lines=lines, records=(record,), warnings=(warning, one)), step(one, records=(record,)))
    report = compose("q", steps, [seen("ERR_A")], Ended.STEPS)
    assert len(report.evidence) == 1 and len(report.records) == 1
    assert [line.place for line in report.lines] == ["a.log:9", "b.log:2"]
    assert report.warnings == (warning,) and report.ended is Ended.STEPS


def test_without_names_what_was_found_stands_for_itself() -> None:
    report = compose("q", (step(*(unit(f"第{n}句。", line=n) for n in range(9))),), [], Ended.DONE)
    assert [found.text for found in report.findings] == ["第0句。", "第1句。", "第2句。"]
    assert compose("q", (), [], Ended.DONE).empty


def test_names_in_documents_need_no_explanation() -> None:
    names = [seen("ERR_B", "lookup_knowledge", Origin.KNOWLEDGE), seen("123", kind="order")]
    assert compose("q", (step(unit("x")),), names, Ended.DONE).unexplained == ()


def test_a_heading_names_what_stands_under_it() -> None:
    under = Evidence(
        "a/b/c.md", "T", ("ERR_A 超温",), (3, 3), "风扇停转。", "", "风扇停转。", "paragraph", "", "", "", "", (), 1.0
    )
    report = compose("q", (step(under),), [seen("ERR_A")], Ended.DONE)
    assert [(found.role, found.text) for found in report.findings] == [(Role.QUOTE, "风扇停转。")]


_CELLS = st.text(alphabet="ERR_ABab错原因|\\ 1", max_size=6)


@given(
    st.lists(st.lists(_CELLS, min_size=1, max_size=4), max_size=4),
    st.lists(st.sampled_from(["ERR_A", "ERR_AB", "E-1"])),
)
def test_nothing_is_said_that_was_not_observed(rows: list[list[str]], codes: list[str]) -> None:
    evidence = [unit(f"| {' | '.join(row)} |", "table", HEADER, line) for line, row in enumerate(rows)]
    report = compose("q", (step(*evidence),), [seen(code) for code in codes], Ended.DONE)
    for found in report.findings:
        assert report.evidence[found.source] in evidence
        assert (
            found.text in evidence[found.source].text.replace("\\|", "|") or found.text == evidence[found.source].plain
        )
