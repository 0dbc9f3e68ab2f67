"""kb.memory.reading.pdf_furniture: headers, footers, page numbers."""

from __future__ import annotations

from pdf_writer import PdfPage

from kb.memory.block import Kind
from tests.memory.reading.helpers import Draw, blocks_of, texts_of


def _page(number: int, header: str = "", footer: str = "") -> Draw:
    def draw(page: PdfPage) -> None:
        if header:
            page.text(72, 50, header, 8)
        for line in range(20):
            page.text(72, 100 + 14 * line, f"Sentence {chr(97 + line)} of page {chr(64 + number)} says something.", 10)
        if footer:
            page.text(290, 806, footer.format(number), 8)

    return draw


def _all(*draw: Draw) -> str:
    return " ".join(block.text for block in blocks_of(*draw))


def test_headers_and_numbers_go() -> None:
    text = _all(*[_page(number, "CP-50 manual, edition 2.1", "Page {}") for number in (1, 2, 3)])
    assert "edition" not in text
    assert "Page" not in text
    assert text.count("Sentence") == 60


def test_chinese_page_numbers_go_from_a_single_page() -> None:
    assert "页" not in _all(_page(1, footer="第 {} 页 共 1 页"))


def test_a_bare_number_at_the_lower_end_goes() -> None:
    assert not _all(_page(1, footer="{}")).rstrip().endswith("1")


def test_a_line_that_only_one_page_has_stays() -> None:
    assert "HT-2026-001" in _all(_page(1, "HT-2026-001"))
    assert "Contract A" in _all(_page(1, "Contract A"), _page(2, "Annex B"))


def test_text_at_the_same_place_on_two_pages_stays() -> None:
    def draw(page: PdfPage) -> None:
        for line in range(50):
            page.text(72, 70 + 14 * line, f"Row {line} is the same on both pages.", 10)

    assert len(" ".join(texts_of(blocks_of(draw, draw), Kind.PARAGRAPH)).split("Row")) == 101


def test_pages_with_nothing_but_a_number_and_a_value_stay() -> None:
    def register(number: int) -> Draw:
        def draw(page: PdfPage) -> None:
            page.text(72, 72, f"Section {number}", 12)
            page.text(72, 102, f"The value of register {number} is {number + 7} kPa.", 12)
            page.text(290, 806, f"Page {number}", 8)

        return draw

    text = _all(*[register(number) for number in range(1, 9)])
    assert all(f"The value of register {number} is {number + 7} kPa." in text for number in range(1, 9))
    assert "Page" not in text


def test_an_empty_page_with_a_header_stays_empty() -> None:
    def empty(page: PdfPage) -> None:
        page.text(72, 50, "CP-50 manual, edition 2.1", 8)

    text = _all(*[_page(number, "CP-50 manual, edition 2.1") for number in (1, 2, 3)], empty)
    assert "edition" not in text
