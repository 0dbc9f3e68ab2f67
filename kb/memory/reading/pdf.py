"""A PDF document: its pages one after another, its pictures, and what cannot be read said clearly."""

from __future__ import annotations

import io
from collections import Counter
from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass, replace
from pathlib import Path
from statistics import median

import pypdfium2 as pdfium
import pypdfium2.raw as raw

from kb.errors import KnowledgeError
from kb.memory.block import Block, Box, Kind
from kb.memory.reading.limits import Limits
from kb.memory.reading.ocr import Recogniser, Word
from kb.memory.reading.pdf_aligned import Table
from kb.memory.reading.pdf_flow import assemble
from kb.memory.reading.pdf_layout import PageLayout, arrange, box_of, layout
from kb.memory.reading.pdf_lines import Line
from kb.memory.reading.pdf_page import Picture, has_fields, read_page, remarks

SCAN = "scan"
"""The note of a page that is a picture and has no text, where no text recognition is installed."""
UNREADABLE = "unreadable"
"""The note of a page that pdfium could not read."""
TURNED = "turned"
"""The note of a page where text that runs in another direction was left out."""

_OCR_DPI = 300
_PICTURE_DPI = 150
_MAX_PIXELS = 40_000_000
_MIN_SIDE = 40.0


@dataclass(frozen=True, slots=True)
class PdfFile:
    """An opened PDF with the number of its pages."""

    document: pdfium.PdfDocument
    path: Path
    pages: int


def open_pdf(path: Path, limits: Limits) -> PdfFile:
    """Open `path`. Raises KnowledgeError: locked with a password, damaged, without pages, too many pages."""
    try:
        document = pdfium.PdfDocument(path)
        pages = len(document)
    except pdfium.PdfiumError as error:
        code = getattr(error, "err_code", None)
        if code in (raw.FPDF_ERR_PASSWORD, raw.FPDF_ERR_SECURITY):
            raise KnowledgeError("reading_locked", path=str(path)) from error
        raise KnowledgeError("reading_damaged", path=str(path), reason="PDF") from error
    if not pages:
        raise KnowledgeError("reading_empty", path=str(path))
    if pages > limits.pages:
        raise KnowledgeError("reading_too_long", path=str(path), pages=pages, limit=limits.pages)
    return PdfFile(document, path, pages)


def read_one(file: PdfFile, number: int, recogniser: Callable[[], Recogniser | None]) -> PageLayout:
    """Page `number` (from 1) in reading order; where it is a picture, read by what `recogniser` gives.

    A page that pdfium cannot read comes back with the note UNREADABLE.
    """
    try:
        page = file.document[number - 1]
    except pdfium.PdfiumError:
        return PageLayout(number, 0.0, 0.0, note=UNREADABLE)
    try:
        noted = remarks(page)
        if has_fields(page) and raw.FPDFPage_Flatten(page, raw.FLAT_NORMALDISPLAY) == raw.FLATTEN_SUCCESS:
            page.close()
            page = file.document[number - 1]
        found = layout(read_page(page), number)
        found.remarks = noted
        if is_scan(found):
            found = _recognised(page, found, recogniser())
        elif found.turned > 20:
            found.note = TURNED
        return found
    except pdfium.PdfiumError:
        return PageLayout(number, 0.0, 0.0, note=UNREADABLE)
    finally:
        page.close()


def is_scan(page: PageLayout) -> bool:
    """Whether a page's text is a picture: hardly any characters, or such that their font hides which they are, and a
    picture over much of the page."""
    area = page.width * page.height
    boxes = [element.box for element in page.elements if isinstance(element, Picture)]
    covered = sum((x1 - x0) * (bottom - top) for x0, top, x1, bottom in boxes)
    hidden = page.unmapped > 30 and page.unmapped > page.glyphs
    return hidden or (page.glyphs < 16 and covered > 0.35 * area)


def _recognised(page: pdfium.PdfPage, found: PageLayout, recogniser: Recogniser | None) -> PageLayout:
    if recogniser is None:
        found.note = SCAN
        return found
    scale = min(_OCR_DPI / 72, (_MAX_PIXELS / max(found.width * found.height, 1)) ** 0.5)
    image = page.render(scale=scale).to_pil().convert("RGB")
    words = recogniser(image)
    read = recognised_page(words, scale, found.number, found.width, found.height)
    read.glyphs = sum(len(word.text) for word in words)
    return read


def recognised_page(words: Sequence[Word], scale: float, number: int, width: float, height: float) -> PageLayout:
    """Recognised lines as a page of `width` x `height` points, with how sure the recognition was as its note."""
    page = arrange([*word_lines(words, scale)], [], number, width, height)
    sure = sum(word.confidence for word in words) / len(words) if words else 0.0
    page.note = f"ocr {sure:.2f}"
    return page


def word_lines(words: Sequence[Word], scale: float) -> list[Line]:
    """Recognised lines as lines of a page with `scale` pixels a point.

    The height of a box depends on its letters (`on` is lower than `Pg`): heights near the usual one count as that, so
    that only titles differ.
    """
    usual = median(word.bottom - word.top for word in words) if words else 0.0
    found = []
    for word in words:
        height = word.bottom - word.top
        height = usual if 0.7 * usual < height < 1.4 * usual else height
        base = word.bottom - 0.18 * height
        found.append(Line(word.text, word.x0 / scale, word.x1 / scale, base / scale, 0.9 * height / scale))
    return found


def pictures(
    file: PdfFile,
    pages: Sequence[PageLayout],
    save: Callable[[bytes, str], str],
    limits: Limits,
    alive: Callable[[], None] = lambda: None,
) -> dict[tuple[int, int], str]:
    """Save the real pictures of the document, calling `alive` for each; gives the Markdown for each (page, object).

    Left out are marks that many pages repeat, backgrounds under text, and specks.
    """
    places: Counter[tuple[int, ...]] = Counter()
    wanted: list[tuple[PageLayout, Picture]] = []
    for page in pages:
        for picture in _real(page):
            places[_spot(picture)] += 1
            wanted.append((page, picture))
    named: dict[tuple[int, int], str] = {}
    for page, picture in wanted[: 4 * limits.pictures]:
        if places[_spot(picture)] > max(2, len(pages) // 3) and page.note != SCAN:
            continue
        if len(named) >= limits.pictures:
            break
        alive()
        try:
            data, suffix = _drawn(file.document[page.number - 1], picture.box, page)
        except pdfium.PdfiumError:
            continue
        if data:
            named[page.number, picture.index] = f"![]({save(data, suffix)})"
    return named


def _spot(picture: Picture) -> tuple[int, ...]:
    """About where a picture stands, the same for pictures a few points apart."""
    return tuple(round(value / 6) for value in picture.box)


def _real(page: PageLayout) -> Iterator[Picture]:
    """The pictures of a page that are more than decoration; on a scan all large ones."""
    area = page.width * page.height
    text = [box_of(element) for element in page.elements if isinstance(element, (Line, Table))]
    taken: list[Box] = []
    for element in page.elements:
        if not isinstance(element, Picture):
            continue
        x0, top, x1, bottom = element.box
        if x1 - x0 < _MIN_SIDE or bottom - top < _MIN_SIDE:
            continue
        under = sum(x0 <= (box[0] + box[2]) / 2 <= x1 and top <= (box[1] + box[3]) / 2 <= bottom for box in text)
        if page.note != SCAN and (x1 - x0) * (bottom - top) > 0.5 * area and under > 5:
            continue
        if any(box[0] - 2 <= x0 and box[1] - 2 <= top and box[2] + 2 >= x1 and box[3] + 2 >= bottom for box in taken):
            continue
        taken.append(element.box)
        yield element


def _drawn(page: pdfium.PdfPage, box: Box, layout: PageLayout) -> tuple[bytes, str]:
    """A part of the page as an image file, with its labels: PNG, or JPEG where that is much smaller."""
    scale = _PICTURE_DPI / 72
    crop = (
        max(box[0], 0.0), max(layout.height - box[3], 0.0), max(layout.width - box[2], 0.0), max(box[1], 0.0)
    )  # fmt: skip
    image = page.render(scale=scale, crop=crop).to_pil().convert("RGB")
    if min(image.size) < 16 or all(low == high for low, high in image.getextrema()):
        return b"", ""
    png, jpeg = io.BytesIO(), io.BytesIO()
    image.save(png, "PNG", optimize=True)
    if png.tell() > 200_000:
        image.save(jpeg, "JPEG", quality=88)
        if jpeg.tell() * 2 < png.tell():
            return jpeg.getvalue(), ".jpg"
    return png.getvalue(), ".png"


def blocks(pages: Sequence[PageLayout], named: dict[tuple[int, int], str]) -> list[Block]:
    """The document's blocks, with a comment for each page that could not be read as text."""
    found = assemble(pages, named)
    beside = {page.number: list(_beside(page)) for page in pages if page.note or page.remarks}
    if not beside:
        return found
    notes = {page.number: page.note for page in pages if page.note.startswith("ocr")}
    result: list[Block] = []
    waiting = sorted(beside)
    for block in found:
        # What is said of a page stands before the next page begins.
        while waiting and waiting[0] < block.page:
            result += beside[waiting.pop(0)]
        note = block.note or notes.get(block.page, "")
        result.append(replace(block, note=note))
    return result + [each for number in waiting for each in beside[number]]


def _beside(page: PageLayout) -> Iterator[Block]:
    """What has to be said of a page, and what people noted on it."""
    if page.note in (SCAN, UNREADABLE, TURNED):
        yield Block(Kind.COMMENT, "", page.number, note=page.note)
    for remark in page.remarks:
        yield Block(Kind.COMMENT, remark, page.number, note="comment")
