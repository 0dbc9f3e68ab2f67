"""kb.search.merging: several segments become one, and rows follow."""

from __future__ import annotations

from pathlib import Path

from kb.search.index import Index
from kb.search.merging import merge_segments
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
