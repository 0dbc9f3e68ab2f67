"""kb.answer.weights: fitted numbers for signals that exist."""

from __future__ import annotations

import math

from kb.answer.signals import NAMES
from kb.answer.weights import WITH_SIMILARITY, WITHOUT_SIMILARITY


def test_weights_belong_to_signals() -> None:
    assert set(WITHOUT_SIMILARITY) <= set(NAMES) - {"similar"}
    assert set(WITH_SIMILARITY) <= set(NAMES)
    assert "similar" in WITH_SIMILARITY
    assert all(math.isfinite(value) for value in (*WITHOUT_SIMILARITY.values(), *WITH_SIMILARITY.values()))


def test_what_a_question_names_counts_for_a_unit() -> None:
    for weights in (WITHOUT_SIMILARITY, WITH_SIMILARITY):
        assert weights["coverage"] > 0
        assert weights["bias"] < 0
