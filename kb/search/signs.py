"""The nearest of many vectors, by the signs of their dimensions.

Above some thousands the int8 rows are too much to read for every question. With the mean taken away, a bit a dimension
is an eighth of that: the rows that differ from the question in the fewest signs are the candidates, and only those are
compared exactly.
"""

from __future__ import annotations

import numpy as np
import numpy.typing as npt

from kb.search.postings import Floats, Ints
from kb.search.pruning import reached
from kb.search.snapshot import Flags
from kb.search.vectors import Digests, Rows, restored, stride

Agreements = npt.NDArray[np.uint16]

_BLOCK = 16_384
_PART = 32_768


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

    def agreements(self, query: Floats) -> Agreements:
        """In how many signs each vector agrees with `query`; those that fill the last word up count too."""
        others = ~_words((query > self._centre)[None, :])[0]
        length = self._bits.shape[1]
        total = np.empty(length, np.uint16)
        # A part at a time stays in the processor's own memory.
        for start in range(0, length, _PART):
            part = self._bits[:, start : start + _PART]
            sums = np.zeros(part.shape[1], np.uint16)
            for column, word in zip(part, others, strict=True):
                sums += np.bitwise_count(column ^ word)
            total[start : start + _PART] = sums
        return total

    def nearest(self, query: Floats, passed: Flags, count: int) -> Ints:
        """Places in the list, of those that `passed`: the `count` that agree most and those that equal the last."""
        agreed = self.agreements(query)
        agreed *= passed
        agreed[self._absent] = 0
        near = np.flatnonzero(agreed >= max(int(reached(agreed, count)), 1))
        if len(near) <= count:
            return near
        found = agreed[near]
        nearest: Ints = near[found >= np.partition(found, len(near) - count)[len(near) - count]]
        return nearest


def _words(signs: npt.NDArray[np.bool_]) -> Digests:
    """Rows of flags as rows of 64-bit words, the last one filled up with zeros."""
    packed = np.packbits(signs, axis=1)
    padded = np.zeros((len(packed), -(-packed.shape[1] // 8) * 8), np.uint8)
    padded[:, : packed.shape[1]] = packed
    return padded.view(np.uint64)
