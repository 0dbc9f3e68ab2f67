"""kb.search.index: whole again after damage; read-only places and full disks are said."""

from __future__ import annotations

import os
import sqlite3
import time
from pathlib import Path

import pytest

from kb import fsio
from kb.errors import AlmanacError
from kb.search.index import Index
from kb.search.layout import is_sound, read_counts
from kb.search.retriever import Retriever
from tests.helpers import document, write
from tests.search.index_helpers import NO_NAMES, holders, opened


def test_a_read_only_index_of_another_version_is_said(
    documents: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    folder = tmp_path / "index"
    opened(documents, folder).close()
    connection = sqlite3.connect(folder / "index.db")
    connection.execute("UPDATE meta SET value='0' WHERE key='fingerprint'")
    connection.commit()
    connection.close()
    monkeypatch.setattr(fsio, "is_writable", lambda folder: False)
    with pytest.raises(AlmanacError) as caught:
        Index.open(documents, folder)
    assert caught.value.key == "index_unwritable"


@pytest.mark.parametrize("kind", ["junk", "empty", "half", "page", "fingerprint"])
def test_a_damaged_database_is_rebuilt(documents: Path, tmp_path: Path, kind: str) -> None:
    for number in range(60):
        write(documents, f"more/m{number}.md", document(f"More {number}", "filler text " * 20))
    folder = tmp_path / "index"
    opened(documents, folder).close()
    path = folder / "index.db"
    data = path.read_bytes()
    assert len(data) > 5 * 4096
    if kind == "fingerprint":
        connection = sqlite3.connect(path)
        connection.execute("UPDATE meta SET value='0' WHERE key='fingerprint'")
        connection.commit()
        connection.close()
    else:
        page = 4096
        damaged = {
            "junk": b"junk" * 1000,
            "empty": b"",
            "half": data[: len(data) // 2 // page * page],
            "page": data[: 2 * page] + b"\xaa" * (len(data) - 2 * page),
        }
        path.write_bytes(damaged[kind])
    index = opened(documents, folder)
    assert len(holders(index, "common")) == 6
    index.close()


@pytest.mark.parametrize("kind", ["cut", "empty", "gone", "foreign"])
def test_a_damaged_segment_is_rebuilt(documents: Path, tmp_path: Path, kind: str) -> None:
    folder = tmp_path / "index"
    opened(documents, folder).close()
    (segment,) = folder.glob("*.seg")
    data = segment.read_bytes()
    if kind == "gone":
        segment.unlink()
    else:
        segment.write_bytes({"cut": data[:-40], "empty": b"", "foreign": b"x" * 200}[kind])
    index = opened(documents, folder)
    assert len(holders(index, "common")) == 6
    index.close()


def test_a_read_only_folder_is_used_as_it_is(documents: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    folder = tmp_path / "index"
    opened(documents, folder).close()
    before = {entry.name: entry.read_bytes() for entry in folder.iterdir()}
    monkeypatch.setattr(fsio, "is_writable", lambda folder: False)
    write(documents, "d1.md", document("Doc 1", "changed"))
    index = opened(documents, folder)
    assert len(holders(index, "common")) == 6
    assert not index.refresh(["d1.md"], NO_NAMES)
    index.close()
    assert {entry.name: entry.read_bytes() for entry in folder.iterdir()} == before


def test_no_index_and_no_place_for_one_is_said(
    documents: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(fsio, "is_writable", lambda folder: False)
    with pytest.raises(AlmanacError) as caught:
        Index.open(documents, tmp_path / "index")
    assert caught.value.key == "index_unwritable"


def test_a_full_disk_leaves_the_old_index(documents: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    index = opened(documents, tmp_path / "index")
    generation = index.generation
    write(documents, "d1.md", document("Doc 1", "common fresh"))

    def full(handle: int) -> None:
        raise OSError(28, "No space left on device")

    monkeypatch.setattr("kb.fsio.os.fsync", full)
    with pytest.raises(AlmanacError) as caught:
        index.update(NO_NAMES)
    assert caught.value.key == "disk_full"
    monkeypatch.undo()
    assert index.generation == generation
    assert holders(index, "word1") == ["d1.md"]
    assert [entry.name for entry in (tmp_path / "index").iterdir() if "tmp" in entry.name] == []
    index.update(NO_NAMES)
    assert holders(index, "fresh") == ["d1.md"]
    index.close()


def test_segments_that_no_commit_names_are_swept(documents: Path, tmp_path: Path) -> None:
    index = opened(documents, tmp_path / "index")
    orphan = write(tmp_path / "index", "dead.seg", b"x")
    fresh = write(tmp_path / "index", "fresh.seg", b"x")
    os.utime(orphan, (time.time() - 600,) * 2)
    write(documents, "d1.md", document("Doc 1", "changed"))
    index.update(NO_NAMES)
    assert not orphan.exists()
    assert fresh.exists()
    index.close()


def test_every_byte_of_a_segment_is_checked(documents: Path, tmp_path: Path) -> None:
    folder = tmp_path / "index"
    opened(documents, folder).close()
    (segment,) = folder.glob("*.seg")
    assert is_sound(segment)
    data = segment.read_bytes()
    for place in range(len(data)):
        segment.write_bytes(data[:place] + bytes([data[place] ^ 1]) + data[place + 1 :])
        assert not is_sound(segment), place


def damage(segment: Path, array: str) -> None:
    """Overwrite an array of a segment."""
    kind, start, length = read_counts(segment).offsets()[array]
    data = bytearray(segment.read_bytes())
    data[start : start + int(kind[1]) * length] = b"\xfe" * int(kind[1]) * length
    segment.write_bytes(data)


@pytest.mark.parametrize(("array", "small"), [("term_offsets", True), ("impacts", True), ("postings", False)])
def test_an_index_damaged_inside_is_made_anew_by_the_question_that_meets_it(
    documents: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch, array: str, *, small: bool
) -> None:
    folder = tmp_path / "index"
    opened(documents, folder).close()
    (segment,) = folder.glob("*.seg")
    damage(segment, array)
    if not small:
        monkeypatch.setattr("kb.search.postings._CHECKED_BYTES", 0)
    retriever = Retriever(documents, folder)
    assert [item.path for item in retriever.find_documents("word3", 3)] == ["d3.md"]
    assert retriever.chunks() == 6
    retriever.close()
    (segment,) = folder.glob("*.seg")
    assert is_sound(segment)


def test_a_database_with_broken_texts_is_made_anew(documents: Path, tmp_path: Path) -> None:
    folder = tmp_path / "index"
    opened(documents, folder).close()
    connection = sqlite3.connect(folder / "index.db")
    connection.execute("UPDATE documents SET metadata='{', headings='[' WHERE path='d3.md'")
    connection.commit()
    connection.close()
    retriever = Retriever(documents, folder)
    assert [item.path for item in retriever.find_documents("word3", 3)] == ["d3.md"]
    assert [item.title for item in retriever.documents()] == [f"Doc {number}" for number in range(6)]
    retriever.close()


def test_a_fault_that_is_none_of_the_index_leaves_it(
    documents: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    retriever = Retriever(documents, tmp_path / "index")
    retriever.update()
    before = sorted(entry.name for entry in (tmp_path / "index").iterdir())

    def fails(*_: object) -> None:
        raise ValueError("another fault")

    monkeypatch.setattr("kb.search.retriever.ranking.rank", fails)
    with pytest.raises(ValueError, match="another fault"):
        retriever.find("word3")
    retriever.close()
    assert sorted(entry.name for entry in (tmp_path / "index").iterdir()) == before


def test_a_damaged_index_that_cannot_be_written_is_said(
    documents: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    folder = tmp_path / "index"
    opened(documents, folder).close()
    (segment,) = folder.glob("*.seg")
    damage(segment, "term_offsets")
    monkeypatch.setattr(fsio, "is_writable", lambda folder: False)
    retriever = Retriever(documents, folder)
    with pytest.raises(AlmanacError) as caught:
        retriever.find("word3")
    assert caught.value.key == "index_damaged"
    retriever.close()
