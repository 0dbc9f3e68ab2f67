"""A text that breaks its lines well in both languages and keeps a hanging indent."""

from __future__ import annotations

from collections.abc import Sequence

from rich.cells import cell_len
from textual.content import Content
from textual.geometry import Size
from textual.widget import Widget

from tui.flow import breaks

Lead = str | Content
"""What stands before the first row of a text."""


def rows_of(content: Content, width: int, lead: Lead = "") -> list[Content]:
    """`content` in rows of `width` cells; the first begins with `lead`, the others as far to the right."""
    hang = cell_len(lead if isinstance(lead, str) else lead.plain)
    rows: list[Content] = []
    for number, (start, end) in enumerate(breaks(content.plain, max(width - hang, 4))):
        rows.append(Content.assemble(lead if number == 0 else " " * hang, content[start:end]))
    return rows


class _Flow(Widget):
    """A widget whose content changes its height."""

    def _changed(self) -> None:
        """Lay out anew. Textual counts requests once until it is idle: the height of a layout in between would stay."""
        self._layout_updates += 1
        self.refresh(layout=True)


class FlowText(_Flow):
    """Shows a content; `lead` stands before its first row."""

    def __init__(
        self,
        content: Content | None = None,
        lead: str = "",
        *,
        id: str | None = None,
        classes: str | None = None,
    ) -> None:
        super().__init__(id=id, classes=classes)
        self._content = content or Content("")
        self._lead = lead

    @property
    def content(self) -> Content:
        """What is shown."""
        return self._content

    def update(self, content: Content, lead: str = "") -> None:
        """Show something else."""
        if content.plain != self._content.plain or content.spans != self._content.spans or lead != self._lead:
            self._content, self._lead = content, lead
            self._changed()

    def get_content_width(self, container: Size, viewport: Size) -> int:
        """The longest line, when there is room for it."""
        longest = max((cell_len(row) for row in self._content.plain.split("\n")), default=0)
        return min(longest + cell_len(self._lead), container.width)

    def get_content_height(self, container: Size, viewport: Size, width: int) -> int:
        """As many rows as the text needs at this width."""
        return len(rows_of(self._content, width, self._lead)) if self._content.plain else 0

    def render(self) -> Content:
        """The rows."""
        return Content("\n").join(rows_of(self._content, self.content_size.width, self._lead))


class FlowLines(_Flow):
    """Several contents below each other, each with a lead of its own, hanging as far to the right when it wraps."""

    def __init__(self, *, id: str | None = None) -> None:
        super().__init__(id=id)
        self._lines: Sequence[tuple[Lead, Content]] = ()

    def update(self, lines: Sequence[tuple[Lead, Content]]) -> None:
        """Show (lead, content) pairs."""
        self._lines = lines
        self._changed()

    def _rows(self, width: int) -> list[Content]:
        return [row for lead, content in self._lines for row in rows_of(content, width, lead)]

    def get_content_width(self, container: Size, viewport: Size) -> int:
        """All there is."""
        return container.width

    def get_content_height(self, container: Size, viewport: Size, width: int) -> int:
        """As many rows as the lines need at this width."""
        return len(self._rows(width))

    def render(self) -> Content:
        """The rows."""
        return Content("\n").join(self._rows(self.content_size.width))
