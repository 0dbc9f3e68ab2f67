"""What all screens share: the language, the key line, going back, and hearing about trouble calmly."""

from __future__ import annotations

import contextlib
from collections.abc import Sequence
from typing import TYPE_CHECKING, ClassVar, cast

from textual import on
from textual.await_complete import AwaitComplete
from textual.binding import Binding, BindingType
from textual.css.query import NoMatches
from textual.screen import Screen
from textual.widget import Widget

from tui.background import Job, spawn
from tui.messages import WorkFailed
from tui.widgets.bars import Hint, KeyLine
from tui.words import Words

if TYPE_CHECKING:
    from kb.answer.answer import Evidence
    from tui.app import AlmanacApp


class AlmanacScreen(Screen[None]):
    """A screen of Almanac. Subclasses fill `hints` and `relabel`."""

    AUTO_FOCUS: ClassVar[str | None] = None
    BINDINGS: ClassVar[list[BindingType]] = [Binding("escape", "back", show=False)]
    trouble: BaseException | None = None
    """Why what the screen waits for will not come."""

    @property
    def almanac(self) -> AlmanacApp:
        """The application."""
        return cast("AlmanacApp", self.app)

    @property
    def words(self) -> Words:
        """Texts in the current language."""
        return self.almanac.words

    @property
    def read_only(self) -> bool:
        """Whether nothing may be changed from here: in a kiosk, and while another copy is open."""
        return self.almanac.kiosk or self.almanac.runtime.config.read_only

    def hints(self) -> list[Hint]:
        """The keys for the key line, the most needed first."""
        return [Hint("Esc", self.words("key_back"), "screen.back", kept=True), *self.common_hints()]

    def common_hints(self) -> list[Hint]:
        """Keys that work everywhere."""
        return [
            Hint("F1", self.words("key_help"), "app.help", kept=True),
            Hint("F10", self.words("key_more"), "app.more"),
        ]

    def relabel(self) -> None:
        """Put every text on the screen into the current language."""
        self.refresh_keys()

    def refresh_texts(self) -> None:
        """As `relabel`, also while the screen is being built or taken down."""
        with contextlib.suppress(NoMatches):
            self.relabel()

    def diagnosis_moved(self) -> None:
        """The diagnosis in front went on; for screens that show it."""

    def refresh_keys(self) -> None:
        """Show the hints anew."""
        for keys in self.query(KeyLine):
            keys.show(self.hints())

    def on_screen_resume(self) -> None:
        """Texts may have changed while another screen was in front."""
        self.refresh_texts()

    def on_descendant_focus(self) -> None:
        """The hints depend on what has the focus."""
        self.refresh_keys()

    def dismiss(self, result: None = None) -> AwaitComplete:
        """As Textual does, but never another screen than this: of keys typed in a row the first may have closed it."""
        if self.app.screen is not self or len(self.app.screen_stack) < 2:
            return cast(AwaitComplete, AwaitComplete.nothing())  # type: ignore[no-untyped-call]
        return super().dismiss(result)

    def action_back(self) -> None:
        """To the screen before."""
        self.dismiss(None)

    @property
    def waits(self) -> bool:
        """Whether what the screen is there to show has not come yet."""
        return False

    def missing(self) -> str:
        """What stands in its place meanwhile: that it comes, or why not."""
        return self.words("loading") if self.trouble is None else self.words.problem(self.trouble)

    def in_background(self, job: Job, name: str) -> None:
        """Run `job` in a thread called `name`; what goes wrong comes back as WorkFailed."""
        spawn(job, self.failed, name)

    def failed(self, error: BaseException) -> None:
        """Background work of this screen ended with `error`; any thread may say so."""
        self.post_message(WorkFailed(error))

    @on(WorkFailed)
    def work_failed(self, event: WorkFailed) -> None:
        """Here and nowhere else."""
        event.stop()
        self.show_trouble(event.error)

    def show_trouble(self, error: BaseException) -> None:
        """In the place of what it kept away; in a line where that is there already."""
        if self.waits:
            self.trouble = error
            self.refresh_texts()
        else:
            self.almanac.say_trouble(error)

    def open_source(self, source: Evidence, sources: Sequence[Evidence]) -> None:
        """Open the reader at the lines of `source`; the other `sources` in its document are one key away."""
        from tui.widgets.document import Marks

        same = [item for item in sources if item.path == source.path]
        places = [item.lines for item in same]
        marks = Marks(tuple(places), tuple(item.text for item in same))
        self.almanac.open_document(source.path, places, marks, start=places.index(source.lines))

    def focused_is(self, kind: type[Widget]) -> bool:
        """Whether a widget of this kind has the focus."""
        return isinstance(self.focused, kind)
