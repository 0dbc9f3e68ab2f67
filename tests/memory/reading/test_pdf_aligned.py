"""kb.memory.reading.pdf_aligned: tables without lines."""

from __future__ import annotations

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
