"""The vectors of cards: made once for each text, kept by its digest beside the vectors of documents."""

from __future__ import annotations

import functools
import hashlib
from collections.abc import Callable, Sequence
from pathlib import Path

import numpy as np

from kb import fsio
from kb.search.embedding import EmbedPassages, EmbedQuery
from kb.search.vectors import Digests, VectorStore
from kb.supply.card import Card
from kb.supply.retrieval import Array

_LONGEST_QUERY = 1200
_BATCH = 16
_KEPT_QUERIES = 16


class CardMeaning:
    """Cosines of cards with a text. `model` is the embedder's digest; vectors lie in `folder`, which is made."""

    def __init__(
        self, folder: Path, model: str, dimensions: int, embed_query: EmbedQuery, embed_passages: EmbedPassages
    ) -> None:
        self._store = VectorStore(fsio.make_folder(folder), model, dimensions)
        # One task asks several times with the same words.
        self._embed_query = functools.lru_cache(_KEPT_QUERIES)(embed_query)
        self._embed_passages = embed_passages
        self._last: tuple[Sequence[Card], Digests] | None = None

    def _digests(self, cards: Sequence[Card]) -> Digests:
        if self._last is None or self._last[0] is not cards:
            joined = b"".join(hashlib.blake2b(card.text.encode(), digest_size=16).digest() for card in cards)
            self._last = (cards, np.frombuffer(joined, "<u8").reshape(-1, 2))
        return self._last[1]

    def cosines(self, cards: Sequence[Card], text: str) -> Array:
        """For each card its cosine with `text`; 0 for a card without a vector yet. Shape (len(cards),)."""
        return self._store.cosines(self._store.rows_of(self._digests(cards)), self._embed_query(text[:_LONGEST_QUERY]))

    def embed_missing(self, cards: Sequence[Card], stop: Callable[[], bool] = lambda: False) -> int:
        """Make the vectors that are missing; how many were made. What is made is kept at once."""
        if not self._store.writable:
            return 0
        digests = self._digests(cards)
        missing = np.flatnonzero(self._store.rows_of(digests) < 0)
        done = 0
        for start in range(0, len(missing), _BATCH):
            if stop():
                break
            chosen = missing[start : start + _BATCH]
            self._store.append(digests[chosen], self._embed_passages([cards[n].text for n in chosen.tolist()]))
            done += len(chosen)
        return done
