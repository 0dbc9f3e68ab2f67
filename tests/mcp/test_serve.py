"""kb.mcp.serve: sessions with well-behaved and other clients."""

from __future__ import annotations

import json
import os
import re
import signal
import sqlite3
import subprocess
import threading
import time
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest

from kb.cli.grammar.mcp import DOMAINS
from kb.errors import AlmanacError
from kb.mcp import tool
from kb.mcp.serve import SERVERS, plain
from kb.mcp.tool import Arguments, Result, Tool, Toolbox
from kb.mcp.transport import MAX_LINE, MAX_OPEN
from tests.helpers import PROJECT, Program, raw_controls, wait_for, write
from tests.mcp.conftest import HELLO, READY, Connect, Lines

Talk = Callable[..., Lines]


def _toolbox(run: Callable[[Arguments], Result], name: str = "lookup_knowledge") -> Toolbox:
    parameters = tool.mapping({"query_text": tool.text("", 20)}, "query_text")
    return Toolbox("kb", (Tool(name, parameters, tool.result(said=tool.STRING), run),))


def _echo(given: Arguments) -> Result:
    return {"said": given["query_text"]}


def test_the_grammar_and_the_server_know_the_same_domains() -> None:
    assert tuple(SERVERS) == DOMAINS


def test_a_session(talk: Talk) -> None:
    lines = talk(_toolbox(_echo))
    hello = lines.greet()["result"]
    assert hello["serverInfo"]["name"] == "almanac-kb"
    assert hello["capabilities"] == {"experimental": {}, "tools": {"listChanged": False}}
    listed = lines.request(1, "tools/list")["result"]["tools"]
    assert [one["name"] for one in listed] == ["lookup_knowledge"]
    assert listed[0]["annotations"]["readOnlyHint"] is True
    assert listed[0]["outputSchema"]["required"] == ["said"]
    found = lines.call("lookup_knowledge", query_text="水泵")
    assert found["structuredContent"] == {"said": "水泵"}
    assert json.loads(found["content"][0]["text"]) == {"said": "水泵"}
    assert lines.request(9, "ping")["result"] == {}


def test_the_texts_follow_the_language(talk: Talk) -> None:
    lines = talk(_toolbox(_echo), "zh")
    assert "知识" in lines.greet()["result"]["instructions"]
    assert "错误码" in lines.request(1, "tools/list")["result"]["tools"][0]["description"]


@pytest.mark.parametrize(
    "arguments", [{}, {"query_text": 5}, {"query_text": "x" * 21}, {"query_text": "a", "more": 1}, {"query_text": ""}]
)
def test_arguments_that_do_not_fit_are_an_error_the_agent_can_read(talk: Talk, arguments: dict[str, Any]) -> None:
    lines = talk(_toolbox(_echo))
    lines.greet()
    found = lines.call("lookup_knowledge", **arguments)
    assert found["isError"] is True
    assert found["structuredContent"]["error"] == "mcp_bad_arguments"
    assert len(found["content"][0]["text"]) < 500


def test_errors_are_sentences_and_the_session_goes_on(talk: Talk) -> None:
    def work(given: Arguments) -> Result:
        if given["query_text"] == "known":
            raise AlmanacError("bad_day", value="\x1b]0;x\x07")
        raise ZeroDivisionError("secret path /home/x")

    lines = talk(_toolbox(work))
    lines.greet()
    known = lines.call("lookup_knowledge", query_text="known")
    assert known["isError"] is True
    assert known["structuredContent"]["error"] == "bad_day"
    assert not raw_controls(known["content"][0]["text"])
    unknown = lines.call("lookup_knowledge", query_text="unknown")
    assert unknown["isError"] is True
    assert "ZeroDivisionError" in unknown["content"][0]["text"]
    assert "secret" not in json.dumps(unknown)
    assert lines.request(9, "ping")["result"] == {}


def test_an_unknown_tool_is_a_protocol_error(talk: Talk) -> None:
    lines = talk(_toolbox(_echo))
    lines.greet()
    error = lines.request(3, "tools/call", name="rm\x1b[31m", arguments={})["error"]
    assert error["code"] == -32602
    assert "lookup_knowledge" in error["message"]
    assert not raw_controls(error["message"])


def test_an_unknown_method_is_told_from_wrong_parameters(talk: Talk) -> None:
    lines = talk(_toolbox(_echo))
    lines.greet()
    for number, method in enumerate(("tools/remove", "x\x1b[31m", "resources/list"), 3):
        error = lines.request(number, method)["error"]
        assert error["code"] == -32601, method
        assert not raw_controls(error["message"])
    assert lines.request(9, "tools/list")["result"]["tools"]


@pytest.mark.parametrize(
    "sent",
    [
        b"garbage\n", b"\x00\xff\xfe\n", b"{}\n", b"[]\n", b"null\n", b'{"jsonrpc":"1.0"}\n', b"[" * 5000 + b"\n",
        b'{"jsonrpc":"2.0","id":1,"method":' + b"x" * 300 + b"\n", b"x" * (MAX_LINE + 10) + b"\n",
    ],
)  # fmt: skip
def test_garbage_is_answered_and_the_session_goes_on(talk: Talk, sent: bytes) -> None:
    lines = talk(_toolbox(_echo))
    lines.greet()
    lines.send(sent)
    answer = lines.receive()
    assert answer["error"]["code"] in (-32700, -32600)
    assert lines.call("lookup_knowledge", query_text="still here")["structuredContent"] == {"said": "still here"}


def test_before_the_greeting_nothing_is_answered_but_errors(talk: Talk) -> None:
    lines = talk(_toolbox(_echo))
    assert "error" in lines.request(1, "tools/call", name="lookup_knowledge", arguments={"query_text": "a"})
    assert lines.greet()["result"]["serverInfo"]["name"] == "almanac-kb"


def test_a_client_that_asks_faster_than_it_is_answered_is_read_no_further(talk: Talk) -> None:
    may_end = threading.Event()
    working: list[int] = []
    guard = threading.Lock()

    def slow(given: Arguments) -> Result:
        with guard:
            working.append(1)
        may_end.wait(20)
        return _echo(given)

    lines = talk(_toolbox(slow))
    lines.greet()
    count = MAX_OPEN * 2
    call = {"name": "lookup_knowledge", "arguments": {"query_text": "a"}}
    for number in range(count):
        lines.send({"jsonrpc": "2.0", "id": number + 1, "method": "tools/call", "params": call})
    wait_for(lambda: len(working) >= 4, "four tools at work")
    assert len(working) == 4
    may_end.set()
    assert sorted(lines.receive()["id"] for _ in range(count)) == list(range(1, count + 1))


def test_what_was_asked_is_answered_when_the_client_sends_no_more(talk: Talk) -> None:
    entered = threading.Event()

    def slow(given: Arguments) -> Result:
        entered.set()
        time.sleep(0.2)
        return _echo(given)

    lines = talk(_toolbox(slow))
    lines.greet()
    call = {"name": "lookup_knowledge", "arguments": {"query_text": "last"}}
    lines.send({"jsonrpc": "2.0", "id": 4, "method": "tools/call", "params": call})
    assert entered.wait(20)
    os.close(lines._ask)
    lines._ask = -1
    assert lines.receive()["result"]["structuredContent"] == {"said": "last"}
    lines._thread.join(timeout=20)
    assert not lines._thread.is_alive()


def test_results_hold_nothing_a_terminal_would_obey(talk: Talk) -> None:
    lines = talk(_toolbox(lambda given: {"said": "a\x1b]52;c;x\x07\x9bb\ud800"}))
    lines.greet()
    said = lines.call("lookup_knowledge", query_text="x")["structuredContent"]["said"]
    assert not raw_controls(said)
    assert plain({"a": ("\x1b", 1, None, True, 2.5)}) == {"a": ["␛", 1, None, True, 2.5]}


# -- as a process ----------------------------------------------------------------------------------------------


@pytest.mark.slow
@pytest.mark.parametrize("env", [{}, {"LANG": "zh_CN.GBK", "PYTHONIOENCODING": "gbk"}, {"LANG": "C"}])
async def test_the_sdks_client_over_a_process(connect: Connect, env: dict[str, str]) -> None:
    async with connect("kb", env=env) as client:
        found = await client.call_tool("search_knowledge", {"query": "大豆 R5 期 钾肥"})
        assert found.isError is False
        assert found.structuredContent is not None
        passage = found.structuredContent["passages"][0]
        assert passage["citation"]["path"] == "agriculture/crop/soybean/growth_stage_2024_v2.md"
        assert passage["citation"]["lines"][0] > 0


CALLS: dict[str, tuple[str, dict[str, Any], str]] = {
    "kb": ("search_knowledge", {"query": "大豆 R5 期 钾肥"}, "passages"),
    "memory": ("write_memory", {"fact": "XM-2000 的扬程为 32.5 米。", "source": "desk", "confidence": 0.9}, "state"),
    "versions": ("current", {}, "knowledge_version"),
    "db": ("run_sql", {"sql": "SELECT a FROM t"}, "rows"),
    "log": ("query_logs", {"text": "e-07"}, "lines"),
    "req": ("get_requirement", {"id": "R-1"}, "title"),
}


def _snippet(readme: str) -> list[list[str]]:
    """The arguments of each server in the configuration that a README shows."""
    found = re.search(r"```json\n(\{\"mcpServers\".*?)```", (PROJECT / readme).read_text("utf-8"), re.DOTALL)
    assert found, readme
    return [server["args"] for server in json.loads(found[1])["mcpServers"].values()]


@pytest.mark.slow
async def test_the_configuration_in_the_readme_starts_every_server(
    connect: Connect, tmp_path: Path, tree: Path
) -> None:  # fmt: skip
    file = tmp_path / "农场.sqlite"
    connection = sqlite3.connect(file)
    connection.executescript("CREATE TABLE t (a); INSERT INTO t VALUES (7)")
    connection.close()
    write(tmp_path, "logs/app.log", "E-07 here\n")
    write(tree, "requirements/R-1.md", "---\ntitle: t\n---\nx\n")
    shown = _snippet("README.md")
    assert shown == _snippet("README.zh-CN.md")
    assert [arguments[:2] for arguments in shown] == [["mcp", domain] for domain in CALLS]
    assert CALLS.keys() == SERVERS.keys()
    places = {"/data/farm.sqlite": str(file), "/var/log/farm": str(tmp_path / "logs"), "/data/knowledge": str(tree)}
    for _, domain, *options in shown:
        name, given, field = CALLS[domain]
        async with connect(domain, *(places.get(option, option) for option in options)) as client:
            assert name in {one.name for one in (await client.list_tools()).tools}
            found = await client.call_tool(name, given)
            assert found.isError is False, found
            assert found.structuredContent is not None
            assert found.structuredContent[field]


@pytest.mark.slow
def test_what_a_server_lacks_is_said_before_the_first_message(program: Program, tree: Path) -> None:
    for arguments in (["db"], ["log"], ["db", "--database", "/nonexistent.db"]):
        done = program("mcp", *arguments, "--knowledge", str(tree))
        assert done.code != 0
        assert done.out == ""
        assert done.err.strip()
        assert done.clean


@pytest.mark.slow
def test_every_line_on_standard_output_is_json_rpc_while_a_library_prints(program: Program, tree: Path) -> None:
    main = program.main.parent / "noisy.py"
    main.write_text(
        "import ctypes, os, sys\n"
        "import kb.mcp.knowledge as knowledge\n"
        "real = knowledge.KnowledgeDesk.search\n"
        "def noisy(self, given):\n"
        "    print('python prints')\n"
        "    ctypes.CDLL(None).puts(b'a library prints')\n"
        "    ctypes.CDLL(None).fflush(None)\n"
        "    os.write(1, b'and writes')\n"
        "    return real(self, given)\n"
        "knowledge.KnowledgeDesk.search = noisy\n"
        "import agent_main\n"
        "sys.exit(agent_main.main())\n"
    )
    call = {"name": "search_knowledge", "arguments": {"query": "大豆"}}
    messages = [HELLO, READY, {"jsonrpc": "2.0", "id": 1, "method": "tools/call", "params": call}]
    done = subprocess.run(
        [*program.command()[:1], str(main), "mcp", "kb", "--knowledge", str(tree)],
        input=b"".join(json.dumps(message).encode() + b"\n" for message in messages),
        capture_output=True,
        env=program.environment(),
        cwd=program.main.parent,
        timeout=60,
        check=False,
    )
    answers = [json.loads(line) for line in done.stdout.splitlines()]
    assert [answer["id"] for answer in answers] == [0, 1]
    assert answers[1]["result"]["structuredContent"]["found"] is True
    assert b"a library prints" in done.stderr
    assert done.returncode == 0


@pytest.mark.slow
def test_ctrl_c_ends_a_server_whose_client_is_silent(program: Program, tree: Path) -> None:
    process = subprocess.Popen(
        program.command("mcp", "kb", "--knowledge", str(tree)),
        stdin=subprocess.PIPE, stdout=subprocess.PIPE, stderr=subprocess.PIPE, env=program.environment(),
    )  # fmt: skip
    assert process.stdin is not None
    assert process.stdout is not None
    process.stdin.write(json.dumps(HELLO).encode() + b"\n")
    process.stdin.flush()
    assert b"almanac-kb" in process.stdout.readline()
    process.send_signal(signal.SIGINT)
    _, err = process.communicate(timeout=20)
    assert process.returncode == 130
    assert b"Traceback" not in err


@pytest.mark.slow
@pytest.mark.parametrize("arguments", [["mcp"], ["mcp", "everything"], ["mcp", "kb", "--nonsense"]])
def test_a_wrong_command_line_is_said(program: Program, arguments: list[str]) -> None:
    done = program(*arguments)
    assert done.code == 2
    assert done.out == ""
    assert done.clean
