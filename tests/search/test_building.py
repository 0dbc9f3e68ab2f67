"""kb.search.building: what the index keeps of a document."""

from __future__ import annotations

import json
from pathlib import Path

import pytest

from kb.search import building
from kb.search.building import Batch, sampled_length
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


def test_the_mean_length_is_that_of_documents_from_all_over(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """Long documents behind many short ones count too; what cannot be read does not."""
    monkeypatch.setattr(building, "_SAMPLE", 4)
    for number in range(8):
        (tmp_path / f"d{number}.md").write_text("one two" if number < 4 else "word " * 98, "utf-8")
    (tmp_path / "d2.md").write_bytes(bytes(range(128, 256)))
    states = [FileState(f"d{number}.md", 1, 1) for number in range(8)]
    assert sampled_length(tmp_path, states[:4]) is None
    alone = [_batch((tmp_path / f"d{number}.md").read_text("utf-8"), f"d{number}.md")[0] for number in (0, 4, 6)]
    lengths = [batch.builder.mean_length for batch in alone]
    assert lengths[1] > 10 * lengths[0]
    assert sampled_length(tmp_path, states) == pytest.approx(sum(lengths) / 3)
