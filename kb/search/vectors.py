"""Vectors of sections, kept by the digest of the words that they stand for.

`vectors.bin` holds fixed rows (float32 scale, then int8 per dimension), `vectors.db` says which digest lies in
which row. Rows are appended and synced before the commit that names them, so an interrupted run resumes where it
stopped and never points at bytes that are not there.
"""

from __future__ import annotations

import sqlite3
from pathlib import Path

import numpy as np
import numpy.typing as npt

from kb import db, fsio
from kb.search.postings import Floats

_SCHEMA = """
CREATE TABLE IF NOT EXISTS meta (key TEXT PRIMARY KEY, value TEXT NOT NULL) WITHOUT ROWID;
CREATE TABLE IF NOT EXISTS vectors (key TEXT PRIMARY KEY, place INTEGER NOT NULL UNIQUE) WITHOUT ROWID;
"""
_BLOCK = 65_536


def quantise(vectors: Floats) -> tuple[npt.NDArray[np.int8], Floats]:
    """Rows of float32 as int8 and one scale each: vector = scale * int8. Error of a cosine is below 0.002."""
    scales = np.abs(vectors).max(axis=1) / 127.0
    scales[scales == 0] = 1.0
    return np.rint(vectors / scales[:, None]).astype(np.int8), scales.astype(np.float32)


class VectorStore:
    """The vectors of one embedder (`model` is its digest) in one folder."""

    def __init__(self, folder: Path, model: str, dimensions: int) -> None:
        self.folder = folder
        self.dimensions = dimensions
        self.row = np.dtype([("scale", "<f4"), ("values", "i1", (dimensions,))])
        self.writable = fsio.is_writable(folder)
        name = f"vectors-{model[:12]}"
        self.binary = folder / f"{name}.bin"
        self.connection = self._open(folder / f"{name}.db")

    def _open(self, path: Path) -> sqlite3.Connection:
        if not self.writable:
            return db.open_read_only(path) if path.exists() else sqlite3.connect(":memory:")
        try:
            connection = db.open_cache(path)
            connection.executescript(_SCHEMA)
        except sqlite3.DatabaseError:
            for damaged in path.parent.glob(path.name + "*"):
                damaged.unlink()
            connection = db.open_cache(path)
            connection.executescript(_SCHEMA)
        return connection

    def _rows(self) -> int:
        """How many whole rows the file holds."""
        return self.binary.stat().st_size // self.row.itemsize if self.binary.exists() else 0

    def close(self) -> None:
        """Close the database."""
        self.connection.close()

    def places(self, keys: list[str]) -> npt.NDArray[np.int64]:
        """The row of each key, -1 where there is none yet."""
        try:
            known: dict[str, int] = dict(self.connection.execute("SELECT key, place FROM vectors").fetchall())
        except sqlite3.OperationalError:
            known = {}
        limit = self._rows()
        found = np.array([known.get(key, -1) for key in keys], np.int64)
        found[found >= limit] = -1
        return found

    def append(self, keys: list[str], vectors: Floats) -> None:
        """Keep `vectors` (len(keys), dimensions) under their keys."""
        values, scales = quantise(vectors)
        rows = np.zeros(len(keys), self.row)
        rows["scale"], rows["values"] = scales, values
        with fsio.locked(self.folder / "vectors.lock"):
            self.connection.execute("BEGIN IMMEDIATE")
            try:
                # Rows that a shortened file no longer holds are forgotten, so that no hole is left behind.
                self.connection.execute("DELETE FROM vectors WHERE place >= ?", (self._rows(),))
                last = self.connection.execute("SELECT max(place) FROM vectors").fetchone()[0]
                start = 0 if last is None else int(last) + 1
                fsio.write_at(self.binary, start * self.row.itemsize, rows.tobytes())
                self.connection.executemany(
                    "INSERT OR REPLACE INTO vectors VALUES (?, ?)",
                    [(key, start + number) for number, key in enumerate(keys)],
                )
                self.connection.execute("COMMIT")
            except BaseException:
                self.connection.execute("ROLLBACK")
                raise

    def cosines(self, places: npt.NDArray[np.int64], query: Floats) -> Floats:
        """The cosine of `query` (normalised) with each row in `places`; 0 where the place is -1."""
        result = np.zeros(len(places), np.float32)
        present = np.flatnonzero(places >= 0)
        if not len(present):
            return result
        rows = np.memmap(self.binary, self.row, "r", shape=(self._rows(),))
        for start in range(0, len(present), _BLOCK):
            chosen = present[start : start + _BLOCK]
            block = rows[places[chosen]]
            result[chosen] = (block["values"].astype(np.float32) @ query) * block["scale"]
        return result
