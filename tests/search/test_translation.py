"""kb.search.translation: a question word by word in the other language."""

from __future__ import annotations

from pathlib import Path

import pytest

from kb.search.dictionary import Dictionary
from kb.search.tokens import stem
from kb.search.translation import Translation, translate
from tests.search.words import dictionary


@pytest.fixture
def words(tmp_path: Path) -> Dictionary:
    return dictionary(
        tmp_path, "奶牛\tmilk cow;dairy cow", "妊娠\tgestation;pregnancy", "牛\tox;cow", "奶\tmilk", "天\tday",
        "用\tuse", "五月\tmay", "cow\t牛;母牛\t奶牛", "tire pressure\t胎压", "tire\t轮胎", "pressure\t压力",
    )  # fmt: skip


def _ways(translation: Translation) -> dict[str, list[tuple[str, ...]]]:
    return {word.said: [way.terms for way in word.ways] for word in translation.words}


def test_chinese_is_cut_into_the_longest_words(words: Dictionary) -> None:
    found = _ways(translate("奶牛妊娠多少天？", "zh", words))
    assert list(found) == ["奶牛", "妊娠", "天"]
    assert found["妊娠"] == [(stem("gestation"),), (stem("pregnancy"),)]


def test_usual_meanings_weigh_more_and_a_compound_is_what_it_is_a_kind_of(words: Dictionary) -> None:
    (cow,) = translate("奶牛", "zh", words).words
    assert [way.terms for way in cow.ways] == [("milk", "cow"), (stem("dairy"), "cow"), ("cow",)]
    weights = [way.weight for way in cow.ways]
    assert weights == sorted(weights, reverse=True)


def test_a_text_tells_a_word_that_it_says_in_any_way(words: Dictionary) -> None:
    translation = translate("奶牛妊娠", "zh", words)
    assert translation.told(frozenset(["cow", "grass"])) == {"奶牛"}
    assert translation.told(frozenset(["cow", stem("gestation")])) == {"奶牛", "妊娠"}
    assert translation.told(frozenset(["sheep", "milk"])) == frozenset()


def test_a_phrase_tells_each_of_its_words(words: Dictionary) -> None:
    found = _ways(translate("What is the tire pressure for a cow?", "en", words))
    assert found == {
        "tire": [("胎压",), ("轮胎",)], "pressure": [("胎压",), ("压力",)], "cow": [("牛",), ("母牛",), ("奶牛",)],
    }  # fmt: skip
    assert _ways(translate("tyres", "en", words)) == {"tyres": [("轮胎",)]}


def test_an_animal_of_one_sex_has_an_everyday_name_too(tmp_path: Path) -> None:
    words = dictionary(tmp_path, "doe\t雌兔;雌", "ram\t公羊")
    assert _ways(translate("doe ram", "en", words)) == {"doe": [("雌兔",), ("母兔",), ("雌",)], "ram": [("公羊",)]}


def test_an_unknown_name_is_told_where_all_its_characters_are(words: Dictionary, tmp_path: Path) -> None:
    translation = translate("洗蜂", "zh", dictionary(tmp_path, "洗\twash", "蜂\tbee"))
    assert _ways(translation) == {"洗": [("wash",)], "蜂": [("bee",)], "洗蜂": []}
    assert translation.told(frozenset(("wash", "bee"))) == {"洗", "蜂", "洗蜂"}
    assert translation.told(frozenset(("bee",))) == {"蜂"}
    assert translate("魑蜂", "zh", words).told(frozenset(("bee",))) == frozenset()


def test_codes_and_names_stand_for_themselves_and_unknown_words_have_no_way(words: Dictionary) -> None:
    found = _ways(translate("E-07 奶牛魑魅", "zh", words))
    assert found["e-07"] == [("e-07",)]
    assert found["魑"] == found["魅"] == []
    assert _ways(translate("Captor 50 cow", "en", words))["captor"] == [("captor",)]


def test_words_that_say_little_alone_are_left_out(words: Dictionary) -> None:
    assert _ways(translate("用什么", "zh", words)) == {}
    assert list(_ways(translate("五月的奶牛", "zh", words))) == ["奶牛"]
    assert _ways(translate("?", "en", words)) == {}


def test_a_long_question_is_cut_in_time(words: Dictionary) -> None:
    assert len(translate("奶牛" * 2000, "zh", words).words) == 1


def test_a_compound_is_of_the_kind_of_its_last_word_unless_one_word_says_it_as_usual(tmp_path: Path) -> None:
    words = dictionary(tmp_path, "奶牛\tmilk cow;dairy cow", "番茄\ttomato;love apple")
    assert ("cow",) in _ways(translate("奶牛", "zh", words))["奶牛"]
    assert _ways(translate("番茄", "zh", words))["番茄"] == [("tomato",), ("love", "appl")]
