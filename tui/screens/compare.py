"""A document's versions, two at a time: what changed, the numbers first; rolling the document back."""

from __future__ import annotations

from typing import ClassVar

from textual import on
from textual.app import ComposeResult
from textual.binding import Binding, BindingType
from textual.containers import VerticalScroll
from textual.content import Content
from textual.widgets import Static

from kb.versions.history import Change
from tui import messages, work
from tui.screens.base import AlmanacScreen
from tui.widgets.bars import HeaderBar, Hint, KeyLine, Rule
from tui.widgets.comparison import Comparison
from tui.words import Words, fit, line


class CompareScreen(AlmanacScreen):
    """Step through the versions of the document `path`; `r`, then `y`, makes the older of the two the newest again."""

    AUTO_FOCUS = "#comparing"
    BINDINGS: ClassVar[list[BindingType]] = [
        Binding("left,[", "step(1)", show=False, priority=True),
        Binding("right,]", "step(-1)", show=False, priority=True),
        Binding("r", "roll_back", show=False),
        Binding("y,enter", "agree", show=False),
    ]

    def __init__(self, path: str) -> None:
        super().__init__()
        self.path = path
        self._changes: tuple[Change, ...] | None = None
        self._pair: messages.PairRead | None = None
        self._at = 0
        self._asking = False
        self._ticket = 0

    @property
    def waits(self) -> bool:
        """While the versions are read."""
        return self._changes is None

    def compose(self) -> ComposeResult:
        """Title, which versions, the difference, a question when there is one, keys."""
        yield HeaderBar(id="header")
        yield Rule(classes="upper")
        with VerticalScroll(id="comparing"):
            yield Comparison(id="comparison")
            yield Static("", id="empty", markup=False)
        yield Static("", id="asking", markup=False)
        yield Rule(classes="lower")
        yield KeyLine(id="keys")

    def on_mount(self) -> None:
        """Read which versions there are."""
        self._read()

    def _read(self) -> None:
        runtime, path = self.almanac.runtime, self.path
        self.in_background(lambda: work.read_versions(runtime, path, self.post_message), "versions")

    # -- what is shown ---------------------------------------------------------------------------------------

    def relabel(self) -> None:
        """Everything in the current language."""
        if not self.is_mounted:
            return
        entry = self.almanac.catalog.entry(self.path)
        count = len(self._changes or ())
        place = self.words("compare_place", number=self._at + 1, count=count - 1) if count > 1 else ""
        header = self.query_one("#header", HeaderBar)
        header.show([line(entry.title if entry else self.path)], [place] if place else [], self.words.dot)
        comparison, empty = self.query_one(Comparison), self.query_one("#empty", Static)
        comparison.display = self._pair is not None
        empty.display = self._pair is None
        if self._pair is not None:
            older, newer = (version_name(change, self.words) for change in (self._pair.older, self._pair.newer))
            comparison.show(self._pair.rows, self._pair.numbers, (older, newer), self.words)
        elif self.waits:
            empty.update(self.missing())
        else:
            empty.update(self.words("compare_single" if self._changes else "no_changes"))
        asking = self.query_one("#asking", Static)
        asking.display = self._asking
        if self._asking and self._pair is not None:
            version = version_name(self._pair.older, self.words)
            asking.update(Content.styled(self.words("compare_sure", version=fit(version, 40)), "bold $warning"))
        super().relabel()

    def hints(self) -> list[Hint]:
        """Step, roll back; or agree."""
        words = self.words
        back = Hint("Esc", words("key_no" if self._asking else "key_back"), "screen.back")
        if self._asking:
            return [Hint("y", words("key_yes"), "screen.agree"), back]
        found = [back]
        if self._changes is not None and len(self._changes) > 2:
            found += [Hint("←", words("key_older"), "screen.step(1)"), Hint("→", words("key_newer"), "screen.step(-1)")]
        if self._may_roll_back:
            found.append(Hint("r", words("key_roll_back"), "screen.roll_back"))
        return [*found, *self.common_hints()]

    @on(messages.VersionsRead)
    def versions_read(self, event: messages.VersionsRead) -> None:
        """Show the newest change first."""
        self._changes = event.changes
        self._at = 0
        self._pair = None
        self._compare()
        self.relabel()

    def _compare(self) -> None:
        changes = self._changes or ()
        if self._at + 1 >= len(changes):
            return
        self._ticket += 1
        runtime, path, ticket = self.almanac.runtime, self.path, self._ticket
        newer, older = changes[self._at], changes[self._at + 1]
        self.in_background(lambda: work.read_pair(runtime, path, older, newer, ticket, self.post_message), "pair")

    @on(messages.PairRead)
    def pair_read(self, event: messages.PairRead) -> None:
        """Show it, unless another pair was asked for meanwhile."""
        if event.ticket == self._ticket:
            self._pair = event
            self.query_one("#comparing", VerticalScroll).scroll_home(animate=False)
            self.relabel()

    @property
    def _may_roll_back(self) -> bool:
        """Not where nothing may be changed."""
        return self._pair is not None and not self.read_only

    # -- moving and rolling back -----------------------------------------------------------------------------

    def action_step(self, by: int) -> None:
        """To the older or the newer pair of versions."""
        at = self._at + by
        if not self._asking and 0 <= at < len(self._changes or ()) - 1:
            self._at = at
            self._compare()
            self.relabel()

    def action_roll_back(self) -> None:
        """Ask."""
        self._asking = self._may_roll_back
        self.relabel()

    def action_agree(self) -> None:
        """Do what was asked."""
        if not self._asking or self._pair is None:
            return
        self._asking = False
        self.relabel()
        runtime, path, lang, older = self.almanac.runtime, self.path, self.words.lang, self._pair.older
        self.in_background(lambda: work.roll_back(runtime, path, older, lang, self.post_message), "roll back")

    @on(messages.RolledBack)
    def rolled_back(self, event: messages.RolledBack) -> None:
        """Say it, and read everything anew."""
        self.notify(self.words("compare_done"), markup=False)
        self.almanac.look_again()
        self._read()

    def action_back(self) -> None:
        """Not to roll back; else to where one came from."""
        if self._asking:
            self._asking = False
            self.relabel()
        else:
            self.dismiss(None)


def version_name(change: Change, words: Words) -> str:
    """`2026-03-10 · a1b2c3d · what was done`."""
    return words.dot.join((f"{change.date:%Y-%m-%d}", change.commit[:7], line(change.summary)))
