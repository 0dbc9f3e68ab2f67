"""kb.memory.reading.pdf_layout: columns, order, and pages kept between runs."""

from __future__ import annotations

import json

from pdf_writer import PdfPage

from kb.memory.reading.pdf_aligned import Table
from kb.memory.reading.pdf_layout import from_record, to_record
from kb.memory.reading.pdf_lines import Line
from kb.memory.reading.pdf_page import Picture
from tests.memory.reading.helpers import layouts_of


def _two_columns(page: PdfPage) -> None:
    page.text(180, 80, "A title over both columns", 16, bold=True)
    for line in range(12):
        page.text(72, 120 + 14 * line, f"left {line:02d} of the running text here", 10)
        page.text(310, 120 + 14 * line, f"right {line:02d} of the running text here", 10)


def _texts(page: PdfPage | None = None, draw: object = _two_columns) -> list[str]:
    (found,) = layouts_of(draw)  # type: ignore[arg-type]
    return [element.text for element in found.elements if isinstance(element, Line)]


def test_the_left_column_comes_first() -> None:
    texts = _texts()
    assert texts[0] == "A title over both columns"
    assert [text[:7] for text in texts[1:]] == [f"left {n:02d}" for n in range(12)] + [
        f"right {n:02d}"[:7] for n in range(12)
    ]


def test_a_line_over_both_columns_divides_them() -> None:
    def draw(page: PdfPage) -> None:
        _two_columns(page)
        page.text(
            72, 320, "a sentence that runs over both of the columns of this page, as a heading between may do", 10
        )
        for line in range(12):
            page.text(72, 350 + 14 * line, f"lower left {line:02d} of the running text", 10)
            page.text(310, 350 + 14 * line, f"lower right {line:02d} of the running text", 10)

    texts = _texts(draw=draw)
    order = [texts.index(next(text for text in texts if text.startswith(start))) for start in
             ("left 00", "right 00", "a sentence", "lower left 00", "lower right 00")]  # fmt: skip
    assert order == sorted(order)


def test_a_table_between_rules_stays_whole_across_the_columns() -> None:
    def draw(page: PdfPage) -> None:
        for line in range(10):
            page.text(72, 120 + 14 * line, f"left {line:02d} of the running text here", 10)
            page.text(310, 120 + 14 * line, f"right {line:02d} of the running text here", 10)
        for y in (280, 298, 350):
            page.line(72, y, 500, y)
        for row, cells in enumerate(
            (("Type", "Flow", "Head", "Power"), ("A-1", "50", "32", "7"), ("A-2", "9", "5", "2"))
        ):
            for column, cell in enumerate(cells):
                page.text(80 + 115 * column, 293 + 18 * row, cell, 10)

    (page,) = layouts_of(draw)
    tables = [element.rows for element in page.elements if isinstance(element, Table)]
    assert tables == [[["Type", "Flow", "Head", "Power"], ["A-1", "50", "32", "7"], ["A-2", "9", "5", "2"]]]
    texts = [element.text for element in page.elements if isinstance(element, Line)]
    assert texts[9].startswith("left 09")
    assert texts[10].startswith("right 00")


def test_captions_side_by_side_stand_before_their_tables() -> None:
    def draw(page: PdfPage) -> None:
        for number, x in ((1, 72), (2, 320)):
            page.text(x, 108, f"Table {number} Signals of plug {number}", 10)
            for across in (x, x + 80, x + 160):
                page.line(across, 120, across, 180)
            for row in range(4):
                page.line(x, 120 + 20 * row, x + 160, 120 + 20 * row)
            for row in range(3):
                page.text(x + 4, 134 + 20 * row, f"{number}{row}", 10)
                page.text(x + 84, 134 + 20 * row, f"signal {row}", 10)

    (page,) = layouts_of(draw)
    told = [
        each.text if isinstance(each, Line) else each.rows[0][0]
        for each in page.elements
        if not isinstance(each, Picture)
    ]
    assert told == ["Table 1 Signals of plug 1", "10", "Table 2 Signals of plug 2", "20"]


def test_a_table_of_short_cells_is_not_two_columns() -> None:
    def draw(page: PdfPage) -> None:
        for line in range(10):
            page.text(72, 120 + 16 * line, f"E-{line:02d}", 10)
            page.text(310, 120 + 16 * line, f"{line * 7} kg", 10)

    (page,) = layouts_of(draw)
    assert [type(element) for element in page.elements] == [Table]


def test_a_box_around_code_is_no_table() -> None:
    def draw(page: PdfPage) -> None:
        for x in (72, 90, 300):
            page.line(x, 100, x, 150)
        for y in (100, 125, 150):
            page.line(72, y, 300, y)
        page.text(95, 118, "return a + b", 10)

    (page,) = layouts_of(draw)
    assert [element.text for element in page.elements if isinstance(element, Line)] == ["return a + b"]


def test_a_page_comes_back_from_json() -> None:
    def draw(page: PdfPage) -> None:
        _two_columns(page)
        page.image(72, 500, 200, 600, b"\x10" * 12, 2, 2)
        for x in (72, 172, 272):
            page.line(x, 650, x, 690)
        for y in (650, 670, 690):
            page.line(72, y, 272, y)
        for column, cell in enumerate(("a", "b")):
            page.text(76 + 100 * column, 664, cell)
            page.text(76 + 100 * column, 684, cell + cell)

    (page,) = layouts_of(draw)
    assert len({type(element) for element in page.elements}) == 3
    again = from_record(json.loads(json.dumps(to_record(page))))
    assert again == page
