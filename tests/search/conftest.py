"""A small tree for the tests of the index."""

from __future__ import annotations

from pathlib import Path

import pytest

from tests.helpers import document, write


@pytest.fixture
def documents(empty_tree: Path) -> Path:
    """Six documents: `common` and `oldedition` stand in all, `word0`..`word5` in one each."""
    for number in range(6):
        write(empty_tree, f"d{number}.md", document(f"Doc {number}", f"common word{number} oldedition"))
    return empty_tree
