"""kb.mcp.memory: things, events and facts with their places; doubtful facts wait for a person."""

from __future__ import annotations

import argparse
from collections.abc import Iterator
from pathlib import Path

import pytest

from kb.config import Config
from kb.errors import AlmanacError
from kb.mcp import memory
from kb.mcp.tool import Toolbox
from kb.memory import store_ingest
from kb.memory.store import MemoryStore
from tests.helpers import write
from tests.mcp.calling import call, check_tools, fits

MANUAL = """# XM-2000 收割机手册

| 型号 | 预热时间 | 额定功率 |
|---|---|---|
| XM-2000 | 30 分钟 | 92 kW |

XM-2000 仅适用于旱地作业。

2024年3月5日，XM-2000 更换液压泵。
"""


@pytest.fixture
def toolbox(tmp_path: Path, config: Config) -> Iterator[Toolbox]:
    write(tmp_path, "手册.md", MANUAL)
    with MemoryStore(config.home) as store:
        report = store_ingest.ingest(store, store_ingest.file_jobs([tmp_path / "手册.md"]))
    assert not report.failed
    made = memory.open_tools(argparse.Namespace(agent="desk"), config)
    yield made
    made.close()


def test_the_tools(toolbox: Toolbox) -> None:
    check_tools(toolbox, ("search_memory", "get_entity", "query_events", "write_memory"))
    assert not next(tool for tool in toolbox.tools if tool.name == "write_memory").reads_only


def test_records_come_with_their_place_and_limits(toolbox: Toolbox) -> None:
    best = call(toolbox, "search_memory", query="XM-2000 预热多久")["records"][0]
    assert "30" in best["text"]
    assert best["place"]["quote"] in MANUAL
    assert call(toolbox, "search_memory", query="XM-2000 预热多久", entities=["nothing"])["records"] == []


def test_one_thing(toolbox: Toolbox) -> None:
    found = call(toolbox, "get_entity", name="xm-2000")
    assert found["found"]
    assert any("92" in record["text"] for record in found["entity"]["attributes"])
    assert any("旱地" in note["text"] for note in found["entity"]["constraints"])
    assert call(toolbox, "get_entity", name="no such thing") == {"found": False}


def test_events_in_a_period(toolbox: Toolbox) -> None:
    found = call(toolbox, "query_events", start="2024-03-01", end="2024-03-31")["records"]
    assert [record["first"] for record in found] == ["2024-03-05"]
    assert call(toolbox, "query_events", start="2025-01-01")["records"] == []
    with pytest.raises(AlmanacError):
        call(toolbox, "query_events", start="2024-02-30")


def test_hearsay_waits_for_a_person(toolbox: Toolbox) -> None:
    sure = call(toolbox, "write_memory", fact="XM-2000 的油箱容量为 120 升。", source="手册第 9 页", confidence=0.9)
    assert sure["state"] == "kept"
    doubtful = call(toolbox, "write_memory", fact="XM-2000 的割幅应该是 3 米吧。", source="电话", confidence=0.9)
    assert doubtful["state"] == "review"
    assert not fits(toolbox, "write_memory", fact="x", source="y", confidence=2)
    assert not fits(toolbox, "write_memory", fact="x", confidence=0.9)
