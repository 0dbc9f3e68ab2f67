"""The best of very many sections without ranking all: a bound first, then a close look at what can still reach it."""

from __future__ import annotations

from itertools import compress
from typing import Any, TypeVar

import numpy as np
import numpy.typing as npt

from kb.search.matching import Matches
from kb.search.postings import Floats, Ints
from kb.search.snapshot import Flags

Number = TypeVar("Number", bound=np.number[Any])

# Values are looked at in blocks of so many at least; of very many, in so many blocks for each one that is wanted.
_BLOCK = 64
_BLOCKS_PER_WANTED = 16


def reached(values: npt.NDArray[Number], count: int) -> Number:
    """A value that at least `count` of the `values` (none below 0) reach: the largest ones of as many blocks do.

    0 where there are too few blocks. What stands in a block is taken from all over the values: those next to each other
    are alike, and numpy finds the maxima of columns faster than those of rows."""
    block = max(_BLOCK, len(values) // (_BLOCKS_PER_WANTED * count))
    blocks = len(values) // block
    if blocks <= count:
        return values.dtype.type(0)
    peaks = values[: blocks * block].reshape(block, blocks).max(axis=0)
    least: Number = np.partition(peaks, blocks - count)[blocks - count]
    return least


def best_by_text(matches: Matches, passed: Flags, count: int) -> Ints:
    """The `count` sections with the highest BM25 score among those that `passed`, in no order.

    The terms that are listed are added up over all sections. A common one can lift a section by its idf at most: in a
    segment where all of them together cannot lift a section without listed terms to the first `count`, only those
    sections that still can are asked about them (the MaxScore idea, Turtle & Flood 1995).
    """
    total = matches.listed_scores()
    barred = np.flatnonzero(~passed)
    total[barred] = 0
    least = float(reached(total, count))
    # Sums of float32 in another order differ in their last digits.
    rest = [matches.common(part) * 1.0001 for part in matches.parts]
    asked = [0.0 < more >= least for more in rest]
    if any(asked):
        for part in compress(matches.parts, asked):
            matches.add_common(part, total)
        total[barred] = 0
        least = float(reached(total, count))
    found: list[Ints] = [np.zeros(0, np.int64)]
    scores: list[Floats] = [total[:0]]
    for part, more, done in zip(matches.parts, rest, asked, strict=True):
        here = total[part.here]
        within = np.flatnonzero(here >= max(least - (0.0 if done else more), 1e-9))
        scores.append(here[within] if done else here[within] + matches.common_scores(part, within))
        found.append(within + part.base)
    sections, reach = np.concatenate(found), np.concatenate(scores)
    return sections[np.argpartition(-reach, count)[:count]] if len(sections) > count else sections
