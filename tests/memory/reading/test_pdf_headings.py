"""kb.memory.reading.pdf_headings: which lines are headings, and how deep."""

from __future__ import annotations

import pytest

from kb.memory.reading.pdf_aligned import Table
from kb.memory.reading.pdf_headings import Fonts, is_heading, levels, measure
from kb.memory.reading.pdf_layout import PageLayout
from kb.memory.reading.pdf_lines import Line

_FONTS = Fonts(10.0, False, 1.4, frozenset({10.0}))
_BODY = Line("and a line of the body runs to the right edge", 72, 500, 80, 10)


def _line(text: str, size: float = 10, bold: bool = False) -> Line:
    return Line(text, 72, 72 + 5 * len(text), 100, size, bold)


def _is(line: Line, gap: float = 2.5) -> bool:
    return is_heading(line, _BODY, _BODY, _FONTS, gap, 500)


@pytest.mark.parametrize(
    "line",
    [
        _line("Technical data", 14),
        _line("Technical data", 10, True),
        _line("3.2 温度要求"),
        _line("第三章 启动"),
        _line("一、总则"),
    ],
)
def test_headings(line: Line) -> None:
    assert _is(line)


@pytest.mark.parametrize(
    "line",
    [
        _line("a plain line"), _line("12.5"), _line("• item", 14), _line("图 1 结构", 12),
        _line("1. Check the supply first, then start."), _line("3.2 mg/L 的溶液应在当天用完，不得过夜。"),
    ],
)  # fmt: skip
def test_what_is_none(line: Line) -> None:
    assert not _is(line)


def test_a_size_that_much_of_the_text_has_is_no_sign() -> None:
    fonts = Fonts(9.0, False, 1.4, frozenset({9.0, 11.0}))
    assert not is_heading(_line("a long answer in the larger font", 11), _BODY, _BODY, fonts, 2.5, 500)


def test_levels_follow_the_look_and_the_numbers() -> None:
    given = [("Manual", 18), ("1 Scope", 14), ("2 Data", 14), ("2.1 Flow", 14), ("2.2 Head", 12)]
    assert levels([(_line(text, size, True), text) for text, size in given]) == [1, 2, 2, 3, 3]


def test_levels_have_no_gaps() -> None:
    given = [("a", 18), ("b", 10), ("c", 14), ("d", 10)]
    assert levels([(_line(text, size, True), text) for text, size in given]) == [1, 2, 2, 3]


def test_where_hardly_any_text_runs_the_tables_tell_the_bodys_size() -> None:
    title = Line("Maintenance plan of the pumps", 72, 300, 80, 18)
    table = Table([["E-07", "no flow, the strainer is blocked"]] * 9, (72, 100, 500, 300), (72, 200), size=10)
    page = PageLayout(1, 595, 842, [title, table], [(72, 500)] * 2)
    assert measure([page]).body == 10
    assert measure([PageLayout(1, 595, 842, [title] * 20, [(72, 500)] * 20), page]).body == 18
