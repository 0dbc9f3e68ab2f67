"""Vectors of chunks, kept by the digest of the words that they stand for.

Two files that only grow: `.bin` holds fixed rows (float32 scale, then int8 per dimension), `.keys` names them (16 bytes
of digest, 8 of check sum). Rows are written and synced before the names, so an interrupted run resumes where it
stopped and no name points at bytes that are not there; a name that a power cut tore fails its check and ends the list.

Above a few thousand sections the int8 rows are too much to read for every question: then the signs of the centred
vectors (a bit a dimension) choose candidates, and only those are compared exactly.
"""

from __future__ import annotations

import threading
from pathlib import Path

import numpy as np
import numpy.typing as npt

from kb import fsio
from kb.search.keys import mixed
from kb.search.postings import Floats, Ints

Digests = npt.NDArray[np.uint64]
# Rows that are compared exactly without asking the signs first.
EXACT = 8_192
_BLOCK = 16_384
_CENTRE_ROWS = 4_096
_NAME_BYTES = 24


def quantise(vectors: Floats) -> tuple[npt.NDArray[np.int8], Floats]:
    """Rows of float32 as int8 and one scale each: vector = scale * int8. Error of a cosine is below 0.002."""
    scales = np.abs(vectors).max(axis=1) / 127.0
    scales[scales == 0] = 1.0
    return np.rint(vectors / scales[:, None]).astype(np.int8), scales.astype(np.float32)


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
        self._signs: Signs | None = None
        self._sample: Floats | None = None
        self._sampled = 0
        self._mapped: npt.NDArray[np.void] | None = None

    @property
    def size(self) -> int:
        """How large the file of names is: it grows whenever any process adds vectors."""
        return self.keys.stat().st_size if self.keys.exists() else 0

    def _refresh(self) -> Digests:
        """The digests of all whole rows, as they are on disk now."""
        rows = self._whole_rows()
        data = self.keys.read_bytes() if self.keys.exists() else b""
        names = np.frombuffer(data, "<u8", min(len(data) // _NAME_BYTES, rows) * 3).reshape(-1, 3)
        torn = np.flatnonzero((_names(names[:, :2]) != names).any(axis=1))
        digests = names[: torn[0], :2] if len(torn) else names[:, :2]
        if len(digests) != len(self._digests) or not np.array_equal(digests[-1:], self._digests[-1:]):
            self._digests = digests
            self._order = np.argsort(digests[:, 0], kind="stable")
        return self._digests

    def rows_of(self, digests: Digests) -> Ints:
        """The row of each digest, -1 where there is none yet."""
        with self._lock:
            known = self._refresh()
            if not len(known):
                return np.full(len(digests), -1, np.int64)
            heads = known[self._order, 0]
            found = self._order[np.minimum(np.searchsorted(heads, digests[:, 0]), len(known) - 1)]
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
            self._append(wanted[found], other._table()[rows[found]])
        return len(found)

    def _append(self, digests: Digests, rows: npt.NDArray[np.void]) -> None:
        with fsio.locked(self._lock_file), self._lock:
            start = len(self._refresh())
            fsio.write_at(self.binary, start * self.row.itemsize, rows.tobytes())
            fsio.write_at(self.keys, start * _NAME_BYTES, _names(digests).astype("<u8").tobytes())

    def _table(self) -> npt.NDArray[np.void]:
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
        table = self._table()
        for start in range(0, len(present), _BLOCK):
            chosen = present[start : start + _BLOCK]
            block = table[rows[chosen]]
            result[chosen] = (block["values"].astype(np.float32) @ query) * block["scale"]
        return result

    def nearest(self, rows: Ints, query: Floats, count: int) -> Ints:
        """Indexes into `rows` of about the `count` rows nearest to `query`, in no order.

        By signs where there are many and `prepare` was called, else all rows are compared.
        """
        signs = self._signs
        if signs is None or len(rows) <= max(EXACT, count):
            present = np.flatnonzero(rows >= 0)
            if len(present) <= count:
                return present
            near = self.cosines(rows[present], query)
            return present[np.argpartition(-near, count)[:count]]
        return signs.nearest(rows, query, count)

    def spread(self, query: Floats) -> tuple[float, float]:
        """Mean and standard deviation of the cosines of `query` with (a sample of) all rows."""
        sample = self._sample
        if sample is None or not len(sample):
            return 0.0, 1.0
        cosines = sample @ query
        return float(cosines.mean()), float(cosines.std())

    def prepare(self) -> None:
        """Take a sample of all rows, and make the signs of all where there are enough for them to pay."""
        with self._lock:
            count = len(self._refresh())
        if count and (self._sample is None or count != self._sampled):
            rows = self._table()[:count]
            chosen = rows[:: -(-count // _CENTRE_ROWS)]
            self._sample = chosen["values"].astype(np.float32) * chosen["scale"][:, None]
            self._sampled = count
        if count > EXACT and (self._signs is None or self._signs.rows != count):
            self._signs = Signs.of(self._table()[:count])


class Signs:
    """The sign of every dimension of every row, the mean taken away: `bits` has the shape (words of 64, rows)."""

    def __init__(self, centre: Floats, bits: Digests) -> None:
        self.centre = centre
        self.bits = bits

    @property
    def rows(self) -> int:
        """How many rows there are signs of."""
        return int(self.bits.shape[1])

    @classmethod
    def of(cls, rows: npt.NDArray[np.void]) -> Signs:
        """From int8 rows. The vectors of this kind of embedder lie in a narrow cone: without the mean, signs agree."""
        sample = rows[:: max(1, len(rows) // _CENTRE_ROWS)]
        centre = (sample["values"].astype(np.float32) * sample["scale"][:, None]).mean(axis=0)
        bits = np.zeros((-(-len(centre) // 64), len(rows)), np.uint64)
        for start in range(0, len(rows), _BLOCK):
            block = rows[start : start + _BLOCK]
            words = _words(block["values"] > (centre / block["scale"][:, None]))
            bits[:, start : start + len(block)] = words.T
        return cls(centre, bits)

    def distances(self, query: Floats) -> npt.NDArray[np.uint16]:
        """In how many signs each row differs from `query`."""
        own = _words((query > self.centre)[None, :])[0]
        total = np.zeros(self.rows, np.uint16)
        for column, word in zip(self.bits, own, strict=True):
            total += np.bitwise_count(column ^ word)
        return total

    def nearest(self, rows: Ints, query: Floats, count: int) -> Ints:
        """Indexes into `rows` of the rows that differ least: `count` of them and those that equal the last one."""
        far = np.uint16(np.iinfo(np.uint16).max)
        # One more at the end, where what has no row (-1) and rows newer than the signs are looked up.
        distances = np.append(self.distances(query), far)
        found = distances[np.where(rows < self.rows, rows, -1)]
        within = np.cumsum(np.bincount(found[found != far], minlength=1))
        limit = int(np.searchsorted(within, min(count, int(within[-1]))))
        return np.flatnonzero(found <= np.uint16(limit))


def _words(signs: npt.NDArray[np.bool_]) -> Digests:
    """Rows of flags as rows of 64-bit words, the last one filled up with zeros."""
    packed = np.packbits(signs, axis=1)
    padded = np.zeros((len(packed), -(-packed.shape[1] // 8) * 8), np.uint8)
    padded[:, : packed.shape[1]] = packed
    return padded.view(np.uint64)
