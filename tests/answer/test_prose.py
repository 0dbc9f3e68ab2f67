"""kb.answer.prose: marks are taken off, words and numbers stay."""

from __future__ import annotations

import pytest

from kb.answer.prose import readable


@pytest.mark.parametrize(
    ("written", "read"),
    [
        ("- Late blight (*Phytophthora infestans*) spreads", "Late blight (Phytophthora infestans) spreads"),
        ("**never** more than *two* people", "never more than two people"),
        ("2*3*4 = 24", "2*3*4 = 24"),
        ("2 * 3 * 4 = 24", "2 * 3 * 4 = 24"),
        ("see note *", "see note *"),
    ],
)
def test_emphasis_is_not_read_out_and_products_stay(written: str, read: str) -> None:
    assert readable(written, "", "item") == read


def test_a_row_with_a_missing_cell_is_not_misread() -> None:
    text = readable("| E-07 | 5 |", "| code | dose | days |", "table")
    assert "days" not in text
    assert "dose: 5" not in text


@pytest.mark.parametrize(
    ("text", "plain"),
    [("**bold** and `code`", "bold and code"), ("[link](a.md)", "link"), ("![alt](a.png)", "alt"), ("- item", "item"),
     ("1. step", "step"), ("5 * 3 = 15", "5 * 3 = 15"), ("3.5 kg", "3.5 kg")],
)  # fmt: skip
def test_marks_are_taken_off_words_stay(text: str, plain: str) -> None:
    assert readable(text, "", "paragraph") == plain


def test_an_english_item_above_is_joined_by_a_colon() -> None:
    assert readable("- clay: 38 m³", "- Seedlings", "item") == "Seedlings: clay: 38 m³"


@pytest.mark.parametrize(
    ("written", "read"),
    [
        ("尿素<br>（kg/亩）", "尿素 （kg/亩）"),
        ("H<sub>2</sub>O", "H2O"),
        ("10<sup>5</sup> 个", "10^5 个"),
        ('<span style="color:red">15</span> kg', "15 kg"),
        ("a < b > c", "a < b > c"),
        ("用 <文件> 代替", "用 <文件> 代替"),
    ],
)
def test_marks_of_html_are_not_read_out_and_powers_stay(written: str, read: str) -> None:
    assert readable(written, "", "paragraph") == read
