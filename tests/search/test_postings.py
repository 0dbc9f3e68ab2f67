"""kb.search.postings: the same as counting by hand, also after merging."""

from __future__ import annotations

from collections import Counter
from pathlib import Path

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from kb.search import postings
from kb.search.keys import fact_key, section_keys, term_key
from kb.search.layout import MAGIC, SegmentError
from kb.search.postings import K1, B, Segment, SegmentBuilder, merge

# A document: the text of each section, and its own words.
Made = tuple[list[str], list[str]]
_TEXT = st.text("大豆水泵ab ", max_size=12)
_WORDS = st.lists(st.sampled_from("大豆ab"), max_size=3)
_DOCUMENTS = st.lists(st.tuples(st.lists(_TEXT, max_size=3), _WORDS), max_size=8)
_TERMS = ("大", "豆", "大豆", "水泵", "a", "b", "ab", "none")


@pytest.fixture(params=[64, 1], ids=["sparse", "rows"], autouse=True)
def _few(request: pytest.FixtureRequest, monkeypatch: pytest.MonkeyPatch) -> None:
    """Frequent terms are kept as rows only in larger segments; here also in the smallest."""
    monkeypatch.setattr(postings, "_FEW_SECTIONS", request.param)


def _write(documents: list[Made], path: Path, mean: float | None = None) -> Segment:
    builder = SegmentBuilder(mean)
    for number, (texts, words) in enumerate(documents):
        keys, owners = section_keys(texts)
        names = [
            [f"{number}-{place}-{chunk}".encode().ljust(16) for chunk in range(1 + place % 2)]
            for place in range(len(texts))
        ]
        assert builder.add(keys, owners, names, {fact_key("k", word) for word in words}) == number
    assert builder.documents == len(documents)
    builder.write(path)
    return Segment.open(path)


def _naive(documents: list[Made], term: str, mean: float) -> dict[int, int]:
    """The sections that hold `term`, and the weight of each times 255."""
    texts = [text for made, _ in documents for text in made]
    found = {}
    for number, text in enumerate(texts):
        keys = section_keys([text])[0].tolist()
        times = Counter(keys)[term_key(term)]
        if times:
            found[number] = round(255 * times / (times + K1 * (1 - B + B * len(keys) / mean)))
    return found


def _mean(documents: list[Made]) -> float:
    lengths = [len(section_keys([text])[0]) for made, _ in documents for text in made]
    return max(float(np.mean(lengths)) if lengths else 1.0, 1.0)


def _same(segment: Segment, documents: list[Made], mean: float) -> None:
    everything = np.arange(segment.sections)
    for term in _TERMS:
        posted = segment.posted(term_key(term))
        places, impacts = posted.listed()
        expected = _naive(documents, term, mean)
        assert places.tolist() == list(expected)
        assert posted.count == len(expected)
        assert np.abs(impacts.astype(int) - list(expected.values())).max(initial=0) <= 1
        weights = posted.at(everything)
        assert weights[places].tolist() == pytest.approx([impact / 255 for impact in impacts.tolist()], abs=1e-6)
        assert np.count_nonzero(weights) == len(places)
        holders = [number for number, (_, words) in enumerate(documents) if term in words]
        assert segment.holding(fact_key("k", term)).tolist() == holders
    assert segment.sizes.tolist() == [len(texts) for texts, _ in documents]


@settings(max_examples=30)
@given(documents=_DOCUMENTS)
def test_a_segment_equals_counting(tmp_path_factory: pytest.TempPathFactory, documents: list[Made]) -> None:
    _same(_write(documents, tmp_path_factory.mktemp("p") / "a.seg"), documents, _mean(documents))


@settings(max_examples=30)
@given(first=_DOCUMENTS, second=_DOCUMENTS, data=st.data())
def test_merged_equals_rebuilt(
    tmp_path_factory: pytest.TempPathFactory, first: list[Made], second: list[Made], data: st.DataObject
) -> None:
    folder = tmp_path_factory.mktemp("p")
    parts = [_write(first, folder / "a.seg", 5.0), _write(second, folder / "b.seg", 5.0)]
    alive = [np.array([data.draw(st.booleans()) for _ in documents], bool) for documents in (first, second)]
    mappings = merge(parts, alive, folder / "c.seg")
    kept = [
        document
        for documents, living in zip((first, second), alive, strict=True)
        for document, lives in zip(documents, living.tolist(), strict=True)
        if lives
    ]
    merged = Segment.open(folder / "c.seg")
    _same(merged, kept, 5.0)
    names = [
        f"{number}-{place}-{chunk}"
        for documents, living in zip((first, second), alive, strict=True)
        for number, ((texts, _), lives) in enumerate(zip(documents, living.tolist(), strict=True))
        if lives
        for place in range(len(texts))
        for chunk in range(1 + place % 2)
    ]
    assert merged.chunk_keys.tobytes().decode().split() == names
    sizes = [1 + place % 2 for texts, _ in kept for place in range(len(texts))]
    assert np.diff(merged.first_chunks.astype(int)).tolist() == sizes
    numbers = [number for mapping in mappings for number in mapping.tolist() if number >= 0]
    assert numbers == list(range(len(kept)))


@pytest.mark.parametrize("size", [0, 1, 7, 8, 31, 71, 72, 80, -5, -8])
def test_a_cut_file_is_refused(tmp_path: Path, size: int) -> None:
    path = tmp_path / "a.seg"
    _write([(["a b 大豆"], ["a"])] * 3, path)
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
    segment = _write([(["a"], [])], tmp_path / "a.seg")
    with pytest.raises(ValueError, match="read-only"):
        segment.first[0] = 5
