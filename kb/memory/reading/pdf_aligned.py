"""Tables without lines: rows whose pieces stand in the same columns, separated by white space."""

from __future__ import annotations

import itertools
import re
from collections.abc import Sequence
from dataclasses import dataclass
from statistics import median

from kb.memory.block import Box
from kb.memory.reading.marks import CAPTION, ENDS_SENTENCE, LONE_MARK
from kb.memory.reading.pdf_lines import Line, is_cjk, is_prose, join_texts

_ROWS = 3
# A column boundary may be crossed by this share of a table's rows (a title over several columns).
_CROSSED = 0.12
_MIN_GAP = 0.5
_LONG_LINE = 45  # letters; a Chinese one counts double
_DATA = re.compile(r"\d|^[-–—/×√✓xX]$|^[A-Z]{1,4}$")


@dataclass(slots=True)
class Table:
    """A table where it stands on the page; `xs` are the left edges of its columns."""

    rows: list[list[str]]
    box: Box
    xs: tuple[float, ...]
    ruled: bool = True
    size: float = 0.0
    """The size in points that its text is set in."""


Row = list[Line]


def rows_of(lines: Sequence[Line]) -> list[Row]:
    """Lines that stand beside each other, from top to bottom."""
    rows: list[Row] = []
    for line in sorted(lines, key=lambda each: each.base):
        if rows and line.base - rows[-1][0].base < 0.45 * min(line.size, rows[-1][0].size):
            rows[-1].append(line)
        else:
            rows.append([line])
    for row in rows:
        row.sort(key=lambda each: each.x0)
    return rows


def join_row(row: Row) -> Line:
    """The pieces of a row as one line."""
    first = max(row, key=lambda each: each.x1 - each.x0)
    text = row[0].text
    for left, right in itertools.pairwise(row):
        # A justified line has wide spaces; Chinese ones have none to widen.
        text = f"{text} {right.text}" if right.x0 - left.x1 > 0.2 * first.size else text + right.text
    return Line(
        text, row[0].x0, max(each.x1 for each in row), first.base, first.size,
        all(each.bold for each in row), all(each.italic for each in row), all(each.mono for each in row),
    )  # fmt: skip


def join_marks(row: Row) -> Row:
    """A row with the mark of a list item or heading joined to the text behind it."""
    if len(row) >= 2 and LONE_MARK.match(row[0].text) and row[1].x0 - row[0].x1 < 4.5 * row[1].size:
        wide = row[1].x1 - row[1].x0
        if len(row) == 2 or wide > 12 * row[1].size:
            return [join_row(row[:2]), *row[2:]]
    return row


def find_aligned(lines: Sequence[Line], within: Sequence[Box] = ()) -> tuple[list[Table], list[Line]]:
    """The tables among the lines of one column, and the other lines, each row joined to one.

    `within` are areas between parallel rules, where fewer rows make a table.
    """
    rows = [join_marks(row) for row in rows_of(lines)]
    tables: list[Table] = []
    rest: list[Line] = []
    index = 0
    while index < len(rows):
        end = _run_end(rows, index, within)
        table = _table(rows[index:end], _needed(rows[index], within)) if end - index >= 2 else None
        if table is not None:
            tables.append(table)
            index = end
        else:
            rest += _apart(rows[index])
            index += 1
    return tables, rest


def _apart(row: Row) -> list[Line]:
    """A row that is none of a table as one line; captions of what stands side by side stay apart."""
    if len(row) > 1 and all(CAPTION.match(line.text) for line in row):
        return row
    return [join_row(row)]


def _needed(row: Row, within: Sequence[Box]) -> int:
    return 2 if _area(row, within) else _ROWS


def _area(row: Row, within: Sequence[Box]) -> Box | None:
    middle = row[0].base - 0.3 * row[0].size
    for box in within:
        if box[1] <= middle <= box[3] and row[0].x0 > box[0] - 20 and row[-1].x1 < box[2] + 20:
            return box
    return None


def _run_end(rows: list[Row], start: int, within: Sequence[Box]) -> int:
    """Where the rows that could be one table from `start` on end: rows of several pieces, with the second lines of
    their cells between them."""
    if len(rows[start]) < 2:
        return start
    area = _area(rows[start], within)
    end = start + 1
    last_multi = start
    while end < len(rows):
        row = rows[end]
        distance = row[0].base - rows[end - 1][0].base
        if area is not None and _area(row, within) != area and not _goes_on(rows[end - 2 : end + 1]):
            break
        if distance > 4.5 * row[0].size or not 0.6 < row[0].size / rows[start][0].size < 1.6:
            break
        if len(row) >= 2:
            last_multi = end
        elif not _titles(rows, end, last_multi) and (
            end - last_multi > 3 or distance > 1.75 * row[0].size or _crosses(row[0], rows[last_multi])
        ):
            break
        end += 1
    end = last_multi + 1
    while end < len(rows) and _continues(rows[end], rows[end - 1], rows[last_multi]):
        end += 1
    return end


def _goes_on(rows: list[Row]) -> bool:
    """Whether the last of three rows is one more of a table, outside of its lines or backgrounds: as far away, with as
    many pieces at the same places."""
    if len(rows) < 3 or min(map(len, rows)) < 2:
        return False
    gaps = [lower[0].base - upper[0].base for upper, lower in itertools.pairwise(rows)]
    return max(gaps) < 1.1 * min(gaps) and _level(rows[1:])


def _titles(rows: list[Row], place: int, multi: int) -> bool:
    """Whether a single piece is the title of a group of rows: at the left edge, as far from its neighbours as rows
    are from each other, above a row whose pieces stand where those of row `multi` do."""
    if place + 1 >= len(rows) or place - multi > 1 or len(rows[place + 1]) < 2:
        return False
    title, above, below = rows[place][0], rows[multi], rows[place + 1]
    gaps = (title.base - above[0].base, below[0].base - title.base)
    if max(gaps) > min(1.25 * min(gaps), 2.5 * title.size) or title.x0 > min(above[0].x0, below[0].x0) + 2:
        return False
    if _crosses(title, above) and not title.bold:
        return False
    agree = sum(
        any(abs(a - b) < 3 for upper in above[1:] for a, b in zip(_edges(upper), _edges(piece), strict=True))
        for piece in below[1:]
    )
    return agree >= 2 and agree * 2 > len(below) - 1


def _edges(line: Line) -> tuple[float, float, float]:
    """Where a piece begins, ends and has its middle."""
    return line.x0, line.x1, (line.x0 + line.x1) / 2


def _continues(row: Row, above: Row, multi: Row) -> bool:
    """Whether a single piece below the last row of several is the second line of one of them, not of the first."""
    near = row[0].base - above[0].base <= 1.75 * row[0].size
    return len(row) == 1 and near and any(abs(row[0].x0 - piece.x0) < 2 for piece in multi[1:])


def _crosses(line: Line, row: Row) -> bool:
    """Whether `line` reaches over the gap between two pieces of `row`, and is not the second line of one of them."""
    return all(abs(line.x0 - piece.x0) > 2 for piece in row[1:]) and any(
        line.x0 < left.x1 - 2 and line.x1 > right.x0 + 2 for left, right in itertools.pairwise(row)
    )


def _table(rows: list[Row], needed: int) -> Table | None:
    several = [row for row in rows if len(row) >= 2]
    bounds = _columns(several) if len(several) >= 2 else []
    # Two rows are enough where several columns agree.
    if len(bounds) < 2 or (len(several) < needed and not (len(bounds) >= 4 and _level(several))):
        return None
    placed = [_placed(row, bounds) for row in rows]
    if not _convincing(several, placed, bounds, needed):
        return None
    cells = _merged(rows, placed)
    box = (
        min(row[0].x0 for row in rows), rows[0][0].top,
        max(line.x1 for row in rows for line in row), rows[-1][0].bottom,
    )  # fmt: skip
    size = median(line.size for row in rows for line in row)
    return Table(cells, box, tuple(left for left, _ in bounds), ruled=False, size=size)


def _level(rows: list[Row]) -> bool:
    """Whether two rows have as many pieces and these begin at the same places."""
    return len(rows[0]) == len(rows[1]) and all(
        abs(upper.x0 - lower.x0) < 4 for upper, lower in zip(rows[0], rows[1], strict=True)
    )


def _columns(rows: list[Row]) -> list[tuple[float, float]]:
    """The columns, as (left, right): between them runs white that hardly a row crosses."""
    left = min(row[0].x0 for row in rows)
    right = max(line.x1 for row in rows for line in row)
    steps = int(right - left) + 2
    covered = [0] * steps
    for row in rows:
        for line in row:
            for x in range(max(0, int(line.x0 - left)), min(steps, int(line.x1 - left) + 1)):
                covered[x] += 1
    allowed = int(_CROSSED * len(rows))
    gap = _MIN_GAP * median(line.size for row in rows for line in row)
    bounds: list[tuple[float, float]] = []
    start: int | None = None
    empty = 0
    for x in range(steps):
        if covered[x] > allowed:
            if start is None:
                start = x
            elif empty >= gap:
                bounds.append((left + start, left + x - empty))
                start = x
            empty = 0
        elif start is not None:
            empty += 1
    if start is not None:
        bounds.append((left + start, right))
    return bounds


def _placed(row: Row, bounds: list[tuple[float, float]]) -> list[list[Line]]:
    """The pieces of a row by column; one that spans several goes where it begins."""
    cells: list[list[Line]] = [[] for _ in bounds]
    for line in row:
        shares = [min(line.x1, right) - max(line.x0, left) for left, right in bounds]
        best = max(range(len(bounds)), key=lambda column: (shares[column] > 0, shares[column], -column))
        cells[best].append(line)
    return cells


def _convincing(
    several: list[Row], placed: list[list[list[Line]]], bounds: list[tuple[float, float]], needed: int
) -> bool:
    """Whether this is a table and not a few lines of text with wide gaps: pieces begin, end or are centred at the
    same place, and hardly any is a piece of running prose."""
    aligned = total = prose = 0
    for column, (left, right) in enumerate(bounds):
        cells = [cell[0] for cell in (row[column] for row in placed) if cell]
        if len(cells) < 2:
            continue
        for values in zip(*map(_edges, cells), strict=True):
            middle = median(values)
            if sum(abs(value - middle) < 4 for value in values) * 2 > len(values):
                aligned += 1
                break
        total += 1
        prose += sum(_runs_on(line, left, right) for line in cells) * 2 > len(cells)
    pieces = sum(len(row) for row in several)
    # Two columns of sentences are text; a table has short cells.
    sentences = sum(len(line.text) > 60 for row in several for line in row)
    if total < 2 or aligned * 2 <= total or prose > 1 or sentences * 3 > pieces:
        return False
    if len(bounds) == 2:
        # Two pieces in a row can be a name and its value, or a heading and a date: some more must agree.
        data = sum(
            bool(_DATA.search(line.text)) or ":" in line.text or "：" in line.text for row in several for line in row
        )
        open_ended = sum(bool(ENDS_SENTENCE.search(row[0].text)) for row in several)
        return len(several) >= needed and (data * 4 >= pieces or open_ended * 2 < len(several))
    return True


def _runs_on(line: Line, left: float, right: float) -> bool:
    """Whether a piece is a line of running text: a long one that fills its column, or several words that reach both
    its edges, as justified lines do."""
    wide = line.x1 - line.x0
    if wide > 0.9 * (right - left) and sum(1 + is_cjk(char) for char in line.text) > _LONG_LINE:
        return True
    flush = abs(line.x0 - left) < 2 and abs(line.x1 - right) < 2
    return flush and is_prose(line.text) and (line.text.count(" ") >= 2 or is_cjk(line.text[-1]))


def _merged(rows: list[Row], placed: list[list[list[Line]]]) -> list[list[str]]:
    """The cells' text; a row that continues the cells of the one above is taken into it."""
    distances = [below[0].base - above[0].base for above, below in itertools.pairwise(rows)]
    between = [distance for distance, row in zip(distances, placed[1:], strict=True) if row[0]]
    usual = median(between) if between else 0.0
    widths = [
        max((line.x1 - line.x0 for row in placed for line in row[column]), default=0.0)
        for column in range(len(placed[0]))
    ]
    cells: list[list[str]] = []
    filled_before = 0
    for place, row in enumerate(placed):
        texts = [" ".join(line.text for line in cell) for cell in row]
        filled = sum(bool(text) for text in texts)
        # A second line stands closer than the next row does, or below a line that fills its column.
        near = place > 0 and distances[place - 1] <= 1.75 * rows[place][0].size
        closer = near and distances[place - 1] < 0.9 * usual
        below = near and filled == 1 and _fills(placed[place - 1], row, widths)
        if place > 1 and not texts[0] and filled < max(filled_before, 2) and (closer or below):
            cells[-1] = [join_texts(above, text) for above, text in zip(cells[-1], texts, strict=True)]
        else:
            cells.append(texts)
            filled_before = filled
    return cells


def _fills(above: list[list[Line]], row: list[list[Line]], widths: list[float]) -> bool:
    """Whether the line above the only piece of `row` fills its column."""
    column = next(place for place, cell in enumerate(row) if cell)
    return any(line.x1 - line.x0 > 0.8 * widths[column] for line in above[column])


def rule_areas(across: Sequence[tuple[float, float, float]]) -> list[Box]:
    """Areas between parallel rules of the same length, given as (y, x0, x1): how tables with only horizontal lines are
    drawn."""
    areas: list[Box] = []
    used: set[int] = set()
    ordered = sorted(across)
    for place, (y, x0, x1) in enumerate(ordered):
        if place in used or x1 - x0 < 60:
            continue
        group = [place]
        for other in range(place + 1, len(ordered)):
            if abs(ordered[other][1] - x0) < 6 and abs(ordered[other][2] - x1) < 6 and other not in used:
                group.append(other)
        if len(group) >= 3:
            used.update(group)
            areas.append((x0, y, x1, ordered[group[-1]][0]))
    return areas
