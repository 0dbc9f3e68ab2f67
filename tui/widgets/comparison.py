"""Two versions side by side, or one above the other where there is no room."""

from __future__ import annotations

from rich.cells import cell_len
from textual.content import Content
from textual.geometry import Size
from textual.widget import Widget

from tui.comparing import Kind, Number, Row
from tui.widgets.flow import rows_of
from tui.words import Words, line, shown

# What is left of 80 columns beside padding and scroll bar.
_BESIDE = 70
_SIGNS = {Kind.CHANGED: ("~", "~"), Kind.REMOVED: ("-", " "), Kind.ADDED: (" ", "+"), Kind.SAME: (" ", " ")}
_STYLES = {Kind.CHANGED: ("$error", "$success"), Kind.REMOVED: ("$error", ""), Kind.ADDED: ("", "$success")}


class Comparison(Widget):
    """The numbers that differ, then the rows that differ. Signs tell what colours tell: ~ changed, - gone, + new."""

    def __init__(self, id: str | None = None) -> None:
        super().__init__(id=id)
        self._rows: tuple[Row, ...] = ()
        self._numbers: tuple[Number, ...] = ()
        self._names = ("", "")
        self._words: Words | None = None

    def show(self, rows: tuple[Row, ...], numbers: tuple[Number, ...], names: tuple[str, str], words: Words) -> None:
        """Show the difference between the versions `names` (older, newer)."""
        self._rows, self._numbers, self._names, self._words = rows, numbers, names, words
        self.refresh(layout=True)

    def get_content_height(self, container: Size, viewport: Size, width: int) -> int:
        """As many rows as the text needs at this width."""
        return len(self._lines(width))

    def render(self) -> Content:
        """The rows."""
        return Content("\n").join(self._lines(self.content_size.width))

    def _lines(self, width: int) -> list[Content]:
        words = self._words
        if words is None or width < 8:
            return []
        lines: list[Content] = []
        if self._numbers:
            lines.append(Content.styled(words("compare_numbers"), "bold $primary"))
            for number in self._numbers:
                lines += self._number(number, width, words)
            lines.append(Content(""))
        if not self._rows:
            return [*lines, *rows_of(Content(words("compare_equal")), width)]
        return [*lines, *(self._beside(width, words) if width >= _BESIDE else self._above(width, words))]

    def _number(self, number: Number, width: int, words: Words) -> list[Content]:
        arrow = "->" if words.plain else "→"
        head = f"  {line(number.old) or '-'} {arrow} {line(number.new) or '-'}"
        where = Content.styled(line(number.where), "$muted")
        if cell_len(head) > width - 24:
            return [*rows_of(Content.styled(head, "bold"), width), *rows_of(where, width, "    ")]
        rows = rows_of(where, width, head + "   ")
        return [Content.assemble((rows[0].plain[: len(head)], "bold"), rows[0][len(head) :]), *rows[1:]]

    def _beside(self, width: int, words: Words) -> list[Content]:
        bar = "|" if words.plain else "│"
        half = (width - 3) // 2
        lines = [
            self._joined(Content.styled(self._names[0], "bold"), Content.styled(self._names[1], "bold"), half, bar)
        ]
        for row in self._rows:
            if row.kind is Kind.GAP:
                lines.append(Content.styled(words("compare_gap", count=row.count), "$muted"))
                continue
            left, right = (self._cell(row, side, half) for side in (0, 1))
            for place in range(max(len(left), len(right))):
                pair = [cells[place] if place < len(cells) else Content("") for cells in (left, right)]
                lines.append(self._joined(pair[0], pair[1], half, bar))
        return lines

    @staticmethod
    def _joined(left: Content, right: Content, half: int, bar: str) -> Content:
        left = left.truncate(half)
        return Content.assemble(
            left, " " * max(half - left.cell_length, 0), (f" {bar} ", "$hairline"), right.truncate(half)
        )

    @staticmethod
    def _cell(row: Row, side: int, width: int) -> list[Content]:
        text = shown((row.old, row.new)[side])
        style = _STYLES.get(row.kind, ("", ""))[side] or ("$muted" if row.kind is Kind.SAME else "")
        return rows_of(Content.styled(text, style) if style else Content(text), width, _SIGNS[row.kind][side] + " ")

    def _above(self, width: int, words: Words) -> list[Content]:
        lines = [
            *rows_of(Content.styled(words("compare_older", version=self._names[0]), "bold"), width),
            *rows_of(Content.styled(words("compare_newer", version=self._names[1]), "bold"), width),
        ]
        for row in self._rows:
            if row.kind is Kind.GAP:
                lines.append(Content.styled(words("compare_gap", count=row.count), "$muted"))
            elif row.kind is Kind.SAME:
                lines += rows_of(Content.styled(shown(row.new), "$muted"), width, "  ")
            else:
                # A changed line is told as what goes and what comes: there is no second column to look at.
                if row.kind in (Kind.CHANGED, Kind.REMOVED):
                    lines += rows_of(Content.styled(shown(row.old), "$error"), width, "- ")
                if row.kind in (Kind.CHANGED, Kind.ADDED):
                    lines += rows_of(Content.styled(shown(row.new), "$success"), width, "+ ")
        return lines
