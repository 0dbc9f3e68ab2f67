"""Vectors of chunks, kept by the digest of the words that they stand for.

Two files that only grow: `.bin` holds fixed rows (float32 scale, then int8 per dimension), `.keys` names them (16 bytes
of digest, 8 of check sum). Rows are written and synced before the names, so an interrupted run resumes where it
stopped and no name points at bytes that are not there; a name that a power cut tore fails its check and ends the list.

Products are numpy's own loops, never BLAS: OpenBLAS starts a thread a core and lets them wait for each other in a
loop, which beside other work makes of 0.1 ms some 16.
"""

from __future__ import annotations

import threading
from pathlib import Path
from typing import Any

import numpy as np
import numpy.typing as npt

from kb import fsio
from kb.search.keys import mixed
from kb.search.postings import Floats, Ints

Digests = npt.NDArray[np.uint64]
Rows = npt.NDArray[np.void]
_BLOCK = 16_384
_SAMPLE = 4_096
_NAME_BYTES = 24


def products(rows: npt.NDArray[Any], vector: Floats) -> Floats:
    """The inner product of each row with `vector`."""
    result: Floats = np.einsum("ij,j->i", rows, vector)
    return result


def quantise(vectors: Floats) -> tuple[npt.NDArray[np.int8], Floats]:
    """Rows of float32 as int8 and one scale each: vector = scale * int8. Error of a cosine is below 0.002."""
    scales = np.abs(vectors).max(axis=1) / 127.0
    scales[scales == 0] = 1.0
    return np.rint(vectors / scales[:, None]).astype(np.int8), scales.astype(np.float32)


def restored(rows: Rows) -> Floats:
    """Stored rows as vectors."""
    vectors: Floats = rows["values"].astype(np.float32) * rows["scale"][:, None]
    return vectors


def _names(digests: Digests) -> Digests:
    """Rows of digest and check sum, shape (n, 3)."""
    check = mixed(digests[:, 0] ^ (digests[:, 1] << np.uint64(1)) ^ np.uint64(0x414C4D414E4143))
    return np.column_stack((digests, check))


class VectorStore:
    """The vectors of one embedder (`model` is its digest) in one folder. Digests have the shape (n, 2)."""

    def __init__(self, folder: Path, model: str, dimensions: int) -> None:
        self.dimensions = dimensions
        self.row = np.dtype([("scale", "<f4"), ("values", "i1", (dimensions,))])
        self.writable = fsio.is_writable(folder)
        name = f"vectors-{model[:12]}"
        self.binary = folder / f"{name}.bin"
        self.keys = folder / f"{name}.keys"
        self._lock_file = folder / "vectors.lock"
        self._lock = threading.Lock()
        self._digests: Digests = np.zeros((0, 2), np.uint64)
        self._order: Ints = np.zeros(0, np.int64)
        self._sample: Floats = np.zeros((0, dimensions), np.float32)
        self._sampled = 0
        self._mapped: Rows | None = None

    @property
    def size(self) -> int:
        """How large the file of names is: it grows whenever any process adds vectors."""
        return self.keys.stat().st_size if self.keys.exists() else 0

    def _refresh(self) -> Digests:
        """The digests of all whole rows, as they are on disk now; only names that are new are read."""
        rows = self._whole_rows()
        known = min(len(self._digests), rows)
        # The last name that is known shows whether this is still the file it was read from.
        start = max(known - 1, 0)
        digests = self._read_names(start, rows)
        if known and not np.array_equal(digests[:1], self._digests[start:known]):
            start, digests = 0, self._read_names(0, rows)
        if start + len(digests) != len(self._digests) or start == 0:
            self._digests = np.concatenate((self._digests[:start], digests))
            self._order = np.argsort(self._digests[:, 0], kind="stable")
        return self._digests

    def _read_names(self, start: int, rows: int) -> Digests:
        """The digests from row `start` to at most `rows`, up to the first name that is torn."""
        try:
            with self.keys.open("rb") as file:
                file.seek(start * _NAME_BYTES)
                data = file.read((rows - start) * _NAME_BYTES)
        except FileNotFoundError:
            data = b""
        names = np.frombuffer(data, "<u8", len(data) // _NAME_BYTES * 3).reshape(-1, 3)
        torn = np.flatnonzero((_names(names[:, :2]) != names).any(axis=1))
        return names[: torn[0], :2] if len(torn) else names[:, :2]

    def rows_of(self, digests: Digests) -> Ints:
        """The row of each digest, -1 where there is none yet."""
        with self._lock:
            known, order = self._refresh(), self._order
        if not len(known):
            return np.full(len(digests), -1, np.int64)
        found = order[np.minimum(np.searchsorted(known[order, 0], digests[:, 0]), len(known) - 1)]
        return np.where((known[found] == digests).all(axis=1), found, -1)

    def append(self, digests: Digests, vectors: Floats) -> None:
        """Keep `vectors` (n, dimensions) under their digests (n, 2)."""
        values, scales = quantise(vectors)
        rows = np.zeros(len(digests), self.row)
        rows["scale"], rows["values"] = scales, values
        self._append(digests, rows)

    def adopt(self, other: VectorStore, digests: Digests) -> int:
        """Take over from `other` (of the same embedder) the vectors of those `digests` that are missing here.

        Returns how many there were.
        """
        wanted = np.unique(digests[self.rows_of(digests) < 0], axis=0)
        rows = other.rows_of(wanted) if len(wanted) else np.zeros(0, np.int64)
        found = np.flatnonzero(rows >= 0)
        if len(found):
            self._append(wanted[found], other.table()[rows[found]])
        return len(found)

    def _append(self, digests: Digests, rows: Rows) -> None:
        # Questions need the other lock: they do not wait for a disk.
        with fsio.locked(self._lock_file):
            with self._lock:
                start = len(self._refresh())
            fsio.write_at(self.binary, start * self.row.itemsize, rows.tobytes())
            fsio.write_at(self.keys, start * _NAME_BYTES, _names(digests).astype("<u8").tobytes())

    def table(self) -> Rows:
        """All rows, mapped; anew when there are more of them."""
        count = self._whole_rows()
        if self._mapped is None or len(self._mapped) != count:
            self._mapped = np.memmap(self.binary, self.row, "r", shape=(count,)).view(np.ndarray)
        return self._mapped

    def _whole_rows(self) -> int:
        width: int = self.row.itemsize
        return self.binary.stat().st_size // width if self.binary.exists() else 0

    def cosines(self, rows: Ints, query: Floats) -> Floats:
        """The cosine of `query` (normalised) with each of the `rows`; 0 where one is -1."""
        result = np.zeros(len(rows), np.float32)
        present = np.flatnonzero(rows >= 0)
        if not len(present):
            return result
        table = self.table()
        for start in range(0, len(present), _BLOCK):
            chosen = present[start : start + _BLOCK]
            block = table[rows[chosen]]
            result[chosen] = products(block["values"], query) * block["scale"]
        return result

    def prepare(self) -> None:
        """Take the sample that `spread` needs, anew when there are more rows."""
        with self._lock:
            count = len(self._refresh())
            if count != self._sampled:
                self._sample, self._sampled = restored(self.table()[: count : stride(count)]), count

    def spread(self, query: Floats) -> tuple[float, float]:
        """Mean and standard deviation of the cosines of `query` with (a sample of) all rows."""
        if not self._sampled:
            return 0.0, 1.0
        cosines = products(self._sample, query)
        return float(cosines.mean()), float(cosines.std())

    @property
    def centre(self) -> Floats:
        """The mean of (a sample of) all rows; zeros while there are none."""
        mean: Floats = self._sample.mean(axis=0) if self._sampled else np.zeros(self.dimensions, np.float32)
        return mean


def stride(count: int) -> int:
    """Every how many of `count` rows some thousands of them are reached."""
    return max(1, -(-count // _SAMPLE))
