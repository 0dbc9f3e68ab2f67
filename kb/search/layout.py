"""The bytes of a segment file: a header with counts, then arrays, each on an 8-byte boundary (little endian), and last
a CRC-32 of all before it.

Read here without numpy, so that opening an index costs nothing that a question has not asked for yet.
"""

from __future__ import annotations

import struct
import zlib
from dataclasses import dataclass
from pathlib import Path

MAGIC = b"ALMPOST5"
_HEAD = struct.Struct("<8s9Q")
CHECK = struct.Struct("<Q")
_CHECKED_AT_ONCE = 1 << 20
_SIZES = {"u1": 1, "u2": 2, "u4": 4, "u8": 8}


def owner_kind(sections: int) -> str:
    """The element type of section numbers in a segment of so many: two bytes where they do."""
    return "u2" if sections <= 1 << 16 else "u4"


class SegmentError(ValueError):
    """A segment file that is not one, or is cut."""


@dataclass(frozen=True, slots=True)
class Counts:
    """How much a segment holds: text terms and their postings, frequent terms (kept as whole rows), document words
    and their postings, documents, sections and chunks; `lengths` is 0 once its terms are weighed."""

    terms: int
    postings: int
    frequent: int
    facts: int
    holders: int
    documents: int
    sections: int
    chunks: int
    lengths: int

    def pack(self) -> bytes:
        """The header."""
        return _HEAD.pack(
            MAGIC,
            self.terms,
            self.postings,
            self.frequent,
            self.facts,
            self.holders,
            self.documents,
            self.sections,
            self.chunks,
            self.lengths,
        )

    def arrays(self) -> tuple[tuple[str, str, int], ...]:
        """Name, element type and length of each array, in file order.

        `term_keys` (sorted) and `term_offsets` say where a term's `postings` (sections from 0, rising) and their
        `impacts` (255 times the BM25 weight of the term there) lie; `frequent_keys` have a row of `frequent_impacts`
        over all sections instead. `fact_keys` (sorted), `fact_offsets` and `holders` do the same for documents.
        `first` is each document's first section, `first_chunks` each section's first chunk, `chunk_keys` 16 bytes for
        the words of each chunk.

        Until the mean length is known, `lengths` gives how many terms each section has, and `impacts` how often it has
        the term.
        """
        return (
            ("term_keys", "u8", self.terms),
            ("term_offsets", "u8", self.terms + 1),
            ("postings", owner_kind(self.sections), self.postings),
            ("impacts", "u1", self.postings),
            ("frequent_keys", "u8", self.frequent),
            ("frequent_counts", "u4", self.frequent),
            ("frequent_impacts", "u1", self.frequent * self.sections),
            ("fact_keys", "u8", self.facts),
            ("fact_offsets", "u8", self.facts + 1),
            ("holders", "u4", self.holders),
            ("first", "u4", self.documents + 1),
            ("first_chunks", "u4", self.sections + 1),
            ("chunk_keys", "u8", 2 * self.chunks),
            ("lengths", "u4", self.lengths),
        )

    def offsets(self) -> dict[str, tuple[str, int, int]]:
        """Element type, byte offset and length of each array; under `end` the check sum behind them."""
        found: dict[str, tuple[str, int, int]] = {}
        position = _HEAD.size
        for name, kind, length in self.arrays():
            found[name] = (kind, position, length)
            size = _SIZES[kind] * length
            position += size + (-size % 8)
        found["end"] = ("u8", position, 1)
        return found


def read_counts(path: Path) -> Counts:
    """The counts of the segment at `path`. SegmentError when it is none or is cut, OSError when unreadable."""
    with path.open("rb") as file:
        head = file.read(_HEAD.size)
        size = file.seek(0, 2)
    if len(head) < _HEAD.size:
        raise SegmentError(f"{path}: cut")
    magic, *sizes = _HEAD.unpack(head)
    if magic != MAGIC:
        raise SegmentError(f"{path}: not an index segment")
    counts = Counts(*sizes)
    if max(sizes) > size or counts.offsets()["end"][1] + CHECK.size > size:
        raise SegmentError(f"{path}: cut")
    return counts


def is_sound(path: Path) -> bool:
    """Whether the segment at `path` is as it was written, every byte; all of it is read. OSError when unreadable."""
    try:
        left = read_counts(path).offsets()["end"][1]
    except SegmentError:
        return False
    check = 0
    with path.open("rb") as file:
        while left and (block := file.read(min(left, _CHECKED_AT_ONCE))):
            check = zlib.crc32(block, check)
            left -= len(block)
        return file.read(CHECK.size) == CHECK.pack(check)
