"""A screen that is one list: title, entries to choose from, keys."""

from __future__ import annotations

from textual import on
from textual.app import ComposeResult
from textual.content import Content
from textual.widgets import OptionList, Static
from textual.widgets.option_list import Option

from tui.screens.base import AlmanacScreen
from tui.widgets.bars import HeaderBar, Hint, KeyLine, Rule
from tui.widgets.listing import Listing


class ListScreen(AlmanacScreen):
    """Subclasses say the `title`, fill the list in `fill` and answer `choose`."""

    AUTO_FOCUS = "#list"
    title_key = ""
    choose_key = "key_open"

    def compose(self) -> ComposeResult:
        """Title, list, a line for when it is empty, keys."""
        yield HeaderBar(id="header")
        yield Rule(classes="upper")
        yield Listing(id="list")
        yield Static("", id="empty", markup=False)
        yield Rule(classes="lower")
        yield KeyLine(id="keys")

    @property
    def listed(self) -> OptionList:
        """The list."""
        return self.query_one("#list", OptionList)

    def relabel(self) -> None:
        """Title and entries in the current language, the highlighted one kept."""
        if not self.is_mounted:
            return
        self.query_one("#header", HeaderBar).show([self.words(self.title_key)], [])
        kept = self.listed.highlighted
        self.listed.clear_options()
        self.fill()
        if self.waits:
            self.say_empty(self.missing())
        count = self.listed.option_count
        if count and (kept is not None or not self.listed.get_option_at_index(0).disabled):
            self.listed.highlighted = min(kept or 0, count - 1)
        elif count:
            self.listed.action_first()
        self.listed.display = count > 0
        self.query_one("#empty").display = count == 0
        super().relabel()

    def fill(self) -> None:
        """Add the options."""

    def heading(self, said: str) -> None:
        """Add a heading: it cannot be chosen."""
        self.say(said, "bold $primary")

    def say(self, said: str, style: str = "") -> None:
        """Add a line that cannot be chosen."""
        self.listed.add_option(Option(Content.styled(said, style), disabled=True))

    @property
    def room(self) -> int:
        """How many cells an entry has."""
        return max(self.app.size.width - 8, 24)

    def choose(self, number: int) -> None:
        """An entry was chosen."""

    def say_empty(self, said: str) -> None:
        """What stands in place of an empty list."""
        self.query_one("#empty", Static).update(Content.styled(said, "$muted"))

    @on(OptionList.OptionSelected, "#list")
    def selected(self, event: OptionList.OptionSelected) -> None:
        """Enter or click."""
        event.stop()
        self.choose(event.option_index)

    def action_choose(self) -> None:
        """As Enter."""
        self.listed.action_select()

    def hints(self) -> list[Hint]:
        """What can be done with the chosen entry, where there is one; back."""
        chosen = self.entry_hints() if self.is_mounted and self.listed.option_count else []
        return [*chosen, Hint("Esc", self.words("key_back"), "screen.back", kept=True), *self.common_hints()]

    def entry_hints(self) -> list[Hint]:
        """The keys that act on the chosen entry."""
        return [Hint("Enter", self.words(self.choose_key), "screen.choose")]
