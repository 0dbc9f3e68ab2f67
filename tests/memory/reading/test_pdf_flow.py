"""kb.memory.reading.pdf_flow: paragraphs, items, tables over pages."""

from __future__ import annotations

from pdf_writer import PdfPage, wrapped

from kb.memory.block import Kind
from kb.memory.reading.pdf_flow import CONTINUED
from tests.memory.reading.helpers import Draw, blocks_of, texts_of

_LONG = (
    "The pump must be preheated for thirty minutes before it is started in winter, and the strainer has to be cleaned. "
)


def _text(page: PdfPage, y: float, text: str, indent: float = 0.0) -> float:
    for place, line in enumerate(wrapped(text, 380, 10, first_indent=indent)):
        page.text(72 + (indent if not place else 0), y, line, 10)
        y += 14
    return y


def test_lines_make_paragraphs_by_the_gap_between() -> None:
    def draw(page: PdfPage) -> None:
        y = _text(page, 100, _LONG * 2)
        _text(page, y + 8, _LONG)

    assert texts_of(blocks_of(draw), Kind.PARAGRAPH) == [(_LONG * 2).strip(), _LONG.strip()]


def test_paragraphs_that_are_set_in() -> None:
    chinese = "离心泵在环境温度低于零下十度时须预热三十分钟后方可启动，" * 3 + "不得提前。"

    def draw(page: PdfPage) -> None:
        y = _text(page, 100, chinese, 20)
        _text(page, y, chinese, 20)

    assert texts_of(blocks_of(draw), Kind.PARAGRAPH) == [chinese, chinese]


def test_a_paragraph_goes_on_on_the_next_page() -> None:
    lines = wrapped(_LONG * 6, 380, 10)

    def page_of(part: list[str], top: float) -> Draw:
        def draw(page: PdfPage) -> None:
            for place, line in enumerate(part):
                page.text(72, top + 14 * place, line, 10)

        return draw

    blocks = blocks_of(page_of(lines[:5], 700), page_of(lines[5:], 90))
    assert texts_of(blocks, Kind.PARAGRAPH) == [(_LONG * 6).strip()]
    assert blocks[0].page == 1


def test_items_keep_their_numbers_and_lose_their_bullets() -> None:
    def draw(page: PdfPage) -> None:
        for place, (mark, text) in enumerate((("•", "first"), ("•", "second"), ("1)", "third"), ("2)", "fourth"))):
            page.text(72, 100 + 16 * place, mark, 10)
            page.text(90, 100 + 16 * place, f"{text} thing to look at", 10)
        page.text(110, 164, "-", 10)
        page.text(120, 164, "a thing below the fourth", 10)

    items = [block for block in blocks_of(draw) if block.kind == Kind.ITEM]
    assert [item.text for item in items] == [
        "first thing to look at", "second thing to look at", "1) third thing to look at", "2) fourth thing to look at",
        "a thing below the fourth",
    ]  # fmt: skip
    assert [item.level for item in items] == [0, 0, 0, 0, 1]


def _table_page(first: int, last: int, top: float, header: bool = True) -> Draw:
    def draw(page: PdfPage) -> None:
        rows = [("Code", "What to do")] * header + [(f"E-{n:02d}", f"do thing {n}") for n in range(first, last)]
        for x in (72, 172, 400):
            page.line(x, top, x, top + 20 * len(rows))
        for row in range(len(rows) + 1):
            page.line(72, top + 20 * row, 400, top + 20 * row)
        for row, cells in enumerate(rows):
            page.text(76, top + 14 + 20 * row, cells[0])
            page.text(176, top + 14 + 20 * row, cells[1])

    return draw


def test_a_table_over_pages_repeats_its_header_in_each_block() -> None:
    blocks = [
        block for block in blocks_of(_table_page(1, 15, 450), _table_page(15, 30, 90)) if block.kind == Kind.TABLE
    ]
    assert [(block.page, block.note) for block in blocks] == [(1, ""), (2, CONTINUED)]
    assert all(block.text.startswith("| Code | What to do |\n| --- | --- |\n") for block in blocks)
    assert "| E-15 | do thing 15 |" in blocks[1].text
    assert blocks[1].text.count("Code") == 1


def test_a_part_without_a_header_gets_it() -> None:
    blocks = blocks_of(_table_page(1, 15, 450), _table_page(15, 30, 90, header=False))
    assert blocks[1].text.startswith("| Code | What to do |\n| --- | --- |\n| E-15 |")


def test_boxes_are_where_the_text_is() -> None:
    (block,) = blocks_of(lambda page: _only(page))
    assert block.box is not None
    x0, top, x1, bottom = block.box
    assert (round(x0), round(top), round(bottom)) == (72, 91, 102)
    assert 150 < x1 < 200


def _only(page: PdfPage) -> None:
    page.text(72, 100, "One line of some text", 10)
