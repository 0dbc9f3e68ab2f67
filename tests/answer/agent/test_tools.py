"""kb.answer.agent.tools: nothing runs before its arguments are checked; what goes wrong is a result."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

import pytest

from kb.answer.agent.tools import Cancelled, Tool, ToolBox
from kb.answer.agent.values import Call, ToolResult
from kb.errors import KnowledgeError

NUMBER = {"type": "object", "properties": {"n": {"type": "integer", "minimum": 0, "maximum": 9}}, "required": ["n"]}


def tool(run: Any, name: str = "count") -> Tool:
    return Tool(name, "counts", NUMBER, run)


def test_arguments_are_checked_before_anything_runs() -> None:
    ran: list[Mapping[str, Any]] = []

    def run(given: Mapping[str, Any], cancelled: Cancelled) -> ToolResult:
        ran.append(given)
        return ToolResult(True, "ok")

    box = ToolBox([tool(run)])
    for wrong in ({}, {"n": "1"}, {"n": 10}, {"n": 1, "m": 2}):
        result = box.call(Call("count", wrong))
        assert not result.found and result.problem is not None and result.problem.key == "agent_bad_arguments"
    unknown = box.call(Call("rm", {}))
    assert unknown.problem is not None and unknown.problem.key == "agent_no_tool"
    assert ran == []
    assert box.call(Call("count", {"n": 9})).text == "ok" and ran == [{"n": 9}]


@pytest.mark.parametrize(
    ("error", "key"),
    [(KnowledgeError("agent_no_logs", path="x"), "agent_no_logs"), (ZeroDivisionError(), "agent_tool_failed")],
)
def test_a_tool_that_fails_is_an_observation(error: Exception, key: str) -> None:
    def run(given: Mapping[str, Any], cancelled: Cancelled) -> ToolResult:
        raise error

    result = ToolBox([tool(run)]).call(Call("count", {"n": 1}))
    assert not result.found and result.problem is not None and result.problem.key == key


def test_a_tool_whose_schema_is_not_understood_cannot_be_made() -> None:
    with pytest.raises(ValueError, match="count"):
        Tool("count", "", {"type": "object", "properties": {"n": {"type": "integer", "multipleOf": 2}}}, tool)  # type: ignore[arg-type]
    with pytest.raises(ValueError, match="type object"):
        Tool("count", "", {"type": "string"}, tool)  # type: ignore[arg-type]


def test_the_box() -> None:
    box = ToolBox([tool(None), tool(None, "other")])
    assert [found.name for found in box] == ["count", "other"]
    assert "count" in box and "rm" not in box and box.get("rm") is None
    assert box.definitions()[0] == {"name": "count", "description": "counts", "parameters": NUMBER}
    with pytest.raises(ValueError, match="two tools"):
        ToolBox([tool(None), tool(None)])
