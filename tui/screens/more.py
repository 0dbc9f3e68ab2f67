"""More: every other screen and setting, each one key away."""

from __future__ import annotations

from dataclasses import dataclass

from rich.cells import cell_len
from textual import events
from textual.content import Content
from textual.widgets.option_list import Option

from tui.screens.lists import ListScreen
from tui.words import pad


@dataclass(frozen=True, slots=True)
class Item:
    """A key, the text that names it, the application's action, and the key that works everywhere."""

    key: str
    text: str
    action: str
    everywhere: str = ""
    stays: bool = False


ITEMS = (
    Item("a", "more_ask", "ask"),
    Item("d", "more_documents", "documents", "F2"),
    Item("t", "more_agent", "agent"),
    Item("e", "more_earlier", "earlier", "F4"),
    Item("w", "more_changes", "changes", "F5"),
    Item("v", "more_calendar", "calendar"),
    Item("b", "more_restore", "restore"),
    Item("m", "more_memory", "memory"),
    Item("r", "more_review", "memory_review"),
    Item("g", "more_gaps", "gaps"),
    Item("k", "more_cards", "cards"),
    Item("o", "more_inbox", "inbox"),
    Item("f", "more_metrics", "metrics"),
    Item("i", "more_info", "info", "F6"),
    Item("s", "more_doctor", "doctor"),
    Item("c", "more_theme", "next_theme", "F8", stays=True),
    Item("l", "more_language", "language", "F9", stays=True),
    Item("h", "more_help", "help", "F1"),
    Item("q", "more_quit", "leave", "Ctrl+Q"),
)


# What changes something: replacing the knowledge, deciding about cards and memory.
_CHANGING = ("restore", "inbox", "memory_review")
# What is not for everybody who comes by: the way out, and what others asked.
_PRIVATE = ("leave", "gaps")


class MoreScreen(ListScreen):
    """The list under F10."""

    title_key = "more"

    @property
    def items(self) -> tuple[Item, ...]:
        """The items; a kiosk cannot be left, its knowledge not be replaced, and it tells nobody what others asked."""
        left_out = (
            *(_CHANGING if self.read_only else ()),
            *(_PRIVATE if self.almanac.kiosk else ()),
            *(("doctor",) if self.almanac.examine is None else ()),
        )
        return tuple(item for item in ITEMS if item.action not in left_out)

    def fill(self) -> None:
        """One line an item."""
        theme = self.words(f"theme_{self.app.theme}")
        names = {item: self.words(item.text, theme=theme) for item in self.items}
        longest = max(map(len, (item.everywhere for item in names)))
        column = min(max(map(cell_len, names.values())), self.room - longest - 5)
        for item, name in names.items():
            key = (f"{item.key}  ", "bold $primary")
            self.listed.add_option(Option(Content.assemble(key, pad(name, column), (f"  {item.everywhere}", "$muted"))))

    def choose(self, number: int) -> None:
        """Do it."""
        self._do(self.items[number])

    def on_key(self, event: events.Key) -> None:
        """The letter of an item does it."""
        for item in self.items:
            if event.character == item.key:
                event.stop()
                self._do(item)
                return

    def _do(self, item: Item) -> None:
        if self.app.screen is not self:
            return  # closed by the key before
        if not item.stays:
            self.dismiss(None)
        self.app.call_later(self.app.run_action, f"app.{item.action}")
