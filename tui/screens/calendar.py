"""Which documents begin and cease to be valid, by month."""

from __future__ import annotations

import datetime
from collections.abc import Iterable
from dataclasses import dataclass
from itertools import groupby
from typing import TYPE_CHECKING

from rich.cells import cell_len
from textual import on
from textual.content import Content
from textual.widgets.option_list import Option

from tui import messages, work
from tui.screens.lists import ListScreen
from tui.widgets.bars import HeaderBar
from tui.words import fit, line

if TYPE_CHECKING:
    from kb.search.listing import Listed

SOON_DAYS = 90


@dataclass(frozen=True, slots=True)
class Due:
    """A document's last valid day, or with `begins` its first; None when the document's date cannot be read."""

    day: datetime.date | None
    path: str
    title: str
    begins: bool = False


def dues(documents: Iterable[Listed], today: datetime.date) -> tuple[list[Due], list[Due]]:
    """(what has expired, the latest first; what is to come, the next first). A beginning in the past is no news."""
    past: list[Due] = []
    coming: list[Due] = []
    for item in documents:
        if item.valid_to is not None:
            unreadable = item.valid_to == datetime.date.min
            due = Due(None if unreadable else item.valid_to, item.path, item.title)
            (past if item.valid_to < today else coming).append(due)
        if item.valid_from is not None and item.valid_from > today:
            coming.append(Due(item.valid_from, item.path, item.title, begins=True))
    past.sort(key=lambda due: (due.day or datetime.date.max, due.path), reverse=True)
    coming.sort(key=lambda due: (due.day or datetime.date.max, due.path))
    return past, coming


class CalendarScreen(ListScreen):
    """Expired documents, then months as headings with their documents; Enter opens one."""

    title_key = "calendar"

    def __init__(self) -> None:
        super().__init__()
        self._documents: tuple[Listed, ...] | None = None
        self._paths: dict[int, str] = {}

    @property
    def waits(self) -> bool:
        """While the dates are read."""
        return self._documents is None

    def on_mount(self) -> None:
        """Read the dates from the index."""
        runtime = self.almanac.runtime
        self.in_background(lambda: work.read_validity(runtime, self.post_message), "calendar")

    @on(messages.ValidityRead)
    def validity_read(self, event: messages.ValidityRead) -> None:
        """Show it."""
        self._documents = event.documents
        self.relabel()

    def fill(self) -> None:
        """What has expired first: it is what needs doing."""
        self._paths = {}
        if self._documents is None:
            return
        self.say_empty(self.words("calendar_none"))
        today = datetime.date.today()
        past, coming = dues(self._documents, today)
        soon = sum(due.day is not None and (due.day - today).days <= SOON_DAYS for due in coming if not due.begins)
        right = [
            self.words("calendar_expired", count=len(past)),
            self.words("calendar_soon", count=soon, days=SOON_DAYS),
        ]
        self.query_one("#header", HeaderBar).show([self.words(self.title_key)], right, self.words.dot)
        if past:
            self.heading(self.words("calendar_past"))
            for due in past:
                self._add(due, today)
        for month, found in groupby(coming, key=lambda due: f"{due.day:%Y-%m}" if due.day else ""):
            self.heading(month)
            for due in found:
                self._add(due, today)

    def _add(self, due: Due, today: datetime.date) -> None:
        self._paths[self.listed.option_count] = due.path
        day = due.day.isoformat() if due.day else self.words("calendar_unreadable")
        state = self.words("calendar_begins" if due.begins else "calendar_ends")
        late = due.day is None or due.day < today
        room = max(self.app.size.width - 10 - cell_len(day) - cell_len(state), 10)
        mark = "! " if late else "  "
        self.listed.add_option(
            Option(
                Content.assemble((mark, "bold $warning"), (f"{day} {state}  ", "$muted"), fit(line(due.title), room))
            )
        )

    def choose(self, number: int) -> None:
        """Open the document."""
        path = self._paths.get(number)
        if path is not None:
            self.almanac.open_document(path)
