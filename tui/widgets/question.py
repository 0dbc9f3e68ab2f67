"""The line where questions are typed."""

from __future__ import annotations

from typing import ClassVar

from textual import events
from textual.binding import Binding, BindingType
from textual.message import Message
from textual.widgets import Input

from tui.words import line

LONGEST = 4000


class QuestionInput(Input):
    """An input whose `/` on an empty line asks for the document search, and arrows move a list."""

    BINDINGS: ClassVar[list[BindingType]] = [
        Binding("up", "step(-1)", show=False),
        Binding("down", "step(1)", show=False),
        Binding("pageup", "step(-10)", show=False),
        Binding("pagedown", "step(10)", show=False),
    ]

    class Search(Message):
        """`/` was typed into the empty line."""

    class Fold(Message):
        """Left or right was pressed on the empty line."""

        def __init__(self, unfold: bool) -> None:
            super().__init__()
            self.unfold = unfold

    class Step(Message):
        """An arrow was pressed: move the list by `by`."""

        def __init__(self, by: int) -> None:
            super().__init__()
            self.by = by

    def __init__(self, *, slash: bool = True, id: str | None = None) -> None:
        super().__init__(max_length=LONGEST, select_on_focus=False, compact=True, id=id)
        self._slash = slash

    def action_step(self, by: int) -> None:
        """Tell the screen."""
        self.post_message(self.Step(by))

    async def _on_key(self, event: events.Key) -> None:
        if self._slash and event.character == "/" and not self.value:
            event.stop()
            event.prevent_default()
            self.post_message(self.Search())
            return
        if event.key in ("left", "right") and not self.value:
            event.stop()
            event.prevent_default()
            self.post_message(self.Fold(event.key == "right"))
            return
        await super()._on_key(event)

    def _on_paste(self, event: events.Paste) -> None:
        """Pasted lines become one line without control characters."""
        event.prevent_default()
        event.stop()
        pasted = line(event.text)[:LONGEST]
        if pasted:
            self.replace(pasted, *self.selection)
