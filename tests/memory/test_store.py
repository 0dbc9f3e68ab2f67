"""kb.memory.store: one transaction a document; idempotent; nothing that does not stand in the document."""

from __future__ import annotations

import dataclasses
import os
import signal
import time
from pathlib import Path

import pytest

from kb.errors import AlmanacError, KnowledgeError
from kb.memory.client import MemoryClient
from kb.memory.store import MemoryStore
from tests.helpers import run_in_child, wait_for
from tests.memory.helpers import MANUAL, memory, read, take


def _counts(store: MemoryStore) -> dict[str, int]:
    tables = "documents segments nodes entities names records words participants bonds merges".split()  # noqa: SIM905
    return {name: store.connection.execute(f"SELECT count(*) FROM {name}").fetchone()[0] for name in tables}


def test_the_same_again_changes_nothing(tmp_path: Path) -> None:
    store = memory(tmp_path, a=MANUAL)
    before = _counts(store)
    assert not take(store, MANUAL, "a.md").changed
    assert store.holds(read(MANUAL, "a.md")[0])
    assert _counts(store) == before


def test_reading_again_replaces_and_deleting_removes(tmp_path: Path) -> None:
    store = memory(tmp_path, a=MANUAL)
    assert take(store, MANUAL.replace("5.5 | kW", "7.5 | kW"), "a.md").changed
    view = MemoryClient(store).get_entity("XM-2000")
    assert view is not None
    assert [item.value for item in view.attributes if item.name == "额定功率"] == ["7.5"]
    store.delete("a.md")
    assert set(_counts(store).values()) == {0}
    with pytest.raises(KnowledgeError):
        store.delete("a.md")


def test_two_documents_of_one_id_are_both_named(tmp_path: Path) -> None:
    store = MemoryStore(tmp_path)
    take(store, MANUAL, "one.md", "K-1")
    with pytest.raises(KnowledgeError) as caught:
        take(store, MANUAL, "two.md", "K-1")
    assert caught.value.params == {"doc_id": "K-1", "first": "one.md", "second": "two.md"}


@pytest.mark.parametrize("quote", ["额定功率 9 kW", "", "X" * 40])
def test_what_does_not_stand_in_the_document_is_refused(tmp_path: Path, quote: str) -> None:
    store = memory(tmp_path, old=MANUAL)
    before = _counts(store)
    document, found = read(MANUAL, "a.md")
    device = found.entities[0]
    item = device.attributes[0]
    wrong = dataclasses.replace(item, source=dataclasses.replace(item.source, quote=quote))
    entity = dataclasses.replace(device, attributes=(wrong, *device.attributes[1:]))
    with pytest.raises(KnowledgeError) as caught:
        store.ingest(document.doc_id, (entity, *found.entities[1:]), (), (), found.segments)
    assert caught.value.key == "memory_no_quote"
    assert _counts(store) == before


def test_killed_in_the_middle_the_earlier_memory_is_whole(tmp_path: Path) -> None:
    with memory(tmp_path, a=MANUAL) as store:
        before = _counts(store)
    reached = tmp_path / "reached"

    for step in range(6):

        def work(step: int = step) -> None:
            store = MemoryStore(tmp_path)
            left = [9 * step + 1]

            def trace(statement: str) -> None:
                if statement.startswith("INSERT"):
                    left[0] -= 1
                    if left[0] == 0:
                        reached.touch()
                        time.sleep(60)

            store.connection.set_trace_callback(trace)
            take(store, MANUAL.replace("35", "36"), "a.md")

        child = run_in_child(work)
        wait_for(reached.exists, "the child writes")
        os.kill(child, signal.SIGKILL)
        os.waitpid(child, 0)
        reached.unlink()
        with MemoryStore(tmp_path) as store:
            assert store.connection.execute("PRAGMA integrity_check").fetchone() == ("ok",)
            assert _counts(store) == before
    with MemoryStore(tmp_path) as store:
        assert take(store, MANUAL.replace("35", "36"), "a.md").changed


def test_another_writer_is_waited_for_and_then_told(tmp_path: Path) -> None:
    first, second = MemoryStore(tmp_path), MemoryStore(tmp_path)
    second.connection.execute("PRAGMA busy_timeout=50")
    with first.writing(), pytest.raises(AlmanacError) as caught:
        take(second, MANUAL)
    assert caught.value.key == "memory_busy"
    assert take(second, MANUAL).changed


def test_a_full_disk_leaves_memory_as_it_was(tmp_path: Path) -> None:
    store = memory(tmp_path, a=MANUAL)
    before = _counts(store)
    pages = store.connection.execute("PRAGMA page_count").fetchone()[0]
    store.connection.execute(f"PRAGMA max_page_count={pages}")
    rows = "\n".join(f"| 零件 {n} | {n} |" for n in range(2000))
    with pytest.raises(AlmanacError) as caught:
        take(store, f"# 表\n\n| 零件 | 重量（kg） |\n|---|---|\n{rows}\n", "b.md")
    assert caught.value.key == "memory_disk_full"
    assert _counts(store) == before


def test_findings_are_kept(tmp_path: Path) -> None:
    store = memory(tmp_path, a="# 记录\n\n水泵于2024年2月30日更换。\n")
    assert store.findings("a.md") == [("memory_date_impossible", "2024年2月30日")]
    assert [item.doc_id for item in store.documents()] == ["a.md"]
