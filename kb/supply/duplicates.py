"""Whether a card says what another one says already: two cards with one meaning would push each other out of a search.

Likeness runs from 0 to 1. With an embedder it is 1 - 4 (1 - cosine) of the two conclusions: multilingual-e5 puts even
unrelated cards at a cosine of 0.84, so the upper quarter is stretched. Without one it is 2.12 times the weighted
overlap of terms. Both scales are fitted on tests/data/supply/pairs.jsonl, so that SIMILAR parts pairs that say the
same from those that do not.
"""

from __future__ import annotations

import math
from collections import Counter, defaultdict
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass

from kb.search.postings import Floats
from kb.search.tokens import counted
from kb.supply.card import Card

SIMILAR = 0.85
"""Above this a draft changes the card that is there instead of becoming another."""
EmbedTexts = Callable[[list[str]], Floats]
"""Unit vectors of texts, shape (len(texts), dimensions)."""
_STRETCH = 4.0
_OVERLAP = 2.12
# So many cards that share the rarest terms are compared by meaning.
_CANDIDATES = 20


@dataclass(frozen=True, slots=True)
class Nearest:
    """The card that is most like a text, and how much."""

    card: Card
    similarity: float

    @property
    def same(self) -> bool:
        """Whether it says the same."""
        return self.similarity > SIMILAR


def from_cosine(cosine: float) -> float:
    """Likeness of two vectors."""
    return max(0.0, 1.0 - _STRETCH * (1.0 - cosine))


def from_overlap(overlap: float) -> float:
    """Likeness of two texts by their terms."""
    return min(1.0, _OVERLAP * overlap)


class Duplicates:
    """Finds the card that is most like a text among `cards`."""

    def __init__(self, cards: Sequence[Card], embed: EmbedTexts | None = None) -> None:
        self._cards = cards
        self._embed = embed
        bags = [counted(_said(card)) for card in cards]
        self._spread = Counter(term for bag in bags for term in bag)
        self._postings: dict[str, list[tuple[int, float]]] = defaultdict(list)
        for number, bag in enumerate(bags):
            for term, weight in self._weights(bag).items():
                self._postings[term].append((number, weight))

    def nearest(self, title: str, conclusion: str) -> Nearest | None:
        """The card most like a draft; None when nothing is shared with any."""
        said = conclusion or title
        overlaps = self._overlaps(said)
        if not overlaps:
            return None
        best = sorted(overlaps, key=lambda number: -overlaps[number])[:_CANDIDATES]
        likeness = {number: from_overlap(overlaps[number]) for number in best}
        if self._embed is not None:
            vectors = self._embed([said, *(_said(self._cards[number]) for number in best)])
            likeness = {
                number: from_cosine(float(vectors[0] @ vector))
                for number, vector in zip(best, vectors[1:], strict=True)
            }
        chosen = max(best, key=lambda number: (likeness[number], overlaps[number]))
        return Nearest(self._cards[chosen], likeness[chosen])

    def _overlaps(self, said: str) -> dict[int, float]:
        """Cosine of weighted terms with every card that shares one."""
        sums: dict[int, float] = defaultdict(float)
        for term, weight in self._weights(counted(said)).items():
            for number, other in self._postings.get(term, ()):
                sums[number] += weight * other
        return sums

    def _weights(self, bag: Mapping[str, int]) -> dict[str, float]:
        """Unit vector: log frequency times inverse document frequency."""
        total = len(self._cards) + 1
        raw = {
            term: (1 + math.log(times)) * math.log(total / (self._spread.get(term, 0) + 0.5) + 1)
            for term, times in bag.items()
        }
        length = math.sqrt(sum(weight * weight for weight in raw.values())) or 1.0
        return {term: weight / length for term, weight in raw.items()}


def _said(card: Card) -> str:
    return card.conclusion or card.title
