"""kb.search.writing: what is read back is the same as counting by hand, also after joining."""

from __future__ import annotations

from collections import Counter
from pathlib import Path

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from kb.search import writing
from kb.search.keys import Keys, fact_keys, section_keys, term_key, term_keys
from kb.search.postings import K1, B, Posted, Segment
from kb.search.writing import SegmentBuilder, merge

# A document: the text of each section, and its own words.
Made = tuple[list[str], list[str]]
_TEXT = st.text("大豆水泵ab ", max_size=12)
_WORDS = st.lists(st.sampled_from("大豆ab"), max_size=3)
_DOCUMENTS = st.lists(st.tuples(st.lists(_TEXT, max_size=3), _WORDS), max_size=8)
_TERMS = ("大", "豆", "大豆", "水泵", "a", "b", "ab", "none")


@pytest.fixture(params=[64, 1], ids=["sparse", "rows"], autouse=True)
def _few(request: pytest.FixtureRequest, monkeypatch: pytest.MonkeyPatch) -> None:
    """Frequent terms are kept as rows only in larger segments; here also in the smallest."""
    monkeypatch.setattr(writing, "_FEW_SECTIONS", request.param)


def _own(words: list[str]) -> Keys:
    return fact_keys("k", term_keys(words))


def _posted(segment: Segment, term: str) -> Posted | None:
    return dict(segment.posted(term_keys([term]))).get(0)


def _write(documents: list[Made], path: Path, mean: float | None = None) -> Segment:
    builder = SegmentBuilder(mean)
    for number, (texts, words) in enumerate(documents):
        keys, owners = section_keys(texts)
        names = [
            [f"{number}-{place}-{chunk}".encode().ljust(16) for chunk in range(1 + place % 2)]
            for place in range(len(texts))
        ]
        assert builder.add(keys, owners, names, _own(words)) == number
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
    for term in _TERMS:
        posted = _posted(segment, term)
        expected = _naive(documents, term, mean)
        assert (posted.count if posted else 0) == len(expected)
        holders = [number for number, (_, words) in enumerate(documents) if term in words]
        assert segment.holding(_own([term]))[1].tolist() == holders
        if posted is None:
            continue
        places, impacts = posted.listed()
        assert places.tolist() == list(expected)
        assert np.abs(impacts.astype(int) - list(expected.values())).max(initial=0) <= 1
    assert segment.sizes.tolist() == [len(texts) for texts, _ in documents]


@settings(max_examples=30)
@given(documents=_DOCUMENTS)
def test_a_segment_equals_counting(tmp_path_factory: pytest.TempPathFactory, documents: list[Made]) -> None:
    mean = _mean(documents)
    _same(_write(documents, tmp_path_factory.mktemp("p") / "a.seg", mean), documents, mean)


@settings(max_examples=30)
@given(documents=_DOCUMENTS)
def test_terms_are_weighed_later_as_at_once(tmp_path_factory: pytest.TempPathFactory, documents: list[Made]) -> None:
    folder = tmp_path_factory.mktemp("p")
    read = _write(documents, folder / "read.seg")
    assert read.lengths.tolist() == [len(section_keys([text])[0]) for texts, _ in documents for text in texts]
    merge([read], [np.ones(len(documents), bool)], folder / "weighed.seg", 5.0)
    weighed = Segment.open(folder / "weighed.seg")
    assert not len(weighed.lengths)
    _same(weighed, documents, 5.0)
    _write(documents, folder / "once.seg", 5.0)
    assert (folder / "weighed.seg").read_bytes() == (folder / "once.seg").read_bytes()


@settings(max_examples=30)
@given(first=_DOCUMENTS, second=_DOCUMENTS, data=st.data())
def test_merged_equals_rebuilt(
    tmp_path_factory: pytest.TempPathFactory, first: list[Made], second: list[Made], data: st.DataObject
) -> None:
    folder = tmp_path_factory.mktemp("p")
    parts = [_write(first, folder / "a.seg", 5.0), _write(second, folder / "b.seg")]
    alive = [np.array([data.draw(st.booleans()) for _ in documents], bool) for documents in (first, second)]
    mappings = merge(parts, alive, folder / "c.seg", 5.0)
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
