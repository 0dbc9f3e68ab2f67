"""The few decisions that need people: three queues, and what can be done with a card."""

from __future__ import annotations

from typing import ClassVar

from textual import on
from textual.binding import Binding, BindingType
from textual.content import Content
from textual.widgets.option_list import Option

from kb.supply.inbox import ARCHIVE, RENEW, Waiting
from kb.texts import text
from tui import messages, work
from tui.screens.lists import ListScreen
from tui.widgets.bars import Hint
from tui.words import fit, line


class InboxScreen(ListScreen):
    """Queues as headings, cards under them; Enter opens what a card rests on."""

    title_key = "inbox"
    BINDINGS: ClassVar[list[BindingType]] = [
        Binding("r", "renew", show=False),
        Binding("a", "archive", show=False),
    ]

    def __init__(self) -> None:
        super().__init__()
        self._waiting: tuple[Waiting, ...] | None = None
        self._rows: dict[int, Waiting] = {}
        self._deciding = False

    @property
    def waits(self) -> bool:
        """While they are looked for."""
        return self._waiting is None

    def on_mount(self) -> None:
        """Look in the background."""
        self._look()

    def _look(self) -> None:
        runtime = self.almanac.runtime
        self.in_background(lambda: work.read_workbench(runtime, self.post_message), "inbox")

    @on(messages.WorkbenchRead)
    def workbench_read(self, event: messages.WorkbenchRead) -> None:
        """Show what waits."""
        self._waiting, self._deciding = event.look.waiting, False
        self.refresh_texts()

    @on(messages.CardDecided)
    def card_decided(self, event: messages.CardDecided) -> None:
        """Say so, and look again."""
        key = "inbox_renewd" if event.decision == RENEW else "inbox_archived"
        self.notify(text(self.words.lang, key, id=event.card), markup=False)
        self._look()

    def show_trouble(self, error: BaseException) -> None:
        """After a decision that failed another one may be made."""
        self._deciding = False
        super().show_trouble(error)

    def fill(self) -> None:
        """Headings cannot be chosen, cards can."""
        self._rows = {}
        self.say_empty(text(self.words.lang, "inbox_empty"))
        queue = None
        for item in self._waiting or ():
            if item.queue is not queue:
                queue = item.queue
                count = sum(other.queue is queue for other in self._waiting or ())
                if self._rows:
                    self.say("")
                self.heading(text(self.words.lang, f"inbox_{queue}", count=count))
            self._rows[self.listed.option_count] = item
            self.listed.add_option(Option(self._entry(item)))

    def _entry(self, item: Waiting) -> Content:
        room = max(self.app.size.width - 6, 24)
        card = item.card
        facts = text(self.words.lang, "inbox_facts", used=item.used, until=card.valid_until, owner=line(card.owner))
        parts = [Content(fit(f" {line(card.title)}", room)), Content.styled(fit(f"   {facts}", room), "$muted")]
        parts += [Content.styled(fit(f"   - {line(note)}", room), "$muted") for note in item.notes]
        return Content("\n").join(parts)

    def _chosen(self) -> Waiting | None:
        number = self.listed.highlighted
        return None if number is None else self._rows.get(number)

    def choose(self, number: int) -> None:
        """Open the first document that the card rests on, if it is there."""
        item = self._rows.get(number)
        paths = item.card.evidence.documents if item is not None else ()
        known = next((path for path in paths if self.almanac.catalog.entry(path) is not None), None)
        if known is not None:
            self.almanac.open_document(known)
        elif item is not None:
            self.notify(self.words("gone"), markup=False)

    def action_renew(self) -> None:
        """The card is right: valid for another while."""
        self._decide(RENEW)

    def action_archive(self) -> None:
        """The card is not handed out any more."""
        self._decide(ARCHIVE)

    def _decide(self, decision: str) -> None:
        """In the background, one at a time."""
        item, runtime = self._chosen(), self.almanac.runtime
        if item is None or self._deciding:
            return
        self._deciding = True
        card = item.card.id
        self.in_background(lambda: work.decide(runtime, card, decision, self.post_message), "decide")

    def entry_hints(self) -> list[Hint]:
        """Open, renew, archive."""
        return [
            *super().entry_hints(),
            Hint("r", self.words("key_renew"), "screen.renew"),
            Hint("a", self.words("key_archive"), "screen.archive"),
        ]
