"""kb.memory.review: writing with care."""

from __future__ import annotations

import datetime
from pathlib import Path

import pytest

from kb.errors import AlmanacError
from kb.memory import review
from kb.memory.client import MemoryClient
from tests.memory.helpers import MANUAL, memory, take


@pytest.mark.parametrize(
    "fact",
    [
        "XM-2000 应该是 8 kW 吧",
        "听说要换型号",
        "好像是 30 分钟",
        "Maybe 8 kW",
        "I think it weighs 40 kg",
        "它重 40 kg？",
        "It reportedly leaks",
        "据说停产了",
    ],
)
def test_hearsay_waits_for_a_person(tmp_path: Path, fact: str) -> None:
    client = MemoryClient(memory(tmp_path, a=MANUAL))
    assert client.write_memory(fact, "user", 0.95).state == "review"
    assert all(item.value != fact for item in client.search_memory(fact))
    assert [item.body["fact"] for item in review.reviews(client.store)] == [fact]


def test_sure_facts_are_kept_found_and_survive_reading_again(tmp_path: Path) -> None:
    store = memory(tmp_path, a=MANUAL)
    client = MemoryClient(store)
    written = client.write_memory("XM-2000 的滤网每 200 小时清洗一次。", "machinery-desk", 0.9)
    assert written.state == "kept"
    take(store, MANUAL + "\n新的一行。\n", "a.md")
    assert client.search_memory("XM-2000 滤网清洗")[0].kind == "note"
    view = client.get_entity("XM-2000")
    assert view is not None
    store.delete("a.md")
    assert client.search_memory("滤网清洗")[0].value.startswith("XM-2000")


def test_below_the_line_waits_and_acceptance_has_author_time_and_expiry(tmp_path: Path) -> None:
    client = MemoryClient(memory(tmp_path, a=MANUAL), datetime.date(2026, 6, 1))
    number = int(client.write_memory("XM-2000 的噪声为 72 dB", "user", 0.69).id)
    assert client.write_memory("XM-2000 的噪声为 72 dB", "user", 0.5).id == str(number)
    done = review.accept(client.store, number, "machinery-desk", datetime.date(2026, 1, 1))
    assert (done.state, done.author) == ("accepted", "machinery-desk")
    note = client.search_memory("XM-2000 噪声")[0]
    assert (note.kind, note.expired, note.valid_to) == ("note", True, "2026-01-01")
    row = client.store.connection.execute("SELECT author, version, expires_on FROM notes").fetchone()
    assert row == ("machinery-desk", 1, "2026-01-01")
    with pytest.raises(AlmanacError):
        review.accept(client.store, number, "machinery-desk")


def test_a_rejected_fact_is_not_found(tmp_path: Path) -> None:
    client = MemoryClient(memory(tmp_path))
    number = int(client.write_memory("水泵可能是红色", "user", 0.9).id)
    review.reject(client.store, number, "desk")
    assert client.search_memory("水泵红色") == []
    assert [item.state for item in review.reviews(client.store, "rejected")] == ["rejected"]


def test_a_rejected_fact_waits_again_however_sure_its_writer_is(tmp_path: Path) -> None:
    client = MemoryClient(memory(tmp_path, a=MANUAL))
    fact = "XM-2000 的外壳是红色的。"
    number = int(client.write_memory(fact, "agent", 0.5).id)
    review.reject(client.store, number, "desk")
    again = client.write_memory(fact, "agent", 0.95)
    assert (again.state, again.reason, again.id) == ("review", "memory_rejected_before", str(number))
    (waiting,) = review.reviews(client.store)
    assert (waiting.author, waiting.decided_at, waiting.body["confidence"]) == ("", None, 0.95)
    review.accept(client.store, number, "desk")
    assert fact in [item.value for item in client.search_memory(fact)]


def test_what_memory_gave_out_is_not_learned_again(tmp_path: Path) -> None:
    client = MemoryClient(memory(tmp_path, a=MANUAL))
    said = client.search_memory("预热")[0]
    assert client.write_memory(said.place.quote, "agent", 0.95).state == "known"
    assert client.write_memory(said.text, "agent", 0.95).state == "known"
    client.store.delete("a.md")
    assert client.write_memory(said.place.quote, "agent", 0.95).state == "known"
    assert client.write_memory("滤网每月清洗一次。", "desk", 0.9).state == "kept"
    assert client.write_memory("滤网每月清洗一次", "agent", 0.9).state == "known"


@pytest.mark.parametrize(
    ("fact", "source", "confidence", "key"),
    [
        ("", "a", 0.9, "memory_fact_empty"),
        ("x", " ", 0.9, "memory_fact_empty"),
        ("x", "a", 1.5, "memory_confidence"),
        ("x", "a", float("nan"), "memory_confidence"),
        ("x" * 3000, "a", 0.9, "memory_fact_long"),
    ],
)
def test_wrong_use(tmp_path: Path, fact: str, source: str, confidence: float, key: str) -> None:
    with pytest.raises(AlmanacError) as caught:
        MemoryClient(memory(tmp_path)).write_memory(fact, source, confidence)
    assert caught.value.key == key
