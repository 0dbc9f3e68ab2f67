"""Joining index segments: which, and how, inside the caller's transaction.

A segment grows to some 65,000 sections at most, so that joining takes the same memory however large the index is, a
section's number has two bytes, and what changes does not have all of the index written again.
"""

from __future__ import annotations

import sqlite3
from collections.abc import Callable
from dataclasses import dataclass
from pathlib import Path

import numpy as np

from kb.search.layout import Counts, read_counts
from kb.search.postings import Segment
from kb.search.writing import merge

# Segments below this many living sections are joined when there are more than so many of them, those up to half of the
# largest size when at least two fit into one.
_SMALL = 4_000
_MANY = 8
_LARGEST = 1 << 16
# Sections may be long: so many postings are some 50 MB.
_MOST_POSTINGS = 16_000_000


@dataclass(frozen=True, slots=True)
class Held:
    """A segment: how many sections of living documents it has, about, how many of all and postings, and whether its
    terms are weighed."""

    identifier: int
    living: int
    sections: int
    postings: int
    weighed: bool = True

    @classmethod
    def of(cls, identifier: int, counts: Counts, documents: int) -> Held:
        """Of the segment's documents so many are living."""
        share = documents / max(counts.documents, 1)
        living, postings = round(counts.sections * share), round(counts.postings * share)
        return cls(identifier, living, counts.sections, postings, not counts.lengths)


def groups(held: list[Held], *, quickly: bool = False) -> list[list[int]]:
    """The ids of the segments that are to be joined, a list for each new segment; `quickly`: only small ones.

    What a build has just read is weighed on the way.
    """
    weighed = [segment for segment in held if segment.weighed]
    small = [segment for segment in weighed if segment.living < _SMALL]
    medium = [segment for segment in weighed if _SMALL <= segment.living <= _LARGEST // 2]
    found = _filled([segment for segment in held if not segment.weighed])
    found += _filled(small) if len(small) > _MANY else []
    for group in [] if quickly else _filled(medium):
        if len(group) > 1 or group[0].living * 2 < group[0].sections:
            found.append(group)
    return [[segment.identifier for segment in group] for group in found]


def _filled(held: list[Held]) -> list[list[Held]]:
    """The segments one after another, in groups that are not too large."""
    filled: list[list[Held]] = []
    sections = postings = 0
    for segment in held:
        sections += segment.living
        postings += segment.postings
        if not filled or sections > _LARGEST or postings > _MOST_POSTINGS:
            filled.append([])
            sections, postings = segment.living, segment.postings
        filled[-1].append(segment)
    return filled


def join_segments(
    connection: sqlite3.Connection, folder: Path, new_name: Callable[[], str], *, quickly: bool
) -> list[str]:
    """Join those segments that are too small or too empty; returns the names of files that are no longer needed.

    `quickly`: somebody waits, so what takes long is left for another time.
    """
    living = dict(connection.execute("SELECT segment, count(*) FROM documents GROUP BY segment").fetchall())
    names: dict[int, str] = dict(connection.execute("SELECT id, name FROM segments ORDER BY id").fetchall())
    held = [
        Held.of(identifier, read_counts(folder / name), living.get(identifier, 0)) for identifier, name in names.items()
    ]
    replaced: list[str] = []
    for identifiers in groups(held, quickly=quickly):
        merge_segments(connection, folder, identifiers, new_name())
        replaced += [names[identifier] for identifier in identifiers]
    return replaced


def merge_segments(connection: sqlite3.Connection, folder: Path, identifiers: list[int], target: str) -> None:
    """Replace the segments with these ids by one in the file `target`; dropped documents go."""
    segments: list[Segment] = []
    alive = []
    for identifier in identifiers:
        (name,) = connection.execute("SELECT name FROM segments WHERE id=?", (identifier,)).fetchone()
        segment = Segment.open(folder / name)
        living = np.zeros(segment.documents, bool)
        rows = connection.execute("SELECT ordinal FROM documents WHERE segment=?", (identifier,))
        living[[row[0] for row in rows]] = True
        segments.append(segment)
        alive.append(living)
    row = connection.execute("SELECT value FROM meta WHERE key='mean_length'").fetchone()
    # None where no document has any text.
    mappings = merge(segments, alive, folder / target, float(row[0]) if row else 1.0)
    sections = sum(int(segment.sizes[living].sum()) for segment, living in zip(segments, alive, strict=True))
    new = connection.execute("INSERT INTO segments VALUES (NULL, ?, ?)", (target, sections)).lastrowid
    for identifier, mapping in zip(identifiers, mappings, strict=True):
        moved = connection.execute("SELECT id, ordinal FROM documents WHERE segment=?", (identifier,)).fetchall()
        connection.executemany(
            "UPDATE documents SET segment=?, ordinal=? WHERE id=?",
            [(new, int(mapping[ordinal]), document) for document, ordinal in moved],
        )
        connection.execute("DELETE FROM segments WHERE id=?", (identifier,))
