"""The quiet lines at the edges: header, key line and progress."""

from __future__ import annotations

from dataclasses import dataclass

from rich.cells import cell_len
from textual import events
from textual.content import Content
from textual.widget import Widget
from textual.widgets import Static

from tui.session import Pace
from tui.words import Words, fit

_GAP = 3  # cells between two hints


@dataclass(frozen=True, slots=True)
class Hint:
    """A key with what it does; `action` runs when the hint is clicked. Hints that do not fit are left out.

    One that is `kept` stays where there is room for few: the way to all the others.
    """

    key: str
    label: str
    action: str
    kept: bool = False

    @property
    def size(self) -> int:
        """Its width in cells."""
        return cell_len(self.key) + 1 + cell_len(self.label)


class HeaderBar(Widget):
    """One line: what this is on the left, what there is on the right; the right gives way first."""

    def __init__(self, id: str | None = None) -> None:
        super().__init__(id=id)
        self._left: list[str] = []
        self._right: list[str] = []
        self._dot = " · "

    def show(self, left: list[str], right: list[str], dot: str = " · ") -> None:
        """`left[0]` is the name; the parts after it, and those on the right, are dropped from the end."""
        self._left, self._right, self._dot = left, right, dot
        self.refresh()

    def render(self) -> Content:
        """The line at the current width."""
        width = self.content_size.width
        left, right = list(self._left), list(self._right)
        while len(left) + len(right) > 1 and self._width(left, right) > width:
            # The first to go is the date of the version, then what is least needed on the right.
            if len(left) > 2:
                left.pop()
            elif len(right) > 1:
                right.pop(0)
            elif len(left) > 1:
                left.pop()
            else:
                right.pop()
        name = fit(left[0], width) if left else ""
        facts = self._dot.join(left[1:])
        end = self._dot.join(right)
        gap = width - self._width(left, right) + 2
        return Content.assemble(
            (name, "bold $primary"),
            (f"  {facts}" if facts else "", "$muted"),
            " " * max(gap, 0),
            (end, "$muted"),
        )

    def _width(self, left: list[str], right: list[str]) -> int:
        facts = self._dot.join(left[1:])
        used = cell_len(left[0] if left else "") + (2 + cell_len(facts) if facts else 0)
        return used + 2 + cell_len(self._dot.join(right))


class KeyLine(Widget):
    """The keys that matter here, each one clickable."""

    def __init__(self, id: str | None = None) -> None:
        super().__init__(id=id)
        self._hints: list[Hint] = []
        self._places: list[tuple[int, int, str]] = []

    def show(self, hints: list[Hint]) -> None:
        """Show these, the most needed first."""
        self._hints = hints
        self.refresh()

    def render(self) -> Content:
        """The hints that fit."""
        parts: list[Content] = []
        self._places = []
        used = 0
        for hint in fitting(self._hints, self.content_size.width):
            gap = _GAP if used else 0
            parts.append(Content.assemble(" " * gap, (hint.key, "bold"), " ", (hint.label, "$muted")))
            self._places.append((used + gap, used + gap + hint.size, hint.action))
            used += gap + hint.size
        return Content("").join(parts)

    async def on_click(self, event: events.Click) -> None:
        """Do what the clicked hint says."""
        event.stop()
        x = event.x - self.gutter.left
        for start, end, action in self._places:
            if start <= x < end:
                await self.app.run_action(action, self.screen)


def fitting(hints: list[Hint], width: int) -> list[Hint]:
    """Of `hints`, the most needed first, those that fit into `width` cells, in their order; kept ones before others."""
    chosen: list[Hint] = []
    for hint in sorted(hints, key=lambda hint: not hint.kept):
        if sum(one.size + _GAP for one in chosen) + hint.size <= width:
            chosen.append(hint)
    return [hint for hint in hints if hint in chosen]


class ProgressLine(Static):
    """What long work is being done, how far, how long still; not there when there is none."""

    def __init__(self, id: str | None = None) -> None:
        super().__init__("", markup=False, id=id)
        self.display = False

    def show(self, pace: Pace | None, words: Words, now: float) -> None:
        """Show the progress, or nothing."""
        self.display = pace is not None
        if pace is None:
            return
        seconds = pace.left(now)
        left = ""
        if seconds is not None and seconds < 90:
            left = words("left_seconds", count=max(1, round(seconds)))
        elif seconds is not None:
            left = words("left_minutes", count=round(seconds / 60))
        what = words(f"progress_{pace.phase}")
        self.update(
            Content.styled(words("progress_line", what=what, percent=pace.percent, left=left).rstrip(), "$muted")
        )


class Rule(Static):
    """A thin line across."""

    def __init__(self, classes: str | None = None) -> None:
        super().__init__("", markup=False, classes=classes)
