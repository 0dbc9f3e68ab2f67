"""kb.memory.reading.pdf_ruled: drawn tables."""

from __future__ import annotations

from pdf_writer import PdfPage

from kb.memory.reading.pdf_ruled import fill, grids
from tests.memory.reading.helpers import Draw, pages_of


def _tables(draw: Draw) -> list[list[list[str]]]:
    (page,) = pages_of(draw)
    return [rows for grid in grids(page.rules) if (rows := fill(grid, page.glyphs)[0])]


def _grid(page: PdfPage, xs: list[float], ys: list[float]) -> None:
    for x in xs:
        page.line(x, ys[0], x, ys[-1])
    for y in ys:
        page.line(xs[0], y, xs[-1], y)


def test_a_grid() -> None:
    def draw(page: PdfPage) -> None:
        _grid(page, [72, 172, 272], [100, 120, 140])
        for row, cells in enumerate([("Code", "What"), ("E-07", "no flow")]):
            for column, cell in enumerate(cells):
                page.text(76 + 100 * column, 114 + 20 * row, cell)

    assert _tables(draw) == [[["Code", "What"], ["E-07", "no flow"]]]


def test_a_merged_cell_stands_in_every_place_it_covers() -> None:
    def draw(page: PdfPage) -> None:
        for x, top in ((72, 100), (172, 100), (222, 120), (272, 100)):
            page.line(x, top, x, 160)
        for y, left in ((100, 72), (120, 172), (140, 72), (160, 72)):
            page.line(left, y, 272, y)
        page.text(76, 125, "Season")
        page.text(176, 114, "Dose")
        for column, cell in enumerate(("a", "b")):
            page.text(176 + 50 * column, 134, cell)
        for x, cell in ((76, "Spring"), (176, "1"), (226, "2")):
            page.text(x, 154, cell)

    assert _tables(draw) == [[["Season", "Dose", "Dose"], ["Season", "a", "b"], ["Spring", "1", "2"]]]


def test_rows_without_lines_between_them_are_told_apart_by_their_numbers() -> None:
    def draw(page: PdfPage) -> None:
        _grid(page, [72, 172, 272], [100, 120, 180])
        page.text(76, 114, "State")
        page.text(176, 114, "Sum")
        for row, (name, number) in enumerate((("Alabama", "71,137"), ("Alaska", "7,095"), ("Arizona", "27,087"))):
            page.text(76, 134 + 16 * row, name)
            page.text(176, 134 + 16 * row, number)
            page.text(230, 134 + 16 * row, "")

    rows = _tables(draw)[0]
    assert rows[0] == ["State", "Sum"]
    assert len(rows) in (2, 4)


def test_three_columns_of_numbers_under_one_header() -> None:
    def draw(page: PdfPage) -> None:
        _grid(page, [72, 172, 272, 372], [100, 120, 180])
        for column, cell in enumerate(("State", "Permit", "Sum")):
            page.text(76 + 100 * column, 114, cell)
        for row, cells in enumerate((("Alabama", "18,870", "71,137"), ("Alaska", "209", "7,095"))):
            for column, cell in enumerate(cells):
                page.text(76 + 100 * column, 134 + 16 * row, cell)

    assert _tables(draw)[0][1:] == [["Alabama", "18,870", "71,137"], ["Alaska", "209", "7,095"]]


def test_a_value_in_the_middle_of_rows_without_lines_is_said_of_each() -> None:
    def draw(page: PdfPage) -> None:
        _grid(page, [72, 132, 192, 252, 312], [100, 120, 160])
        for column, cell in enumerate(("Layers", "Name", "Simple", "All")):
            page.text(76 + 60 * column, 114, cell)
        page.text(76, 143, "6")
        for row, cells in enumerate((("OTSL", "0.965", "0.955"), ("HTML", "0.969", "0.957"))):
            for column, cell in enumerate(cells):
                page.text(136 + 60 * column, 135 + 16 * row, cell)

    assert _tables(draw)[0][1:] == [["6", "OTSL", "0.965", "0.955"], ["6", "HTML", "0.969", "0.957"]]


def test_lines_of_text_in_a_cell_stay_in_it() -> None:
    def draw(page: PdfPage) -> None:
        _grid(page, [72, 172, 272], [100, 150])
        for row, (left, right) in enumerate((("clean the", "check the"), ("strainer", "inlet"), ("first", "valve"))):
            page.text(76, 114 + 12 * row, left)
            page.text(176, 114 + 12 * row, right)

    (page,) = pages_of(draw)
    assert fill(grids(page.rules)[0], page.glyphs)[0] == [["clean the strainer first", "check the inlet valve"]]


def test_a_frame_around_a_layout_is_no_table() -> None:
    def draw(page: PdfPage) -> None:
        _grid(page, [72, 500], [100, 300, 400])
        for row in range(8):
            page.text(80, 120 + 16 * row, f"name {row}")
            page.text(300, 120 + 16 * row, f"value {row}")

    assert _tables(draw) == []


def test_a_table_that_is_open_at_its_sides() -> None:
    def draw(page: PdfPage) -> None:
        page.line(172, 100, 172, 140)
        for y in (100, 120, 140):
            page.line(72, y, 272, y)
        for row, cells in enumerate([("a", "b"), ("c", "d")]):
            for column, cell in enumerate(cells):
                page.text(76 + 100 * column, 114 + 20 * row, cell)

    assert _tables(draw) == [[["a", "b"], ["c", "d"]]]
