"""Memory: the things that documents speak of, found by typing; and what waits for a person to decide."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from pathlib import Path
from typing import ClassVar

from rich.cells import cell_len
from textual import on
from textual.app import ComposeResult
from textual.binding import Binding, BindingType
from textual.containers import Horizontal
from textual.content import Content
from textual.message import Message
from textual.widgets import Input, OptionList, Static
from textual.widgets.option_list import Option

from kb.answer.memory_meaning import meaning_of
from kb.answer.runtime import Runtime
from kb.memory import review
from kb.memory.client import MemoryClient
from kb.memory.client_records import MemoryRecord
from kb.memory.review import Review
from kb.memory.store import MemoryStore
from kb.texts import text
from tui.background import Lane
from tui.screens.base import AlmanacScreen
from tui.screens.lists import ListScreen
from tui.widgets.bars import HeaderBar, Hint, KeyLine, Rule
from tui.widgets.listing import Listing
from tui.widgets.question import QuestionInput
from tui.words import fit, line, pad

_MOST = 60


@dataclass
class Found(Message):
    """What memory holds for what was `typed`: records, or the best known things where nothing is typed."""

    typed: str
    records: tuple[MemoryRecord, ...]
    things: tuple[tuple[str, str, int], ...]


@dataclass
class Waiting(Message):
    """What waits for review."""

    reviews: tuple[Review, ...]


def find(runtime: Runtime, typed: str, post: Callable[[Message], object]) -> None:
    """Ask memory in a background thread; each call opens it for itself. By words first: meaning takes longer."""
    with MemoryStore(runtime.config.home) as store:
        things = tuple(MemoryClient(store).entities(typed, _MOST))
        meaning = meaning_of(runtime) if typed else None
        for way in (None, meaning) if meaning is not None else (None,):
            records = MemoryClient(store, meaning=way).search_memory(typed) if typed else []
            post(Found(typed, tuple(records), things))


def decide(home: Path, number: int | None, accepted: bool, post: Callable[[Message], object]) -> None:
    """Accept or reject a review (None: neither), then tell what still waits."""
    with MemoryStore(home) as store:
        if number is not None:
            (review.accept if accepted else review.reject)(store, number, "")
        waiting = review.reviews(store)
    post(Waiting(tuple(waiting)))


class MemoryScreen(AlmanacScreen):
    """A line to type in; under it records that answer, then things whose names fit."""

    AUTO_FOCUS = "#filter"

    def __init__(self) -> None:
        super().__init__()
        self._found: Found | None = None
        self._search = Lane("memory")
        self._rows: list[tuple[str, MemoryRecord | None]] = []

    @property
    def waits(self) -> bool:
        """While the first things are looked for."""
        return self._found is None

    def compose(self) -> ComposeResult:
        """Title, what is typed, list, keys."""
        yield HeaderBar(id="header")
        with Horizontal(id="entry"):
            yield Static("/ ", id="prompt", markup=False)
            yield QuestionInput(slash=False, id="filter")
        yield Rule(classes="upper")
        yield Listing(id="hits")
        yield Static("", id="empty", markup=False)
        yield Rule(classes="lower")
        yield KeyLine(id="keys")

    def on_mount(self) -> None:
        """The best known things."""
        self._ask("")

    def _ask(self, typed: str) -> None:
        runtime = self.almanac.runtime
        self._search.submit(lambda: find(runtime, typed, self.post_message), self.failed)

    @on(Input.Changed, "#filter")
    def typed(self, event: Input.Changed) -> None:
        """Ask again for every change; answers to older words are dropped."""
        event.stop()
        self._ask(event.value.strip())

    @on(Found)
    def found(self, event: Found) -> None:
        """Show what was found, unless other words stand there by now."""
        if event.typed == self.query_one("#filter", QuestionInput).value.strip():
            self._found = event
            self.refresh_texts()

    def relabel(self) -> None:
        """Rows in the current language."""
        words, found = self.words, self._found
        self.query_one("#header", HeaderBar).show([words("memory")], [])
        self.query_one("#filter", QuestionInput).placeholder = words("memory_filter")
        listed, empty = self.query_one("#hits", OptionList), self.query_one("#empty", Static)
        listed.clear_options()
        self._rows = []
        room = max(self.app.size.width - 8, 24)
        for record in found.records if found else ():
            old = f"  ({text(words.lang, 'memory_superseded')})" if record.superseded else ""
            self._rows.append((record.entity, record))
            listed.add_option(Option(Content(fit(line(record.text) + old, room))))
        for name, kind, held in found.things if found else ():
            self._rows.append((name, None))
            facts = [] if kind == "thing" else [text(words.lang, f"memory_type_{kind}")]
            side = "  ".join([*facts, text(words.lang, "memory_held", count=held)])
            listed.add_option(
                Option(Content.assemble(pad(line(name), room - cell_len(side) - 2), "  ", (side, "$muted")))
            )
        listed.display = bool(self._rows)
        empty.display = not self._rows
        nothing = words("memory_no_match" if found and found.typed else "memory_is_empty")
        empty.update(Content.styled(self.missing() if self.waits else nothing, "$muted"))
        if self._rows:
            listed.highlighted = 0
        super().relabel()

    def hints(self) -> list[Hint]:
        """Open, where there is something; back."""
        there = [Hint("Enter", self.words("key_open"), "screen.open")] if self._rows else []
        return [
            *there,
            Hint("Esc", self.words("key_back"), "screen.back", kept=True),
            *self.common_hints(),
        ]

    @on(QuestionInput.Step)
    def step(self, event: QuestionInput.Step) -> None:
        """Arrows move the list."""
        listed = self.query_one("#hits", OptionList)
        if listed.option_count:
            listed.highlighted = max(0, min(listed.option_count - 1, (listed.highlighted or 0) + event.by))

    @on(Input.Submitted, "#filter")
    def submitted(self, event: Input.Submitted) -> None:
        """Enter opens what is highlighted."""
        event.stop()
        self.action_open()

    @on(OptionList.OptionSelected, "#hits")
    def selected(self, event: OptionList.OptionSelected) -> None:
        """As Enter."""
        event.stop()
        self._open(event.option_index)

    def action_open(self) -> None:
        """Open the highlighted row."""
        number = self.query_one("#hits", OptionList).highlighted
        if number is not None and number < len(self._rows):
            self._open(number)

    def _open(self, number: int) -> None:
        """The page of the thing; a record without one opens its document."""
        from tui.screens.entity import EntityScreen, open_place

        name, record = self._rows[number]
        if name:
            self.app.push_screen(EntityScreen(name))
        elif record is not None:
            open_place(self, record.place)


class ReviewScreen(ListScreen):
    """Facts that are not sure and names that may be the same: + accepts, - rejects."""

    title_key = "memory_review"
    choose_key = "key_accept"
    BINDINGS: ClassVar[list[BindingType]] = [
        Binding("plus", "accept", show=False),
        Binding("minus", "reject", show=False),
    ]

    def __init__(self) -> None:
        super().__init__()
        self._reviews: tuple[Review, ...] | None = None

    @property
    def waits(self) -> bool:
        """While it is read."""
        return self._reviews is None

    def on_mount(self) -> None:
        """Read what waits."""
        self._work(None, False)

    def _work(self, number: int | None, accepted: bool) -> None:
        home = self.almanac.runtime.config.home
        self.in_background(lambda: decide(home, number, accepted, self.post_message), "memory")

    @on(Waiting)
    def waiting(self, event: Waiting) -> None:
        """Show it."""
        self._reviews = event.reviews
        self.relabel()

    def fill(self) -> None:
        """One entry a review."""
        lang = self.words.lang
        self.say_empty(text(lang, "memory_no_reviews"))
        for item in self._reviews or ():
            body = item.body
            if item.kind == "fact":
                said = line(body["fact"])
            else:
                said = text(lang, "memory_ask_same", left=line(body["left"]), right=line(body["right"]))
            why = text(lang, body["reason"])
            self.listed.add_option(Option(Content.assemble(said, "\n", (why, "$muted"))))

    def entry_hints(self) -> list[Hint]:
        """Accept, reject."""
        return [
            Hint("+", self.words("key_accept"), "screen.accept"),
            Hint("-", self.words("key_reject"), "screen.reject"),
        ]

    def action_accept(self) -> None:
        """Keep the fact, or merge the names."""
        self._decide(True)

    def action_reject(self) -> None:
        """Drop the fact, or keep the names apart."""
        self._decide(False)

    def _decide(self, accepted: bool) -> None:
        number = self.listed.highlighted
        if number is not None and self._reviews and number < len(self._reviews):
            self._work(self._reviews[number].id, accepted)
