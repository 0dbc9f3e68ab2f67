"""kb.memory.store_ingest: from files to memory."""

from __future__ import annotations

import threading
from pathlib import Path

import pytest

from kb.errors import KnowledgeError
from kb.memory import store_ingest
from kb.memory.block import Block, Kind
from kb.memory.client import MemoryClient
from kb.memory.store import MemoryStore
from kb.memory.store_ingest import file_jobs, ingest, tree_jobs
from tests.helpers import write
from tests.memory.helpers import MANUAL


def test_a_folder_a_file_and_again(tmp_path: Path) -> None:
    write(tmp_path, "手册/子/a.md", MANUAL)
    write(tmp_path, "b.md", "# B\n\n重量：5 kg\n")
    jobs = file_jobs([tmp_path / "手册", tmp_path / "b.md"])
    with MemoryStore(tmp_path / "home") as store:
        report = ingest(store, jobs)
        assert [(item.doc_id, item.changed) for item in report.done] == [("子/a.md", True), ("b.md", True)]
        assert [item.changed for item in ingest(store, jobs).done] == [False, False]


def test_one_that_fails_does_not_stop_the_others(tmp_path: Path) -> None:
    write(tmp_path, "docs/a.md", b"\xff\xfe\x00\xd8 damaged")
    write(tmp_path, "docs/b.md", MANUAL)
    with MemoryStore(tmp_path / "home") as store:
        report = ingest(store, tree_jobs(tmp_path / "docs"))
    assert [item.doc_id for item in report.done] == ["b.md"]
    assert [name for name, _ in report.failed] == ["a.md"]


def test_the_same_name_in_two_folders_is_two_documents(tmp_path: Path) -> None:
    write(tmp_path, "x/a.md", MANUAL)
    write(tmp_path, "y/a.md", MANUAL)
    jobs = file_jobs([tmp_path / "x", tmp_path / "y"])
    with MemoryStore(tmp_path / "home") as store:
        report = ingest(store, jobs)
        assert [(item.doc_id, item.beside) for item in report.done] == [("a.md", ""), ("y/a.md", "a.md")]
        # whichever comes first, and when the other is gone, each keeps its id
        assert [item.changed for item in ingest(store, reversed(jobs)).done] == [False, False]
        store.delete("a.md")
        assert [(item.doc_id, item.changed) for item in ingest(store, jobs[1:]).done] == [("y/a.md", False)]


def test_an_id_that_a_person_gave_is_not_made_longer(tmp_path: Path) -> None:
    for folder in "xy":
        write(tmp_path, f"{folder}/a.md", MANUAL.replace("---\n", "---\nid: pump-7\n", 1))
    with MemoryStore(tmp_path / "home") as store:
        report = ingest(store, file_jobs([tmp_path / "x" / "a.md", tmp_path / "y" / "a.md"]))
    assert [item.doc_id for item in report.done] == ["pump-7"]
    assert [error.key for _, error in report.failed] == ["memory_same_id"]


def test_stopped_between_documents_and_resumed(tmp_path: Path) -> None:
    for name in "abc":
        write(tmp_path, f"docs/{name}.md", f"# {name}\n\n重量：5 kg\n")
    stop = threading.Event()
    with MemoryStore(tmp_path / "home") as store:
        jobs = tree_jobs(tmp_path / "docs")
        report = ingest(store, jobs, lambda phase, done, total: stop.set() if done == 1 else None, stop)
        assert report.stopped
        assert len(store.documents()) == 2
        assert sum(item.changed for item in ingest(store, jobs).done) == 1


def test_other_files_through_their_blocks(tmp_path: Path) -> None:
    path = write(tmp_path, "pump.pdf", "x")
    blocks = [Block(Kind.HEADING, "水泵说明书", 1, level=1), Block(Kind.PARAGRAPH, "水泵的扬程为 32 米。", 2)]
    with MemoryStore(tmp_path / "home") as store:
        assert [item.doc_id for item in ingest(store, file_jobs([path], lambda _: blocks)).done] == ["pump.pdf"]
        record = MemoryClient(store).search_memory("水泵扬程")[0]
    assert (record.value, record.place.page) == ("32 米", 2)


def test_what_is_not_there_or_not_markdown(tmp_path: Path) -> None:
    with pytest.raises(KnowledgeError) as caught:
        file_jobs([tmp_path / "none.md"])
    assert caught.value.key == "memory_no_file"
    with pytest.raises(KnowledgeError) as caught:
        file_jobs([write(tmp_path, "a.pdf", "x")])
    assert caught.value.key == "memory_not_markdown"


def test_a_document_without_end_is_left_to_search(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(store_ingest, "from_markdown", lambda *parts: pytest.fail("it was cut into pieces"))
    write(tmp_path, "long.md", "# Long\n\n" + "The pump P-1 holds 7 bar. " * 320_000)
    with MemoryStore(tmp_path / "home") as store:
        report = ingest(store, tree_jobs(tmp_path))
        assert [error.key for _, error in report.failed] == ["memory_long"]
        assert store.documents() == []
