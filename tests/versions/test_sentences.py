"""kb.versions.sentences: two states of a text, and the numbers that became others."""

from __future__ import annotations

import re

from hypothesis import given
from hypothesis import strategies as st

from kb.answer.release_numbers import read_numbers
from kb.versions.sentences import Sentence, SentenceChange, changes, likeness, number_changes, sentences


def _of(text: str) -> list[Sentence]:
    return sentences(text.split("\n"), 1)


def _numbers(old: str, new: str) -> list[tuple[str, str]]:
    found = changes(_of(old), _of(new))
    return [(number.old, number.new) for change in found for number in number_changes(change, read_numbers)]


def test_sentences_and_rows_with_their_lines() -> None:
    text = "一。二！\n\nOne is 3.5 kg. Two?\n| a. b | c |\n- item"
    assert [(item.text, item.line) for item in sentences(text.split("\n"), 10)] == [
        ("一。", 10), ("二！", 10), ("One is 3.5 kg.", 12), ("Two?", 12), ("| a. b | c |", 13), ("- item", 14),
    ]  # fmt: skip


def test_a_reworded_sentence_is_one_change() -> None:
    old = "签收后7天内可以退货。\n运费由买家承担。\n不变。"
    new = "签收后3天内可以退货。\n不变。\n新的一句与别的都不像。"
    found = [(change.old and change.old.text, change.new and change.new.text) for change in changes(_of(old), _of(new))]
    assert found == [
        ("签收后7天内可以退货。", "签收后3天内可以退货。"),
        ("运费由买家承担。", None),
        (None, "新的一句与别的都不像。"),
    ]


def test_numbers_that_changed_with_their_units() -> None:
    assert _numbers("签收后7天内可以退货。", "签收后3天内可以退货。") == [("7天", "3天")]
    assert _numbers("Use 3.0 kg per hectare.", "Use 3kg per hectare.") == []
    assert _numbers("追施45-60公斤，间隔7天。", "追施45-65公斤，间隔7天。") == [("45-60公斤", "45-65公斤")]
    assert _numbers("| 水稻 | 20 ml | 7天 |", "| 水稻 | 20 l | 7天 |") == [("20 ml", "20 l")]
    assert _numbers("稀释后喷雾使用。", "稀释500倍后喷雾使用。") == [("", "500倍")]
    assert _numbers("一年两次", "一年三次") == [("两次", "三次")]


def test_two_numbers_that_changed_places_are_seen() -> None:
    assert _numbers("先3天后7天。", "先7天后3天。")


def test_texts_that_share_little_are_not_compared_further() -> None:
    assert likeness("abc", "xyz") == 0.0
    assert likeness("abcd", "abce") == 0.75


@given(st.lists(st.sampled_from(["一。", "二二二。", "三 kg.", "| 4 |"]), max_size=12),
       st.lists(st.sampled_from(["一。", "二二二。", "三 kg.", "| 4 |"]), max_size=12))  # fmt: skip
def test_nothing_is_lost_and_nothing_invented(old: list[str], new: list[str]) -> None:
    first, second = _of("\n".join(old)), _of("\n".join(new))
    found = changes(first, second)
    gone = [change.old for change in found if change.old]
    come = [change.new for change in found if change.new]
    assert sorted(map(repr, gone)) == sorted({repr(item): repr(item) for item in gone}.values())
    assert [item for item in first if item in gone] == gone
    assert [item for item in second if item in come] == come
    assert [x.text for x in first if x not in gone] == [x.text for x in second if x not in come]
    assert all(isinstance(change, SentenceChange) and change.old != change.new for change in found)


def test_long_documents_are_compared_in_reasonable_time() -> None:
    lines = [f"第{number}行，每亩{number % 97}公斤。" for number in range(6000)]
    other = [re.sub("公斤", "千克", line) if number % 60 == 0 else line for number, line in enumerate(lines)]
    assert len(changes(_of("\n".join(lines)), _of("\n".join(other)))) == 100
