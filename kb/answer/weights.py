"""Weights of the evidence signals (kb.answer.signals), fitted by scripts/fit_answer.py on the open halves."""

from __future__ import annotations

from collections.abc import Mapping

WITHOUT_SIMILARITY: Mapping[str, float] = {
    "bias": -4.2, "coverage": 3.6, "context": 1.2, "text": 2.2, "meaning": 1.6, "quantity": 0.6, "short": -0.5,
    "position": 0.35,
}  # fmt: skip
WITH_SIMILARITY: Mapping[str, float] = {**WITHOUT_SIMILARITY, "similar": 1.0}
# Without an embedder: `meaning` and `similar` are not known.
LEXICAL: Mapping[str, float] = {
    "bias": -3.0, "coverage": 3.6, "context": 1.5, "text": 2.6, "quantity": 0.6, "short": -0.5, "position": 0.35,
}  # fmt: skip
