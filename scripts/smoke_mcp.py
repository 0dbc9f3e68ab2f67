"""The MCP servers of the executable, each talked to by the SDK's own client over a real process."""

from __future__ import annotations

import json
import sqlite3
from collections.abc import Mapping
from pathlib import Path
from typing import Any

import anyio
import mcp
from mcp.client.stdio import StdioServerParameters, stdio_client

_TIMEOUT_S = 120
_QUESTION = "大豆R5期追施多少钾肥"
# Per server: its options, and calls with words that the structured result must hold.
Calls = tuple[tuple[str, Mapping[str, object], tuple[str, ...]], ...]


def prepared(folder: Path) -> dict[str, tuple[list[str], Calls]]:
    """Data for servers that need some, made in `folder`; options and calls of each server."""
    database, logs, knowledge = folder / "farm.sqlite", folder / "logs", folder / "knowledge"
    with sqlite3.connect(database) as connection:
        connection.execute("CREATE TABLE pump (name TEXT, metres REAL)")
        connection.execute("INSERT INTO pump VALUES ('XM-2000', 32.5)")
    connection.close()
    for place in (logs, knowledge / "requirements"):
        place.mkdir(parents=True)
    (logs / "pump.log").write_text("2026-11-30T08:00:00Z ERROR E07 pump stopped trace=abc123\n", "utf-8")
    (knowledge / "requirements" / "PUMP-12.md").write_text(
        "---\ntitle: Spare seal on site\nstate: RELEASED\n---\nKeep one.\n", "utf-8"
    )
    return {
        "kb": ([], (
            ("search_knowledge", {"query": _QUESTION}, ("growth_stage", "knowledge_version")),
            ("lookup_knowledge", {"query_text": "E07"}, ("knowledge_version",)),
        )),
        "memory": ([], (
            ("write_memory", {"fact": "XM-2000 的扬程为 32.5 米。", "source": "desk", "confidence": 0.9}, ("state",)),
            ("search_memory", {"query": "XM-2000 扬程"}, ("32.5",)),
        )),
        "versions": ([], (
            ("current", {}, ("commit",)), ("history", {"limit": 2}, ("changes",)),
            ("diff", {"old": "HEAD"}, ("documents",)),
        )),
        "db": (["--database", str(database)], (
            ("describe_table", {"table": "pump"}, ("metres",)),
            ("run_sql", {"sql": "SELECT metres FROM pump"}, ("32.5",)),
        )),
        "log": (["--folder", str(logs)], (("query_logs", {"text": "E07"}, ("pump stopped",)),)),
        "req": (["--knowledge", str(knowledge)], (("get_requirement", {"id": "PUMP-12"}, ("Spare seal",)),)),
    }  # fmt: skip


def talk(command: list[str], calls: Calls) -> list[str]:
    """Start a server, make the calls, end it; the names of its tools. AssertionError where one says something else."""

    async def session() -> list[str]:
        parameters = StdioServerParameters(command=command[0], args=command[1:])
        with anyio.fail_after(_TIMEOUT_S):
            async with stdio_client(parameters) as (reading, writing), mcp.ClientSession(reading, writing) as client:
                await client.initialize()
                listed = await client.list_tools()
                for name, arguments, words in calls:
                    problems.extend(_wrong(name, await client.call_tool(name, dict(arguments)), words))
                refused = await client.call_tool(listed.tools[0].name, {"no such argument": 1})
        if not refused.isError:
            problems.append("a wrong argument was taken")
        problems.extend(f"{tool.name}: no schema" for tool in listed.tools if not tool.outputSchema)
        return [tool.name for tool in listed.tools]

    # An error inside would come out wrapped in groups by the client's tasks.
    problems: list[str] = []
    names = anyio.run(session)
    assert not problems, "; ".join(problems)
    return names


def _wrong(name: str, done: Any, words: tuple[str, ...]) -> list[str]:
    """What is wrong with an answer."""
    said = json.dumps(done.structuredContent, ensure_ascii=False)
    if done.isError:
        return [f"{name}: {said[:1000]}"]
    return [f"{name}: «{word}» is missing: {said[:1000]}" for word in words if word not in said]
