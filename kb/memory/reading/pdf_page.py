"""One PDF page as pdfium sees it: glyphs, rules (drawn lines) and images, in the orientation in which it is shown.

Coordinates are points from the top left corner of the displayed page. Only pdfium's raw functions are used: they
cost a microsecond each, so a page of 3,000 characters is read in about 15 ms.
"""

from __future__ import annotations

import ctypes
import itertools
import math
from collections import Counter
from collections.abc import Callable, Iterator
from dataclasses import dataclass, field
from typing import Any

import pypdfium2 as pdfium
import pypdfium2.raw as raw

from kb.memory.block import Box

# Drawings (maps, charts) can hold a million segments; tables never do.
_MAX_SEGMENTS = 200
_MAX_PATHS = 20_000
_MAX_GLYPHS = 200_000
_THIN = 2.5
_BOLD = ("bold", "black", "heavy", "semibold", "demi", "-bd", ",b")
# Mono fonts by name: pdfium's flag FixedPitch (bit 1) is often not set.
_MONO = ("courier", "mono", "consol", "typewriter", "cmtt", "inconsolata", "menlo")
_HYPHEN = "\x02"


@dataclass(frozen=True, slots=True)
class Style:
    """How a run of text is drawn: font `size` in points; `angle` in degrees clockwise of the text's direction."""

    size: float
    bold: bool
    italic: bool
    mono: bool
    angle: int


@dataclass(frozen=True, slots=True)
class Glyph:
    """A character: its left and right edge and its baseline."""

    text: str
    x0: float
    x1: float
    base: float
    style: Style


@dataclass(frozen=True, slots=True)
class Picture:
    """An image of a page: where it stands and its place among the page's objects."""

    box: Box
    index: int


@dataclass(slots=True)
class Page:
    """What stands on a page. `rules` are thin boxes: drawn lines, edges of frames and of filled areas."""

    width: float
    height: float
    glyphs: list[Glyph] = field(default_factory=list)
    rules: list[Box] = field(default_factory=list)
    pictures: list[Picture] = field(default_factory=list)
    turned: int = 0  # characters that run in another direction and are left out
    unmapped: int = 0  # characters whose font does not say which they are


Point = tuple[float, float]
_Place = Callable[[float, float], Point]


_REMARKS = (raw.FPDF_ANNOT_TEXT, raw.FPDF_ANNOT_HIGHLIGHT, raw.FPDF_ANNOT_UNDERLINE, raw.FPDF_ANNOT_STRIKEOUT)


def has_fields(page: pdfium.PdfPage) -> bool:
    """Whether a form is filled in on the page: its values are no part of the page's own content."""
    for index in range(min(raw.FPDFPage_GetAnnotCount(page), 500)):
        note = raw.FPDFPage_GetAnnot(page, index)
        kind = raw.FPDFAnnot_GetSubtype(note) if note else 0
        if note:
            raw.FPDFPage_CloseAnnot(note)
        if kind == raw.FPDF_ANNOT_WIDGET:
            return True
    return False


def remarks(page: pdfium.PdfPage) -> list[str]:
    """What people wrote into notes and marks on the page."""
    found: list[str] = []
    for index in range(min(raw.FPDFPage_GetAnnotCount(page), 500)):
        note = raw.FPDFPage_GetAnnot(page, index)
        if not note:
            continue
        if raw.FPDFAnnot_GetSubtype(note) in _REMARKS:
            size = raw.FPDFAnnot_GetStringValue(note, b"Contents", None, 0)
            buffer = ctypes.create_string_buffer(min(size, 20_000) + 2)
            raw.FPDFAnnot_GetStringValue(
                note, b"Contents", ctypes.cast(buffer, ctypes.POINTER(raw.FPDF_WCHAR)), len(buffer) - 2
            )
            text = " ".join(buffer.raw[: max(size - 2, 0)].decode("utf-16-le", "replace").split())
            if text:
                found.append(text)
        raw.FPDFPage_CloseAnnot(note)
    return found


def read_page(page: pdfium.PdfPage) -> Page:
    """Everything on `page` that reading needs. Raises pdfium.PdfiumError when pdfium cannot read it."""
    place, turn, width, height = _orientation(page)
    found = Page(width, height)
    text = page.get_textpage()
    try:
        glyphs = list(_glyphs(text, place, turn, found))
    finally:
        text.close()
    angles = Counter(glyph.style.angle for glyph in glyphs if not glyph.text.isspace())
    main = angles.most_common(1)[0][0] if angles else 0
    if main and angles[0] * 4 < angles[main]:
        # The page is drawn sideways: look at it the way its text runs.
        place, width, height = _turned(place, main, width, height)
        found = Page(width, height)
        text = page.get_textpage()
        try:
            glyphs = list(_glyphs(text, place, turn - main, found))
        finally:
            text.close()
    found.glyphs = _once([glyph for glyph in glyphs if glyph.style.angle == 0])
    found.turned = sum(1 for glyph in glyphs if glyph.style.angle and not glyph.text.isspace())
    _drawings(page, place, found)
    return found


def _orientation(page: pdfium.PdfPage) -> tuple[_Place, int, float, float]:
    """The map from page space to displayed space, the page's turn in degrees clockwise, and the displayed size."""
    left, bottom, right, top = page.get_cropbox()
    media = page.get_mediabox()
    left, bottom = max(left, media[0]), max(bottom, media[1])
    right, top = min(right, media[2]), min(top, media[3])
    if right - left < 1 or top - bottom < 1:
        left, bottom, right, top = media
    # A damaged file can give the corners in any order.
    left, right = min(left, right), max(left, right)
    bottom, top = min(bottom, top), max(bottom, top)
    width, height = right - left, top - bottom
    turn = page.get_rotation()

    def upright(x: float, y: float) -> Point:
        return x - left, top - y

    if turn in (90, 180, 270):
        place, wide, high = _turned(upright, turn, width, height, back=False)
        return place, turn, wide, high
    return upright, 0, width, height


def _turned(
    place: _Place, degrees: int, width: float, height: float, *, back: bool = True
) -> tuple[_Place, float, float]:
    """`place` followed by a turn of the page: clockwise, or `back` against a text that runs `degrees` clockwise."""
    turn = -degrees % 360 if back else degrees % 360

    def turned(x: float, y: float) -> Point:
        x, y = place(x, y)
        if turn == 90:
            return height - y, x
        if turn == 270:
            return y, width - x
        return width - x, height - y

    return turned, *((height, width) if turn in (90, 270) else (width, height))


def _glyphs(text: pdfium.PdfTextPage, place: _Place, turn: int, page: Page) -> Iterator[Glyph]:
    """The characters that the page really draws (spaces and line ends that pdfium adds are left out)."""
    count = min(raw.FPDFText_CountChars(text), _MAX_GLYPHS)
    x, y, rect = ctypes.c_double(), ctypes.c_double(), raw.FS_RECTF()
    x_out, y_out, rect_out = ctypes.byref(x), ctypes.byref(y), ctypes.byref(rect)
    styles: dict[int, Style] = {}
    high = ""
    for index in range(count):
        code = raw.FPDFText_GetUnicode(text, index)
        if raw.FPDFText_IsGenerated(text, index) == 1:
            continue
        if 0xD800 <= code < 0xDC00:
            high = chr(code)
            continue
        char = chr(code)
        if 0xDC00 <= code < 0xE000:
            char = (high + char).encode("utf-16", "surrogatepass").decode("utf-16", "replace")
        high = ""
        if char == _HYPHEN:
            char, code = "-", ord("-")
        if code in (0, 0xFFFD, 0xFFFE, 0xFFFF) or (code < 0x20 and code not in (9, 10, 13)) or 0x7F <= code < 0xA0:
            page.unmapped += 1
            continue
        target = raw.FPDFText_GetTextObject(text, index)
        key = ctypes.addressof(target.contents) if target else index
        style = styles.get(key)
        if style is None:
            style = styles[key] = _style(text, index, turn)
        if style.size <= 0.5:
            continue
        if not raw.FPDFText_GetCharOrigin(text, index, x_out, y_out):
            continue
        if not raw.FPDFText_GetLooseCharBox(text, index, rect_out):
            continue
        corners = (place(rect.left, rect.bottom), place(rect.right, rect.top))
        base = place(x.value, y.value)
        if style.angle == 0:
            x0, x1 = sorted((corners[0][0], corners[1][0]))
        else:
            x0 = x1 = base[0]
        if not (math.isfinite(x0) and math.isfinite(x1) and math.isfinite(base[1])):
            continue
        if x1 < 0 or x0 > page.width or base[1] < 0 or base[1] - style.size > page.height:
            continue  # outside of what is shown
        yield Glyph(char, x0, x1, base[1], style)


def _style(text: pdfium.PdfTextPage, index: int, turn: int) -> Style:
    matrix = raw.FS_MATRIX()
    size = raw.FPDFText_GetFontSize(text, index)
    angle = 0
    if raw.FPDFText_GetMatrix(text, index, ctypes.byref(matrix)):
        size *= math.hypot(matrix.c, matrix.d) or 1.0
        angle = round(-math.degrees(math.atan2(matrix.b, matrix.a))) + turn
    # Hand-held scans carry text that is a degree off; only clear turns count.
    angle = angle % 360
    angle = 0 if angle <= 4 or angle >= 356 else angle
    flags = ctypes.c_int()
    buffer = ctypes.create_string_buffer(128)
    raw.FPDFText_GetFontInfo(text, index, buffer, 128, ctypes.byref(flags))
    name = buffer.value.decode("utf-8", "replace").lower()
    weight = raw.FPDFText_GetFontWeight(text, index)
    # Programs make a bold of a font without one by drawing its outline too (text rendering mode 2).
    target = raw.FPDFText_GetTextObject(text, index)
    outlined = bool(target) and raw.FPDFTextObj_GetTextRenderMode(target) == raw.FPDF_TEXTRENDERMODE_FILL_STROKE
    # Font descriptor flags (ISO 32000-1, table 123): 1 fixed pitch, 7 italic, 19 force bold.
    return Style(
        size=round(abs(size), 2),
        bold=outlined or weight >= 600 or bool(flags.value & 1 << 18) or any(mark in name for mark in _BOLD),
        italic=bool(flags.value & 1 << 6) or "italic" in name or "oblique" in name,
        mono=bool(flags.value & 1) or any(mark in name for mark in _MONO),
        angle=angle,
    )


def _once(glyphs: list[Glyph]) -> list[Glyph]:
    """Without characters that are drawn twice at the same place, as some programs do for bold print or shadow."""
    seen: dict[tuple[str, int, int], list[Glyph]] = {}
    kept: list[Glyph] = []
    for glyph in glyphs:
        if glyph.text == "f" and kept and kept[-1].text == "f":
            kept.append(glyph)  # pdfium gives the letters of a ligature one place
            continue
        x, y = round(glyph.x0 / 4), round(glyph.base / 4)
        near = (other for dx in (-1, 0, 1) for dy in (-1, 0, 1) for other in seen.get((glyph.text, x + dx, y + dy), ()))
        reach = 0.15 * glyph.style.size
        if not glyph.text.isspace() and any(
            abs(other.x0 - glyph.x0) < reach and abs(other.base - glyph.base) < reach for other in near
        ):
            continue
        seen.setdefault((glyph.text, x, y), []).append(glyph)
        kept.append(glyph)
    return kept


def _drawings(page: pdfium.PdfPage, place: _Place, found: Page) -> None:
    """Fill in the rules and pictures of the page."""
    budget = _MAX_PATHS
    for index, (target, matrix) in enumerate(_objects(page)):
        kind = raw.FPDFPageObj_GetType(target)
        if kind == raw.FPDF_PAGEOBJ_PATH and budget > 0:
            budget -= 1
            found.rules.extend(_rules(target, matrix, place, found))
        elif kind == raw.FPDF_PAGEOBJ_IMAGE:
            box = _box(_unit_square(matrix), place)
            if box[2] - box[0] > 1 and box[3] - box[1] > 1:
                found.pictures.append(Picture(box, index))


_Matrix = tuple[float, float, float, float, float, float]


def _objects(page: pdfium.PdfPage) -> Iterator[tuple[Any, _Matrix]]:
    """All objects with their full matrix, those inside of forms included, in drawing order."""
    identity: _Matrix = (1, 0, 0, 1, 0, 0)
    for index in range(raw.FPDFPage_CountObjects(page)):
        yield from _inside(raw.FPDFPage_GetObject(page, index), identity, 0)


def _inside(target: Any, outer: _Matrix, depth: int) -> Iterator[tuple[Any, _Matrix]]:
    own = raw.FS_MATRIX()
    raw.FPDFPageObj_GetMatrix(target, ctypes.byref(own))
    matrix = _times((own.a, own.b, own.c, own.d, own.e, own.f), outer)
    if raw.FPDFPageObj_GetType(target) == raw.FPDF_PAGEOBJ_FORM:
        if depth < 6:
            for index in range(raw.FPDFFormObj_CountObjects(target)):
                yield from _inside(raw.FPDFFormObj_GetObject(target, index), matrix, depth + 1)
    else:
        yield target, matrix


def _times(a: _Matrix, b: _Matrix) -> _Matrix:
    """First `a`, then `b` (ISO 32000-1, 8.3.4)."""
    return (
        a[0] * b[0] + a[1] * b[2],
        a[0] * b[1] + a[1] * b[3],
        a[2] * b[0] + a[3] * b[2],
        a[2] * b[1] + a[3] * b[3],
        a[4] * b[0] + a[5] * b[2] + b[4],
        a[4] * b[1] + a[5] * b[3] + b[5],
    )


def _apply(matrix: _Matrix, x: float, y: float) -> Point:
    a, b, c, d, e, f = matrix
    return a * x + c * y + e, b * x + d * y + f


def _unit_square(matrix: _Matrix) -> list[Point]:
    return [_apply(matrix, x, y) for x, y in ((0, 0), (1, 0), (0, 1), (1, 1))]


def _box(points: list[Point], place: _Place) -> Box:
    placed = [place(x, y) for x, y in points]
    xs, ys = [x for x, _ in placed], [y for _, y in placed]
    return min(xs), min(ys), max(xs), max(ys)


def _rules(target: Any, matrix: _Matrix, place: _Place, page: Page) -> Iterator[Box]:
    """The horizontal and vertical lines of a path; of a filled area its edges, when it is not the whole page."""
    count = raw.FPDFPath_CountSegments(target)
    if not 2 <= count <= _MAX_SEGMENTS:
        return
    fill, stroke = ctypes.c_int(), ctypes.c_int()
    raw.FPDFPath_GetDrawMode(target, ctypes.byref(fill), ctypes.byref(stroke))
    if not fill.value and not stroke.value:
        return
    for points in _subpaths(target, count, matrix, place):
        xs, ys = [x for x, _ in points], [y for _, y in points]
        box = (min(xs), min(ys), max(xs), max(ys))
        wide, high = box[2] - box[0], box[3] - box[1]
        if wide > 0.97 * page.width and high > 0.5 * page.height:
            continue
        if min(wide, high) <= _THIN:
            if max(wide, high) > _THIN:
                yield box
            continue
        for (x0, y0), (x1, y1) in itertools.pairwise(points):
            if (abs(x0 - x1) <= 0.7) != (abs(y0 - y1) <= 0.7):
                yield min(x0, x1), min(y0, y1), max(x0, x1), max(y0, y1)


def _subpaths(target: Any, count: int, matrix: _Matrix, place: _Place) -> Iterator[list[Point]]:
    """The straight subpaths; one with a curve is left out."""
    x, y = ctypes.c_float(), ctypes.c_float()
    points: list[Point] = []
    curved = False
    for index in range(count):
        segment = raw.FPDFPath_GetPathSegment(target, index)
        kind = raw.FPDFPathSegment_GetType(segment)
        raw.FPDFPathSegment_GetPoint(segment, ctypes.byref(x), ctypes.byref(y))
        if kind == raw.FPDF_SEGMENT_MOVETO:
            if len(points) > 1 and not curved:
                yield points
            points, curved = [], False
        curved = curved or kind == raw.FPDF_SEGMENT_BEZIERTO
        points.append(place(*_apply(matrix, x.value, y.value)))
        if raw.FPDFPathSegment_GetClose(segment) and points:
            points.append(points[0])
    if len(points) > 1 and not curved:
        yield points
