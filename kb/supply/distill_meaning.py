"""Whether what people found out reads like a lesson, by meaning: for what no rule's words say.

A sentence's weight is a linear function of its vector, fitted on labelled events (`scripts/fit_distill.py`); the mean
over an event's findings is the log odds that they are worth a card, and the heaviest sentence is the one to keep.
"""

from __future__ import annotations

import base64
from collections.abc import Sequence

import numpy as np

from kb.search.postings import Floats
from kb.supply import distill_weights as weights
from kb.supply.distill_reading import Sentence
from kb.supply.duplicates import EmbedTexts

ENOUGH = 0.65
"""The chance from which on findings count as a lesson: in cross-validation 97 of 100 of those are."""


class Lessons:
    """Weighs sentences. `embed` must be the embedder that the weights were fitted with (`fits`)."""

    def __init__(self, embed: EmbedTexts) -> None:
        self._embed = embed
        self._direction = np.frombuffer(base64.b64decode(weights.DIRECTION), np.int8).astype(np.float32) * weights.SCALE

    @staticmethod
    def fits(embedder: str) -> bool:
        """Whether the weights belong to the embedder with this identity (`ModelFile.identity`)."""
        return embedder == weights.EMBEDDER

    def weigh(self, sentences: Sequence[Sentence]) -> Floats:
        """The weight of each sentence, shape (len(sentences),), in log odds."""
        vectors = self._embed([one.span.text for one in sentences])
        found: Floats = vectors @ self._direction + np.float32(weights.BIAS)
        return found


def chance(found: Floats) -> float:
    """The chance, 0..1, that sentences of these weights (at least one) hold a lesson."""
    return float(1.0 / (1.0 + np.exp(-found.mean())))
