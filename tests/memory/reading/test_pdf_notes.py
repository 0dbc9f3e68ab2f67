"""kb.memory.reading.pdf_notes: footnotes and what refers to them."""

from __future__ import annotations

from pdf_writer import PdfPage

from kb.memory.block import Block, Kind
from kb.memory.reading.pdf_notes import Labels
from tests.memory.reading.helpers import Draw, blocks_of, texts_of


def _page(note: str = "Measured on a prototype", area: bool = False) -> Draw:
    def draw(page: PdfPage) -> None:
        for line in range(20):
            end = page.text(72, 100 + 14 * line, f"Line {line} of the body of the page", 10)
            if line == 5:
                page.text(end, 166, "1", 6)
            if line == 3 and area:
                page.text(page.text(end, 142, " is 5 m", 10), 138, "2", 6)
        page.text(72, 740, f"1 {note}", 8)
        page.text(72, 751, f"at {len(note)} m and in the {note.split()[0]} way.", 8)

    return draw


def test_a_note_and_its_mark_have_one_label() -> None:
    blocks = blocks_of(_page())
    assert texts_of(blocks, Kind.FOOTNOTE) == ["[^1]: Measured on a prototype at 23 m and in the Measured way."]
    assert any("Line 5 of the body of the page[^1]" in block.text for block in blocks)


def test_labels_are_unique_in_the_document() -> None:
    blocks = blocks_of(_page(), _page("Seen by others", area=True))
    assert [text.split(":")[0] for text in texts_of(blocks, Kind.FOOTNOTE)] == ["[^1]", "[^2-1]"]
    assert sum("[^2-1]" in block.text for block in blocks) == 2


def test_a_square_metre_is_no_reference() -> None:
    blocks = [Block(Kind.PARAGRAPH, "5 m² of field²", 1)]
    note = Labels().note(blocks, "2 See plate.", 1, (0, 0, 1, 1))
    assert note.text == "[^2]: See plate."
    assert blocks[0].text == "5 m² of field[^2]"
