"""Segment files: written from documents, or joined from others.

`layout` says what lies where. Beside what it writes, joining has only a range of the terms in memory at a time. A file
is written whole and renamed into place, so it is never half there.
"""

from __future__ import annotations

import zlib
from collections.abc import Iterable
from dataclasses import dataclass
from itertools import pairwise
from pathlib import Path
from typing import Any

import numpy as np
import numpy.typing as npt

from kb import fsio
from kb.search.keys import KEY_BITS, Keys
from kb.search.layout import CHECK, Counts, owner_kind
from kb.search.postings import K1, B, Bytes, Ints, Segment, Uints, lengths_of

# A key's owner, a section or document of the segment counted from 0, takes the lower 24 bits beside the 40-bit key.
_OWNER_BITS = np.uint64(24)
_OWNER_MASK = np.uint64((1 << 24) - 1)
# A term in more than a fifth of the sections: a row of all is added up faster than a list, and not much larger.
_FREQUENT = 5
_FEW_SECTIONS = 64
_MERGE_SLICES = 32


class SegmentBuilder:
    """Collects the terms of documents and writes one segment.

    `mean_length` is that of a section, in terms; without it, terms wait for `merge` to weigh them.
    """

    def __init__(self, mean_length: float | None = None) -> None:
        self._mean_length = mean_length
        self._occurrences: list[Keys] = []
        self._facts: list[Keys] = []
        self._lengths: list[int] = []
        self._first: list[int] = [0]
        self._first_chunks: list[int] = [0]
        self._chunk_keys: list[bytes] = []
        self.occurrences = 0

    @property
    def sections(self) -> int:
        """How many sections were added."""
        return len(self._lengths)

    @property
    def documents(self) -> int:
        """How many documents were added."""
        return len(self._first) - 1

    def add(self, keys: Keys, owners: Ints, chunk_keys: list[list[bytes]], facts: Keys) -> int:
        """Add a document: its term keys with repeats, the section (from 0) of each, for every section 16 bytes for the
        words of each of its chunks, and the document's fact keys. Returns the document's ordinal, from 0.
        """
        document, first = self.documents, self.sections
        self._occurrences.append((keys << _OWNER_BITS) | (owners + first).astype(np.uint64))
        self._lengths.extend(np.bincount(owners, minlength=len(chunk_keys)).tolist())
        for names in chunk_keys:
            self._chunk_keys.extend(names)
            self._first_chunks.append(len(self._chunk_keys))
        self.occurrences += len(keys)
        self._facts.append((facts << _OWNER_BITS) | np.uint64(document))
        self._first.append(len(self._lengths))
        return document

    def write(self, path: Path) -> None:
        """Write the segment file at `path`, atomically; afterwards nothing can be added."""
        pairs, times = _counted(self._taken())
        keys, sections = _split(pairs)
        lengths = np.array(self._lengths, np.uint32)
        times = np.minimum(times, 255)
        impacts = _weighed(times, lengths[sections], self._mean_length) if self._mean_length else times.astype(np.uint8)
        facts, holders = _split(np.unique(_joined(self._facts)))
        shape = _Shape(
            np.array(self._first, np.uint32),
            np.array(self._first_chunks, np.uint32),
            np.frombuffer(b"".join(self._chunk_keys), np.uint64),
            lengths[:0] if self._mean_length else lengths,
        )
        _write(path, [_Slice(keys, sections, impacts)], facts, holders, shape)

    def _taken(self) -> Keys:
        """All occurrences, which are then no longer held twice."""
        occurrences = _joined(self._occurrences)
        self._occurrences.clear()
        return occurrences


def _weighed(times: Ints | Bytes, lengths: Uints, mean_length: float) -> Bytes:
    """255 times the BM25 weight of terms that stand so many times in sections of these lengths."""
    norms = K1 * (1 - B + B * lengths.astype(np.float64) / mean_length)
    weights: Bytes = np.maximum(np.rint(times / (times + norms) * 255), 1).astype(np.uint8)
    return weights


def _joined(parts: list[Keys]) -> Keys:
    return np.concatenate(parts) if parts else np.zeros(0, np.uint64)


def _counted(values: Keys) -> tuple[Keys, Ints]:
    """The distinct values, sorted, and how often each occurs."""
    values.sort()
    starts = np.flatnonzero(np.concatenate(([True], values[1:] != values[:-1]))) if len(values) else np.zeros(0, int)
    return values[starts], np.diff(np.append(starts, len(values)))


def _split(pairs: Keys) -> tuple[Keys, Uints]:
    """Keys and owners of packed pairs."""
    return pairs >> _OWNER_BITS, (pairs & _OWNER_MASK).astype(np.uint32)


@dataclass(frozen=True, slots=True)
class _Slice:
    """Postings of a range of terms, sorted by key and section; the ranges of slices follow each other."""

    keys: Keys
    sections: Uints
    impacts: Bytes


@dataclass(frozen=True, slots=True)
class _Shape:
    """Which sections a document has, which chunks a section, and its length: see `layout.Counts.arrays`."""

    first: Uints
    first_chunks: Uints
    chunk_keys: Keys
    lengths: Uints


def _write(path: Path, slices: Iterable[_Slice], facts: Keys, holders: Uints, shape: _Shape) -> None:
    """Write a segment. `facts` and `holders` are sorted as postings are."""
    sections = len(shape.first_chunks) - 1
    parts: dict[str, list[npt.NDArray[Any]]] = {name: [] for name, _, _ in Counts(*[0] * 9).arrays()}
    sizes: list[Ints] = []
    for part in slices:
        terms, offsets = _offsets(part.keys)
        lengths = lengths_of(offsets)
        frequent = np.flatnonzero((lengths * _FREQUENT > sections) & (sections >= _FEW_SECTIONS))
        kept = np.ones(len(part.keys), bool)
        for place in frequent.tolist():
            span = slice(int(offsets[place]), int(offsets[place + 1]))
            row = np.zeros(sections, np.uint8)
            row[part.sections[span]] = part.impacts[span]
            parts["frequent_impacts"].append(row)
            kept[span] = False
        parts["frequent_keys"].append(terms[frequent])
        parts["frequent_counts"].append(lengths[frequent])
        parts["term_keys"].append(np.delete(terms, frequent))
        sizes.append(np.delete(lengths, frequent))
        parts["postings"].append(part.sections[kept].astype(owner_kind(sections)))
        parts["impacts"].append(part.impacts[kept])
    parts["term_offsets"] = [np.zeros(1, np.int64), np.cumsum(np.concatenate(sizes) if sizes else [])]
    words, word_offsets = _offsets(facts)
    parts |= {"fact_keys": [words], "fact_offsets": [word_offsets], "holders": [holders]}
    parts |= {"first": [shape.first], "first_chunks": [shape.first_chunks], "chunk_keys": [shape.chunk_keys]}
    parts["lengths"] = [shape.lengths]
    held = {name: sum(map(len, arrays)) for name, arrays in parts.items()}
    counts = Counts(
        held["term_keys"], held["postings"], held["frequent_keys"], len(words), len(holders),
        len(shape.first) - 1, sections, len(shape.chunk_keys) // 2, len(shape.lengths),
    )  # fmt: skip
    with fsio.replacing(path) as file:
        check = 0

        def put(data: bytes | memoryview) -> int:
            nonlocal check
            check = zlib.crc32(data, check)
            return file.write(data)

        put(counts.pack())
        for name, kind, length in counts.arrays():
            assert held[name] == length, name
            written = sum(put(np.ascontiguousarray(values, f"<{kind}").data) for values in parts[name])
            put(b"\0" * (-written % 8))
        file.write(CHECK.pack(check))


def _offsets(keys: Keys) -> tuple[Keys, Ints]:
    """The distinct keys of a sorted array and where each begins; one more offset for the end."""
    if not len(keys):
        return keys, np.zeros(1, np.int64)
    starts = np.flatnonzero(np.concatenate(([True], keys[1:] != keys[:-1])))
    return keys[starts], np.append(starts, len(keys))


def merge(segments: list[Segment], alive: list[npt.NDArray[np.bool_]], path: Path, mean_length: float) -> list[Ints]:
    """Write one segment out of several, without the documents that are not alive; where terms are not weighed yet, they
    are by `mean_length`.

    Returns for each input segment the new ordinal of each of its documents (-1 where it was dropped).
    """
    new_documents: list[Ints] = []
    new_sections: list[Ints] = []
    facts: list[Keys] = []
    firsts: list[Ints] = [np.zeros(1, np.int64)]
    first_chunks: list[Ints] = [np.zeros(1, np.int64)]
    chunk_keys: list[Keys] = []
    documents = sections = chunks = 0
    for segment, living in zip(segments, alive, strict=True):
        lives = np.repeat(living, segment.sizes)
        new_document = np.where(living, np.cumsum(living) - 1 + documents, -1)
        new_documents.append(new_document)
        new_sections.append(np.where(lives, np.cumsum(lives) - 1 + sections, -1))
        holders = new_document[segment.holders]
        words = np.repeat(segment.fact_keys, lengths_of(segment.fact_offsets))
        facts.append(_packed(words[holders >= 0], holders[holders >= 0]))
        firsts.append(np.cumsum(segment.sizes[living]) + sections)
        sizes = lengths_of(segment.first_chunks)
        chunk_keys.append(segment.chunk_keys.reshape(-1, 2)[np.repeat(lives, sizes)].reshape(-1))
        first_chunks.append(np.cumsum(sizes[lives]) + chunks)
        documents += int(living.sum())
        sections += int(lives.sum())
        chunks += int(sizes[lives].sum())
    words, holders_of = _split(np.sort(_joined(facts)))
    shape = _Shape(
        np.concatenate(firsts).astype(np.uint32),
        np.concatenate(first_chunks).astype(np.uint32),
        _joined(chunk_keys),
        np.zeros(0, np.uint32),
    )
    _write(path, _merged(segments, new_sections, mean_length), words, holders_of, shape)
    return new_documents


def _merged(segments: list[Segment], new_sections: list[Ints], mean_length: float) -> Iterable[_Slice]:
    """The living postings of all segments under their new sections, a range of keys at a time: keys are spread evenly,
    so beside the outcome only a part is in memory."""
    bounds = np.linspace(0, 1 << KEY_BITS, _MERGE_SLICES + 1).astype(np.uint64)
    for low, high in pairwise(bounds):
        parts = [
            part
            for segment, new_section in zip(segments, new_sections, strict=True)
            for part in _living(segment, new_section, low, high, mean_length)
        ]
        pairs = _joined([part for part, _ in parts])
        order = np.argsort(pairs)
        keys, sections = _split(pairs[order])
        yield _Slice(keys, sections, np.concatenate([impacts for _, impacts in parts])[order])


def _living(
    segment: Segment, new_section: Ints, low: np.uint64, high: np.uint64, mean_length: float
) -> Iterable[tuple[Keys, Bytes]]:
    """Packed pairs and weights of a segment's terms with keys in low..high-1."""

    def part(keys: Keys, places: Uints | Ints, impacts: Bytes) -> tuple[Keys, Bytes]:
        kept = new_section[places] >= 0
        weights = impacts[kept]
        if len(segment.lengths):
            weights = _weighed(weights, segment.lengths[places[kept]], mean_length)
        return _packed(keys[kept], new_section[places[kept]]), weights

    first, last = segment.term_keys.searchsorted((low, high))
    offsets = segment.term_offsets[first : last + 1].astype(np.int64)
    span = slice(int(offsets[0]), int(offsets[-1]))
    keys = np.repeat(segment.term_keys[first:last], lengths_of(offsets))
    yield part(keys, segment.postings[span], segment.impacts[span])
    first, last = segment.frequent_keys.searchsorted((low, high))
    for row in range(int(first), int(last)):
        impacts = segment.frequent_impacts[row * segment.sections : (row + 1) * segment.sections]
        places = np.flatnonzero(impacts)
        yield part(np.full(len(places), segment.frequent_keys[row], np.uint64), places, impacts[places])


def _packed(keys: Keys, owners: Ints) -> Keys:
    if len(owners) and int(owners.max()) > int(_OWNER_MASK):
        raise OverflowError("more than 16 million sections in one segment")
    packed: Keys = (keys << _OWNER_BITS) | owners.astype(np.uint64)
    return packed
