"""Forms in which a table says less than it could: pairs of columns side by side, and no head at all."""

from __future__ import annotations

from collections.abc import Sequence

from kb.memory.extract.mentions import mentions
from kb.memory.extract.values import measures
from kb.memory.extract.written import Written

Row = tuple[list[Written], Written]
"""The cells of a row, and the row as a whole."""


def unfolded(rows: list[Row]) -> list[Row]:
    """Rows whose columns repeat (Item, Value, Item, Value), one below the other; the first row is the head.

    A table of label and value pairs without a head, as forms have it, gets an empty one.
    """
    head = [cell.plain for cell in rows[0][0]]
    if width := _repeated(head):
        return [(rows[0][0][:width], rows[0][1]), *_stacked(rows[1:], width)]
    if _states_values(rows):
        blank = rows[0][0][0].part(0, 0)
        return [([blank, blank], rows[0][1]), *_stacked(rows, 2)]
    return rows


def _repeated(head: Sequence[str]) -> int:
    """After how many columns the head begins again; 0 when it does not."""
    for width in range(2, len(head) // 2 + 1):
        if len(head) % width == 0 and all(head[:width]) and list(head) == list(head[:width]) * (len(head) // width):
            return width
    return 0


def _stacked(rows: Sequence[Row], width: int) -> list[Row]:
    parts = range(0, len(rows[0][0]), width)
    return [(cells[first : first + width], whole) for first in parts for cells, whole in rows]


def _states_values(rows: Sequence[Row]) -> bool:
    """Whether the first row already holds a value beside each label, and no label of any row is a value."""
    columns = len(rows[0][0])
    if columns % 2:
        return False
    labels = [cells[place].plain for cells, _ in rows for place in range(0, columns, 2)]
    stated = [rows[0][0][place].plain for place in range(1, columns, 2)]
    return (
        all(cells[0].plain for cells, _ in rows)
        and not any(map(_is_value, labels))
        and all(stated)
        and any(map(_is_value, stated))
    )


def _is_value(cell: str) -> bool:
    """Whether a cell is a quantity with its unit, or a model's code, and nothing beside it."""
    found = measures(cell)
    if len(found) == 1 and found[0].kind and found[0].end - found[0].start >= len(cell) - 1:
        return True
    named = mentions(cell)
    return len(named) == 1 and len(named[0].name) == len(cell) and any(map(str.isdigit, cell))
