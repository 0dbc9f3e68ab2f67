"""kb.memory.reading.pdf_lines: glyphs to lines with their spaces, and lines to text."""

from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st
from pdf_writer import PdfPage

from kb.memory.reading.pdf_lines import join_texts, lines, vocabulary
from kb.memory.reading.pdf_page import Glyph, Style
from tests.memory.reading.helpers import Draw, pages_of

_PLAIN = Style(10, False, False, False, 0)


def _texts(draw: Draw) -> list[str]:
    (page,) = pages_of(draw)
    return [line.text for line in lines(page.glyphs)]


def _set(text: str, width: float, gap: float, style: Style = _PLAIN) -> list[Glyph]:
    """Glyphs of equal width; a space is a gap without a glyph."""
    x, found = 0.0, []
    for char in text:
        if char == " ":
            x += gap
            continue
        found.append(Glyph(char, x, x + width, 100.0, style))
        x += width
    return found


def test_spaces_that_only_the_drawing_shows() -> None:
    assert [line.text for line in lines(_set("rated flow", 5, 2.5))] == ["rated flow"]


def test_a_tightly_justified_line() -> None:
    text = "Large language models are becoming a crucial block"
    assert [line.text for line in lines(_set(text, 5, 1.6))] == [text]


def test_the_ink_of_an_f_does_not_close_the_space_behind_it() -> None:
    assert [line.text for line in lines(_set("of the", 10, 1.8))] == ["of the"]
    assert [line.text for line in lines(_set("on the", 10, 1.8))] == ["onthe"]


def test_chinese_set_wide_has_no_spaces() -> None:
    assert [line.text for line in lines(_set(" ".join("水泵操作规程"), 10, 3.0))] == ["水泵操作规程"]


def test_a_space_between_chinese_words_stays() -> None:
    assert _texts(lambda page: page.text(72, 100, "第三章 离心泵 CP-50", 16)) == ["第三章 离心泵 CP-50"]


def test_powers_and_indices() -> None:
    def draw(page: PdfPage) -> None:
        end = page.text(72, 100, "area 5 m", 10)
        end = page.text(end, 96, "2", 6)
        end = page.text(end, 100, " of H", 10)
        end = page.text(end, 102, "2", 6)
        page.text(end, 100, "O", 10)

    assert _texts(draw) == ["area 5 m² of H₂O"]


def test_small_text_beside_is_not_lowered() -> None:
    def draw(page: PdfPage) -> None:
        page.text(72, 100, "Wisconsin", 10)
        page.text(300, 101, "1.60", 6)

    assert _texts(draw) == ["Wisconsin", "1.60"]


def test_a_small_line_close_before_a_large_one_is_not_raised() -> None:
    def draw(page: PdfPage) -> None:
        end = page.text(72, 98, "after cooling the housing", 9)
        page.text(end + 8, 100, "2 Section", 12)
        mark = page.text(72, 196, "3", 6)
        page.text(mark + 4, 200, "a note", 10)

    assert _texts(draw) == ["after cooling the housing", "2 Section", "³ a note"]


def test_a_wide_gap_divides() -> None:
    def draw(page: PdfPage) -> None:
        page.text(72, 100, "Name:", 10)
        page.text(150, 100, "Value", 10)

    assert _texts(draw) == ["Name:", "Value"]


@pytest.mark.parametrize(
    ("left", "right", "whole"),
    [
        ("the adip-", "iscing elit", "the adipiscing elit"),
        ("Jean-", "Paul", "Jean-Paul"),
        ("state-of-the-", "art", "state-of-the-art"),
        ("range 5-", "7 kg", "range 5- 7 kg"),
        ("离心泵须预", "热三十分钟", "离心泵须预热三十分钟"),
        ("water and", "sand", "water and sand"),
        ("", "x", "x"),
    ],
)
def test_joining_lines(left: str, right: str, whole: str) -> None:
    assert join_texts(left, right) == whole


def test_a_compound_keeps_its_hyphen_where_the_document_knows_its_halves() -> None:
    words = vocabulary(["we chat about optimized models now", "of the adipiscing elit"])
    assert join_texts("because chat-", "optimized models", words) == "because chat-optimized models"
    assert join_texts("the adip-", "iscing elit", words) == "the adipiscing elit"


@given(st.text(max_size=20), st.text(max_size=20))
def test_joining_loses_only_a_hyphen(left: str, right: str) -> None:
    joined = join_texts(left, right).replace(" ", "")
    assert joined in ((left + right).replace(" ", ""), (left[:-1] + right).replace(" ", ""))


def test_arabic_is_in_reading_order() -> None:
    letters = [Glyph(char, 100 - 10 * place, 109 - 10 * place, 100, _PLAIN) for place, char in enumerate("سلام")]
    assert [line.text for line in lines(letters)] == ["سلام"]
