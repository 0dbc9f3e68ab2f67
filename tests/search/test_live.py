"""kb.search.live: questions go on while the index changes; what changed never answers as it was."""

from __future__ import annotations

import logging
import os
import shutil
import threading
from collections.abc import Iterator
from pathlib import Path

import pytest

from kb.search import live
from kb.search.live import LiveIndex
from kb.search.retriever import Retriever
from kb.search.snapshot import Filter
from kb.tree import document as document_module
from kb.tree.document import Parsed, load
from tests.helpers import document, wait_for, write
from tests.search.index_helpers import opened

ANY = Filter(on=None)
WORDS = ("apple", "birch", "cedar", "daisy", "elder", "furze")


@pytest.fixture
def retriever(documents: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Iterator[Retriever]:
    """Over six documents with a word each, indexed, looking at the tree before every question."""
    monkeypatch.setattr(live, "_RECHECK_S", 0.0)
    monkeypatch.setattr(live, "_RECHECK_FACTOR", 0)
    for number, word in enumerate(WORDS):
        write(documents, f"d{number}.md", document("Sheet", f"common {word}"))
    made = Retriever(documents, tmp_path / "index")
    made.update()
    yield made
    made.close()


def _paths(retriever: Retriever, question: str) -> list[str]:
    return sorted({item.path for item in retriever.find(question, 20, ANY)})


def _rewrite(path: Path, text: str) -> None:
    """Change a file and set its time back; the size stays."""
    before = path.stat()
    path.write_text(text)
    os.utime(path, ns=(before.st_atime_ns, before.st_mtime_ns))
    assert (path.stat().st_size, path.stat().st_mtime_ns) == (before.st_size, before.st_mtime_ns)


def test_a_question_does_not_wait_for_changed_files(
    retriever: Retriever, documents: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    reading, go = threading.Event(), threading.Event()

    def slow(root: Path, path: str) -> Parsed:
        reading.set()
        assert go.wait(60)
        return load(root, path)

    assert _paths(retriever, "common") == [f"d{number}.md" for number in range(6)]
    monkeypatch.setattr(live, "_AT_ONCE", 0)
    monkeypatch.setattr(document_module, "load", slow)
    write(documents, "d1.md", document("Sheet", "common willow"))
    write(documents, "d7.md", document("Sheet", "common poplar"))
    try:
        assert _paths(retriever, "nowhere") == []
        assert reading.wait(30)
        # What is known to have changed does not answer; all the others do, and nobody waits.
        assert _paths(retriever, "common") == ["d0.md", "d2.md", "d3.md", "d4.md", "d5.md"]
        assert _paths(retriever, "birch") == []
    finally:
        go.set()
    wait_for(lambda: _paths(retriever, "willow poplar") == ["d1.md", "d7.md"], "the new texts answer")


def test_a_large_changed_file_is_read_beside_the_question(
    retriever: Retriever, documents: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(live, "_AT_ONCE_BYTES", 100)
    by: list[str] = []

    def watched(root: Path, path: str) -> Parsed:
        by.append(threading.current_thread().name)
        return load(root, path)

    monkeypatch.setattr(document_module, "load", watched)
    write(documents, "d1.md", document("Sheet", "common birch " + "filler " * 100))
    wait_for(lambda: _paths(retriever, "filler") == ["d1.md"], "the large file answers")
    assert set(by) == {"almanac-fresh"}


def test_closing_gives_up_what_is_being_read(
    retriever: Retriever, documents: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(live, "_AT_ONCE", 0)
    read: list[str] = []
    first, go = threading.Event(), threading.Event()

    def slow(root: Path, path: str) -> Parsed:
        read.append(path)
        first.set()
        assert go.wait(60)
        return load(root, path)

    monkeypatch.setattr(document_module, "load", slow)
    for number in range(4):
        write(documents, f"new{number}.md", document("New", "news"))
    assert _paths(retriever, "nowhere") == []
    assert first.wait(30)
    closing = threading.Thread(target=retriever.close)
    closing.start()
    wait_for(retriever._live._closing.is_set, "closing has begun")
    go.set()
    closing.join(30)
    assert not closing.is_alive()
    assert read == ["new0.md"]


def test_a_file_whose_time_was_set_back_is_not_answered_from_memory(
    retriever: Retriever, documents: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(live, "_RECHECK_S", 3600.0)
    assert _paths(retriever, "birch") == ["d1.md"]
    _rewrite(documents / "d1.md", (documents / "d1.md").read_text().replace("birch", "maple"))
    assert _paths(retriever, "birch") == []
    assert _paths(retriever, "maple") == ["d1.md"]


def test_a_new_word_in_a_file_whose_time_was_set_back_is_found(retriever: Retriever, documents: Path) -> None:
    retriever.find("anything", 1, ANY)
    _rewrite(documents / "d2.md", (documents / "d2.md").read_text().replace("cedar", "hazel"))
    assert _paths(retriever, "hazel") == ["d2.md"]


def test_a_file_that_changed_while_nothing_ran_does_not_answer_as_it_was(retriever: Retriever, documents: Path) -> None:
    retriever.close()
    _rewrite(documents / "d3.md", (documents / "d3.md").read_text().replace("daisy", "thyme"))
    later = Retriever(documents, retriever.folder)
    assert _paths(later, "daisy") == []
    assert _paths(later, "thyme") == ["d3.md"]
    later.close()


def test_a_touched_tree_is_not_read_into_the_index_again(retriever: Retriever, documents: Path) -> None:
    before = {path.name for path in retriever.folder.glob("*.seg")}
    for path in documents.rglob("*.md"):
        path.chmod(0o600)
    assert retriever.update().changed == 0
    assert {path.name for path in retriever.folder.glob("*.seg")} == before


@pytest.mark.parametrize("changed", [False, True])
def test_a_segment_removed_under_a_running_program_is_made_anew(
    retriever: Retriever, documents: Path, caplog: pytest.LogCaptureFixture, changed: bool
) -> None:
    """Whether the index changes afterwards or not; and the note is given once."""
    assert _paths(retriever, "birch") == ["d1.md"]
    (segment,) = retriever.folder.glob("*.seg")
    segment.unlink()
    if changed:
        write(documents, "d1.md", document("Sheet", "common birch willow"))
    with caplog.at_level(logging.WARNING):
        for _ in range(3):
            assert _paths(retriever, "birch") == ["d1.md"]
    assert len([record for record in caplog.records if "built again" in record.message]) == 1
    assert (_paths(retriever, "willow") == ["d1.md"]) is changed
    assert not segment.exists()
    assert len(list(retriever.folder.glob("*.seg"))) >= 1


def test_an_update_finds_a_removed_segment_by_itself(retriever: Retriever, documents: Path) -> None:
    (segment,) = retriever.folder.glob("*.seg")
    segment.unlink()
    report = retriever.update()
    assert (report.changed, report.renewed) == (6, True)
    assert _paths(retriever, "birch") == ["d1.md"]


def test_names_of_the_taxonomy_are_not_lost_to_a_single_file(retriever: Retriever, documents: Path) -> None:
    """A file that is read again under new names must not make the others pass for read under them."""
    write(documents, "taxonomy.yaml", "d5: {zh: [铲子]}\n")
    write(documents, "d1.md", document("Sheet", "common birch willow"))
    with retriever._live._changing() as index:
        assert index is not None
        assert index.refresh(["d1.md"], retriever.taxonomy)
        assert index.changes(retriever.taxonomy, []).gone
        assert index._taxonomy_changed(retriever.taxonomy)
    assert [item.path for item in retriever.find("铲子", 1, ANY)] == ["d5.md"]


def test_an_index_that_another_process_makes_anew_meanwhile_is_used(
    retriever: Retriever, documents: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    assert retriever.snapshot().generation == 1
    look = LiveIndex._look

    def replaced(index: LiveIndex) -> None:
        look(index)
        shutil.rmtree(tmp_path / "index")
        opened(documents, tmp_path / "index").close()

    monkeypatch.setattr(LiveIndex, "_look", replaced)
    assert retriever.snapshot().generation == 1
    monkeypatch.undo()
    assert _paths(retriever, "cedar") == ["d2.md"]
