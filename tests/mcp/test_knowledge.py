"""kb.mcp.knowledge: search and look-up for agents, with citations."""

from __future__ import annotations

import argparse
from collections.abc import Iterator

import pytest

from kb.config import Config
from kb.errors import AlmanacError
from kb.mcp import knowledge
from kb.mcp.sdk import load
from kb.mcp.tool import Arguments, Result, Toolbox
from kb.supply.chain import Kind
from kb.supply.ledger import Ledger


@pytest.fixture
def toolbox(config: Config) -> Iterator[Toolbox]:
    made = knowledge.open_tools(argparse.Namespace(agent="agronomy-desk"), config)
    yield made
    made.close()


def call(toolbox: Toolbox, name: str, **arguments: object) -> Result:
    """Call a tool as the server does; arguments and result fit the schemas."""
    tool = next(tool for tool in toolbox.tools if tool.name == name)
    given: Arguments = arguments
    load().validator(tool.parameters).validate(given)
    found = tool.run(given)
    load().validator(tool.result).validate(found)
    return found


def test_a_passage_comes_with_its_citation_and_version(toolbox: Toolbox) -> None:
    found = call(toolbox, "search_knowledge", query="大豆 R5 期追施多少钾肥", top_k=2)
    assert found["found"] is True
    assert found["knowledge_version"].keys() == {"tag", "manifest", "commit", "date"}
    best = found["passages"][0]
    assert "钾" in best["text"]
    assert best["citation"]["path"] == "agriculture/crop/soybean/growth_stage_2024_v2.md"
    assert best["citation"]["lines"][0] <= best["citation"]["lines"][1]
    assert len(found["passages"]) <= 2


def test_nothing_found_is_said(toolbox: Toolbox) -> None:
    assert call(toolbox, "search_knowledge", query="zebra pancake trombone")["found"] is False


def test_limits_narrow_the_search(toolbox: Toolbox) -> None:
    found = call(toolbox, "search_knowledge", query="大豆 钾肥", domain="machinery")
    assert all(item["citation"]["path"].startswith("machinery/") for item in found["passages"])
    with pytest.raises(AlmanacError):
        call(toolbox, "search_knowledge", query="大豆", on="2026-02-30")


def test_a_search_is_written_into_the_ledger(toolbox: Toolbox, config: Config) -> None:
    call(toolbox, "search_knowledge", query="大豆 钾肥", task="t-1")
    with Ledger(config.home) as ledger:
        rows = ledger.rows(kind=Kind.SEARCH)
    noted = [(row.entry.task, row.entry.agent, row.entry.note) for row in rows]
    assert noted == [("t-1", "agronomy-desk", "大豆 钾肥")]


def test_where_the_ledger_cannot_be_written_search_goes_on(toolbox: Toolbox, config: Config) -> None:
    config.home.mkdir(exist_ok=True)
    (config.home / "people").write_text("a file where a folder should be")
    assert call(toolbox, "search_knowledge", query="大豆 钾肥")["found"] is True


def test_a_code_is_looked_up(toolbox: Toolbox) -> None:
    found = call(toolbox, "lookup_knowledge", query_text="ERR_TIMEOUT")
    assert found["found"] is True
    assert found["source"].endswith("_errors.md") or found["source"].endswith(".md")
    assert call(toolbox, "lookup_knowledge", query_text="zzz qqq")["found"] is False


def test_every_tool_says_what_it_is(toolbox: Toolbox) -> None:
    from kb.texts import CATALOGS

    for tool in toolbox.tools:
        assert {f"mcp_{tool.name}", f"mcp_{tool.name}_title"} <= CATALOGS["en"].keys()
        load().validator.check_schema(tool.parameters)
        load().validator.check_schema(tool.result)
    assert len(toolbox.tools) <= 20
