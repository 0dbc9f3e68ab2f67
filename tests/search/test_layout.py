"""kb.search.layout: what lies where, known without numpy."""

from __future__ import annotations

import subprocess
import sys
from itertools import pairwise
from pathlib import Path

import pytest

from kb.search.layout import CHECK, Counts, SegmentError, read_counts

COUNTS = Counts(terms=3, postings=7, frequent=1, facts=2, holders=5, sections=9, documents=4, chunks=11, lengths=9)


def test_arrays_lie_apart_and_on_boundaries() -> None:
    places = list(COUNTS.offsets().values())
    for (kind, start, length), (_, following, _) in pairwise(places):
        assert start % 8 == 0
        assert start + int(kind[1]) * length <= following


def test_counts_are_read_again(tmp_path: Path) -> None:
    path = tmp_path / "a.seg"
    path.write_bytes(COUNTS.pack().ljust(COUNTS.offsets()["end"][1] + CHECK.size, b"\0"))
    assert read_counts(path) == COUNTS
    path.write_bytes(path.read_bytes()[:-1])
    with pytest.raises(SegmentError):
        read_counts(path)


def test_listing_an_index_needs_no_numpy() -> None:
    code = "import sys, kb.search.index; sys.exit('numpy' in sys.modules)"
    assert subprocess.run([sys.executable, "-c", code], check=False).returncode == 0
