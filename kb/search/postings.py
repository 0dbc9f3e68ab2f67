"""An immutable inverted index in one file, mapped into memory: BM25 with numpy, opened in a millisecond.

Layout (little endian): magic, five uint64 counts, then the arrays, each on an 8-byte boundary:
`hashes` (uint64, sorted; a term is its 64-bit BLAKE2b hash), `offsets` (uint64, one more than terms),
`sections` (uint32 per posting), `frequencies` (uint8 per posting, capped at 255), `lengths` (uint32 per section:
number of terms). A file is written whole and renamed into place, so it is never half there.
"""

from __future__ import annotations

import hashlib
import mmap
import struct
from array import array
from collections.abc import Iterable, Mapping
from dataclasses import dataclass
from pathlib import Path

import numpy as np
import numpy.typing as npt

from kb import fsio

MAGIC = b"ALMPOST1"
_HEAD = struct.Struct("<8s3Q")

Hashes = npt.NDArray[np.uint64]
Floats = npt.NDArray[np.float32]


def term_hash(field: str, term: str) -> int:
    """The 64-bit key of `term` in `field` ('' is the text itself)."""
    return int.from_bytes(hashlib.blake2b(f"{field}\0{term}".encode(), digest_size=8).digest(), "little")


class SegmentBuilder:
    """Collects the terms of sections and writes one segment."""

    def __init__(self) -> None:
        self._hashes = array("Q")
        self._sections = array("I")
        self._frequencies = array("B")
        self._lengths = array("I")
        self._known: dict[tuple[str, str], int] = {}

    @property
    def sections(self) -> int:
        """How many sections were added."""
        return len(self._lengths)

    @property
    def postings(self) -> int:
        """How many postings were added."""
        return len(self._hashes)

    def add(self, fields: Mapping[str, Mapping[str, int]]) -> int:
        """Add a section with its term counts by field; returns its number in this segment."""
        number = len(self._lengths)
        for field, counts in fields.items():
            for term, count in counts.items():
                self._hashes.append(self._key(field, term))
                self._sections.append(number)
                self._frequencies.append(min(count, 255))
        self._lengths.append(sum(fields.get("", {}).values()))
        return number

    def _key(self, field: str, term: str) -> int:
        known = self._known.get((field, term))
        if known is None:
            known = self._known[field, term] = term_hash(field, term)
        return known

    def write(self, path: Path) -> None:
        """Write the segment file at `path`, atomically."""
        _write(
            path,
            np.frombuffer(self._hashes, np.uint64),
            np.frombuffer(self._sections, np.uint32),
            np.frombuffer(self._frequencies, np.uint8),
            np.frombuffer(self._lengths, np.uint32),
        )


def _write(
    path: Path,
    hashes: Hashes,
    sections: npt.NDArray[np.uint32],
    frequencies: npt.NDArray[np.uint8],
    lengths: npt.NDArray[np.uint32],
) -> None:
    """Sort postings by term (stable, so sections stay in order inside a term) and write them."""
    order = np.argsort(hashes, kind="stable")
    keys, starts = np.unique(hashes[order], return_index=True)
    offsets = np.append(starts, len(order)).astype(np.uint64)
    with fsio.replacing(path) as file:
        file.write(_HEAD.pack(MAGIC, len(keys), len(order), len(lengths)))
        for values in (keys, offsets, sections[order], frequencies[order], lengths):
            data = np.ascontiguousarray(values).tobytes()
            file.write(data)
            file.write(b"\0" * (-len(data) % 8))


class SegmentError(ValueError):
    """A segment file that is not one, or is cut."""


@dataclass(frozen=True, slots=True)
class Segment:
    """A mapped segment. All arrays are read-only views of the file."""

    hashes: Hashes
    offsets: npt.NDArray[np.uint64]
    postings: npt.NDArray[np.uint32]
    frequencies: npt.NDArray[np.uint8]
    lengths: npt.NDArray[np.uint32]

    @classmethod
    def open(cls, path: Path) -> Segment:
        """Map the file at `path`. SegmentError when it is not a whole segment, OSError when unreadable."""
        with path.open("rb") as file:
            try:
                mapped = mmap.mmap(file.fileno(), 0, access=mmap.ACCESS_READ)
            except ValueError as error:
                raise SegmentError(f"{path}: empty") from error
        if len(mapped) < _HEAD.size:
            raise SegmentError(f"{path}: cut")
        magic, terms, postings, sections = _HEAD.unpack_from(mapped)
        if magic != MAGIC:
            raise SegmentError(f"{path}: not an index segment")
        position = _HEAD.size
        views: list[npt.NDArray[np.generic]] = []
        shapes: Iterable[tuple[type[np.generic], int]] = (
            (np.uint64, terms),
            (np.uint64, terms + 1),
            (np.uint32, postings),
            (np.uint8, postings),
            (np.uint32, sections),
        )
        for kind, count in shapes:
            size = np.dtype(kind).itemsize * count
            if position + size > len(mapped):
                raise SegmentError(f"{path}: cut")
            views.append(np.frombuffer(mapped, kind, count, position))
            position += size + (-size % 8)
        return cls(*views)  # type: ignore[arg-type]  # the dtypes are those of `shapes`

    def lookup(self, key: int) -> tuple[npt.NDArray[np.uint32], npt.NDArray[np.uint8]]:
        """The sections that hold a term and how often each does; empty arrays when none does."""
        place = int(np.searchsorted(self.hashes, np.uint64(key)))
        if place >= len(self.hashes) or int(self.hashes[place]) != key:
            return self.postings[:0], self.frequencies[:0]
        start, end = int(self.offsets[place]), int(self.offsets[place + 1])
        return self.postings[start:end], self.frequencies[start:end]


def merge(segments: list[Segment], alive: list[npt.NDArray[np.bool_]], path: Path) -> list[npt.NDArray[np.int64]]:
    """Write one segment out of several, without the sections that are not alive.

    Returns for each input segment the new number of each of its sections (-1 where it was dropped).
    """
    numbers: list[npt.NDArray[np.int64]] = []
    total = 0
    parts: tuple[list[npt.NDArray[np.generic]], ...] = ([], [], [], [])
    for segment, living in zip(segments, alive, strict=True):
        mapping = np.where(living, np.cumsum(living) - 1 + total, -1)
        total += int(living.sum())
        numbers.append(mapping)
        keys = np.repeat(segment.hashes, np.diff(segment.offsets).astype(np.int64))
        kept = living[segment.postings]
        parts[0].append(keys[kept])
        parts[1].append(mapping[segment.postings[kept]].astype(np.uint32))
        parts[2].append(segment.frequencies[kept])
        parts[3].append(segment.lengths[living])
    joined = [np.concatenate(part) for part in parts]
    _write(path, *joined)
    return numbers
