"""Earlier questions of this session; choosing one shows its answer again."""

from __future__ import annotations

from rich.cells import cell_len
from textual.content import Content
from textual.widgets.option_list import Option

from tui.screens.lists import ListScreen
from tui.session import Exchange
from tui.words import fit, line, pad

# With so many cells for the question what became of it stands beside it, else below.
_WITH_STATE = 40


class EarlierScreen(ListScreen):
    """The newest first."""

    title_key = "earlier"
    choose_key = "key_show"

    @property
    def _exchanges(self) -> list[Exchange]:
        return list(reversed(self.almanac.session.exchanges))

    def fill(self) -> None:
        """Time, question, how it went."""
        self.say_empty(self.words("no_questions"))
        for exchange in self._exchanges:
            state = "running" if exchange.running else exchange.phase.value
            said, room = self.words(f"state_{state}"), self.room - len("00:00  ")
            if room - cell_len(said) >= _WITH_STATE:
                question = pad(line(exchange.question), room - cell_len(said) - 2)
                end = f"  {said}"
            else:
                question, end = fit(line(exchange.question), room), f"\n       {said}"
            self.listed.add_option(
                Option(Content.assemble((f"{exchange.asked:%H:%M}  ", "$muted"), question, (end, "$muted")))
            )

    def choose(self, number: int) -> None:
        """Show it on the ask screen."""
        exchange = self._exchanges[number]
        self.almanac.action_ask()
        self.almanac.ask_screen().show_exchange(exchange.number)
