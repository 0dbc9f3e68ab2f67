"""kb.search.postings: a file that is no segment, or cut, is refused; what is mapped is not written."""

from __future__ import annotations

from pathlib import Path

import pytest

from kb.search.keys import fact_keys, section_keys, term_keys
from kb.search.layout import MAGIC, SegmentError
from kb.search.postings import Segment
from kb.search.writing import SegmentBuilder


def _write(path: Path, texts: list[str]) -> Segment:
    """A segment of one document with these sections and the keyword `a`."""
    builder = SegmentBuilder()
    builder.add(*section_keys(texts), [[bytes(16)]] * len(texts), fact_keys("k", term_keys(["a"])))
    builder.write(path)
    return Segment.open(path)


@pytest.mark.parametrize("size", [0, 1, 7, 8, 31, 71, 72, 80, -5, -8])
def test_a_cut_file_is_refused(tmp_path: Path, size: int) -> None:
    path = tmp_path / "a.seg"
    _write(path, ["a b 大豆"] * 3)
    path.write_bytes(path.read_bytes()[:size])
    with pytest.raises(SegmentError):
        Segment.open(path)


def test_another_kind_of_file_is_refused(tmp_path: Path) -> None:
    path = tmp_path / "a.seg"
    path.write_bytes(b"NOTPOSTS" + b"\0" * 64)
    with pytest.raises(SegmentError):
        Segment.open(path)
    path.write_bytes(MAGIC + b"\xff" * 64)
    with pytest.raises(SegmentError):
        Segment.open(path)


def test_views_cannot_be_written(tmp_path: Path) -> None:
    segment = _write(tmp_path / "a.seg", ["a"])
    with pytest.raises(ValueError, match="read-only"):
        segment.first[0] = 5


@pytest.mark.parametrize(("sections", "width"), [(1 << 16, 2), ((1 << 16) + 1, 4)])
def test_section_numbers_are_as_wide_as_they_must_be(tmp_path: Path, sections: int, width: int) -> None:
    segment = _write(tmp_path / "a.seg", ["b"] + [""] * (sections - 2) + ["b"])
    ((number, posted),) = segment.posted(term_keys(["none", "b"]))
    assert number == 1
    assert posted.listed()[0].tolist() == [0, sections - 1]
    assert segment.postings.itemsize == width
