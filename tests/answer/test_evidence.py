"""kb.answer.evidence: which units answer, and what must be said beside them."""

from __future__ import annotations

from pathlib import Path

import pytest

from kb.answer.asked import Asked
from kb.answer.evidence import Ranked, rank
from kb.search.retriever import Retriever
from kb.search.snapshot import Filter
from kb.search.tokens import question_terms
from tests.helpers import DAY, document, write


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


@pytest.mark.parametrize(
    ("question", "said", "lacks"),
    [
        # Each value has its own subject, and so has an item with a label.
        ("How long do guest passwords last?", "Admin passwords last 60 days. Guest vouchers cost 8 EUR.", True),
        ("How long do guest passwords last?", "Passwords of guests last 60 days. Vouchers cost 8 EUR.", False),
        ("How long do adult moths live?", "Moths and weevils do harm.\n\n- Weevil: adults live 90 days", True),
        ("How long do adult weevils live?", "Moths and weevils do harm.\n\n- Weevil: adults live 90 days", False),
        # What is said behind one value is not said of the next.
        ("提升皮带多久更换一次", "滚轮每 500 小时更换，提升皮带每 80 小时张紧一次。", True),
        ("提升皮带多久张紧一次", "滚轮每 500 小时更换，提升皮带每 80 小时张紧一次。", False),
    ],
)
def test_a_value_is_told_of_what_its_own_words_name(
    empty_tree: Path, tmp_path: Path, question: str, said: str, lacks: bool
) -> None:
    write(empty_tree, "a.md", document("Notes" if question.isascii() else "说明", said))
    # Words that stand in one document of several are rare.
    for place in range(4):
        write(empty_tree, f"{place}.md", document(f"Other {place}", "Nothing of the kind."))
    retriever = Retriever(empty_tree, tmp_path / "i")
    best = _ranked(retriever, question)[0]
    retriever.close()
    assert any(sign in best.unit.text for sign in ("60", "90", "80"))
    assert (best.unnamed > 0) is lacks
