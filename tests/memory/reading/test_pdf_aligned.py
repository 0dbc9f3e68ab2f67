"""kb.memory.reading.pdf_aligned: tables without lines."""

from __future__ import annotations

import pytest

from kb.memory.reading.pdf_aligned import find_aligned, rule_areas
from kb.memory.reading.pdf_lines import Line


def _line(text: str, x: float, base: float, size: float = 10) -> Line:
    return Line(text, x, x + 5 * len(text), base, size)


def _rows(rows: list[list[str]], xs: list[float], leading: float = 16) -> list[Line]:
    return [
        _line(cell, x, 100 + leading * number)
        for number, row in enumerate(rows)
        for cell, x in zip(row, xs, strict=True)
        if cell
    ]


def test_rows_in_columns_are_a_table() -> None:
    rows = [["Name", "Value", "Unit"], ["flow", "12", "m³/h"], ["head", "50", "m"]]
    tables, rest = find_aligned(_rows(rows, [72, 200, 300]))
    assert [table.rows for table in tables] == [rows]
    assert rest == []


def test_an_empty_cell_stays_empty() -> None:
    rows = [["Code", "Place", "Count"], ["SKU-1", "A-12", "450"], ["", "B-07", "289"], ["SKU-2", "", "780"]]
    tables, _ = find_aligned(_rows(rows, [72, 200, 300]))
    assert tables[0].rows == rows


def test_the_second_line_of_a_cell_belongs_to_it() -> None:
    lines = _rows(
        [["Code", "What to do"], ["E-01", "clean the strainer and"], ["E-02", "vent"], ["E-03", "stop"]], [72, 200], 26
    )
    lines.append(_line("check the valve", 200, 100 + 26 + 12))
    tables, _ = find_aligned(lines)
    assert tables[0].rows[1] == ["E-01", "clean the strainer and check the valve"]
    assert len(tables[0].rows) == 4


_GROUPS = [["Item", "2024", "2025"], ["Sales", "", ""], ["Pumps", "1204", "1310"], ["Total", "4089", "3411"],
           ["Costs", "", ""], ["Wages", "8000", "8450"], ["Total", "2700", "2795"]]  # fmt: skip


def test_the_title_of_a_group_of_rows_stays_in_the_table() -> None:
    tables, rest = find_aligned(_rows(_GROUPS, [72, 300, 400], 18))
    assert [table.rows for table in tables] == [_GROUPS]
    assert rest == []


def test_a_line_that_stands_far_from_its_neighbours_is_no_title_of_a_group() -> None:
    tables, rest = find_aligned(_rows(_GROUPS, [72, 300, 400], 27))
    assert "Costs" in [line.text for line in rest]
    assert ["Costs", "", ""] not in [row for table in tables for row in table.rows]


def test_the_last_row_may_stand_outside_of_lines_and_backgrounds() -> None:
    rows = [["Depth", "Clay", "pH"], *([f"{n}0 cm", f"2{n} %", f"6.{n}"] for n in range(5))]
    lines = _rows(rows, [72, 200, 300])
    last = max(lines, key=lambda line: line.base)
    tables, rest = find_aligned(lines, [(60, 90, 400, last.top - 2)])
    assert [table.rows for table in tables] == [rows]
    assert rest == []


@pytest.mark.parametrize("text", ["每两小时检查一次轴承的温度和润滑油", "check the level of oil and the belt"])
def test_lines_of_text_that_fill_two_columns_are_no_table(text: str) -> None:
    lines = [Line(text, x, x + 160, 100 + 14 * row, 10) for row in range(5) for x in (72, 250)]
    assert find_aligned(lines)[0] == []


def test_items_with_a_hanging_mark_are_text() -> None:
    lines = [line for number in range(4) for line in (
        _line(f"{number + 1}.", 72, 100 + 16 * number), _line("check the supply before start", 92, 100 + 16 * number)
    )]  # fmt: skip
    tables, rest = find_aligned(lines)
    assert tables == []
    assert rest[0].text == "1. check the supply before start"


def test_justified_prose_is_text() -> None:
    lines = []
    for number, gap in enumerate((180, 230, 150, 260)):
        lines += [
            _line("words of a line that", 72, 100 + 14 * number),
            _line("is set wide by its end", gap + 30, 100 + 14 * number),
        ]
    assert find_aligned(lines)[0] == []


def test_two_rows_between_rules_are_enough() -> None:
    lines = _rows([["Name", "Value"], ["flow", "12"]], [72, 200])
    assert find_aligned(lines)[0] == []
    areas = rule_areas([(88, 70, 260), (104, 70, 260), (124, 70, 260)])
    assert areas == [(70, 88, 260, 124)]
    assert [table.rows for table in find_aligned(lines, areas)[0]] == [[["Name", "Value"], ["flow", "12"]]]
