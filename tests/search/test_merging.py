"""kb.search.merging: several segments become one, and rows follow."""

from __future__ import annotations

from pathlib import Path

from kb.search.index import Index
from kb.search.merging import Held, groups, merge_segments
from kb.search.snapshot import Snapshot
from kb.tree.taxonomy import Taxonomy
from tests.helpers import document, write


def _state(index: Index) -> dict[str, list[str]]:
    snapshot = Snapshot(index)
    return {
        term: sorted(snapshot.paths[snapshot.document_of[n]] for n in snapshot.sections_with(term).tolist())
        for term in ("common", "word0", "word1", "word2", "word3", "gone")
    }


def test_nothing_changes_but_the_files(empty_tree: Path, tmp_path: Path) -> None:
    index = Index.open(empty_tree, tmp_path / "index")
    for number in range(4):
        write(empty_tree, f"d{number}.md", document("D", f"common word{number} gone"))
        index.update(Taxonomy())
    write(empty_tree, "d0.md", document("D", "common word0"))
    (empty_tree / "d1.md").unlink()
    index.update(Taxonomy())
    before = _state(index)
    identifiers = [row[0] for row in index.connection.execute("SELECT id FROM segments ORDER BY id")]
    assert len(identifiers) > 3
    index.connection.execute("BEGIN")
    merge_segments(index.connection, index.folder, identifiers, "merged.seg")
    index.connection.execute("COMMIT")
    assert _state(index) == before
    assert before["gone"] == ["d2.md", "d3.md"]
    rows = index.connection.execute("SELECT name, sections FROM segments").fetchall()
    assert rows == [("merged.seg", len(before["common"]))]
    index.close()


def _held(*living: int, sections: int | None = None) -> list[Held]:
    return [Held(number, size, sections or size, 100 * size) for number, size in enumerate(living, 1)]


def test_small_segments_are_joined_when_they_are_many() -> None:
    assert groups(_held(*[10] * 8)) == []
    assert groups(_held(*[10] * 9)) == [list(range(1, 10))]


def test_what_a_build_leaves_is_joined_up_to_a_size() -> None:
    assert groups(_held(*[9_000] * 17)) == [list(range(1, 8)), list(range(8, 15)), [15, 16, 17]]
    assert groups(_held(60_000, 60_000, 20_000)) == []


def test_what_is_not_weighed_yet_never_stays() -> None:
    held = [Held(number, 10, 10, 100, weighed=False) for number in range(1, 4)]
    assert groups(held) == groups(held, quickly=True) == [[1, 2, 3]]
    assert groups(_held(60_000) + held) == [[1, 2, 3]]


def test_only_small_ones_are_joined_while_somebody_waits() -> None:
    held = _held(9_000, 9_000, *[10] * 9)
    assert groups(held, quickly=True) == [list(range(3, 12))]
    assert groups(held) == [list(range(3, 12)), [1, 2]]


def test_large_segments_stay_as_they_are_beside_small_ones() -> None:
    assert groups(_held(60_000, *[10] * 9)) == [list(range(2, 11))]


def test_a_segment_that_is_mostly_dropped_is_written_again() -> None:
    assert groups(_held(30_000, sections=65_000)) == [[1]]
    assert groups(_held(31_000, sections=61_000)) == []


def test_segments_of_long_sections_are_not_joined_beyond_memory() -> None:
    held = [Held(number, 9_000, 9_000, 9_000_000) for number in range(1, 5)]
    assert groups(held) == []
