"""kb.answer.agent.shipped: the tools as other agents see them."""

from __future__ import annotations

from pathlib import Path

from kb.answer.agent.knowledge import Desk
from kb.answer.agent.schema import problem
from kb.answer.agent.shipped import shipped_tools
from kb.answer.agent.values import Call, Origin


def test_lookup_knowledge_is_registered_as_agreed(desk: Desk) -> None:
    tool = shipped_tools(desk, None, "zh").definitions()[0]
    assert tool["name"] == "lookup_knowledge"
    assert (
        tool["description"] == "查询知识库文档。传入你想查的关键词（如错误码、接口名、问题描述），返回对应的文档内容。"
    )
    parameters = tool["parameters"]
    assert isinstance(parameters, dict)
    assert parameters["required"] == ["query_text"]
    assert parameters["properties"]["query_text"]["type"] == "string"
    assert "ERR_TIMEOUT" in parameters["properties"]["query_text"]["description"]


def test_tools_of_data_need_data(desk: Desk, desk_tree: Path) -> None:
    assert [tool.name for tool in shipped_tools(desk, None, "en")] == ["lookup_knowledge", "search_knowledge"]
    box = shipped_tools(desk, desk_tree / "demo", "en")
    assert [tool.name for tool in box] == ["order_status", "log_search", "lookup_knowledge", "search_knowledge"]
    assert [tool.origin for tool in box][1:3] == [Origin.DATA, Origin.KNOWLEDGE]
    assert all(tool.hints.read_only and not tool.hints.open_world for tool in box)


def test_each_tool_runs(desk: Desk, desk_tree: Path) -> None:
    box = shipped_tools(desk, desk_tree / "demo", "en")
    assert box.call(Call("order_status", {"order_id": "123"})).records[0].line == 1
    assert len(box.call(Call("log_search", {"order_id": "123", "query": "ERR_TIMEOUT"})).lines) == 1
    assert box.call(Call("lookup_knowledge", {"query_text": "ERR_TIMEOUT"})).found
    assert box.call(Call("search_knowledge", {"query": "ERR_TIMEOUT"})).found


def test_arguments_that_reach_for_more_are_refused(desk: Desk, desk_tree: Path) -> None:
    box = shipped_tools(desk, desk_tree / "demo", "en")
    for wrong in ("../../etc/passwd", "1 2", "", "-rf", "1;drop", "1\n", "x" * 41):
        assert box.call(Call("order_status", {"order_id": wrong})).problem is not None, wrong
    assert box.call(Call("log_search", {})).problem is not None
    assert problem(box.definitions()[1]["parameters"], {}) != ""  # type: ignore[arg-type]
