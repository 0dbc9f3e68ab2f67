"""kb.answer.weights: fitted numbers for signals that exist."""

from __future__ import annotations

import math
from itertools import chain

from kb.answer.answerable import NAMES as FACTS
from kb.answer.signals import NAMES
from kb.answer.weights import ACROSS, ANSWERS, LEXICAL, WITH_SIMILARITY, WITHOUT_SIMILARITY, chance


def test_weights_belong_to_signals() -> None:
    assert set(WITHOUT_SIMILARITY) <= set(NAMES) - {"similar"}
    assert set(LEXICAL) <= set(NAMES) - {"similar", "meaning"}
    assert set(WITH_SIMILARITY) <= set(NAMES)
    assert "similar" in WITH_SIMILARITY
    assert all(
        math.isfinite(value) for value in chain(WITHOUT_SIMILARITY.values(), WITH_SIMILARITY.values(), LEXICAL.values())
    )


def test_the_chance_is_the_logistic_curve() -> None:
    assert chance({"bias": 1.0}, {"bias": 0.0}) == 0.5
    assert chance({"bias": 1.0, "lacks": 1.0}, {"bias": 1.0, "lacks": -9.0}) < 0.001
    assert 0.0 <= chance({"bias": 1e9}, {"bias": 1.0}) <= 1.0
    assert chance({"bias": 1.0, "unused": 9.0}, {"bias": 0.0}) == 0.5


def test_weights_of_whether_there_is_an_answer_belong_to_its_facts() -> None:
    for fitted in (*ANSWERS.values(), *ACROSS.values()):
        assert set(fitted.weights) <= set(FACTS)
        assert all(math.isfinite(value) for value in fitted.weights.values())
        assert 0.0 < fitted.refuse_below < 1.0
        assert 0.0 <= fitted.weakest < 1.0


def test_what_a_question_names_counts_for_a_unit() -> None:
    for weights in (WITHOUT_SIMILARITY, WITH_SIMILARITY):
        assert weights["coverage"] > 0
        assert weights["bias"] < 0
