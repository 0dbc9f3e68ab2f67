"""Tables that are drawn: a grid of rules, with merged cells, from what lies between the lines."""

from __future__ import annotations

from bisect import bisect_right
from collections.abc import Callable, Iterable
from dataclasses import dataclass, replace

from kb.memory.block import Box
from kb.memory.reading.pdf_lines import Line, join_texts, lines
from kb.memory.reading.pdf_page import Glyph

_SNAP = 3.0
_LONG = 4.0
_MAX_RULES = 1500


@dataclass(frozen=True, slots=True)
class Grid:
    """A drawn table: the positions of its lines, and for each place (row, column) the number of its cell."""

    xs: tuple[float, ...]
    ys: tuple[float, ...]
    cells: tuple[tuple[int, ...], ...]

    @property
    def box(self) -> Box:
        """The outer frame."""
        return self.xs[0], self.ys[0], self.xs[-1], self.ys[-1]


@dataclass(slots=True)
class _Rule:
    """A line: `at` across, from `start` to `end` along."""

    at: float
    start: float
    end: float


def split_rules(rules: Iterable[Box]) -> tuple[list[_Rule], list[_Rule]]:
    """Horizontal and vertical lines, each joined where pieces of one line touch."""
    across = [_Rule((top + bottom) / 2, x0, x1) for x0, top, x1, bottom in rules if x1 - x0 >= bottom - top]
    down = [_Rule((x0 + x1) / 2, top, bottom) for x0, top, x1, bottom in rules if x1 - x0 < bottom - top]
    return _joined(across), _joined(down)


def _joined(found: list[_Rule]) -> list[_Rule]:
    found.sort(key=lambda rule: rule.at)
    groups: list[list[_Rule]] = []
    for rule in found:
        if groups and rule.at - groups[-1][0].at <= _SNAP / 2:
            groups[-1].append(rule)
        else:
            groups.append([rule])
    joined: list[_Rule] = []
    for group in groups:
        at = sum(rule.at for rule in group) / len(group)
        group.sort(key=lambda rule: rule.start)
        run = _Rule(at, group[0].start, group[0].end)
        for rule in group[1:]:
            if rule.start <= run.end + _SNAP:
                run.end = max(run.end, rule.end)
            else:
                joined.append(run)
                run = _Rule(at, rule.start, rule.end)
        joined.append(run)
    return [rule for rule in joined if rule.end - rule.start >= _LONG]


def grids(rules: Iterable[Box]) -> list[Grid]:
    """The drawn tables of a page, those with at least two places."""
    across, down = split_rules(rules)
    if len(across) > _MAX_RULES or len(down) > _MAX_RULES:
        return []
    found = [_grid(*group) for group in _connected(across, down)]
    # The largest first: what a table took is not taken again by one inside of it.
    kept = [grid for grid in found if grid is not None]
    return sorted(kept, key=lambda grid: -(grid.xs[-1] - grid.xs[0]) * (grid.ys[-1] - grid.ys[0]))


def _connected(across: list[_Rule], down: list[_Rule]) -> list[tuple[list[_Rule], list[_Rule]]]:
    """Groups of lines that cross or touch."""
    parents = list(range(len(across) + len(down)))

    def root(index: int) -> int:
        while parents[index] != index:
            parents[index] = parents[parents[index]]
            index = parents[index]
        return index

    for i, level in enumerate(across):
        for j, upright in enumerate(down):
            if (
                level.start - _SNAP <= upright.at <= level.end + _SNAP
                and upright.start - _SNAP <= level.at <= upright.end + _SNAP
            ):
                parents[root(i)] = root(len(across) + j)
    groups: dict[int, tuple[list[_Rule], list[_Rule]]] = {}
    for i, rule in enumerate([*across, *down]):
        group = groups.setdefault(root(i), ([], []))
        group[0 if i < len(across) else 1].append(rule)
    return [group for group in groups.values() if group[0] and group[1]]


def _positions(values: Iterable[float]) -> list[float]:
    kept: list[float] = []
    for value in sorted(values):
        if not kept or value - kept[-1] > _SNAP:
            kept.append(value)
    return kept


def _grid(across: list[_Rule], down: list[_Rule]) -> Grid | None:
    xs = _positions(rule.at for rule in down)
    ys = _positions(rule.at for rule in across)
    # A table that is open at the sides, or at its end: the lines reach further than the last one across them.
    xs = _positions([*xs, *_beyond(xs, [(rule.start, rule.end) for rule in across])])
    ys = _positions([*ys, *_beyond(ys, [(rule.start, rule.end) for rule in down])])
    if len(xs) < 2 or len(ys) < 2 or (len(xs) - 1) * (len(ys) - 1) < 2 or len(xs) > 80:
        return None
    walls = _covers(down, xs)
    floors = _covers(across, ys)
    width, height = len(xs) - 1, len(ys) - 1
    cell = [[row * width + column for column in range(width)] for row in range(height)]

    def merge(old: int, new: int) -> None:
        for row in cell:
            for column, value in enumerate(row):
                if value == old:
                    row[column] = new

    for row in range(height):
        for column in range(width):
            middle_x, middle_y = (xs[column] + xs[column + 1]) / 2, (ys[row] + ys[row + 1]) / 2
            if column + 1 < width and not walls(column + 1, middle_y) and cell[row][column] != cell[row][column + 1]:
                merge(cell[row][column + 1], cell[row][column])
            if row + 1 < height and not floors(row + 1, middle_x) and cell[row][column] != cell[row + 1][column]:
                merge(cell[row + 1][column], cell[row][column])
    return _tidy(xs, ys, cell)


def _tidy(xs: list[float], ys: list[float], cell: list[list[int]]) -> Grid | None:
    """Without rows and columns that are all one with their neighbour."""
    rows = [row for row in range(len(cell)) if row == 0 or cell[row] != cell[row - 1]]
    turned = [list(column) for column in zip(*cell, strict=True)]
    columns = [column for column in range(len(turned)) if column == 0 or turned[column] != turned[column - 1]]
    if len(rows) * len(columns) < 2 or len({value for row in cell for value in row}) < 2:
        return None
    return Grid(
        (*(xs[column] for column in columns), xs[-1]),
        (*(ys[row] for row in rows), ys[-1]),
        tuple(tuple(cell[row][column] for column in columns) for row in rows),
    )


def _beyond(positions: list[float], reaches: list[tuple[float, float]]) -> list[float]:
    """Where most lines begin or end outside of the outermost of `positions`."""
    if not positions:
        return []
    found = []
    starts = [start for start, _ in reaches if start < positions[0] - 8]
    ends = [end for _, end in reaches if end > positions[-1] + 8]
    if len(starts) * 2 > len(reaches):
        found.append(min(starts))
    if len(ends) * 2 > len(reaches):
        found.append(max(ends))
    return found


def _covers(rules: list[_Rule], positions: list[float]) -> Callable[[int, float], bool]:
    """Whether a rule at `positions[index]` covers a point along it."""
    by_place: dict[int, list[_Rule]] = {}
    for rule in rules:
        nearest = min(range(len(positions)), key=lambda index: abs(positions[index] - rule.at))
        if abs(positions[nearest] - rule.at) <= _SNAP:
            by_place.setdefault(nearest, []).append(rule)

    def covered(index: int, along: float) -> bool:
        return any(rule.start - 1 <= along <= rule.end + 1 for rule in by_place.get(index, ()))

    return covered


def fill(grid: Grid, glyphs: Iterable[Glyph]) -> tuple[list[list[str]], list[Glyph]]:
    """The text of each place (a merged cell's in every place it covers), and the glyphs that lie outside."""
    by_cell: dict[int, list[Glyph]] = {}
    outside: list[Glyph] = []
    for glyph in glyphs:
        row = bisect_right(grid.ys, glyph.base - 0.35 * glyph.style.size) - 1
        column = bisect_right(grid.xs, (glyph.x0 + glyph.x1) / 2) - 1
        if 0 <= row < len(grid.cells) and 0 <= column < len(grid.cells[0]):
            by_cell.setdefault(grid.cells[row][column], []).append(glyph)
        else:
            outside.append(glyph)
    in_cells = {number: lines(inside) for number, inside in by_cell.items()}
    if _is_layout(in_cells.values()):
        return [], list(glyphs)
    rows: list[list[str]] = []
    for numbers in grid.cells:
        rows.extend(_divided([in_cells.get(number, []) for number in numbers], _shared(grid, numbers)))
    return rows, outside


def _shared(grid: Grid, numbers: tuple[int, ...]) -> bool:
    """Whether a cell of this row reaches into another row."""
    return any(row is not numbers and set(row) & set(numbers) for row in grid.cells)


def _is_layout(cells: Iterable[list[Line]]) -> bool:
    """Whether the lines only divide the page: much of what stands in their places are pieces side by side, as in a
    table of its own."""
    rows = beside = most = 0
    for cell in cells:
        groups = _by_base(cell)
        here = sum(len(group) > 1 for group in groups)
        rows += len(groups)
        beside += here
        most = max(most, here)
    return beside > 0.3 * rows or most >= 4


def _divided(cells: list[list[Line]], shared: bool) -> list[list[str]]:
    """One row, or several where a drawn row holds values that stand side by side: many tables have no line between
    their rows, or one after every fifth."""
    groups = [_by_base(cell) for cell in cells]
    filled = [column for column in groups if column]
    most = max(map(len, filled), default=0)
    if shared or len(filled) < 2 or most < 2:
        return [[cell_text(cell) for cell in cells]]
    longest = [column for column in filled if len(column) == most]
    bases = [group[0].base for group in longest[0]]
    groups = _spread(groups, bases, groups.index(longest[0]))
    level = all(any(abs(group[0].base - base) < 3 for base in bases) for column in groups for group in column)
    # Lines of one long text stand at equal heights too; values are short and most of them are numbers.
    values = [cell_text(group) for column in longest for group in column]
    data = sum(any(char.isdigit() for char in value) and len(value) < 24 for value in values)
    if len(longest) < 2 or not level or data * 10 < len(values) * 6:
        return [[cell_text(cell) for cell in cells]]
    return [
        [cell_text([line for group in column if abs(group[0].base - base) < 3 for line in group]) for column in groups]
        for base in bases
    ]


def _spread(columns: list[list[list[Line]]], bases: list[float], first: int) -> list[list[list[Line]]]:
    """Columns of a drawn row with a value that stands in the middle of all its rows, and so is said of each, in each.

    Where the middle is a row itself, only what stands before the `first` column of as many values is taken for such.
    """
    middle = sum(bases) / len(bases)
    found = []
    for place, column in enumerate(columns):
        lone = len(column) == 1 and abs(column[0][0].base - middle) < 3
        if lone and (place < first or all(abs(middle - base) >= 3 for base in bases)):
            column = [[replace(line, base=base) for line in column[0]] for base in bases]
        found.append(column)
    return found


def _by_base(found: list[Line]) -> list[list[Line]]:
    groups: list[list[Line]] = []
    for line in sorted(found, key=lambda each: each.base):
        if groups and line.base - groups[-1][0].base < 0.5 * line.size:
            groups[-1].append(line)
        else:
            groups.append([line])
    return groups


def cell_text(found: Iterable[Line]) -> str:
    """The lines of a cell as one text."""
    text = ""
    for group in _by_base(list(found)):
        for place, line in enumerate(sorted(group, key=lambda each: each.x0)):
            text = f"{text} {line.text}" if place else join_texts(text, line.text)
    return text.strip()
