"""almanac agent, almanac tools: what people and programs get."""

from __future__ import annotations

import json
from pathlib import Path

import pytest

from kb.errors import ExitCode
from tests.answer.agent.conftest import copy_desk
from tests.conftest import CommandLine
from tests.helpers import Program, raw_controls, write


@pytest.fixture
def desk(tmp_path: Path) -> Path:
    """The shipped service desk, at a path with spaces and Chinese."""
    root = tmp_path / "知识 库"
    root.mkdir()
    return copy_desk(root)


def test_the_diagnosis_of_order_123(cli: CommandLine, desk: Path) -> None:
    done = cli("agent", "订单123为什么支付失败", "--knowledge", str(desk), "--lang", "zh")
    assert done.code == ExitCode.OK
    assert done.out.startswith('1  order_status(order_id="123")  -  看到订单 123（问题）')
    assert "原因: 网关在 10 s 内未收到银行应答  [1]" in done.out
    assert "service_desk/payment/gateway/errors_2026_v1.md:27" in done.out
    assert "! 未查单不得重试：可能重复扣款。  (支付网关超时排查指南:" in done.out
    assert "payment.log:8" in done.out and "示例数据" in done.out


def test_as_json(cli: CommandLine, desk: Path) -> None:
    done = cli("agent", "why did order 123 fail", "--knowledge", str(desk), "--json")
    value = json.loads(done.out)
    assert value["schema"] == 1 and value["answered"] and value["ended"] == "done"
    assert value["steps"][1]["call"] == {"tool": "lookup_knowledge", "arguments": {"query_text": "ERR_TIMEOUT"}}
    cause = next(found for found in value["findings"] if found["role"] == "cause")
    assert value["evidence"][cause["source"]]["path"].endswith("errors_2026_v1.md")
    assert value["knowledge_version"].keys() >= {"commit", "tag"}


@pytest.mark.parametrize(
    ("question", "said"), [("order 999", "no order 999"), ("订单128", "do not know ERR_VENDOR_77")]
)
def test_what_the_documents_do_not_explain_is_exit_code_3(
    cli: CommandLine, desk: Path, question: str, said: str
) -> None:
    done = cli("agent", question, "--knowledge", str(desk))
    assert done.code == ExitCode.NO_ANSWER and said in done.out


def test_limits_and_other_data(cli: CommandLine, desk: Path, tmp_path: Path) -> None:
    done = cli("agent", "订单123", "--steps", "1", "--knowledge", str(desk))
    assert "Stopped at the limit (1 steps)" in done.out
    write(tmp_path, "own/orders.csv", "order_id,error_code\n123,ERR_BALANCE\n")
    done = cli("agent", "订单123", "--data", str(tmp_path / "own"), "--knowledge", str(desk))
    assert done.code == ExitCode.OK and "付款账户可用余额小于订单金额" in done.out
    assert "There is no log in" in done.out and "fictional" not in done.out


@pytest.mark.parametrize(
    ("arguments", "code", "said"),
    [
        (["？？"], ExitCode.USAGE, "question"),
        (["订单1", "--data", "/nonexistent"], ExitCode.BAD_KNOWLEDGE, "/nonexistent is not a folder"),
        (["订单1", "--steps", "0"], ExitCode.USAGE, "--steps"),
    ],
)
def test_mistakes_are_named(cli: CommandLine, desk: Path, arguments: list[str], code: ExitCode, said: str) -> None:
    done = cli("agent", *arguments, "--knowledge", str(desk))
    assert done.code == code and said in done.err and done.clean


def test_broken_rules_are_named(cli: CommandLine, desk: Path) -> None:
    write(desk, "agent.yaml", "rules:\n  - {name: a, when: oder, call: t}\n")
    for verb in (["agent", "订单1"], ["tools"]):
        done = cli(*verb, "--knowledge", str(desk))
        assert done.code == ExitCode.BAD_KNOWLEDGE and "agent.yaml" in done.err and "a: oder" in done.err


def test_a_hostile_log_is_shown_as_text(cli: CommandLine, desk: Path, tmp_path: Path) -> None:
    write(tmp_path, "own/orders.jsonl", '{"order_id": "5", "x\\u001b[31m": "\\u009b31m[/]"}\n')
    write(tmp_path, "own/\x1b]0;x\x07.log", b"order 5 \x1b]52;c;aGk=\x07 [@click=app.quit] \xc2\x9b31m\n")
    for extra in ([], ["--json"]):
        done = cli("agent", "订单5", "--data", str(tmp_path / "own"), "--knowledge", str(desk), *extra)
        assert not raw_controls(done.out) and "[@click=app.quit]" in done.out


def test_the_tools_for_other_agents(cli: CommandLine, desk: Path) -> None:
    value = json.loads(cli("tools", "--json", "--lang", "zh", "--knowledge", str(desk)).out)
    assert [tool["name"] for tool in value["tools"]] == [
        "order_status",
        "log_search",
        "lookup_knowledge",
        "search_knowledge",
    ]
    assert "lookup_knowledge" in value["system_prompt"] and value["schema"] == 1
    shown = cli("tools", "--knowledge", str(desk))
    assert shown.code == ExitCode.OK and "order_status(order_id)" in shown.out


def test_the_program_itself(program: Program, desk: Path) -> None:
    done = program("agent", "订单123为什么支付失败", "--knowledge", str(desk), env={"LANG": "zh_CN.UTF-8"})
    assert done.code == ExitCode.OK and done.clean and "先查单，确认未扣款再重试" in done.out
