"""An immutable inverted index in one file, mapped into memory: BM25 weights ready to add, opened in a millisecond.

`layout` says what lies where. The weight of a term in a section is kept as one byte, tf / (tf + k1 (1 - b + b
length / mean length)) times 255; terms in more than a fifth of the sections are kept as one byte for every section.
`writing` makes the files.
"""

from __future__ import annotations

import mmap
from collections.abc import Iterator
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import numpy as np
import numpy.typing as npt

from kb.search.keys import Keys
from kb.search.layout import CHECK, SegmentError, is_sound, read_counts

# BM25 parameters as in Robertson & Zaragoza (2009), section 3.5, the usual defaults.
K1 = 1.2
B = 0.75
# A check sum over so many bytes takes some 5 ms.
_CHECKED_BYTES = 8_000_000
Floats = npt.NDArray[np.float32]
Ints = npt.NDArray[np.int64]
Bytes = npt.NDArray[np.uint8]
Uints = npt.NDArray[np.uint16] | npt.NDArray[np.uint32]


@dataclass(frozen=True, slots=True)
class Posted:
    """Where one term stands in a segment of `size` sections: in `count`, listed with weights, or a row of all."""

    size: int
    count: int
    sections: Uints | None
    impacts: Bytes

    def listed(self) -> tuple[Ints, Bytes]:
        """All sections that hold the term, and its weight in each times 255."""
        if self.sections is not None:
            return self.sections.astype(np.int64), self.impacts
        places = np.flatnonzero(self.impacts)
        return places, self.impacts[places]


@dataclass(frozen=True, slots=True)
class Segment:
    """A mapped segment. All arrays are read-only views of the file; see `layout.Counts.arrays`."""

    term_keys: Keys
    term_offsets: Keys
    postings: Uints
    impacts: Bytes
    frequent_keys: Keys
    frequent_counts: Uints
    frequent_impacts: Bytes
    fact_keys: Keys
    fact_offsets: Keys
    holders: Uints
    first: Uints
    first_chunks: Uints
    chunk_keys: Keys
    lengths: Uints

    @classmethod
    def open(cls, path: Path) -> Segment:
        """Map the file at `path`. SegmentError when it is not a whole segment, OSError when unreadable.

        Every byte of a small one is checked; of a large one, that would take longer than a question.
        """
        offsets = read_counts(path).offsets()
        with path.open("rb") as file:
            mapped = mmap.mmap(file.fileno(), 0, access=mmap.ACCESS_READ)
        if offsets.pop("end")[1] + CHECK.size > len(mapped):
            raise SegmentError(f"{path}: cut")
        if len(mapped) <= _CHECKED_BYTES and not is_sound(path):
            raise SegmentError(f"{path}: damaged")
        return cls(**{name: np.frombuffer(mapped, f"<{kind}", n, at) for name, (kind, at, n) in offsets.items()})

    @property
    def sections(self) -> int:
        """How many sections the segment holds."""
        return len(self.first_chunks) - 1

    @property
    def documents(self) -> int:
        """How many documents the segment holds."""
        return len(self.first) - 1

    @property
    def sizes(self) -> Ints:
        """How many sections each document has."""
        return lengths_of(self.first)

    def posted(self, keys: Keys) -> Iterator[tuple[int, Posted]]:
        """Which of the text terms with these keys stand in the segment, and where."""
        found, places = _places(self.term_keys, keys)
        ranges = zip(self.term_offsets[places].tolist(), self.term_offsets[places + 1].tolist(), strict=True)
        for number, (start, end) in zip(found.tolist(), ranges, strict=True):
            yield number, Posted(self.sections, end - start, self.postings[start:end], self.impacts[start:end])
        found, places = _places(self.frequent_keys, keys)
        for number, place in zip(found.tolist(), places.tolist(), strict=True):
            row = self.frequent_impacts[place * self.sections : (place + 1) * self.sections]
            yield number, Posted(self.sections, int(self.frequent_counts[place]), None, row)

    def holding(self, keys: Keys) -> tuple[Ints, Uints]:
        """The documents whose own words (title, keywords, path) include one of these keys, and before them which."""
        found, places = _places(self.fact_keys, keys)
        starts, ends = self.fact_offsets[places].tolist(), self.fact_offsets[places + 1].tolist()
        parts = [self.holders[start:end] for start, end in zip(starts, ends, strict=True)]
        return np.repeat(found, list(map(len, parts))), np.concatenate([self.holders[:0], *parts])


def lengths_of(offsets: npt.NDArray[Any]) -> Ints:
    """The lengths between offsets."""
    wide = offsets.astype(np.int64)
    return wide[1:] - wide[:-1]


def _places(sorted_keys: Keys, wanted: Keys) -> tuple[Ints, Ints]:
    """Which of the `wanted` keys are there, and where each of those stands."""
    if not len(sorted_keys):
        return np.zeros(0, np.int64), np.zeros(0, np.int64)
    places = sorted_keys.searchsorted(wanted)
    found = np.flatnonzero(sorted_keys[np.minimum(places, len(sorted_keys) - 1)] == wanted)
    return found, places[found]
