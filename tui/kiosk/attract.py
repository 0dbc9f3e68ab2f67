"""The screen of a kiosk that nobody stands at: the name, big, and questions that the documents answer."""

from __future__ import annotations

from textual.app import ComposeResult
from textual.containers import Vertical
from textual.content import Content
from textual.widgets import Static

from tui.kiosk.big import big
from tui.screens.base import AlmanacScreen
from tui.starters import Starter, starters
from tui.widgets.bars import Hint
from tui.words import fit, line

TURN_S = 12.0
_MOST = 6


class Example(Static):
    """A question that can be touched."""

    def __init__(self) -> None:
        super().__init__("", markup=False, classes="example")
        self.starter: Starter | None = None

    def show(self, starter: Starter | None, width: int, *, named: bool) -> None:
        """The question bold; with `named` its domain above it."""
        self.starter = starter
        self.display = starter is not None
        if starter is not None:
            domain = f"{fit(line(starter.domain), width)}\n" if named else ""
            self.update(Content.assemble((domain, "$secondary"), (fit(line(starter.question), width), "bold")))


class AttractScreen(AlmanacScreen):
    """Any key or touch leads to the ask screen (the application sees to that); the questions change slowly."""

    def __init__(self) -> None:
        super().__init__()
        self._turn = 0

    def compose(self) -> ComposeResult:
        """Name, questions, what to do."""
        with Vertical(id="attract"):
            yield Static("", id="name", markup=False)
            with Vertical(id="examples"):
                for _ in range(_MOST):
                    yield Example()
            yield Static("", id="touch", markup=False)

    def on_mount(self) -> None:
        """Other questions from time to time."""
        self.set_interval(TURN_S, self._next)

    def _next(self) -> None:
        self._turn += 1
        self.refresh_texts()

    def relabel(self) -> None:
        """As many questions as there is room for, one a domain first."""
        if not self.is_mounted:
            return
        width, height = self.app.size
        self.query_one("#name", Static).update(self._heading(width))
        # Each takes three rows; name and hint take six or more, on a low screen four.
        room = max(1, min(_MOST, (height - (5 if height < 18 else 11)) // 3))
        found = starters(self.almanac.catalog, self.almanac.lang, room, self._turn)
        before = ""
        for place, example in enumerate(self.query(Example)):
            starter = found[place] if place < len(found) else None
            example.show(starter, max(width - 8, 10), named=starter is not None and starter.domain != before)
            before = starter.domain if starter else ""
        short = "_short" if width < 60 else ""
        note = self.almanac.console_note()
        hint = Content.styled(self.words(f"attract_hint{short}"), "bold $primary")
        self.query_one("#touch", Static).update(
            Content("\n").join([hint, Content.styled(note, "$warning")]) if note and height >= 18 else hint
        )

    def _heading(self, width: int) -> Content:
        """Big where the terminal has blocks; else letters with room between them."""
        if self.words.plain or width < 40:
            return Content.styled("A L M A N A C", "bold $primary")
        return Content.styled("\n".join(big("almanac", width - 4, tall=self.app.size.height >= 32)), "$primary")

    def example_at(self, x: int, y: int) -> Starter | None:
        """The question at this place of the screen."""
        return next((shown.starter for shown in self.query(Example) if shown.region.contains(x, y)), None)

    def hints(self) -> list[Hint]:
        """None: there is nothing to learn."""
        return []

    def action_back(self) -> None:
        """Nowhere to go back to."""

    def on_resize(self) -> None:
        """Laid out for the size."""
        self.call_after_refresh(self.refresh_texts)
