"""kb.search.postings: the same as counting by hand, also after merging."""

from __future__ import annotations

from pathlib import Path

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from kb.search.postings import MAGIC, Segment, SegmentBuilder, SegmentError, merge, term_hash

Fields = dict[str, dict[str, int]]
_COUNTS = st.dictionaries(st.sampled_from("大豆水泵abcdefg"), st.integers(1, 400), max_size=6)
_SECTION = st.fixed_dictionaries({"": _COUNTS, "k": _COUNTS})
_DOCUMENTS = st.lists(_SECTION, max_size=12)


def _write(documents: list[Fields], path: Path) -> Segment:
    builder = SegmentBuilder()
    for number, fields in enumerate(documents):
        assert builder.add(fields) == number
    assert builder.sections == len(documents)
    builder.write(path)
    return Segment.open(path)


def _naive(documents: list[Fields], field: str, term: str) -> list[tuple[int, int]]:
    return [(n, min(d[field][term], 255)) for n, d in enumerate(documents) if d[field].get(term)]


def _found(segment: Segment, field: str, term: str) -> list[tuple[int, int]]:
    places, counts = segment.lookup(term_hash(field, term))
    return list(zip(places.tolist(), counts.tolist(), strict=True))


def _same(segment: Segment, documents: list[Fields]) -> None:
    for field in ("", "k"):
        for term in "大豆水泵abcdefgX":
            assert _found(segment, field, term) == _naive(documents, field, term)
    assert segment.lengths.tolist() == [sum(d[""].values()) for d in documents]


@settings(max_examples=30)
@given(documents=_DOCUMENTS)
def test_lookup_equals_counting(tmp_path_factory: pytest.TempPathFactory, documents: list[Fields]) -> None:
    _same(_write(documents, tmp_path_factory.mktemp("p") / "a.seg"), documents)


@settings(max_examples=30)
@given(first=_DOCUMENTS, second=_DOCUMENTS, data=st.data())
def test_merged_equals_rebuilt(
    tmp_path_factory: pytest.TempPathFactory, first: list[Fields], second: list[Fields], data: st.DataObject
) -> None:
    folder = tmp_path_factory.mktemp("p")
    parts = [_write(first, folder / "a.seg"), _write(second, folder / "b.seg")]
    alive = [np.array([data.draw(st.booleans()) for _ in documents], bool) for documents in (first, second)]
    mappings = merge(parts, alive, folder / "c.seg")
    kept = [
        document
        for documents, living in zip((first, second), alive, strict=True)
        for document, lives in zip(documents, living.tolist(), strict=True)
        if lives
    ]
    _same(Segment.open(folder / "c.seg"), kept)
    numbers = [number for mapping in mappings for number in mapping.tolist() if number >= 0]
    assert numbers == list(range(len(kept)))


def test_fields_do_not_mix() -> None:
    assert term_hash("", "ka") != term_hash("k", "a")


@pytest.mark.parametrize("size", [0, 1, 7, 8, 31, 32, 40, -5, -8])
def test_a_cut_file_is_refused(tmp_path: Path, size: int) -> None:
    path = tmp_path / "a.seg"
    _write([{"": {"a": 1, "b": 2}, "k": {}}] * 3, path)
    path.write_bytes(path.read_bytes()[:size])
    with pytest.raises(SegmentError):
        Segment.open(path)


def test_another_kind_of_file_is_refused(tmp_path: Path) -> None:
    path = tmp_path / "a.seg"
    path.write_bytes(b"NOTPOSTS" + b"\0" * 64)
    with pytest.raises(SegmentError):
        Segment.open(path)
    path.write_bytes(MAGIC + b"\xff" * 24)
    with pytest.raises(SegmentError):
        Segment.open(path)


def test_views_cannot_be_written(tmp_path: Path) -> None:
    segment = _write([{"": {"a": 1}, "k": {}}], tmp_path / "a.seg")
    with pytest.raises(ValueError, match="read-only"):
        segment.postings[0] = 5
