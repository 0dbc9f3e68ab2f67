"""Which cards concern a task: hard limits first, then words, situations and meaning.

A few thousand short texts are indexed in memory from the terms of `kb.search.keys`, in the time that reading their
files takes anyway, so there is no derived file to keep fresh. Three voices order the cards that pass the limits:
BM25 over a card's whole text; how much of one of its situations, signals or its title the task names; and, with an
embedder, the cosine of card and task.
"""

from __future__ import annotations

import datetime
from collections.abc import Callable, Sequence
from dataclasses import dataclass

import numpy as np
import numpy.typing as npt

from kb.search.keys import section_keys, term_key
from kb.search.normalise import normalise
from kb.search.postings import K1, B
from kb.search.tokens import question_terms, terms
from kb.supply.card import Card, CardStatus, CardType, Confidence
from kb.tree.document import language_of

Array = npt.NDArray[np.float32]
Flags = npt.NDArray[np.bool_]
Cosines = Callable[[Sequence[Card], str], Array]
"""For each card the cosine of its text with a text; 0 where a card has no vector yet."""

LONGEST_TASK = 4000
"""Characters of a task that are looked at."""
_MOST_TERMS = 120
_NUMBER_BITS = np.uint64(24)
_NUMBER_MASK = np.uint64((1 << 24) - 1)

# Fitted on one half of the labelled tasks (tests/data/supply/tasks.jsonl), read off on the other: BENCHMARKS.md.
WEIGHTS = {"text": 0.5, "situation": 0.2, "meaning": 2.0}
_HALF_TEXT = 0.6
"""The share of BM25 at which the voice of the text is half as loud as it can be."""
MEANING_FLOOR = 0.80
"""Cosines of multilingual-e5 lie between 0.7 and 0.95; below this a card is no nearer than any other."""
_STANDS_OUT = 2.4
"""In the other language cosines are lower and say less: a card is near when it lies this many standard deviations
above the other cards of that language."""
FLOOR, WORDS_FLOOR = 0.35, 0.26
"""Cards below this score are not worth an agent's attention; the second where meaning takes no part."""


@dataclass(frozen=True, slots=True)
class Limits:
    """What a card must be to be handed out on the day `on` to a task in `repo` ('' where the task names none)."""

    on: datetime.date
    repo: str = ""
    types: tuple[CardType, ...] = ()
    archived: bool = False
    """Look among archived cards instead: what is missed there comes back."""

    def refuses(self, card: Card) -> str:
        """Why `card` may not be handed out at all: inactive, expired or low; '' when it may."""
        if card.status is not CardStatus.ACTIVE:
            return "inactive"
        if card.expired_on(self.on):
            return "expired"
        return "low" if card.confidence is Confidence.LOW else ""

    def admits(self, card: Card) -> bool:
        """Whether `card` passes: it may be handed out, is of a wanted type, and is not bound to other repositories."""
        refused = card.status is not CardStatus.ARCHIVED if self.archived else bool(self.refuses(card))
        if refused or (self.types and card.type not in self.types):
            return False
        bound = card.applicable.repos
        return not self.repo or not bound or self.repo.casefold() in {name.casefold() for name in bound}


@dataclass(frozen=True, slots=True)
class Match:
    """A card that concerns a task: what each voice said (about 0..1) and their weighted sum."""

    card: Card
    score: float
    text: float
    situation: float
    meaning: float


class CardIndex:
    """Search over `cards`. Safe to use from several threads."""

    def __init__(self, cards: Sequence[Card]) -> None:
        self.cards = tuple(cards)
        keys, owners = section_keys([card.text for card in cards])
        pairs, times = np.unique((keys << _NUMBER_BITS) | owners.astype(np.uint64), return_counts=True)
        self._keys, starts = np.unique(pairs >> _NUMBER_BITS, return_index=True)
        self._bounds = np.append(starts, len(pairs))
        self._holders = (pairs & _NUMBER_MASK).astype(np.int64)
        lengths = np.bincount(owners, minlength=len(cards)).astype(np.float64)
        norms = K1 * (1 - B + B * lengths / max(lengths.mean() if len(cards) else 1.0, 1.0))
        self._impacts = (times * (K1 + 1) / (times + norms[self._holders])).astype(np.float32)
        held = np.diff(self._bounds)
        self._idf = np.log(1 + (len(cards) - held + 0.5) / (held + 0.5))
        self._langs = np.array([language_of(card.text) for card in cards], dtype="U2")
        self._situations = _Situations(self, cards)
        self._passed: dict[Limits, Flags] = {}

    def idf(self, keys: npt.NDArray[np.uint64]) -> npt.NDArray[np.float64]:
        """How rare each term is among the cards, those that stand in none included."""
        places = self._places(keys)
        unknown = float(np.log(1 + (len(self.cards) + 0.5) / 0.5))
        return np.where(places >= 0, self._idf[places] if len(self._idf) else 0.0, unknown)

    def _places(self, keys: npt.NDArray[np.uint64]) -> npt.NDArray[np.int64]:
        if not len(self._keys):
            return np.full(len(keys), -1, np.int64)
        places = np.minimum(np.searchsorted(self._keys, keys), len(self._keys) - 1)
        return np.where(self._keys[places] == keys, places, -1)

    def search(
        self, text: str, limits: Limits, top: int, cosines: Cosines | None = None, floor: float | None = None
    ) -> list[Match]:
        """The `top` cards that `limits` admit and that concern `text`, best first; none below `floor` (by default FLOOR
        or WORDS_FLOOR)."""
        written = text[:LONGEST_TASK]
        admitted = self._admitted(limits)
        if not written.strip() or not admitted.any():
            return []
        words = self._text(written)
        words /= words + np.float32(_HALF_TEXT)
        situation = self._situations.named(written)
        meaning = np.zeros(len(self.cards), np.float32) if cosines is None else self._meaning(cosines, written)
        scores = WEIGHTS["text"] * words + WEIGHTS["situation"] * situation + WEIGHTS["meaning"] * meaning
        scores[~admitted] = -1
        if floor is None:
            floor = WORDS_FLOOR if cosines is None else FLOOR
        order = np.argsort(-scores, kind="stable")[: max(top, 0)]
        return [
            Match(self.cards[n], float(scores[n]), float(words[n]), float(situation[n]), float(meaning[n]))
            for n in order.tolist()
            if scores[n] >= floor
        ]

    def _meaning(self, cosines: Cosines, written: str) -> Array:
        """How far each card's cosine lies above the floor; for a card in the other language that stands out there,
        enough to be handed out with it."""
        found = cosines(self.cards, written)
        result: Array = np.maximum(found - np.float32(MEANING_FLOOR), 0)
        for lang in {"zh", "en"} - {language_of(written)}:
            group = self._langs == lang
            if not group.any():
                continue
            mean, spread = float(found[group].mean()), float(found[group].std())
            stands_out = group & (result > 0) & (found > mean + _STANDS_OUT * max(spread, 1e-3))
            result[stands_out] += np.float32(FLOOR / WEIGHTS["meaning"])
        return result

    def _admitted(self, limits: Limits) -> Flags:
        """Which cards pass; the last few answers are kept."""
        known = self._passed.get(limits)
        if known is None:
            known = np.array([limits.admits(card) for card in self.cards], bool)
            self._passed = {**dict(list(self._passed.items())[-7:]), limits: known}
        return known

    def _text(self, written: str) -> Array:
        """BM25 of each card, as a share of what a card that holds the rarest terms of the text once would have."""
        total = np.zeros(len(self.cards), np.float32)
        keys = np.array([term_key(term) for term in question_terms(written)], np.uint64)
        places = self._places(keys)
        places = places[places >= 0]
        places = places[np.argsort(-self._idf[places], kind="stable")][:_MOST_TERMS]
        for place in places.tolist():
            span = slice(int(self._bounds[place]), int(self._bounds[place + 1]))
            total[self._holders[span]] += self._impacts[span] * np.float32(self._idf[place])
        possible = float(self._idf[places[:12]].sum())
        return total / np.float32(max(possible, 1.0))


class _Situations:
    """The titles, scenes and signals of cards as flat arrays of terms."""

    def __init__(self, index: CardIndex, cards: Sequence[Card]) -> None:
        phrases: list[str] = []
        holders: list[int] = []
        for number, card in enumerate(cards):
            for phrase in (card.title, *card.applicable.scene, *card.applicable.signals):
                phrases.append(phrase)
                holders.append(number)
        self._cards = len(cards)
        self._holders = np.array(holders, np.int64)
        written = [_telling(phrase) for phrase in phrases]
        self._owners = np.repeat(np.arange(len(phrases)), [len(found) for found in written])
        flat = [term_key(term) for found in written for term in found]
        self._keys = np.array(flat, np.uint64)
        self._weights = index.idf(self._keys)
        self._totals = np.maximum(np.bincount(self._owners, self._weights, len(phrases)), 1e-9)

    def named(self, text: str) -> Array:
        """For each card how much (0..1, by rarity) the text names of the situation it names most of; half of a
        situation or less counts as nothing."""
        best = np.zeros(self._cards, np.float32)
        if not len(self._keys):
            return best
        asked = np.unique(np.array([term_key(term) for term in _telling(text)], np.uint64))
        if not len(asked):
            return best
        places = np.minimum(np.searchsorted(asked, self._keys), len(asked) - 1)
        hits = asked[places] == self._keys
        shares = np.bincount(self._owners[hits], self._weights[hits], len(self._totals)) / self._totals
        np.maximum.at(best, self._holders, np.maximum(2 * shares - 1, 0).astype(np.float32))
        return best


def _telling(text: str) -> list[str]:
    """The distinct terms of a phrase that say something: pairs of characters and words, single characters only where
    there is nothing else."""
    found = list(dict.fromkeys(terms(normalise(text))))
    long = [term for term in found if len(term) > 1 or term.isascii()]
    return long or found
