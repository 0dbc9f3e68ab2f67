"""The layout of one page: tables found, columns found, everything in reading order."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass, field
from statistics import median
from typing import Any

from kb.memory.block import Box
from kb.memory.reading.marks import CAPTION
from kb.memory.reading.pdf_aligned import Table, find_aligned, rule_areas
from kb.memory.reading.pdf_gutter import find_gutter
from kb.memory.reading.pdf_lines import Line, lines
from kb.memory.reading.pdf_page import Page, Picture
from kb.memory.reading.pdf_ruled import Grid, fill, grids, split_rules

_MIN_PICTURE = 24.0


@dataclass(slots=True)
class PageLayout:
    """A page in reading order. `edges` are the left and right edge of the column each element stands in."""

    number: int
    width: float
    height: float
    elements: list[Line | Table | Picture] = field(default_factory=list)
    edges: list[tuple[float, float]] = field(default_factory=list)
    turned: int = 0
    unmapped: int = 0
    glyphs: int = 0
    note: str = ""
    remarks: list[str] = field(default_factory=list)


def box_of(element: Line | Table | Picture) -> Box:
    """Where an element stands."""
    if isinstance(element, Line):
        return element.x0, element.top, element.x1, element.bottom
    return element.box


def layout(page: Page, number: int) -> PageLayout:
    """The page's elements in reading order."""
    tables, glyphs = _ruled(page)
    found = lines(glyphs)
    pictures = [
        picture
        for picture in page.pictures
        if picture.box[2] - picture.box[0] >= _MIN_PICTURE and picture.box[3] - picture.box[1] >= _MIN_PICTURE
    ]
    across, _ = split_rules(page.rules)
    areas = rule_areas([(rule.at, rule.start, rule.end) for rule in across])
    result = arrange([*found, *tables, *pictures], areas, number, page.width, page.height)
    result.turned, result.unmapped = page.turned, page.unmapped
    result.glyphs = sum(not glyph.text.isspace() for glyph in page.glyphs)
    return result


def arrange(
    elements: list[Line | Table | Picture], areas: Sequence[Box], number: int, width: float, height: float
) -> PageLayout:
    """Elements that lie anywhere on a page, in reading order; `areas` lie between parallel rules."""
    result = PageLayout(number, width, height)
    for column in _columns(elements, areas):
        for element, edges in _in_column(column, areas):
            result.elements.append(element)
            result.edges.append(edges)
    return result


def _ruled(page: Page) -> tuple[list[Table], list[Any]]:
    tables: list[Table] = []
    glyphs = page.glyphs
    for grid in grids(page.rules):
        rows, outside = fill(grid, glyphs)
        texts = [text for row in rows for text in row if text]
        if not texts:
            continue
        columns = [place for place, column in enumerate(zip(*rows, strict=True)) if any(column)]
        if len(columns) < 2 or _is_frame(grid, texts) or _is_drawing(rows):
            continue
        rows = [[row[place] for place in columns] for row in rows]
        left = set(map(id, outside))
        inside = [glyph for glyph in glyphs if id(glyph) not in left]
        glyphs = outside
        size = median(glyph.style.size for glyph in inside)
        xs = tuple(grid.xs[place] for place in columns)
        tables.append(Table([row for row in rows if any(row)], grid.box, xs, size=size))
    return tables, glyphs


def _is_frame(grid: Grid, texts: list[str]) -> bool:
    """Whether a single row or column of boxes is a frame around text, and not a row of several values."""
    if len(grid.xs) >= 3 and len(grid.ys) >= 3:
        return len(set(texts)) < 2
    return not (len(grid.xs) >= 4 and len(grid.ys) == 2 and len(texts) >= 3 and max(map(len, texts)) < 40)


def _is_drawing(rows: list[list[str]]) -> bool:
    """Whether a grid is rather a chart or a page frame: almost all of its places are empty, or one holds the page."""
    places = sum(len(row) for row in rows)
    filled = sum(bool(text) for row in rows for text in row)
    longest = max(len(text) for row in rows for text in row)
    return (filled * 12 < places and places > 24) or longest > 3000


def _in_column(
    elements: Sequence[Line | Table | Picture], areas: Sequence[Box]
) -> Iterator[tuple[Line | Table | Picture, tuple[float, float]]]:
    texts = [element for element in elements if isinstance(element, Line)]
    found, rest = find_aligned(texts, areas)
    ordered: list[Line | Table | Picture] = [
        *rest, *found, *(element for element in elements if not isinstance(element, Line))
    ]  # fmt: skip
    captioned = _captioned(ordered)
    ordered.sort(key=lambda element: captioned.get(id(element), (*box_of(element)[1::-1], 1)))
    if not rest:
        left = min((box_of(element)[0] for element in ordered), default=0.0)
        right = max((box_of(element)[2] for element in ordered), default=0.0)
    else:
        left, right = min(line.x0 for line in rest), max(line.x1 for line in rest)
    for element in ordered:
        yield element, (left, right)


def _captioned(elements: Sequence[Line | Table | Picture]) -> dict[int, tuple[float, float, int]]:
    """Captions above tables by id, with the place of the table, before which each belongs: tables may stand side by
    side."""
    found = {}
    for caption in elements:
        if not isinstance(caption, Line) or not CAPTION.match(caption.text):
            continue
        below = [
            each.box
            for each in elements
            if isinstance(each, Table) and -2 < each.box[1] - caption.bottom < 2.5 * caption.size
            and each.box[0] - 6 <= caption.x0 < each.box[2] and caption.x1 < each.box[2] + 6
        ]  # fmt: skip
        if below:
            found[id(caption)] = (below[0][1], below[0][0], 0)
    return found


def _columns(
    elements: list[Line | Table | Picture], areas: Sequence[Box], depth: int = 0
) -> Iterator[list[Line | Table | Picture]]:
    """The elements by column, in reading order: what reaches over a gutter divides the columns above and below it."""
    texts = [element for element in elements if isinstance(element, Line)]
    gutter = find_gutter(texts, [box_of(element) for element in elements]) if depth < 4 else None
    if gutter is None:
        if elements:
            yield elements
        return
    crossing = sorted((each for each in elements if _over(each, gutter, areas)), key=lambda each: box_of(each)[1])
    beside = [each for each in elements if not _over(each, gutter, areas)]
    bounds = [(box_of(each)[1] + box_of(each)[3]) / 2 for each in crossing]
    band = 0
    waiting: list[Line | Table | Picture] = []
    for place in range(len(crossing) + 1):
        upper = bounds[place - 1] if place else float("-inf")
        lower = bounds[place] if place < len(crossing) else float("inf")
        inside = [each for each in beside if upper <= (box_of(each)[1] + box_of(each)[3]) / 2 < lower]
        if inside:
            if waiting:
                yield waiting
                waiting = []
            band += 1
            left = [each for each in inside if (box_of(each)[0] + box_of(each)[2]) / 2 < gutter]
            right = [each for each in inside if (box_of(each)[0] + box_of(each)[2]) / 2 >= gutter]
            if _are_columns(left, right):
                yield from _columns(left, areas, depth + 1)
                yield from _columns(right, areas, depth + 1)
            else:
                yield inside
        if place < len(crossing):
            waiting.append(crossing[place])
    if waiting:
        yield waiting


def _are_columns(left: list[Line | Table | Picture], right: list[Line | Table | Picture]) -> bool:
    """Whether what stands beside each other in a band is read column by column: a single row is read across."""
    if not left or not right:
        return True
    tall = max(len({round(box_of(each)[3] / 4) for each in side}) for side in (left, right))
    return tall > 1


def _over(element: Line | Table | Picture, x: float, areas: Sequence[Box]) -> bool:
    """Whether an element reaches over `x`, or is part of a table between rules that does."""
    left, top, right, bottom = box_of(element)
    if left < x - 2 and right > x + 2:
        return True
    return any(area[0] < x - 2 and area[2] > x + 2 and area[1] <= (top + bottom) / 2 <= area[3] for area in areas)


# -- kept between runs ---------------------------------------------------------------------------------------------


def to_record(page: PageLayout) -> dict[str, Any]:
    """A page as JSON can hold it."""
    elements: list[list[Any]] = []
    for element, edges in zip(page.elements, page.edges, strict=True):
        if isinstance(element, Line):
            values: list[Any] = [
                "line", element.text, element.x0, element.x1, element.base, element.size,
                element.bold, element.italic, element.mono,
            ]  # fmt: skip
        elif isinstance(element, Table):
            values = ["table", element.rows, list(element.box), list(element.xs), element.ruled, element.size]
        else:
            values = ["picture", list(element.box), element.index]
        elements.append([*values, list(edges)])
    return {
        "number": page.number, "width": page.width, "height": page.height, "turned": page.turned,
        "unmapped": page.unmapped, "glyphs": page.glyphs, "note": page.note, "remarks": page.remarks,
        "elements": elements,
    }  # fmt: skip


def from_record(record: dict[str, Any]) -> PageLayout:
    """A page from `to_record`. Raises KeyError, TypeError or ValueError for anything else."""
    page = PageLayout(
        int(record["number"]), float(record["width"]), float(record["height"]),
        turned=int(record["turned"]), unmapped=int(record["unmapped"]), glyphs=int(record["glyphs"]),
        note=str(record["note"]), remarks=[str(each) for each in record["remarks"]],
    )  # fmt: skip
    for name, *values, edges in record["elements"]:
        if name == "line":
            page.elements.append(Line(*values))
        elif name == "table":
            rows, box, xs, ruled, size = values
            page.elements.append(Table(rows, tuple(box), tuple(xs), ruled, size))
        elif name == "picture":
            page.elements.append(Picture(tuple(values[0]), int(values[1])))
        else:
            raise ValueError(name)
        page.edges.append((float(edges[0]), float(edges[1])))
    return page
