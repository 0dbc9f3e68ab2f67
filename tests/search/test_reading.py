"""kb.search.reading: documents as they are now, cut once."""

from __future__ import annotations

from pathlib import Path

from kb.search.retriever import Retriever
from kb.search.snapshot import Filter
from kb.tree import document


def _tree(folder: Path) -> Retriever:
    (folder / "pump.md").write_text("# Pump\n\n## Seal\n\nReplace the seal after 500 h.\n", "utf-8")
    return Retriever(folder, folder.parent / "index")


def test_a_document_is_read_once_while_it_stays_as_it_is(tmp_path: Path) -> None:
    root = tmp_path / "documents"
    root.mkdir()
    retriever = _tree(root)
    first = retriever.find("seal", 1)[0].document
    assert retriever.find("seal", 1)[0].document is first
    (root / "pump.md").write_text("# Pump\n\n## Seal\n\nReplace the seal after 250 h, not later.\n", "utf-8")
    changed = retriever.find("seal", 1)[0]
    assert changed.document is not first
    assert "250 h" in changed.section.text


def test_sections_carry_the_lines_of_the_file(tmp_path: Path) -> None:
    root = tmp_path / "documents"
    root.mkdir()
    retriever = _tree(root)
    found = retriever.find("seal 500 h", 1)[0]
    lines = (root / "pump.md").read_text("utf-8").split("\n")
    assert "500 h" in "\n".join(lines[found.section.start - 1 : found.section.end])


def test_a_file_that_is_gone_answers_no_more(tmp_path: Path) -> None:
    root = tmp_path / "documents"
    root.mkdir()
    retriever = _tree(root)
    assert retriever.find("seal", 1)
    (root / "pump.md").unlink()
    assert not retriever.find("seal", 1)


def test_phrases_and_exclusions_are_looked_for_in_the_text(tmp_path: Path) -> None:
    root = tmp_path / "documents"
    root.mkdir()
    retriever = _tree(root)
    day = Filter(on=None)
    assert retriever.find('"after 500 h"', 1, day)
    assert not retriever.find('seal "after 600 h"', 1, day)
    assert not retriever.find("pump -seal", 1, day)
    assert document.load(root, "pump.md").facts.title == "Pump"
