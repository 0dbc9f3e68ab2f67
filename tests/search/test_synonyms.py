"""Words that a dictionary explains alike."""

from __future__ import annotations

from pathlib import Path

import pytest

from kb.search.dictionary import Dictionary
from kb.search.synonyms import synonyms
from tests.search.words import dictionary

_LINES = {
    "狗": "dog", "犬": "dog", "番茄": "tomato", "西红柿": "tomato", "蜜蜂": "bee", "蜂": "bee",
    "dog": "狗;犬", "tomato": "番茄;西红柿", "bee": "蜜蜂;蜂", "straw": "稻草;麦秆;刍", "hay": "干草;草;刍",
    "刍": "straw;hay", "稻草": "straw", "麦秆": "straw",
}  # fmt: skip


@pytest.fixture
def known(tmp_path: Path) -> Dictionary:
    return dictionary(tmp_path, *(f"{word}\t{means}" for word, means in _LINES.items()))


def test_words_with_one_usual_meaning_are_the_same(known: Dictionary) -> None:
    assert synonyms("狗吃西红柿吗", "zh", known) == {"狗": {"犬"}, "西红柿": {"番茄"}}


def test_a_character_does_not_stand_for_a_longer_word(known: Dictionary) -> None:
    assert synonyms("蜜蜂", "zh", known) == {}


def test_what_two_words_may_mean_beside_others_makes_them_none(known: Dictionary) -> None:
    assert "hay" not in synonyms("Straw for horses", "en", known).get("straw", ())
