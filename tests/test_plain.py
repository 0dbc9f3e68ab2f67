"""kb.plain: nothing from outside reaches a terminal as a command."""

from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from kb.plain import one_line, visible, whole
from tests.helpers import raw_controls


@pytest.mark.parametrize(
    ("text", "shown"),
    [
        ("\x1b[31mred\x1b[0m", "␛[31mred␛[0m"),
        ("\x1b]52;c;aGk=\x07", "␛]52;c;aGk=␇"),
        ("\x9b31m", "‹9B›31m"),
        ("a\x7fb", "a␡b"),
        ("a\tb\nc", "a\tb\nc"),
        ("a\r\nb", "a\nb"),
        ("over\rwritten", "over␍written"),
        ("5 \u202e01 kg", "5 ·01 kg"),
        ("\ufeffmark", "mark"),
        ("[bold [1] [/] [@click=app.quit]", "[bold [1] [/] [@click=app.quit]"),
        ("大豆 3-5厘米", "大豆 3-5厘米"),
    ],
)
def test_controls_become_pictures(text: str, shown: str) -> None:
    assert visible(text) == shown


@given(st.text(st.characters(), max_size=80))
def test_no_control_is_left(text: str) -> None:
    assert not raw_controls(visible(text))
    assert visible(visible(text)) == visible(text)
    assert "\n" not in one_line(text)


@given(st.text(st.characters(exclude_categories=())))
def test_no_half_surrogate_is_left(text: str) -> None:
    assert whole(whole(text)) == whole(text).encode().decode()
    assert len(whole(text)) == len(text)
    halves = any("\ud800" <= char <= "\udfff" for char in text)
    assert (whole(text) == text) is not halves


def test_a_long_line_is_cut_with_an_ellipsis() -> None:
    assert one_line("a  b\n c", 4) == "a b…"
    assert one_line("abc", 3) == "abc"
    assert one_line("abc", 0) == "…"
