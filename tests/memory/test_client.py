"""kb.memory.client: the memory API."""

from __future__ import annotations

import datetime
from pathlib import Path

import pytest

from kb.memory.client import MemoryClient
from tests.memory.helpers import MANUAL, memory

LOG = "# 维修记录\n\n2024年3月5日，水泵更换轴承。\n\n2024年6月，水泵检修。\n\n2025年1月2日，水泵故障。\n"


def _day(written: str) -> datetime.date:
    return datetime.date.fromisoformat(written)


def test_events_in_a_stretch_of_time(tmp_path: Path) -> None:
    client = MemoryClient(memory(tmp_path, log=LOG))
    assert [item.name for item in client.query_events()] == ["replace", "maintain", "fail"]
    assert [item.name for item in client.query_events(_day("2024-06-10"), _day("2024-12-31"))] == ["maintain"]
    assert [item.name for item in client.query_events("2024-06-10", "2024-12-31")] == ["maintain"]
    assert client.query_events("2024-12-31", "2024-06-10") == []
    with pytest.raises(ValueError, match="day"):
        client.query_events("2025-02-30")
    assert [item.first for item in client.query_events(end=_day("2024-03-05"))] == ["2024-03-05"]


def test_search_limited_by_entity_and_time(tmp_path: Path) -> None:
    client = MemoryClient(memory(tmp_path, log=LOG, manual=MANUAL))
    assert {item.entity for item in client.search_memory("功率 重量", ["XM-2000"]) if item.kind == "attribute"} == {
        "XM-2000"
    }
    assert client.search_memory("功率", ["no such thing"]) == []
    found = client.search_memory("水泵", time_range=(_day("2025-01-01"), None))
    assert [item.name for item in found if item.kind == "event"] == ["fail"]
    assert len(client.search_memory("水泵 功率 重量", top_k=2)) == 2


def test_an_entity_by_any_of_its_names(tmp_path: Path) -> None:
    client = MemoryClient(memory(tmp_path, manual=MANUAL))
    for name in ("XM-2000", "ｘｍ-2000", "XM-2000 型热风机", "热风机"):
        view = client.get_entity(name)
        assert view is not None
        assert view.name == "XM-2000"
    assert client.get_entity("XM-9999") is None
    assert client.get_entity("") is None
    view = client.get_entity("XM-2000")
    assert view is not None
    neighbour = view.neighbours()[0]
    assert (neighbour.name, neighbour.predicate, neighbour.outward) == ("山东华丰机械有限公司", "制造商", True)


def test_a_question_brings_the_limits_of_its_entities(tmp_path: Path) -> None:
    client = MemoryClient(memory(tmp_path, manual=MANUAL))
    notes = client.constraints_for("XM-2000 的重量是多少")
    assert next(note.text for note in notes) == "不包括包装"
    assert {note.kind for note in notes} >= {"except", "not"}
    assert all(note.entity == "XM-2000" and note.place.lines[0] > 0 for note in notes)
    assert client.constraints_for("大豆播种深度") == ()


def test_a_condition_comes_with_the_sentence_it_stands_in(tmp_path: Path) -> None:
    sentence = "Below -15 °C the KX-410 must be preheated for 20 minutes."
    client = MemoryClient(memory(tmp_path, fan=f"# Fan KX-410\n\nThe KX-410 runs at 1450 r/min. {sentence}\n"))
    (note,) = client.constraints_for("How fast does the KX-410 run?")
    assert (note.kind, note.text) == ("if", sentence)
    assert note.place.quote == "Below -15 °C"


def test_a_limit_that_two_documents_say_is_told_once(tmp_path: Path) -> None:
    first, second = "XM-2000 仅适用于旱地", "XM-2000 仅适用于旱地。"
    client = MemoryClient(memory(tmp_path, one=f"# XM-2000\n\n{first}\n", two=f"# XM-2000\n\n{second}\n"))
    assert len(client.constraints_for("XM-2000 的重量")) == 1


def test_listing(tmp_path: Path) -> None:
    client = MemoryClient(memory(tmp_path, manual=MANUAL))
    assert client.entities()[0][:2] == ("XM-2000", "product")
    assert [name for name, _, _ in client.entities("华丰")] == ["山东华丰机械有限公司"]
