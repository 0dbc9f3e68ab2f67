"""How much of a question the sections in the other language say, by the words that its words may be told in there."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass

import numpy as np

from kb.search.keys import Keys, fact_keys
from kb.search.matching import Matches
from kb.search.postings import Floats, Ints
from kb.search.snapshot import Flags, Snapshot, Term
from kb.search.translation import Translation, Word


@dataclass(frozen=True, slots=True)
class _Told:
    """A word of the question: those of its ways whose terms all stand somewhere, as the places of these terms with what
    the way weighs, and the word's `idf`."""

    ways: tuple[tuple[Ints, float], ...]
    idf: float


class Abroad:
    """A translated question before a snapshot. A word none of whose ways stands anywhere counts as one that no section
    tells; one that the dictionary does not know does not count.

    `known` are the terms of the translation, `terms` those of them that stand somewhere; `familiar` is how much of the
    question (by idf) the tree tells at all.
    """

    def __init__(self, snapshot: Snapshot, translation: Translation) -> None:
        self.translation = translation
        names = translation.terms()
        self.known: Mapping[str, Term] = dict(zip(names, snapshot.terms(names), strict=True))
        self.terms = [term for term in self.known.values() if term.count]
        places = {name: place for place, name in enumerate(name for name in names if self.known[name].count)}
        self._words = [
            _Told(_placed(word, places), rarity(word, self.known)) for word in translation.words if word.ways
        ]
        self._possible = max(sum(word.idf for word in self._words), 1e-9)
        self.familiar = sum(word.idf for word in self._words if word.ways) / self._possible

    def text(self, matches: Matches, sections: Ints) -> tuple[Floats, Floats]:
        """For each of the `sections` its BM25 sum and which part of the question, by idf, it tells: each word by its
        best way."""
        weights = matches.weights(sections)
        scores = weights * matches.idf[:, None]
        strength = np.zeros(len(sections), np.float32)
        for word in self._words:
            if word.ways:
                strength += np.max([scores[places].mean(axis=0) * weight for places, weight in word.ways], axis=0)
        return strength, self._share(weights > 0, len(sections))

    def facts(self, snapshot: Snapshot, owners: Ints) -> Floats:
        """For each of the documents `owners` (rows) which part of the question, by idf, its title and keywords tell."""
        rows, where = np.unique(owners, return_inverse=True)
        held = _held(snapshot, np.array([term.key for term in self.terms], np.uint64), rows)
        return self._share(held, len(rows))[where]

    def _share(self, held: Flags, count: int) -> Floats:
        """Which part of the question, by idf, is told in `count` places; `held` says which terms stand there."""
        told = np.zeros(count, np.float32)
        for word in self._words:
            if word.ways:
                told += word.idf * np.max([held[places].all(axis=0) * weight for places, weight in word.ways], axis=0)
        return told / np.float32(self._possible)


def rarity(word: Word, known: Mapping[str, Term]) -> float:
    """The idf of a word that has ways: of its commonest way, which is as rare as its rarest term."""
    return min(max(known[term].idf for term in way.terms) for way in word.ways)


def _placed(word: Word, places: Mapping[str, int]) -> tuple[tuple[Ints, float], ...]:
    """The ways of `word` whose terms all have `places`."""
    return tuple(
        (np.array([places[term] for term in way.terms], np.int64), way.weight)
        for way in word.ways
        if places.keys() >= {*way.terms}
    )


def _held(snapshot: Snapshot, terms: Keys, rows: Ints) -> Flags:
    """Which of the documents `rows` (rising) hold each of `terms` among their own words, shape (terms, rows)."""
    held = np.zeros((len(terms), len(rows)), bool)
    if len(terms) and len(rows):
        which, owners = snapshot.holders(fact_keys("k", terms))
        place = np.minimum(np.searchsorted(rows, owners), len(rows) - 1)
        there = rows[place] == owners
        held[which[there], place[there]] = True
    return held
