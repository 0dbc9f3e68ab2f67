"""The postings of a question's terms put together: numpy's cost is then paid once a question, not once a term."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np

from kb.search.postings import Bytes, Floats, Ints, Posted
from kb.search.snapshot import Snapshot, Term

_NONE: Ints = np.zeros(0, np.int64)
_NO_BYTES: Bytes = np.zeros(0, np.uint8)


@dataclass(frozen=True, slots=True)
class Part:
    """What one segment of `size` sections from `base` on holds: the terms that are listed there (`numbers`), the
    sections of each after those of the one before (`sizes` says how many) with their weights, and the rows of common
    terms by number."""

    base: int
    size: int
    numbers: Ints
    sizes: Ints
    sections: Ints
    impacts: Bytes
    rows: list[tuple[int, Bytes]]

    @property
    def here(self) -> slice:
        """Where the segment's sections stand among all."""
        return slice(self.base, self.base + self.size)

    @classmethod
    def of(cls, base: int, here: list[tuple[int, Posted]]) -> Part:
        """From the terms that stand in the segment."""
        listed = [(number, posted.sections, posted.impacts) for number, posted in here if posted.sections is not None]
        return cls(
            base,
            here[0][1].size,
            np.array([number for number, _, _ in listed], np.int64),
            np.array([len(impacts) for _, _, impacts in listed], np.int64),
            # Wide, as numpy wants places: it would widen them at each use.
            np.concatenate([_NONE, *(sections for _, sections, _ in listed)]),
            np.concatenate([_NO_BYTES, *(impacts for _, _, impacts in listed)]),
            [(number, posted.impacts) for number, posted in here if posted.sections is None],
        )


class Matches:
    """Where the `terms` of a question stand in a snapshot."""

    def __init__(self, snapshot: Snapshot, terms: Sequence[Term]) -> None:
        self.terms = terms
        self.idf: Floats = np.array([term.idf for term in terms], np.float32)
        self._scales: Floats = self.idf / np.float32(255)
        self._sections = snapshot.sections
        self.parts = _parts(terms)

    def common(self, part: Part) -> float:
        """How much the common terms, those with rows, can add to the score of a section in `part`."""
        return sum(self.terms[number].idf for number, _ in part.rows)

    def listed_scores(self) -> Floats:
        """The BM25 score of every section, without the common terms."""
        total = np.zeros(self._sections, np.float32)
        for part in self.parts:
            weights = np.repeat(self._scales[part.numbers], part.sizes) * part.impacts
            np.add.at(total[part.here], part.sections, weights)
        return total

    def add_common(self, part: Part, total: Floats) -> None:
        """Add the scores of the common terms to those (`total`) of every section in `part`."""
        for number, row in part.rows:
            total[part.here] += row * self._scales[number]

    def common_scores(self, part: Part, within: Ints) -> Floats:
        """What the common terms add to the scores of sections in `part`, counted from its first."""
        extra = np.zeros(len(within), np.float32)
        for number, row in part.rows:
            extra += row[within] * self._scales[number]
        return extra

    def weights(self, sections: Ints) -> Floats:
        """The BM25 weight (0..1, idf left out) of each term in each of the `sections`, which rise: a row a term."""
        found = np.zeros((len(self.terms), len(sections)), np.uint8)
        for part in self.parts:
            low, high = np.searchsorted(sections, (part.base, part.base + part.size)).tolist()
            if low == high:
                continue
            within = sections[low:high] - part.base
            for number, row in part.rows:
                found[number, low:high] = row[within]
            # Where a wanted section stands among the wanted.
            place = np.full(part.size, -1, np.int32)
            place[within] = np.arange(low, high)
            places = place.take(part.sections)
            hits = np.flatnonzero(places >= 0)
            numbers = part.numbers[np.searchsorted(np.cumsum(part.sizes), hits, side="right")]
            found[numbers, places[hits]] = part.impacts[hits]
        return found * np.float32(1 / 255)


def _parts(terms: Sequence[Term]) -> list[Part]:
    """The postings of `terms` by segment."""
    here: dict[int, list[tuple[int, Posted]]] = {}
    for number, term in enumerate(terms):
        for base, posted in term.posted:
            here.setdefault(base, []).append((number, posted))
    return [Part.of(base, found) for base, found in here.items()]
