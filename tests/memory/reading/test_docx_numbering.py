"""kb.memory.reading.docx_numbering: the numbers that Word draws."""

from __future__ import annotations

import pytest

from kb.memory.reading.docx_numbering import Level, Number, Numbering, in_style


@pytest.mark.parametrize(
    ("number", "style", "written"),
    [
        (27, "lowerLetter", "aa"), (2, "upperLetter", "B"), (14, "lowerRoman", "xiv"), (4, "upperRoman", "IV"),
        (10, "chineseCounting", "十"), (12, "chineseCounting", "十二"), (105, "chineseCounting", "一百零五"),
        (20, "chineseCountingThousand", "二十"), (1010, "chineseCounting", "一千零一十"),
        (3, "decimalEnclosedCircle", "③"),
        (7, "decimalZero", "07"), (2, "ideographTraditional", "乙"), (5, "unknown", "5"),
    ],
)  # fmt: skip
def test_formats(number: int, style: str, written: str) -> None:
    assert in_style(number, style) == written


def _numbering() -> Numbering:
    levels = {0: Level("decimal", "%1."), 1: Level("decimal", "%1.%2"), 2: Level("lowerLetter", "(%3)")}
    return Numbering({"1": levels, "2": levels, "9": {0: Level("bullet", "•")}}, {"1": "a", "2": "a", "9": "b"})


def test_deeper_levels_begin_anew() -> None:
    numbering = _numbering()
    seen = [numbering.next("1", level) for level in (0, 1, 1, 2, 0, 1)]
    assert [each.text for each in seen if each] == ["1.", "1.1", "1.2", "(a)", "2.", "2.1"]


def test_lists_of_one_definition_count_along_unless_restarted() -> None:
    numbering = _numbering()
    assert numbering.next("1", 0) == Number("1.", 0)
    assert numbering.next("2", 0) == Number("2.", 0)
    again = _numbering()
    again.restarts = {"2": {0: 1}}
    again.next("1", 0)
    assert again.next("2", 0) == Number("1.", 0)


def test_bullets_have_no_text_and_no_list_has_nothing() -> None:
    assert _numbering().next("9", 0) == Number("", 0)
    assert _numbering().next("7", 0) is None
    assert _numbering().next("0", 0) is None
