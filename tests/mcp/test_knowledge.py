"""kb.mcp.knowledge: search and look-up for agents, with citations."""

from __future__ import annotations

import argparse
from collections.abc import Iterator

import pytest

from kb.config import Config
from kb.errors import AlmanacError
from kb.mcp import knowledge
from kb.mcp.tool import Toolbox
from kb.supply.chain import Kind
from kb.supply.ledger import Ledger
from tests.helpers import write
from tests.mcp.calling import call, check_tools, fits
from tests.supply.card_helpers import card_text


@pytest.fixture
def toolbox(config: Config) -> Iterator[Toolbox]:
    made = knowledge.open_tools(argparse.Namespace(agent="agronomy-desk"), config)
    yield made
    made.close()


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


def test_the_tools(toolbox: Toolbox) -> None:
    check_tools(toolbox, ("search_knowledge", "lookup_knowledge", "get_card", "feedback_card"))
    assert [tool.name for tool in toolbox.tools if not tool.reads_only] == ["feedback_card"]


@pytest.fixture
def with_card(config: Config, toolbox: Toolbox) -> Toolbox:
    """A tree with one card that is valid for long."""
    write(config.knowledge, "cards/machinery/pump.yaml", card_text(valid_until="2199-12-31"))
    return toolbox


def test_cards_are_found_with_documents_and_read_by_id(with_card: Toolbox) -> None:
    found = call(with_card, "search_knowledge", query="E-07 停机怎么复位")
    assert [card["id"] for card in found["cards"]] == ["pump-e07-reset"]
    card = call(with_card, "get_card", id="pump-e07-reset")["card"]
    assert card["conclusion"].startswith("E-07 停机先清理滤网")
    assert card["links"] == ["machinery/pump/controller/fault_codes_2025_v1.md"]
    with pytest.raises(AlmanacError):
        call(with_card, "get_card", id="none")
    for wrong in ("../../etc/passwd", "--output=/x", "a b", "", "x" * 200):
        assert not fits(with_card, "get_card", id=wrong)


def test_feedback_stands_in_the_ledger_before_it_is_acknowledged(with_card: Toolbox, config: Config) -> None:
    found = call(with_card, "feedback_card", id="pump-e07-reset", feedback="dislike", note="滤网干净", task="t-2")
    with Ledger(config.home) as ledger:
        (row,) = ledger.rows(kind=Kind.FEEDBACK)
    assert (row.number, row.entry.card, row.entry.feedback, row.entry.note, row.entry.agent, row.entry.task) == (
        found["row"], "pump-e07-reset", -1, "滤网干净", "agronomy-desk", "t-2",
    )  # fmt: skip
    with pytest.raises(AlmanacError):
        call(with_card, "feedback_card", id="none", feedback="like")
    assert not fits(with_card, "feedback_card", id="a", feedback="meh")


def test_an_archived_card_that_is_missed_is_noted(toolbox: Toolbox, config: Config) -> None:
    write(config.knowledge, "cards/machinery/pump.yaml", card_text(status="archived"))
    assert call(toolbox, "search_knowledge", query="E-07 停机怎么复位")["cards"] == []
    with Ledger(config.home) as ledger:
        assert [row.entry.card for row in ledger.rows(kind=Kind.HIT)] == ["pump-e07-reset"]
