"""kb.search.building: what the index keeps of a document."""

from __future__ import annotations

import json
from pathlib import Path

from kb.search.building import Batch
from kb.search.listing import text_digest
from kb.tree import document
from kb.tree.taxonomy import Taxonomy
from kb.tree.walk import FileState

TEXT = "---\ntitle: Pump\nversion: 1.10\nvalid_to: 2030-01-01\n---\n# Pump\n\nIntro.\n\n## Seal\n\nReplace it.\n"


def _batch(text: str, path: str = "a/pump.md", taxonomy: Taxonomy | None = None) -> tuple[Batch, bytes]:
    batch = Batch(None, taxonomy or Taxonomy())
    parsed = document.parse(path, text)
    digest = text_digest(parsed.text)
    batch.add(FileState(path, len(text), 1), parsed, digest)
    return batch, digest


def test_a_row_says_what_the_document_says(tmp_path: Path) -> None:
    built = _batch(TEXT)[0].write(tmp_path)
    (row,) = built.rows
    assert (tmp_path / built.name).exists()
    assert row[0] == "a/pump.md"
    assert row[4:6] == ("Pump", "1.10")
    assert json.loads(str(row[12]))["version"] == "1.10"
    assert json.loads(str(row[14])) == ["Pump", "Seal"]


def test_the_digest_follows_the_text() -> None:
    first = _batch(TEXT)[1]
    assert first == _batch(TEXT)[1]
    assert first != _batch(TEXT + " ")[1]
