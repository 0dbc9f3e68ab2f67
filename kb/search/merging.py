"""Joining small index segments into one, inside the caller's transaction."""

from __future__ import annotations

import sqlite3
from pathlib import Path

import numpy as np

from kb.search.postings import Segment, merge


def merge_segments(connection: sqlite3.Connection, folder: Path, names: list[str], target: str) -> None:
    """Replace the segments `names` by one called `target`; sections of dropped documents go."""
    segments = [Segment.open(folder / name) for name in names]
    alive = []
    for name, segment in zip(names, segments, strict=True):
        living = np.zeros(len(segment.lengths), bool)
        numbers = [row[0] for row in connection.execute("SELECT number FROM sections WHERE segment=?", (name,))]
        living[numbers] = True
        alive.append(living)
    mappings = merge(segments, alive, folder / target)
    total = 0
    for name, mapping in zip(names, mappings, strict=True):
        kept = np.flatnonzero(mapping >= 0)
        total += len(kept)
        connection.executemany(
            "UPDATE sections SET segment=?, number=? WHERE segment=? AND number=?",
            [(target, int(mapping[old]), name, int(old)) for old in kept],
        )
        connection.execute("DELETE FROM segments WHERE name=?", (name,))
    connection.execute("INSERT INTO segments VALUES (?, ?)", (target, total))
