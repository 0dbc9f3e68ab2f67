"""The white between two columns of running text."""

from __future__ import annotations

from collections import Counter
from collections.abc import Sequence
from statistics import median

from kb.memory.block import Box
from kb.memory.reading.pdf_aligned import Row, join_row, rows_of
from kb.memory.reading.pdf_lines import Line, is_prose

# How many full lines each side of a gutter needs, and how full a line of text is.
_LINES = 4
_FULL = 0.55
_CROSSING = 0.35
# A word space of a justified line, in units of the size, and the share of rows that begin a piece where a column does.
_WORD_SPACE = 2.5
_COLUMN = 0.2
_BUCKET = 4.0
# How far the widths of two columns differ at most where one of them has only a few lines.
_UNEVEN = 0.15


def find_gutter(lines: Sequence[Line], boxes: Sequence[Box]) -> float | None:
    """The middle of the white between two columns that `lines` stand in, or None; `boxes` are those of everything on
    the page, tables and pictures too."""
    if len(lines) < 2 * _LINES:
        return None
    left, right = min(line.x0 for line in lines), max(line.x1 for line in lines)
    width = right - left
    size = median(line.size for line in lines)
    if width < 16 * size:
        return None
    rows = rows_of(lines)
    for low, high in _runs(boxes, left, right, width):
        middle = (low + high) / 2
        if _divides(rows, middle, size):
            return middle
    return None


def _justified(rows: Sequence[Row]) -> list[Row]:
    """Rows with the pieces joined that only the wide word spaces of a justified line separate.

    In a table, and at the next column, pieces of many rows begin at one place.
    """
    places = Counter(place for row in rows for place in {_place(line) for line in row[1:]})
    common = {place for place, count in places.items() if count >= max(3, _COLUMN * len(rows))}
    found: list[Row] = []
    for row in rows:
        joined = row[:1]
        for line in row[1:]:
            near = line.x0 - joined[-1].x1 < _WORD_SPACE * line.size
            words = all(any(map(str.isalpha, each.text)) for each in (joined[-1], line))
            if near and words and _place(line) not in common:
                joined[-1] = join_row([joined[-1], line])
            else:
                joined.append(line)
        found.append(joined)
    return found


def _place(line: Line) -> int:
    return round(line.x0 / _BUCKET)


def _runs(boxes: Sequence[Box], left: float, right: float, width: float) -> list[tuple[float, float]]:
    """Stretches of x that few boxes cross, the widest of the least crossed first."""
    runs: list[tuple[float, float, float]] = []
    x = left + 0.12 * width
    while x < right - 0.12 * width:
        crossing = sum(box[0] < x - 2 and box[2] > x + 2 for box in boxes)
        if crossing <= max(2, _CROSSING * len(boxes)):
            if runs and runs[-1][0] == crossing and x - runs[-1][2] <= 2.01:
                runs[-1] = (crossing, runs[-1][1], x)
            else:
                runs.append((crossing, x, x))
        x += 2.0
    runs.sort(key=lambda run: (run[0], run[1] - run[2]))
    return [(low, high) for _, low, high in runs[:12]]


def _divides(rows: Sequence[Row], x: float, size: float) -> bool:
    """Whether the rows left and right of `x` are two columns of running text."""
    sides = (
        [part for row in rows if (part := [line for line in row if line.x1 <= x + 2])],
        [part for row in rows if (part := [line for line in row if line.x0 >= x - 2])],
    )
    crossing = sum(any(line.x0 < x - 2 and line.x1 > x + 2 for line in row) for row in rows)
    if crossing > _CROSSING * len(rows) + 2:
        return False
    tops, bottoms, widths, counts = [], [], [], []
    for pieces in sides:
        if not pieces:
            return False
        side = _justified(pieces)
        wide = _usual_width(side)
        full = [row for row in side if all(line.x1 - line.x0 > _FULL * wide and is_prose(line.text) for line in row)]
        if wide < 7 * size or len(full) < max(2, 0.5 * len(side)):
            return False
        tops.append(min(row[0].top for row in full))
        bottoms.append(max(row[0].bottom for row in full))
        widths.append(wide)
        counts.append(len(full))
    if min(counts) < _LINES:
        # The last lines of a text, beside a column as wide as theirs that nothing crosses.
        even = abs(widths[0] - widths[1]) < _UNEVEN * max(widths)
        return even and not crossing and max(counts) >= 2 * _LINES
    shared = min(bottoms) - max(tops)
    return shared > 0.3 * min(bottoms[0] - tops[0], bottoms[1] - tops[1])


def _usual_width(side: Sequence[Row]) -> float:
    """The width of a full line."""
    widths = sorted(line.x1 - line.x0 for row in side for line in row)
    return widths[int(0.85 * (len(widths) - 1))]
