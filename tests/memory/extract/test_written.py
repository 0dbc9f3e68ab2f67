"""kb.memory.extract.written: words without markup that know their places."""

from __future__ import annotations

import re

import pytest
from hypothesis import given
from hypothesis import strategies as st

from kb.memory.extract.written import fold, squeeze, written


@pytest.mark.parametrize(
    ("text", "shown"),
    [
        ("**只有**在 `手动` 模式下", "只有在 手动 模式下"),
        ("see [the table](../a.md) now", "see the table now"),
        ("> 警告：不得\n> 带电操作", "警告：不得带电操作"),
        ("a line\nbroken in two", "a line broken in two"),
        ("中文断\n行", "中文断行"),
        ("5\\|6", "5|6"),
        ("2*3*4 kg", "2*3*4 kg"),
    ],
)
def test_markup_is_dropped_and_lines_are_joined(text: str, shown: str) -> None:
    assert written(text, 0).shown == shown


def test_every_character_knows_its_place() -> None:
    text = "xx- **温度**：６０ ℃"
    found = written(text[2:], 2, item=True)
    assert found.plain == "温度:60 ℃"
    start, end = found.span(3, 5)
    assert text[start:end] == "６０"


@given(st.text(max_size=80))
def test_places_point_at_the_same_characters(text: str) -> None:
    found = written(text, 0)
    assert len(found.shown) == len(found.plain) == len(found.places)
    for char, place in zip(found.shown, found.places, strict=True):
        assert text[place] == char or text[place].isspace()
    assert list(found.places) == sorted(found.places)


def test_sentences_and_parts() -> None:
    parts = [piece.shown for piece in written("第一句。第二句；third one. Fourth", 0).sentences()]
    assert parts == ["第一句。", "第二句；", "third one.", "Fourth"]


def test_fold_and_squeeze() -> None:
    assert fold("Ａ") == "A"
    assert fold("㎏") == "㎏"  # two characters: left alone
    assert squeeze(" a\n  b ") == "a b"


def test_a_sentence_without_end_is_cut_where_no_number_stands() -> None:
    whole = written("压力高于 3 MPa 时停机，温度 12 ℃ 以下 " * 200, 0)
    pieces = whole.sentences()
    assert len(pieces) > 1
    assert max(len(piece.plain) for piece in pieces) < 1100
    assert all(not re.search(r"\d$", piece.plain) for piece in pieces)
    assert "".join(piece.shown for piece in pieces).replace(" ", "") == whole.shown.replace(" ", "")
