"""A table of a document: header and first column stay in place, the rest scrolls."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from itertools import pairwise
from typing import ClassVar

from rich.cells import cell_len
from rich.segment import Segment
from rich.style import Style as RichStyle
from rich.text import Text
from textual.binding import Binding, BindingType
from textual.geometry import Size
from textual.scroll_view import ScrollView
from textual.strip import Strip

from tui.flow import breaks
from tui.page import Piece, Row

_GAP = 2
_WIDEST = 28
_NARROWEST = 9
_HIGHEST = 16


@dataclass(frozen=True, slots=True)
class Line:
    """One line on the screen: the fixed part, the part that scrolls, the component class of its colours."""

    fixed: Text
    rest: Text
    style: str


class TablePiece(ScrollView, can_focus=True):
    """The rows of a table piece; cited rows are marked by a sign and stand out."""

    COMPONENT_CLASSES: ClassVar[set[str]] = {
        "table--header",
        "table--line",
        "table--odd",
        "table--even",
        "table--cited",
    }
    BINDINGS: ClassVar[list[BindingType]] = [
        Binding("left", "sideways(-8)", show=False),
        Binding("right", "sideways(8)", show=False),
    ]

    def __init__(self, piece: Piece, cited: Sequence[tuple[int, int]], plain: bool = False) -> None:
        super().__init__(classes="table")
        self.piece = piece
        self._cited = [any(first <= row.line <= last for first, last in cited) for row in piece.rows]
        self._front = [False] * len(piece.rows)
        self._plain = plain
        self._laid_out = 0
        self._fixed = 0
        self._lines: list[Line] = []
        self._starts: list[int] = []
        if any(self._cited):
            self.add_class("-cited")

    @property
    def header_lines(self) -> int:
        """Lines of the header with the rule under it."""
        return self._starts[1] if len(self._starts) > 1 else len(self._lines)

    def bring_forward(self, lines: tuple[int, int]) -> None:
        """Of the cited rows, those at `lines` get the sign of the place in front."""
        first, last = lines
        front = [cited and first <= row.line <= last for cited, row in zip(self._cited, self.piece.rows, strict=True)]
        if front != self._front:
            self._front = front
            width, self._laid_out = self._laid_out, 0
            self.lay_out(width)
            self.refresh()

    def _sign(self, number: int) -> str:
        """What stands before a row: two cells."""
        if not self._cited[number]:
            return "  "
        return (">>" if self._front[number] else "> ") if self._plain else ("▶ " if self._front[number] else "▷ ")

    def lay_out(self, width: int) -> None:
        """Lines for a widget of this width."""
        if width == self._laid_out or width < 4 or not self.piece.rows:
            return
        self._laid_out = width
        rows = self.piece.rows
        widths = column_widths(rows, width)
        widths[0] = min(widths[0], max(width * 2 // 5, 6))
        self._fixed = widths[0] + _GAP
        self._lines, self._starts = [], []
        tall = any(self._height(row, widths) > 1 for row in rows[1:])
        for number, row in enumerate(rows):
            self._starts.append(len(self._lines))
            style = "table--cited" if self._cited[number] else ("table--odd" if number % 2 else "table--even")
            self._lines += self._row(row, widths, "table--header" if number == 0 else style, self._sign(number))
            if number == 0 or (self._plain and tall):
                sign = "-" if self._plain else "─"
                rest = sum(widths[1:]) + _GAP * (len(widths) - 1)
                text = sign if number == 0 else " "
                self._lines.append(Line(Text(text * (self._fixed + 2)), Text(text * rest), "table--line"))
        self.virtual_size = Size(self._fixed + 2 + sum(widths[1:]) + _GAP * (len(widths) - 1), len(self._lines))

    @staticmethod
    def _height(row: Row, widths: Sequence[int]) -> int:
        return max(len(breaks(cell.plain, width)) for cell, width in zip(row.cells, widths, strict=False))

    def _row(self, row: Row, widths: Sequence[int], style: str, sign: str) -> list[Line]:
        columns: list[list[Text]] = []
        for number, width in enumerate(widths):
            cell = row.cells[number] if number < len(row.cells) else Text()
            columns.append([_slice(cell, start, end) for start, end in breaks(cell.plain, width)])
        lines: list[Line] = []
        for place in range(max(len(cells) for cells in columns)):
            padded: list[Text] = []
            for width, cells in zip(widths, columns, strict=True):
                cell = cells[place].copy() if place < len(cells) else Text()
                cell.append(" " * (width + _GAP - cell_len(cell.plain)))
                padded.append(cell)
            lead = sign if place == 0 else "  "
            lines.append(Line(Text.assemble(lead, padded[0], end=""), Text("", end="").join(padded[1:]), style))
        return lines

    def get_content_height(self, container: Size, viewport: Size, width: int) -> int:
        """All lines, or what fits comfortably."""
        highest = max(6, min(_HIGHEST, viewport.height - 8))
        self.lay_out(width)
        if len(self._lines) > highest:
            # The scrollbar takes a column.
            self.lay_out(width - 1)
        sideways = 1 if self.virtual_size.width > self._laid_out else 0
        return min(len(self._lines), highest) + sideways

    def render_line(self, y: int) -> Strip:
        """Header lines stand still; the first column too."""
        width = self.size.width
        self.lay_out(self.scrollable_content_region.width or width)
        across, down = int(self.scroll_offset.x), int(self.scroll_offset.y)
        number = y if y < self.header_lines else y + down
        if number >= len(self._lines):
            return Strip.blank(width, self.rich_style)
        line = self._lines[number]
        style = self.get_component_rich_style(line.style)
        fixed = _strip(line.fixed, style).adjust_cell_length(self._fixed + 2, style)
        rest = _strip(line.rest, style)
        room = max(width - self._fixed - 2, 0)
        shown = rest.crop(across, across + room).adjust_cell_length(room, style)
        return Strip([*fixed, *shown], width)

    def action_sideways(self, by: int) -> None:
        """Scroll the columns."""
        self.scroll_relative(x=by, animate=False)

    def line_of(self, lines: tuple[int, int]) -> int:
        """At which line of the table the first row in `lines` stands; 0 when none does."""
        self.lay_out(self.scrollable_content_region.width)
        for row, start in zip(self.piece.rows, self._starts, strict=False):
            if lines[0] <= row.line <= lines[1]:
                return start
        return 0

    def reveal(self, lines: tuple[int, int]) -> None:
        """Scroll the table itself so that the row in `lines` is in sight."""
        place = self.line_of(lines)
        self.scroll_to(y=max(0, place - self.header_lines - 2), animate=False)


def _slice(cell: Text, start: int, end: int) -> Text:
    part = cell[start:end]
    part.end = ""
    return part


def _strip(text: Text, style: RichStyle) -> Strip:
    """`text` on top of `style`."""
    segments: list[Segment] = []
    for start, end, inner in _runs(text):
        segments.append(Segment(text.plain[start:end], style + inner))
    return Strip(segments)


def _runs(text: Text) -> list[tuple[int, int, RichStyle]]:
    """Stretches of equal style."""
    edges = sorted({0, len(text.plain), *(edge for span in text.spans for edge in (span.start, span.end))})
    runs: list[tuple[int, int, RichStyle]] = []
    for start, end in pairwise(edges):
        if start >= len(text.plain):
            break
        styles = [
            span.style if isinstance(span.style, RichStyle) else RichStyle.parse(span.style)
            for span in text.spans
            if span.start <= start < span.end
        ]
        runs.append((start, end, RichStyle.combine(styles) if styles else RichStyle.null()))
    return runs


def column_widths(rows: Sequence[Row], room: int) -> list[int]:
    """Natural widths; columns are narrowed (and wrap) if the table then fits, else cut to _WIDEST."""
    columns = max(len(row.cells) for row in rows)
    natural = [
        max([2, *(_longest(row.cells[number]) for row in rows if number < len(row.cells))]) for number in range(columns)
    ]
    available = room - _GAP * columns - 2
    if sum(natural) <= available:
        return natural
    # Level the widest columns down until the table fits; below a readable width it scrolls sideways instead.
    level = max(natural)
    while level > _NARROWEST and sum(min(width, level) for width in natural) > available:
        level -= 1
    if level <= _NARROWEST:
        first = min(natural[0], _WIDEST, room * 2 // 5)
        widest = max(_NARROWEST, min(_WIDEST, room - first - 3 * _GAP))
        return [first, *(min(width, widest) for width in natural[1:])]
    widths = [min(width, level) for width in natural]
    spare = available - sum(widths)
    for number in range(columns):
        if spare > 0 and widths[number] < natural[number]:
            widths[number] += 1
            spare -= 1
    return widths


def _longest(cell: Text) -> int:
    return max(cell_len(part) for part in cell.plain.split("\n"))
