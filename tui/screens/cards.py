"""Knowledge cards: all of them by area, and what one says, with the documents that it rests on."""

from __future__ import annotations

import datetime
from collections.abc import Callable
from dataclasses import dataclass
from itertools import groupby

from textual import on
from textual.content import Content
from textual.message import Message
from textual.widgets.option_list import Option

from kb.answer.runtime import Runtime
from kb.supply.card import Card, CardStatus
from kb.supply.store import read_cards
from kb.texts import text
from tui.flow import breaks
from tui.screens.lists import ListScreen
from tui.widgets.bars import HeaderBar
from tui.words import fit, line


@dataclass
class CardsRead(Message):
    """The cards of the knowledge."""

    cards: tuple[Card, ...]


def read(runtime: Runtime, post: Callable[[Message], object]) -> None:
    """Read them in a background thread."""
    post(CardsRead(tuple(sorted(read_cards(runtime.root).cards, key=lambda card: (card.area, card.path)))))


class CardsScreen(ListScreen):
    """Areas as headings, cards under them; Enter opens one."""

    title_key = "cards"

    def __init__(self) -> None:
        super().__init__()
        self._cards: tuple[Card, ...] | None = None
        self._rows: dict[int, Card] = {}

    @property
    def waits(self) -> bool:
        """While they are read."""
        return self._cards is None

    def on_mount(self) -> None:
        """Read them."""
        runtime = self.almanac.runtime
        self.in_background(lambda: read(runtime, self.post_message), "cards")

    @on(CardsRead)
    def cards_read(self, event: CardsRead) -> None:
        """Show them."""
        self._cards = event.cards
        self.refresh_texts()

    def fill(self) -> None:
        """Title and conclusion; what is not handed out says why."""
        words, today = self.words, datetime.date.today()
        self._rows = {}
        self.say_empty(words("cards_none"))
        taxonomy = self.almanac.catalog.taxonomy
        for area, found in groupby(self._cards or (), key=lambda card: card.area):
            self.heading(line(taxonomy.label(area, words.lang)))
            for card in found:
                self._rows[self.listed.option_count] = card
                mark = "" if card.status is CardStatus.ACTIVE else text(words.lang, f"card_state_{card.status}")
                mark = words("mark_expired") if not mark and card.expired_on(today) else mark
                said = f"{line(card.title)}  ! {mark}" if mark else line(card.title)
                conclusion = fit(f"  {line(card.conclusion)}", self.room)
                self.listed.add_option(Option(Content.assemble(fit(said, self.room), "\n", (conclusion, "$muted"))))

    def choose(self, number: int) -> None:
        """Open the card."""
        card = self._rows.get(number)
        if card is not None:
            self.app.push_screen(CardScreen(card))


class CardScreen(ListScreen):
    """What a card says; the documents that it rests on can be opened."""

    title_key = "cards"

    def __init__(self, card: Card) -> None:
        super().__init__()
        self._card = card
        self._paths: dict[int, str] = {}

    def relabel(self) -> None:
        """The card's title in the header."""
        super().relabel()
        if self.is_mounted:
            state = text(self.words.lang, f"card_state_{self._card.status}")
            self.query_one("#header", HeaderBar).show([line(self._card.title)], [state])
            # The first entry that can be chosen stands last; what the card says comes first.
            self.call_after_refresh(self.listed.scroll_home, animate=False)

    def fill(self) -> None:
        """Conclusion, when it applies, what to do and not to do, what it rests on."""
        card, words = self._card, self.words
        self._paths = {}
        self._part("", (card.conclusion,))
        self._part("when", (*card.applicable.scene, *card.applicable.signals))
        self._part("do", card.do)
        self._part("dont", card.dont)
        self.heading(words("card_evidence"))
        self._say(card.evidence.source, "  ")
        for link in card.evidence.links:
            path = link.partition("#")[0]
            title = self.almanac.catalog.title(path)
            if title is None:
                self._say(link, "  ")
            else:
                self._paths[self.listed.option_count] = path
                self.listed.add_option(Option(Content.assemble(("  › ", "bold $primary"), fit(line(title), self.room))))
        self.say("")
        facts = words("card_facts", owner=card.owner, until=card.valid_until, version=card.version)
        self._say(facts, "", "$muted")

    def _part(self, key: str, entries: tuple[str, ...]) -> None:
        if key and entries:
            self.heading(self.words(f"card_{key}"))
        for entry in entries:
            self._say(entry, "  - " if key else "")
        self.say("")

    def _say(self, said: str, lead: str, style: str = "$foreground") -> None:
        """`said` in as many lines as it needs, hanging under its beginning."""
        whole = line(said)
        rows = [whole[start:end] for start, end in breaks(whole, self.room - len(lead))]
        self.say("\n".join([lead + rows[0], *(" " * len(lead) + row for row in rows[1:])]), style)

    def choose(self, number: int) -> None:
        """Open the document."""
        path = self._paths.get(number)
        if path is not None:
            self.almanac.open_document(path)
