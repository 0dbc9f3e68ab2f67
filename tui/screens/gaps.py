"""What was asked and the documents do not answer, the most asked first: what owners write next."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass

from rich.cells import cell_len
from textual import on
from textual.content import Content
from textual.message import Message
from textual.widgets.option_list import Option

from kb.answer.journal import Gap
from kb.answer.runtime import Runtime
from tui.screens.lists import ListScreen
from tui.words import fit, line, pad

# With so many cells for the question how often it was asked stands beside it, else below.
_WITH_COUNT = 30


@dataclass
class GapsRead(Message):
    """The questions without an answer."""

    gaps: tuple[Gap, ...]


def read(runtime: Runtime, post: Callable[[Message], object]) -> None:
    """Read them in a background thread."""
    post(GapsRead(tuple(runtime.journal.gaps())))


class GapsScreen(ListScreen):
    """Enter asks a question again: a document may answer it by now."""

    title_key = "gaps"
    choose_key = "key_ask"

    def __init__(self) -> None:
        super().__init__()
        self._gaps: tuple[Gap, ...] | None = None

    @property
    def waits(self) -> bool:
        """While they are read."""
        return self._gaps is None

    def on_mount(self) -> None:
        """Read them."""
        runtime = self.almanac.runtime
        self.in_background(lambda: read(runtime, self.post_message), "gaps")

    @on(GapsRead)
    def gaps_read(self, event: GapsRead) -> None:
        """Show them."""
        self._gaps = event.gaps
        self.refresh_texts()

    def fill(self) -> None:
        """Question, how often, when last."""
        words = self.words
        self.say_empty(words("gaps_none"))
        for gap in self._gaps or ():
            said = words("gaps_asked", count=gap.count, date=gap.last[:10])
            room = self.room - cell_len(said) - 2
            asked = line(gap.question)
            shown = f"{pad(asked, room)}  " if room >= _WITH_COUNT else f"{fit(asked, self.room)}\n  "
            self.listed.add_option(Option(Content.assemble(shown, (said, "$muted"))))

    def choose(self, number: int) -> None:
        """Ask it again."""
        gaps = self._gaps or ()
        if number < len(gaps):
            self.almanac.action_ask()
            self.almanac.ask_screen().ask(line(gaps[number].question))
