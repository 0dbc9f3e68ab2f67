"""kb.memory.reading.pdf_gutter: columns of running text, and tables that are none."""

from __future__ import annotations

from itertools import pairwise

from kb.memory.reading.pdf_gutter import find_gutter
from kb.memory.reading.pdf_lines import Line

_WORDS = "close the valve before the filter is opened and cleaned"


def _line(text: str, x0: float, x1: float, row: int) -> Line:
    return Line(text, x0, x1, 100 + 12.0 * row, 9)


def _prose(x0: float, x1: float, rows: range) -> list[Line]:
    return [_line(_WORDS[: round((x1 - x0) / 4.5)], x0, x1, row) for row in rows]


def _justified(x0: float, x1: float, rows: range) -> list[Line]:
    """Lines in pieces between wide word spaces, which stand elsewhere in each line."""
    found = []
    for row in rows:
        cuts = [x0, x0 + 30 + 17 * row % 53, x0 + 92 + 23 * row % 57, x1 + 9]
        found += [_line("valve and filter", left, right - 9, row) for left, right in pairwise(cuts)]
    return found


def _gutter(lines: list[Line]) -> float | None:
    return find_gutter(lines, [(line.x0, line.top, line.x1, line.bottom) for line in lines])


def test_narrow_columns_of_justified_lines() -> None:
    columns = [(50.0, 209.0), (217.0, 376.0), (384.0, 543.0)]
    found = _gutter([line for x0, x1 in columns for line in _justified(x0, x1, range(30))])
    assert found is not None
    assert 209 < found < 217 or 376 < found < 384


def test_a_table_among_the_columns_does_not_hide_them() -> None:
    lines = _prose(60, 280, range(10)) + _prose(300, 520, range(10))
    for row in range(11, 16):
        lines += [_line("12.5", 60.0 + 92 * column, 80.0 + 92 * column, row) for column in range(5)]
    found = _gutter(lines)
    assert found is not None
    assert 280 < found < 300


def test_the_last_lines_of_a_text_are_a_column() -> None:
    left, right = _prose(50, 209, range(40)), _prose(217, 376, range(3))
    found = _gutter(left + right)
    assert found is not None
    assert 209 < found < 217
    assert _gutter(left + [_line("see page 7 of the book", 217, 300, row) for row in range(3)]) is None


def test_short_cells_beside_long_ones_are_a_table() -> None:
    lines = []
    for row in range(9):
        lines += [_line(f"E-{row:02d}", 60, 84, row), *_prose(110, 270, range(row, row + 1))]
        lines += [*_prose(300, 460, range(row, row + 1)), _line(f"{row} min", 500, 530, row)]
    assert _gutter(lines) is None
