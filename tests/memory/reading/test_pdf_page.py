"""kb.memory.reading.pdf_page: glyphs, rules and pictures as they are shown."""

from __future__ import annotations

from pdf_writer import PdfPage

from tests.memory.reading.helpers import pages_of


def test_places_and_styles() -> None:
    def draw(page: PdfPage) -> None:
        page.text(72, 100, "Ab", 12, bold=True)
        page.text(72, 130, "水泵", 10)

    (page,) = pages_of(draw)
    latin = next(glyph for glyph in page.glyphs if glyph.text == "A")
    assert (round(latin.x0), round(latin.base), latin.style.size, latin.style.bold) == (72, 100, 12, True)
    chinese = next(glyph for glyph in page.glyphs if glyph.text == "泵")
    assert (round(chinese.x0), round(chinese.x1)) == (82, 92)
    assert not chinese.style.bold


def test_chinese_that_is_bold_by_its_outline() -> None:
    (page,) = pages_of(lambda page: page.text(72, 100, "水泵", 10, bold=True))
    assert all(glyph.style.bold for glyph in page.glyphs)


def test_text_across_is_counted_and_left_out() -> None:
    def draw(page: PdfPage) -> None:
        page.text(72, 100, "a line of text that is level", 10)
        page.text(30, 500, "stamp", 10, angle=90)

    (page,) = pages_of(draw)
    assert "".join(glyph.text for glyph in page.glyphs).replace(" ", "") == "alineoftextthatislevel"
    assert page.turned == 5


def test_a_turned_page_is_read_as_it_is_shown() -> None:
    def draw(page: PdfPage) -> None:
        page.rotate = 90
        page.text(100, page.height - 50, "level when shown", 10, angle=90)
        page.line(60, 60, 60, 300)

    (page,) = pages_of(draw)
    assert page.width > page.height
    first = page.glyphs[0]
    assert (first.text, round(first.x0), round(first.base)) == ("l", 50, 100)
    x0, top, x1, bottom = page.rules[0]
    assert x1 - x0 > 200 > bottom - top


def test_text_that_all_runs_upwards_turns_the_page() -> None:
    def draw(page: PdfPage) -> None:
        for line in range(5):
            page.text(100 + 14 * line, 700, "a table that was set sideways", 10, angle=90)

    (page,) = pages_of(draw)
    assert page.width > page.height
    assert page.turned == 0
    assert [glyph.text for glyph in page.glyphs[:7]] == list("a table")


def test_lines_and_frames_are_rules() -> None:
    def draw(page: PdfPage) -> None:
        page.line(72, 100, 300, 100)
        page.area(72, 200, 300, 260, 0.9)
        page.area(0, 0, page.width, page.height, 0.95)

    (page,) = pages_of(draw)
    assert len(page.rules) == 5  # the line, the four edges; the background is none


def test_pictures_have_their_place() -> None:
    def draw(page: PdfPage) -> None:
        page.image(100, 200, 300, 350, b"\x80" * (3 * 4), 2, 2)

    (page,) = pages_of(draw)
    assert [round(value) for value in page.pictures[0].box] == [100, 200, 300, 350]


def test_what_is_drawn_twice_is_read_once() -> None:
    def draw(page: PdfPage) -> None:
        page.text(72, 100, "shadow", 12)
        page.text(72.6, 100.4, "shadow", 12)
        page.text(72, 130, "offer", 12)

    (page,) = pages_of(draw)
    assert "".join(glyph.text for glyph in page.glyphs) == "shadowoffer"


def test_what_lies_outside_of_the_page_is_not_read() -> None:
    (page,) = pages_of(lambda page: page.text(900, 100, "hidden", 12))
    assert page.glyphs == []
