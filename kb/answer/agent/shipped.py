"""The tools that ship: order status, log search, and the two that read the knowledge."""

from __future__ import annotations

from pathlib import Path

from kb.answer.agent.knowledge import Desk
from kb.answer.agent.logs import search_logs
from kb.answer.agent.orders import find_order
from kb.answer.agent.schema import Schema
from kb.answer.agent.tools import Tool, ToolBox
from kb.answer.agent.values import Origin
from kb.texts import Lang, text

_ORDER_ID: Schema = {"type": "string", "pattern": r"^[A-Za-z0-9][A-Za-z0-9_-]{0,39}$"}
_QUERY: Schema = {"type": "string", "minLength": 1, "maxLength": 200}
_NEEDLE: Schema = {"type": "string", "minLength": 2, "maxLength": 80}


def knowledge_tools(desk: Desk, lang: Lang) -> list[Tool]:
    """`lookup_knowledge` and `search_knowledge`; descriptions in `lang`."""
    return [
        Tool(
            "lookup_knowledge",
            text(lang, "agent_tool_lookup"),
            _object({"query_text": _QUERY}, ["query_text"], lang, "agent_arg_query_text"),
            lambda given, cancelled: desk.lookup(given["query_text"]),
            Origin.KNOWLEDGE,
            {"query_text": "error_code"},
        ),
        Tool(
            "search_knowledge",
            text(lang, "agent_tool_search"),
            _object({"query": _QUERY}, ["query"], lang, "agent_arg_query"),
            lambda given, cancelled: desk.search(given["query"], cancelled),
            Origin.KNOWLEDGE,
        ),
    ]


def data_tools(folder: Path, lang: Lang) -> list[Tool]:
    """`order_status` and `log_search` over the files in `folder`; nothing outside it is read."""
    return [
        Tool(
            "order_status",
            text(lang, "agent_tool_order"),
            _object({"order_id": _ORDER_ID}, ["order_id"], lang, "agent_arg_order_id"),
            lambda given, cancelled: find_order(folder, given["order_id"]),
            Origin.DATA,
            {"order_id": "order"},
        ),
        Tool(
            "log_search",
            text(lang, "agent_tool_logs"),
            {
                **_object(
                    {"order_id": _ORDER_ID, "query": _NEEDLE}, [], lang, "agent_arg_order_id", "agent_arg_needle"
                ),
                "minProperties": 1,
            },
            lambda given, cancelled: search_logs(folder, given.get("order_id", ""), given.get("query", ""), cancelled),
            Origin.DATA,
            {"order_id": "order", "query": "trace"},
        ),
    ]


def shipped_tools(desk: Desk, folder: Path | None, lang: Lang) -> ToolBox:
    """All four; without a data folder those that read the knowledge alone."""
    return ToolBox([*(data_tools(folder, lang) if folder else []), *knowledge_tools(desk, lang)])


def _object(properties: dict[str, Schema], required: list[str], lang: Lang, *about: str) -> dict[str, object]:
    described: dict[str, Schema] = {
        name: {**schema, "description": text(lang, key)}
        for (name, schema), key in zip(properties.items(), about, strict=True)
    }
    return {"type": "object", "properties": described, "required": required, "additionalProperties": False}
