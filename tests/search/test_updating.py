"""kb.search.updating: what is read is committed in portions, and files that are no longer needed go."""

from __future__ import annotations

from pathlib import Path

import pytest

from kb.device import Device
from kb.search import building, merging, updating
from kb.search.index import Index
from kb.search.snapshot import Snapshot
from tests.helpers import document, write
from tests.search.index_helpers import NO_NAMES, holders, opened


def test_many_changes_are_committed_in_portions(
    documents: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """An update that is stopped has done what it committed; the next one does the rest."""
    index = opened(documents, tmp_path / "index")
    monkeypatch.setattr(updating, "_AT_A_TIME", 2)
    for number in range(5):
        write(documents, f"d{number}.md", document(f"Doc {number}", f"common fresh{number}"))
    (documents / "d5.md").unlink()

    class StoppedError(Exception):
        pass

    def stop(what: str, done: int, total: int) -> None:
        if done >= 2:
            raise StoppedError

    with pytest.raises(StoppedError):
        index.update(NO_NAMES, stop)
    assert sum(len(holders(index, f"fresh{number}")) for number in range(5)) == 2
    assert len(holders(index, "common")) == 5
    assert index.update(NO_NAMES).changed == 3
    assert all(holders(index, f"fresh{number}") == [f"d{number}.md"] for number in range(5))
    index.close()


def _weights(index: Index) -> dict[str, int]:
    """What each document's words weigh, times 255."""
    snapshot = Snapshot(index)
    return {
        snapshot.paths[snapshot.document_of[base + place]]: impact
        for base, posted in snapshot.term("common").posted
        for place, impact in zip(*(values.tolist() for values in posted.listed()), strict=True)
    }


def test_a_build_in_portions_is_the_same_index(
    documents: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Processes meet after each portion, segments are written when they are full and joined at the end; all documents
    are weighed by the same mean length."""
    write(documents, "d1.md", document("Doc 1", "common word1 " + "padding " * 90))
    whole = opened(documents, tmp_path / "whole")
    monkeypatch.setattr(updating, "_PORTION", 2)
    monkeypatch.setattr(building, "_OCCURRENCES_PER_SEGMENT", 1)
    monkeypatch.setattr(merging, "_SMALL", 1)
    monkeypatch.setattr(merging, "_LARGEST", 4)
    said: list[tuple[int, int]] = []
    index = Index.open(documents, tmp_path / "portions")
    index.update(NO_NAMES, lambda _, done, total: said.append((done, total)))
    sizes = [row[0] for row in index.connection.execute("SELECT sections FROM segments ORDER BY id")]
    assert sizes == [4, 2]
    assert said == sorted(said)
    assert said[-1] == (6, 6)
    for word in ("common", "word3", "nowhere"):
        assert holders(index, word) == holders(whole, word)
    assert _weights(index) == _weights(whole)
    assert len(set(_weights(whole).values())) > 1
    assert index.documents() == whole.documents()
    index.close()
    whole.close()


@pytest.mark.parametrize(
    ("documents", "memory", "cores", "expected"),
    [
        (10_000, None, 2, 2),
        (10_000, None, 16, 4),
        (10_000, 400, 4, 2),
        (10_000, 100, 4, 1),
        (310, 8_000, 4, 2),
        (100, 8_000, 4, 1),
    ],
)
def test_a_small_machine_reads_with_fewer_processes(
    documents: int, memory: int | None, cores: int, expected: int
) -> None:
    assert updating._processes(documents, Device(memory, cores)) == expected


def test_segments_that_were_joined_are_gone_at_once(documents: Path, tmp_path: Path) -> None:
    index = opened(documents, tmp_path / "index")
    for number in range(12):
        write(documents, "d1.md", document("Doc 1", f"common edition{number}"))
        index.update(NO_NAMES)
    named = {row[0] for row in index.connection.execute("SELECT name FROM segments")}
    assert {path.name for path in (tmp_path / "index").glob("*.seg")} == named
    assert len(named) < 10
    index.close()


def test_readers_go_on_while_a_large_change_is_written(documents: Path, tmp_path: Path) -> None:
    """Until it is committed they see the index as it was, however much does not fit into SQLite's cache."""
    index, reader = opened(documents, tmp_path / "index"), opened(documents, tmp_path / "index")
    reader.connection.execute("PRAGMA busy_timeout=0")
    index.connection.execute("BEGIN IMMEDIATE")
    for number in range(4000):
        index.set_meta(f"filler{number}", "x" * 2000)
    assert len(reader.documents()) == 6
    assert len(holders(reader, "common")) == 6
    index.connection.execute("ROLLBACK")
    index.close()
    reader.close()
