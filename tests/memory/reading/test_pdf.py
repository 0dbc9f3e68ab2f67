"""kb.memory.reading.pdf: a document, its scans and pictures, and what cannot be read."""

from __future__ import annotations

from pathlib import Path

import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st
from pdf_writer import PdfPage, write_pdf

from kb.errors import KnowledgeError
from kb.memory.block import Kind
from kb.memory.reading.limits import Limits
from kb.memory.reading.ocr import Word
from kb.memory.reading.pdf import SCAN, blocks, is_scan, open_pdf, pictures, read_one, word_lines
from kb.memory.reading.pdf_layout import PageLayout


def _text(page: PdfPage) -> PdfPage:
    for line in range(6):
        page.text(72, 100 + 14 * line, f"line {line} of a page with some text on it", 10)
    return page


def _scan(page: PdfPage) -> PdfPage:
    page.image(0, 0, page.width, page.height, bytes(range(48)) * 4, 8, 8)
    return page


def _file(tmp_path: Path, *pages: PdfPage) -> Path:
    path = tmp_path / "a.pdf"
    path.write_bytes(write_pdf(list(pages)))
    return path


def test_a_scan_is_said_and_its_picture_kept(tmp_path: Path) -> None:
    file = open_pdf(_file(tmp_path, _text(PdfPage()), _scan(PdfPage())), Limits())
    pages = [read_one(file, number, lambda: None) for number in (1, 2)]
    assert [is_scan(page) for page in pages] == [False, True]
    named = pictures(file, pages, lambda data, suffix: f"images/p{suffix}", Limits())
    found = blocks(pages, named)
    assert [(block.kind, block.page, block.note) for block in found[-2:]] == [
        (Kind.IMAGE, 2, ""), (Kind.COMMENT, 2, SCAN),
    ]  # fmt: skip


def test_a_scan_is_recognised_where_that_is_possible(tmp_path: Path) -> None:
    file = open_pdf(_file(tmp_path, _scan(PdfPage())), Limits())
    words = [
        Word("水泵不能启动时应检查电源和保险丝是否完好", 300, 300, 1700, 350, 0.9),
        Word("再检查阀门。", 300, 360, 700, 410, 0.7),
    ]
    page = read_one(file, 1, lambda: lambda image: words)
    (block,) = blocks([page], {})
    assert block.text == "水泵不能启动时应检查电源和保险丝是否完好再检查阀门。"
    assert block.note == "ocr 0.80"
    assert block.box is not None
    assert 60 < block.box[0] < 80


def test_recognised_lines_of_letters_of_different_height_have_one_size() -> None:
    heights = (30, 34, 26, 33, 60)
    words = [Word("text", 10, 100 * n, 90, 100 * n + height, 0.9) for n, height in enumerate(heights)]
    sizes = [line.size for line in word_lines(words, 2.0)]
    assert len(set(sizes[:4])) == 1
    assert sizes[4] > 1.5 * sizes[0]


def test_marks_on_every_page_are_no_pictures(tmp_path: Path) -> None:
    drawn = []
    for number in range(6):
        page = _text(PdfPage())
        page.image(400, 20, 460, 80, bytes(range(48)) * 4, 8, 8)
        if number == 3:
            page.image(100, 300, 300, 500, bytes(range(100, 148)) * 4, 8, 8)
        drawn.append(page)
    file = open_pdf(_file(tmp_path, *drawn), Limits())
    pages = [read_one(file, number, lambda: None) for number in range(1, 7)]
    named = pictures(file, pages, lambda data, suffix: f"images/{len(data)}{suffix}", Limits())
    assert [page for page, _ in named] == [4]


def test_what_cannot_be_opened(tmp_path: Path) -> None:
    path = tmp_path / "a.pdf"
    for data, key in ((b"%PDF-1.7\nnothing", "reading_damaged"), (b"%PDF-1.4\n%%EOF", "reading_damaged")):
        path.write_bytes(data)
        with pytest.raises(KnowledgeError) as caught:
            open_pdf(path, Limits())
        assert caught.value.key == key


def test_too_many_pages(tmp_path: Path) -> None:
    with pytest.raises(KnowledgeError) as caught:
        open_pdf(_file(tmp_path, PdfPage(), PdfPage()), Limits(pages=1))
    assert caught.value.key == "reading_too_long"


def test_a_page_that_cannot_be_read_is_said() -> None:
    found = blocks([PageLayout(1, 0, 0, note="unreadable")], {})
    assert [(block.kind, block.note) for block in found] == [(Kind.COMMENT, "unreadable")]


@settings(max_examples=60, suppress_health_check=[HealthCheck.function_scoped_fixture])
@given(st.integers(0, 100_000), st.integers(0, 255))
def test_a_damaged_file_is_read_or_refused(tmp_path: Path, place: int, value: int) -> None:
    path = _file(tmp_path, _text(PdfPage()))
    data = bytearray(path.read_bytes())
    data[place % len(data)] = value
    path.write_bytes(bytes(data))
    try:
        file = open_pdf(path, Limits())
    except KnowledgeError:
        return
    found = blocks([read_one(file, number, lambda: None) for number in range(1, min(file.pages, 3) + 1)], {})
    assert all(1 <= block.page <= file.pages for block in found)
