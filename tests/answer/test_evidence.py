"""kb.answer.evidence: which units answer, and what must be said beside them."""

from __future__ import annotations

import pytest

from kb.answer.asked import Asked
from kb.answer.evidence import Ranked, rank
from kb.search.retriever import Retriever
from kb.search.snapshot import Filter
from kb.search.tokens import question_terms
from tests.helpers import DAY


def _ranked(retriever: Retriever, question: str) -> list[Ranked]:
    found = retriever.find(question, 12, Filter(on=DAY))
    return rank(Asked.of(question, retriever.term_weights(question_terms(question))), found)


@pytest.mark.parametrize(
    ("question", "said"),
    [
        ("大豆播种深度是多少", "3-5厘米"),
        ("R5期每公顷追施多少氯化钾", "45-60公斤"),
        ("E-07怎么处理", "E-07"),
        ("How deep is maize sown?", "4-6 cm"),
        ("病害55每亩用多少克", "病害55"),
        ("Which box holds 1 toy?", "XC23"),
        ("Which box holds 2 games?", "HJ22"),
    ],
)
def test_the_right_unit_is_first(retriever: Retriever, question: str, said: str) -> None:
    assert said in _ranked(retriever, question)[0].unit.text


def test_likeness_in_meaning_moves_a_unit_up(retriever: Retriever) -> None:
    question = "大豆播种深度是多少"
    found = retriever.find(question, 12, Filter(on=DAY))
    asked = Asked.of(question, retriever.term_weights(question_terms(question)))

    def similar(texts: list[str]) -> list[float]:
        return [0.99 if "拌种剂" in text else 0.5 for text in texts]

    assert "拌种剂" in rank(asked, found, similar)[0].unit.text
    assert rank(asked, [], similar) == []


def test_scores_fall_and_stay_between_0_and_1(retriever: Retriever) -> None:
    scores = [item.score for item in _ranked(retriever, "大豆播种深度")]
    assert scores == sorted(scores, reverse=True)
    assert all(0 < score < 1 for score in scores)
