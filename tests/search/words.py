"""Small dictionaries for tests, in the form that scripts/fetch_dictionary.py writes."""

from __future__ import annotations

from pathlib import Path

from kb.config import ModelFile
from kb.search.dictionary import Dictionary


def dictionary(folder: Path, *lines: str) -> Dictionary:
    """A dictionary with these lines («word<TAB>meanings[<TAB>words that it helps to explain]»)."""
    path = folder / "words.tsv"
    path.write_bytes(b"".join(sorted(f"{line}\n".encode() for line in lines)))
    return Dictionary(ModelFile(path.name, path, 0, path.stat().st_size, ""))
