"""kb.answer.asked: what a question wants."""

from __future__ import annotations

import pytest

from kb.answer.asked import Asked
from kb.search.retriever import Retriever
from kb.search.snapshot import Filter
from kb.search.tokens import terms
from kb.search.translation import Translation, Way, Word
from tests.helpers import DAY


@pytest.mark.parametrize(
    ("question", "kind"),
    [
        ("什么时候播种", "when"),
        ("Why does it leak?", "why"),
        ("怎么处理", "how"),
        ("谁负责", "who"),
        ("Where is the valve?", "where"),
        ("什么是汽蚀", "what"),
    ],
)
def test_kinds_of_question(question: str, kind: str) -> None:
    assert Asked.of(question, {}).kinds[kind]


@pytest.mark.parametrize(
    ("question", "wants_value"),
    [
        ("播种深度是多少", True),
        ("What does the pump weigh?", True),
        ("For how long, and at what temperature?", True),
        # Without a word that asks it is for what stands under those words.
        ("阿莫西林剂量", True),
        ("怎么清洗水箱", False),
        ("Why does it leak?", False),
    ],
)
def test_whether_a_value_is_wanted(question: str, wants_value: bool) -> None:
    assert Asked.of(question, {}).wants_value is wants_value


@pytest.mark.parametrize(
    ("question", "denies"),
    [
        ("哪种肥料不能混用", True),
        ("Which seal does not fit?", True),
        ("能不能夜里浇水", False),
        ("有没有备件", False),
        ("Which seal fits?", False),
    ],
)
def test_a_choice_denies_nothing(question: str, denies: bool) -> None:
    assert Asked.of(question, {}).denies is denies


def test_the_rarest_quarter_of_the_terms_and_at_least_one() -> None:
    asked = Asked.of("a b c d e f g h", {"pump": 0.2, "seal": 0.9, "flow": 0.5, "bolt": 0.4, "nut": 0.3, "hose": 0.1,
                                         "tank": 0.8, "cap": 0.6})  # fmt: skip
    assert asked.rarest == {"seal", "tank"}
    assert Asked.of("pump", {"pump": 0.0}).rarest == {"pump"}


def test_a_question_without_terms_can_be_divided_by_their_sum() -> None:
    asked = Asked.of("?", {})
    assert asked.total == 1.0
    assert asked.rarest == frozenset()


def test_in_the_other_language_it_wants_its_words_as_they_are_said(retriever: Retriever) -> None:
    translation = Translation((_word("pump", "泵"), _word("valve", "阀", "阀门"), _word("the", "那")))
    rarity = {"pump": 0.4, "valve": 1.0, "the": 0.1, "zq7": 1.0}
    asked = Asked.of("pump valve of the ZQ7", {"pump": 0.5}, translated=(translation, rarity))
    abroad = asked.abroad
    assert abroad is not None
    # Of what no document there holds only the names stay; what says nothing goes.
    assert abroad.wanted == {"pump": 0.4, "valve": 1.0}
    assert abroad.names() == {"pump", "valve"}
    assert abroad.terms_in("关闭阀门") == {"valve"}
    chinese = retriever.find("大豆播种深度", 1, Filter(on=DAY))[0]
    assert asked.before(chinese) is abroad
    assert Asked.of("大豆播种深度", {}).before(chinese).translation is None


def _word(said: str, *ways: str) -> Word:
    return Word(said, tuple(Way(tuple(terms(way)), 1.0) for way in ways))
