"""What changed in the knowledge, by week."""

from __future__ import annotations

import datetime
from itertools import groupby

from textual import on
from textual.content import Content
from textual.widgets.option_list import Option

from kb.tree.walk import is_document
from kb.versions.history import Change
from tui import messages, work
from tui.screens.lists import ListScreen
from tui.words import Words, line


class ChangesScreen(ListScreen):
    """Weeks as headings, commits that changed documents under them, these under those; Enter opens one."""

    title_key = "changes"

    def __init__(self, path: str = "") -> None:
        """`path` is the document whose latest change is looked for."""
        super().__init__()
        self._wanted = path
        self._changes: tuple[Change, ...] | None = None
        self._paths: dict[int, str] = {}

    @property
    def waits(self) -> bool:
        """While the history is read."""
        return self._changes is None

    def on_mount(self) -> None:
        """Read the history."""
        runtime = self.almanac.runtime
        self.in_background(lambda: work.read_changes(runtime, self.post_message), "changes")

    @on(messages.ChangesRead)
    def changes_read(self, event: messages.ChangesRead) -> None:
        """Show them."""
        self._changes = event.changes
        self.relabel()
        place = next((place for place, path in self._paths.items() if path == self._wanted), None)
        if place is not None:
            self.listed.highlighted = place

    def fill(self) -> None:
        """Headings cannot be chosen, documents can."""
        self._paths = {}
        self.say_empty(self.words("no_changes"))
        told = [change for change in self._changes or () if _documents(change)]
        for (year, week), found in groupby(told, key=lambda change: change.date.isocalendar()[:2]):
            self.heading(week_line(year, week, self.words))
            for change in found:
                self.say(f" {change.date:%m-%d}  {line(change.summary)}   {line(change.author)}")
                self._add_files(change)

    def _add_files(self, change: Change) -> None:
        for status, path in _documents(change):
            entry = self.almanac.catalog.entry(path)
            title = line(entry.title if entry else path)
            self._paths[self.listed.option_count] = path
            state = self.words.change(status)
            self.listed.add_option(Option(Content.assemble((f"  {state}  ", "$muted"), title)))

    def choose(self, number: int) -> None:
        """Open the document, if it is still there."""
        path = self._paths.get(number)
        if path is None:
            return
        if self.almanac.catalog.entry(path) is None:
            self.notify(self.words("gone"), markup=False)
        else:
            self.almanac.open_document(path)


def _documents(change: Change) -> list[tuple[str, str]]:
    """What happened to documents: (git's letter, path). Other files of the knowledge are nothing to read."""
    return [(status, path) for status, path in change.files if is_document(path)]


def week_line(year: int, week: int, words: Words) -> str:
    """`Week 48, 2026-11-23 to 2026-11-29`."""
    first = datetime.date.fromisocalendar(year, week, 1)
    last = first + datetime.timedelta(days=6)
    return words("week", week=week, first=first.isoformat(), last=last.isoformat())
