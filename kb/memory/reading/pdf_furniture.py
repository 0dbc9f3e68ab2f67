"""What every page repeats and no reader reads: running headers, footers, page numbers."""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Sequence

from kb.memory.block import Box
from kb.memory.reading.pdf_aligned import Table
from kb.memory.reading.pdf_layout import PageLayout, box_of
from kb.memory.reading.pdf_lines import Line

# The share of the page's height that is looked at from above and below, and how many rows of it.
_ZONE = 0.18
_ROWS = 4
_SAME_PLACE = 7.0
_DIGITS = re.compile(r"\d+")
_END_DIGITS = re.compile(r"^\d+|\d+$")
_SHORT = 40
# White between a header and the body, in heights of its line.
_GAP = 0.6
_PAGE_WORDS = re.compile(
    r"^\W*(?:page|p\.|pg\.|seite|第)\s*\d{1,5}\s*页?\s*(?:(?:of|/|von|共|，共|,共)\s*(?:第)?\s*\d{1,5}\s*页?)?\W*$|"
    r"^\W*\d{1,5}\s*(?:/|of)\s*\d{1,5}\W*$|^[-–—]\s*\d{1,5}\s*[-–—]$",
    re.IGNORECASE,
)
_BARE = re.compile(r"^(?:\d{1,4}|[ivxlc]{1,6})$")

Sign = tuple[str, str]


def without_furniture(pages: Sequence[PageLayout]) -> None:
    """Take headers, footers and page numbers out of `pages`.

    Where nothing else is on a page, what only it says stays: a form with a number and a value a page has no headers.
    """
    signs = [_candidates(page) for page in pages]
    counts: Counter[Sign] = Counter()
    for found in signs:
        counts.update(set(found.values()))
    needed = 2 if len(pages) < 6 else 3
    places = _places(pages, signs)
    said = Counter(_words(page, index) for page, found in zip(pages, signs, strict=True) for index in found)
    for page, found in zip(pages, signs, strict=True):
        drop = {
            index
            for index, sign in found.items()
            if (counts[sign] >= needed and _near(places[sign], box_of(page.elements[index])[3]))
            or _is_number(page, index, len(pages))
        }
        if len(drop) == len(page.elements):
            drop = {
                index for index in drop if said[_words(page, index)] >= needed or _is_number(page, index, len(pages))
            }
        if drop:
            page.edges = [edges for index, edges in enumerate(page.edges) if index not in drop]
            page.elements = [element for index, element in enumerate(page.elements) if index not in drop]


def _words(page: PageLayout, index: int) -> str:
    """The words of a line or table, numbers included."""
    element = page.elements[index]
    if isinstance(element, Line):
        return element.text
    return " ".join(" ".join(row) for row in element.rows) if isinstance(element, Table) else ""


def _candidates(page: PageLayout) -> dict[int, Sign]:
    """The elements of the outer rows by index, each with what would be the same on another page."""
    found: dict[int, Sign] = {}
    placed = sorted((box_of(element), index) for index, element in enumerate(page.elements))
    by_top = sorted(placed, key=lambda each: each[0][3])
    for side, ordered in (("top", by_top), ("bottom", by_top[::-1])):
        for index in _apart(page, ordered, side):
            element = page.elements[index]
            if isinstance(element, Line) or (isinstance(element, Table) and len(element.rows) <= 4):
                found[index] = (side, _pattern(_words(page, index)))
    return found


def _apart(page: PageLayout, ordered: Sequence[tuple[Box, int]], side: str) -> list[int]:
    """The outer rows of a page that white space separates from its body."""
    rows: list[list[int]] = []
    edges: list[Box] = []
    separated = 0
    for box, index in ordered:
        middle = (box[1] + box[3]) / 2
        inside = middle < _ZONE * page.height if side == "top" else middle > (1 - _ZONE) * page.height
        inside = inside and box[3] - box[1] <= _ZONE * page.height
        if rows and inside and abs(box[3] - edges[-1][3]) < 3:
            rows[-1].append(index)
            continue
        if rows:
            gap = box[1] - edges[-1][3] if side == "top" else edges[-1][1] - box[3]
            if gap > _GAP * min(edges[-1][3] - edges[-1][1], 14):
                separated = len(rows)
        if not inside or len(rows) == _ROWS:
            break
        rows.append([index])
        edges.append(box)
    else:
        separated = len(rows)  # nothing else is on the page
    return [index for row in rows[:separated] for index in row]


def _pattern(text: str) -> str:
    """What is the same on every page: a short text without its numbers, a long one without those at its ends."""
    text = " ".join(text.lower().split())
    return _DIGITS.sub("#", text) if len(text) <= _SHORT else _END_DIGITS.sub("#", text)


def _places(pages: Sequence[PageLayout], signs: Sequence[dict[int, Sign]]) -> dict[Sign, list[float]]:
    places: dict[Sign, list[float]] = {}
    for page, found in zip(pages, signs, strict=True):
        for index, sign in found.items():
            places.setdefault(sign, []).append(box_of(page.elements[index])[3])
    return places


def _near(places: list[float], bottom: float) -> bool:
    """Whether another page has the same thing at the same height."""
    return sum(abs(place - bottom) < _SAME_PLACE for place in places) >= 2


def _is_number(page: PageLayout, index: int, total: int) -> bool:
    """Whether an outer line is a page number, also on the only page or where numbers are written differently."""
    element = page.elements[index]
    if not isinstance(element, Line):
        return False
    text = element.text.strip()
    if _PAGE_WORDS.match(text):
        return True
    boxes = [box_of(other) for place, other in enumerate(page.elements) if place != index]
    box = box_of(element)
    outermost = all(other[3] <= box[1] for other in boxes) or all(other[1] >= box[3] for other in boxes)
    if not (_BARE.match(text) and outermost and boxes):
        return False
    gap = min(min(abs(other[1] - box[3]), abs(box[1] - other[3])) for other in boxes)
    centred = abs((box[0] + box[2]) / 2 - page.width / 2) < 0.05 * page.width
    return gap > 0.8 * element.size and (total > 1 or centred or (text.isdigit() and int(text) == page.number))
