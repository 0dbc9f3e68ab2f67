"""The page of one thing: values with their sources, relations as a graph, timeline, limits, superseded values."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass
from pathlib import Path

from textual import on
from textual.content import Content
from textual.message import Message
from textual.widgets.option_list import Option

from kb.memory.client import MemoryClient
from kb.memory.client_records import EntityView, MemoryRecord, Place
from kb.memory.store import MemoryStore
from kb.texts import text
from tui.screens.base import AlmanacScreen
from tui.screens.lists import ListScreen
from tui.widgets.bars import HeaderBar
from tui.words import Words, fit, line


@dataclass
class EntityRead(Message):
    """The page of a thing; None when memory knows none of that name."""

    view: EntityView | None


def read(home: Path, name: str, post: Callable[[Message], object]) -> None:
    """Read a thing's page in a background thread."""
    with MemoryStore(home) as store:
        view = MemoryClient(store).get_entity(name)
    post(EntityRead(view))


def open_place(screen: AlmanacScreen, place: Place) -> None:
    """Open the document at the very lines, if it is in the knowledge."""
    if place.path and screen.almanac.catalog.entry(place.path) is not None:
        screen.almanac.open_document(place.path, [place.lines])
    else:
        screen.notify(screen.words("memory_elsewhere", path=place.path or place.doc_id), markup=False)


def graph(view: EntityView, words: Words, width: int) -> list[tuple[str, str]]:
    """The neighbours drawn as branches of the thing: the line to show, and the neighbour's name."""
    found = view.neighbours()
    drawn = []
    for number, neighbour in enumerate(found, start=1):
        if words.plain:
            branch, arrow = ("`-" if number == len(found) else "|-"), ("->" if neighbour.outward else "<-")
        else:
            branch, arrow = ("└─" if number == len(found) else "├─"), ("→" if neighbour.outward else "←")
        drawn.append(
            (fit(f"{branch} {line(neighbour.predicate)} {arrow} {line(neighbour.name)}", width), neighbour.name)
        )
    return drawn


class EntityScreen(ListScreen):
    """Headings, and under them rows: a value opens its source, a neighbour its page."""

    title_key = "memory"

    def __init__(self, name: str) -> None:
        super().__init__()
        self._thing = name
        self._view: EntityView | None = None
        self._read = False
        self._targets: dict[int, Place | str] = {}

    @property
    def waits(self) -> bool:
        """While the page is read."""
        return not self._read

    def on_mount(self) -> None:
        """Read the page."""
        home, name = self.almanac.runtime.config.home, self._thing
        self.in_background(lambda: read(home, name, self.post_message), "entity")

    @on(EntityRead)
    def entity_read(self, event: EntityRead) -> None:
        """Show it."""
        self._view, self._read = event.view, True
        self.relabel()

    def relabel(self) -> None:
        """The thing's name is the title."""
        super().relabel()
        if self.is_mounted:
            kind = [text(self.words.lang, f"memory_type_{self._view.type}")] if self._view else []
            self.query_one("#header", HeaderBar).show([line(self._view.name if self._view else self._thing)], kind)

    def fill(self) -> None:
        """All parts that hold something."""
        self._targets = {}
        self.say_empty(self.words("memory_no_match"))
        view = self._view
        if view is None:
            return
        lang = self.words.lang
        others = list(dict.fromkeys(line(name.name) for name in view.names if name.name != view.name))
        if others:
            self.say(text(lang, "memory_names", names=", ".join(others)), "$muted")
        self._records("memory_part_attributes", view.attributes)
        drawn = graph(view, self.words, self.room)
        if drawn:
            self._heading("memory_part_relations")
            self.say(line(view.name), "bold")
        for shown, other in drawn:
            self._targets[self.listed.option_count] = other
            self.listed.add_option(Option(Content(shown)))
        self._records("memory_part_events", view.events)
        if view.constraints:
            self._heading("memory_part_constraints")
        for note in {(note.kind, note.text): note for note in view.constraints}.values():
            self._targets[self.listed.option_count] = note.place
            kind = text(lang, f"memory_kind_{note.kind}")
            self.listed.add_option(Option(Content.assemble((f"{kind}  ", "$warning"), line(note.text))))
        self._records("memory_part_notes", view.notes)
        self._records("memory_part_superseded", view.superseded)

    def _records(self, key: str, records: Sequence[MemoryRecord]) -> None:
        """A row for each record; what several documents say alike is one row that opens the newest of them."""
        if records:
            self._heading(key)
        alike: dict[str, list[MemoryRecord]] = {}
        for record in records:
            alike.setdefault(record.text, []).append(record)
        for same in alike.values():
            record = max(same, key=lambda item: item.stated_on or "")
            self._targets[self.listed.option_count] = record.place
            own = f"{record.entity} · " if record.kind == "attribute" else ""
            notes = []
            if record.expired:
                notes.append(text(self.words.lang, "memory_expired"))
            if record.place.page:
                notes.append(text(self.words.lang, "memory_page", page=record.place.page))
            if record.inferred_from:
                notes.append(text(self.words.lang, "memory_inferred"))
            said = line(record.text.removeprefix(own))
            more = f" (+{len(same) - 1})" if len(same) > 1 else ""
            where = line("  ".join((*notes, Path(record.place.path).name + more)))
            self.listed.add_option(Option(Content.assemble(said, "\n", (fit(f"  {where}", self.room), "$muted"))))

    def _heading(self, key: str) -> None:
        self.heading(text(self.words.lang, key))

    def choose(self, number: int) -> None:
        """The source of a value, or the page of a neighbour."""
        target = self._targets.get(number)
        if isinstance(target, str):
            self.app.push_screen(EntityScreen(target))
        elif target is not None:
            open_place(self, target)
