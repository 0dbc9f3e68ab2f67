"""Typesetting for the made PDF documents: columns, page ends, tables, notes; and what a reader should find of it."""

from __future__ import annotations

from manual_words import Truth
from pdf_writer import PdfPage, text_width, wrapped, write_pdf

LEFT, RIGHT, TOP, BOTTOM = 64.0, 531.0, 84.0, 760.0
LEADING = 1.45


class Setter:
    """Sets text on pages as a word processor does: columns, page ends, headers and footers."""

    def __init__(self, truth: Truth, header: str = "", footer: str = "", columns: int = 1, size: float = 10.0) -> None:
        self.truth, self.header, self.footer, self.columns, self.size = truth, header, footer, columns, size
        self.pages: list[PdfPage] = []
        self.notes: list[str] = []
        self.column = 0
        self.y = TOP
        self.top = TOP
        self.new_page()

    @property
    def page(self) -> PdfPage:
        """The page being set."""
        return self.pages[-1]

    @property
    def left(self) -> float:
        """The left edge of the column."""
        return LEFT + self.column * (self.width + 21)

    @property
    def width(self) -> float:
        """The width of a column."""
        return (RIGHT - LEFT - 21 * (self.columns - 1)) / self.columns

    def new_page(self) -> None:
        """Begin a page."""
        self._draw_notes()
        self.pages.append(PdfPage())
        self.column, self.y, self.top = 0, TOP, TOP
        if self.header:
            self.page.text(LEFT, 50, self.header, 8)
            self.page.line(LEFT, 55, RIGHT, 55, 0.4)
        if self.footer:
            number = self.footer.format(len(self.pages))
            self.page.text((LEFT + RIGHT - text_width(number, 8)) / 2, 806, number, 8)
            self.truth.absent.append(number)

    def _draw_notes(self) -> None:
        if not self.pages or not self.notes:
            return
        lines = [line for note in self.notes for line in wrapped(note, RIGHT - LEFT, 8)]
        y = 795 - 11 * len(lines)
        self.page.line(LEFT, y - 9, LEFT + 140, y - 9, 0.5)
        for line in lines:
            self.page.text(LEFT, y + 4, line, 8)
            y += 11
        self.notes = []

    def room(self, height: float) -> None:
        """Go to the next column or page where less than `height` is left."""
        if self.y + height <= BOTTOM - 12 * len(self.notes):
            return
        if self.column + 1 < self.columns:
            self.column += 1
            self.y = self.top
        else:
            self.new_page()

    def heading(self, text: str, level: int) -> None:
        """A heading over the column."""
        size = {1: 18.0, 2: 14.0, 3: 12.0}[level]
        self.room(3 * size + 20)
        self.y += size * 1.3 if self.y > self.top else 0
        for line in wrapped(text, self.width, size, True):
            self.page.text(self.left, self.y, line, size, True)
            self.y += size * 1.3
        self.y += 4
        self.truth.headings.append((level, text))
        self.truth.order.append(text)

    def paragraph(self, text: str, indent: bool = False, hang: float = 0.0, note: str = "") -> None:
        """A paragraph; `note` is the mark of a footnote raised behind it."""
        lines = wrapped(text, self.width - hang, self.size, first_indent=2 * self.size if indent else 0)
        for place, line in enumerate(lines):
            self.room(self.size * LEADING)
            start = self.left + hang + (2 * self.size if indent and not place else 0)
            end = self.page.text(start, self.y, line, self.size)
            if note and place + 1 == len(lines):
                self.page.text(end, self.y - 0.35 * self.size, note, 0.6 * self.size)
            self.y += self.size * LEADING
        self.y += 0.55 * self.size
        self.truth.order.append(text)

    def item(self, mark: str, text: str) -> None:
        """A list item with its mark hanging."""
        lines = wrapped(text, self.width - 18, self.size)
        for place, line in enumerate(lines):
            self.room(self.size * LEADING)
            if not place:
                self.page.text(self.left, self.y, mark, self.size)
            self.page.text(self.left + 18, self.y, line, self.size)
            self.y += self.size * LEADING
        self.y += 3
        self.truth.order.append(text)

    def footnote(self, mark: str, text: str) -> None:
        """A note at the page's lower end."""
        self.notes.append(f"{mark} {text}")
        self.truth.footnotes.append(text)

    def table(self, rows: list[list[str]], widths: list[float], rules: str = "grid", caption: str = "") -> None:
        """A table; `rules`: grid, lines (above and below header and at the end), none. Over a page's end its header is
        repeated; the truth holds it once."""
        if caption:
            self.room(60)
            self.page.text(self.left, self.y, caption, self.size - 1, True)
            self.y += 6
            self.truth.order.append(caption)
        total = sum(widths)
        scale = self.width / total
        xs = [self.left + sum(widths[:place]) * scale for place in range(len(widths) + 1)]
        start = self.y
        self._rule(xs, self.y, rules, "first")
        for number, row in enumerate(rows):
            cells = [wrapped(cell, xs[place + 1] - xs[place] - 10, self.size - 1) for place, cell in enumerate(row)]
            height = max(map(len, cells), default=1) * (self.size - 1) * 1.3 + 7
            if self.y + height > BOTTOM:
                self._verticals(xs, start, rules)
                self._rule(xs, self.y, rules, "last")
                offset = xs[0] - self.left
                self.new_page() if self.column + 1 >= self.columns else self.room(10_000)
                xs = [x - xs[0] + self.left + offset for x in xs]
                start = self.y
                self._rule(xs, self.y, rules, "first")
                if number:
                    head = [
                        wrapped(cell, xs[place + 1] - xs[place] - 10, self.size - 1, True)
                        for place, cell in enumerate(rows[0])
                    ]
                    self._row(xs, head, max(map(len, head)) * (self.size - 1) * 1.3 + 7, True, rules)
            self._row(xs, cells, height, number == 0, rules)
        self._verticals(xs, start, rules)
        self._rule(xs, self.y, rules, "last")
        self.y += 2 * self.size
        self.truth.tables.append(rows)

    def _row(self, xs: list[float], cells: list[list[str]], height: float, head: bool, rules: str) -> None:
        for place, lines in enumerate(cells):
            for line_number, line in enumerate(lines):
                y = self.y + (self.size - 1) * (1.25 + 1.3 * line_number)
                self.page.text(xs[place] + 5, y, line, self.size - 1, head)
        self.y += height
        self._rule(xs, self.y, rules, "head" if head else "row")

    def _rule(self, xs: list[float], y: float, rules: str, where: str) -> None:
        if rules == "grid" or (rules == "lines" and where != "row"):
            self.page.line(xs[0], y, xs[-1], y, 0.6 if where == "row" else 1.0)

    def _verticals(self, xs: list[float], start: float, rules: str) -> None:
        if rules == "grid":
            for x in xs:
                self.page.line(x, start, x, self.y, 0.6)

    def data(self) -> bytes:
        """The finished PDF."""
        if self.header and len(self.pages) > 1:
            # On a single page nothing tells a running header from a line of text.
            self.truth.absent.append(self.header)
        self._draw_notes()
        return write_pdf(self.pages)
