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


@pytest.mark.parametrize("damage", ["cut", "empty", "gone", "foreign"])
def test_a_damaged_segment_is_rebuilt(documents: Path, tmp_path: Path, damage: str) -> None:
    folder = tmp_path / "index"
    opened(documents, folder).close()
    (segment,) = folder.glob("*.seg")
    data = segment.read_bytes()
    if damage == "gone":
        segment.unlink()
    else:
        segment.write_bytes({"cut": data[:-40], "empty": b"", "foreign": b"x" * 200}[damage])
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
