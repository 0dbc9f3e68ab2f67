"""kb.memory.reading.pdf_layout: columns, order, and pages kept between runs."""

from __future__ import annotations

import json

from pdf_writer import PdfPage

from kb.memory.reading.pdf_aligned import Table
from kb.memory.reading.pdf_layout import from_record, to_record
from kb.memory.reading.pdf_lines import Line
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
