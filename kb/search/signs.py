"""The nearest of many vectors, by the signs of their dimensions.

Above some thousands the int8 rows are too much to read for every question. With the mean taken away, a bit a dimension
is an eighth of that: the rows that differ from the question in the fewest signs are the candidates, and only those are
compared exactly.
"""

from __future__ import annotations

import numpy as np
import numpy.typing as npt

from kb.search.postings import Floats, Ints
from kb.search.vectors import Digests, Rows, restored, stride

Differences = npt.NDArray[np.uint16]

_BLOCK = 16_384
# More than any number of dimensions.
_ABSENT = np.uint16(np.iinfo(np.uint16).max)


class Signs:
    """The signs of the vectors that a list of rows names: `bits` has the shape (words of 64, length of the list)."""

    def __init__(self, centre: Floats, bits: Digests, absent: Ints) -> None:
        self._centre = centre
        self._bits = bits
        self._absent = absent

    @classmethod
    def of(cls, table: Rows, rows: Ints) -> Signs:
        """From stored rows; `rows` are places in `table`, at least one of them not -1 (there is no vector)."""
        present = np.flatnonzero(rows >= 0)
        # The vectors of this kind of embedder lie in a narrow cone: without their mean, signs agree.
        centre = restored(table[rows[present[:: stride(len(present))]]]).mean(axis=0)
        bits = np.zeros((-(-len(centre) // 64), len(rows)), np.uint64)
        for start in range(0, len(present), _BLOCK):
            chosen = present[start : start + _BLOCK]
            block = table[rows[chosen]]
            bits[:, chosen] = _words(block["values"] > centre / block["scale"][:, None]).T
        return cls(centre, bits, np.flatnonzero(rows < 0))

    def differences(self, query: Floats) -> Differences:
        """In how many signs each vector differs from `query`."""
        own = _words((query > self._centre)[None, :])[0]
        total = np.zeros(self._bits.shape[1], np.uint16)
        for column, word in zip(self._bits, own, strict=True):
            total += np.bitwise_count(column ^ word)
        total[self._absent] = _ABSENT
        return total

    def nearest(self, query: Floats, passed: npt.NDArray[np.bool_], count: int) -> Ints:
        """Places in the list, of those that `passed`: the `count` that differ least and those that equal the last."""
        found = np.where(passed, self.differences(query), _ABSENT)
        within = np.cumsum(np.bincount(found[found != _ABSENT], minlength=1))
        limit = int(np.searchsorted(within, min(count, int(within[-1]))))
        return np.flatnonzero(found <= np.uint16(limit))


def _words(signs: npt.NDArray[np.bool_]) -> Digests:
    """Rows of flags as rows of 64-bit words, the last one filled up with zeros."""
    packed = np.packbits(signs, axis=1)
    padded = np.zeros((len(packed), -(-packed.shape[1] // 8) * 8), np.uint8)
    padded[:, : packed.shape[1]] = packed
    return padded.view(np.uint64)
