"""kb.search.building: what the index keeps of a document."""

from __future__ import annotations

import json

from kb.search.building import Batch, embedded_text, text_key
from kb.search.reading import document_sections
from kb.tree import document
from kb.tree.taxonomy import Taxonomy
from kb.tree.walk import FileState

TEXT = "---\ntitle: Pump\nversion: 1.10\nvalid_to: 2030-01-01\n---\n# Pump\n\nIntro.\n\n## Seal\n\nReplace it.\n"


def _batch(text: str, path: str = "a/pump.md", taxonomy: Taxonomy | None = None) -> tuple[Batch, bytes]:
    batch = Batch(None, taxonomy or Taxonomy())
    parsed = document.parse(path, text)
    digest = batch.digest(parsed)
    batch.add(FileState(path, len(text), 1), parsed, digest)
    return batch, digest


def test_a_row_says_what_the_document_says() -> None:
    (row,) = _batch(TEXT)[0].rows
    assert row[0] == "a/pump.md"
    assert row[4:6] == ("Pump", "1.10")
    assert json.loads(str(row[12]))["version"] == "1.10"
    assert json.loads(str(row[14])) == ["Pump", "Seal"]


def test_the_digest_follows_text_and_names() -> None:
    first = _batch(TEXT)[1]
    assert first == _batch(TEXT)[1]
    assert first != _batch(TEXT + " ")[1]
    named = Taxonomy({"pump": {"zh": ("水泵",)}})
    assert first != _batch(TEXT, taxonomy=named)[1]


def test_sections_of_one_line_have_vectors_of_their_own() -> None:
    """A paragraph of thousands of characters on one line is several sections with the same line numbers."""
    text = "# 水泵\n\n" + "".join(f"第{number}条说明水泵的保养方法和注意事项。" for number in range(200))
    parsed = document.parse("a.md", text)
    sections = document_sections(parsed)
    assert len(sections) > 3
    assert len({text_key(parsed.facts, section) for section in sections}) == len(sections)


def test_headings_are_embedded_once_each() -> None:
    assert embedded_text("Pump", ("Pump", "Seal"), "x") == "Pump › Seal\nx"
