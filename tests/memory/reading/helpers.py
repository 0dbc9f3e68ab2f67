"""PDFs and DOCX files made on the spot, read back."""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path

import pypdfium2 as pdfium
from docx_writer import Docx
from pdf_writer import PdfPage, write_pdf

from kb.memory.block import Block, Kind
from kb.memory.reading.docx import read_docx
from kb.memory.reading.limits import Limits
from kb.memory.reading.pdf_flow import assemble
from kb.memory.reading.pdf_layout import PageLayout, layout
from kb.memory.reading.pdf_page import Page, read_page

Draw = Callable[[PdfPage], object]


def pages_of(*draw: Draw, **page: float) -> list[Page]:
    """Pages drawn by `draw`, as pdfium gives them."""
    made = []
    for each in draw:
        drawn = PdfPage(**page)  # type: ignore[arg-type]
        each(drawn)
        made.append(drawn)
    document = pdfium.PdfDocument(write_pdf(made))
    return [read_page(document[number]) for number in range(len(made))]


def layouts_of(*draw: Draw) -> list[PageLayout]:
    """Pages in reading order."""
    return [layout(page, number) for number, page in enumerate(pages_of(*draw), start=1)]


def blocks_of(*draw: Draw) -> list[Block]:
    """The blocks of a PDF."""
    return assemble(layouts_of(*draw))


def texts_of(blocks: list[Block], kind: Kind) -> list[str]:
    """The texts of all blocks of a kind."""
    return [block.text for block in blocks if block.kind == kind]


def docx_blocks(tmp_path: Path, *body: str, document: Docx | None = None) -> list[Block]:
    """The blocks of a DOCX with the XML `body`."""
    document = document or Docx()
    document.body.extend(body)
    path = tmp_path / "made.docx"
    path.write_bytes(document.data())
    return read_docx(path, Limits(), lambda data, suffix: f"images/picture{suffix}")
