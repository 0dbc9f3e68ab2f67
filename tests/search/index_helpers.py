"""What the tests of the index share."""

from __future__ import annotations

from pathlib import Path

from kb.search.index import Index
from kb.search.snapshot import Snapshot
from kb.tree.taxonomy import Taxonomy

NO_NAMES = Taxonomy()


def holders(index: Index, term: str) -> list[str]:
    """The documents whose text holds `term`, from the index alone."""
    snapshot = Snapshot(index)
    return sorted(snapshot.paths[snapshot.document_of[place]] for place in snapshot.sections_with(term).tolist())


def opened(root: Path, folder: Path) -> Index:
    """The index of `root` in `folder`, up to date."""
    index = Index.open(root, folder)
    index.update(NO_NAMES)
    return index
