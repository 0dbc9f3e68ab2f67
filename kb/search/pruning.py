"""The best of very many sections without ranking all: a bound first, then a close look at what can still reach it."""

from __future__ import annotations

from typing import Any, TypeVar

import numpy as np
import numpy.typing as npt

from kb.search.postings import Floats, Ints
from kb.search.snapshot import Flags, Snapshot, Term

Number = TypeVar("Number", bound=np.number[Any])

# Values are looked at in blocks of so many at least; of very many, in so many blocks for each one that is wanted.
_BLOCK = 64
_BLOCKS_PER_WANTED = 16
# Terms in more than a tenth of the sections are only looked up where rarer ones were found.
_COMMON_SHARE = 10
_COMMON_LEAST = 2_000
# Looking a section up in a term's postings takes as long as adding so many postings.
_LOOKUP_COST = 8


def reached(values: npt.NDArray[Number], count: int) -> Number:
    """A value that at least `count` of the `values` (none below 0) reach: the largest ones of as many blocks do.

    0 where there are too few blocks."""
    block = max(_BLOCK, len(values) // (_BLOCKS_PER_WANTED * count))
    blocks = len(values) // block
    if blocks <= count:
        return values.dtype.type(0)
    peaks = values[: blocks * block].reshape(blocks, block).max(axis=1)
    least: Number = np.partition(peaks, blocks - count)[blocks - count]
    return least


def best_by_text(snapshot: Snapshot, terms: list[Term], passed: Flags, count: int) -> Ints:
    """The `count` sections with the highest BM25 score among those that `passed`, in no order.

    Terms are added up over all sections, rare ones first. A common one can lift a section by its idf at most: once the
    rest together cannot lift a section without rarer terms to the first `count`, only those sections that still can
    are asked about the rest (the MaxScore idea, Turtle & Flood 1995).
    """
    limit = max(snapshot.sections // _COMMON_SHARE, _COMMON_LEAST)
    waiting = sorted((term for term in terms if term.count), key=lambda term: term.count)
    total = np.zeros(snapshot.sections, np.float32)
    rest = sum(term.idf for term in waiting)
    least = np.float32(0)
    while waiting:
        rest -= waiting[0].idf
        _add(waiting.pop(0), total)
        if waiting and waiting[0].count <= limit:
            continue
        total *= passed
        least = reached(total, count)
        if least > rest:
            break
    # Sums of float32 in another order differ in their last digits.
    sections = np.flatnonzero(total >= max(float(least) - rest * 1.0001, 1e-9))
    extra = np.zeros(len(sections), np.float32)
    for term in waiting:
        if len(sections) * _LOOKUP_COST > term.count:
            _add(term, total)
        else:
            extra += term.at(sections) * np.float32(term.idf)
    scores = total[sections] + extra
    if len(sections) <= count:
        return sections
    return sections[np.argpartition(-scores, count)[:count]]


def _add(term: Term, total: Floats) -> None:
    """Add a term's weight to every section that holds it."""
    for base, posted in term.posted:
        weights = posted.impacts * np.float32(term.idf / 255)
        if posted.sections is None:
            total[base : base + posted.span] += weights
        else:
            part = total[base : base + posted.span]
            part[posted.sections] += weights
