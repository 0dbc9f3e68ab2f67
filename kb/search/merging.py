"""Joining index segments into one, inside the caller's transaction."""

from __future__ import annotations

import sqlite3
from pathlib import Path

import numpy as np

from kb.search.postings import Segment, merge


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
    mappings = merge(segments, alive, folder / target)
    sections = sum(int(segment.sizes[living].sum()) for segment, living in zip(segments, alive, strict=True))
    new = connection.execute("INSERT INTO segments VALUES (NULL, ?, ?)", (target, sections)).lastrowid
    for identifier, mapping in zip(identifiers, mappings, strict=True):
        moved = connection.execute("SELECT id, ordinal FROM documents WHERE segment=?", (identifier,)).fetchall()
        connection.executemany(
            "UPDATE documents SET segment=?, ordinal=? WHERE id=?",
            [(new, int(mapping[ordinal]), document) for document, ordinal in moved],
        )
        connection.execute("DELETE FROM segments WHERE id=?", (identifier,))
