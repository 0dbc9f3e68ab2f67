"""The application: owns runtime, session and language, and moves between screens."""

from __future__ import annotations

import contextlib
import time
from collections.abc import Callable, Sequence
from pathlib import Path
from typing import ClassVar

from textual import on
from textual.binding import Binding, BindingType
from textual.driver import Driver
from textual.filter import LineFilter
from textual.screen import Screen

from kb.answer.live_runtime import LiveRuntime
from kb.answer.models import State
from kb.answer.runtime import Runtime
from kb.kiosk.maintenance import Work
from kb.texts import Lang, text
from kb.versions.history import KnowledgeVersion
from tui import messages, themes, work
from tui.ascii import AsciiSigns
from tui.background import spawn
from tui.catalog import Catalog
from tui.diagnosis import Diagnoses
from tui.places import Places
from tui.recovery import Recovery
from tui.screens.ask import AskScreen
from tui.screens.base import AlmanacScreen
from tui.session import Pace, Session
from tui.widgets.document import Marks
from tui.words import Words, line

HEARTBEAT_S = 1.0
Heartbeat = Callable[[], None]


class AlmanacApp(Places, inherit_bindings=False):
    """Almanac in a terminal. `heartbeat` is called every second by the interface's own loop while it runs.

    `examine` looks at program and machine; without it there is no such screen.
    """

    kiosk: ClassVar[bool] = False
    """Whether this is the one that nobody leaves (tui/kiosk/app.py)."""

    CSS_PATH = "almanac.tcss"
    TITLE = "Almanac"
    ENABLE_COMMAND_PALETTE = False
    HORIZONTAL_BREAKPOINTS: ClassVar[list[tuple[int, str]]] = [  # type: ignore[misc]
        (0, "-narrow"), (60, "-usual"), (100, "-wide"), (140, "-broad"),
    ]  # fmt: skip
    VERTICAL_BREAKPOINTS: ClassVar[list[tuple[int, str]]] = [  # type: ignore[misc]
        (0, "-low"),
        (18, "-middle"),
        (32, "-tall"),
    ]
    BINDINGS: ClassVar[list[BindingType]] = [
        Binding("f1", "help", priority=True, show=False),
        Binding("f2", "documents", priority=True, show=False),
        Binding("f4", "earlier", priority=True, show=False),
        Binding("f5", "changes", priority=True, show=False),
        Binding("f6", "info", priority=True, show=False),
        Binding("f8", "next_theme", priority=True, show=False),
        Binding("f9", "language", priority=True, show=False),
        Binding("f10", "more", priority=True, show=False),
        Binding("ctrl+q", "leave", priority=True, show=False),
    ]

    def __init__(
        self,
        runtime: Runtime,
        *,
        theme: str | None = None,
        heartbeat: Heartbeat | None = None,
        examine: Work | None = None,
    ) -> None:
        self.following = LiveRuntime(runtime, lambda now: self.post_message(messages.ReleaseChanged(now.version())))
        self.lang: Lang = runtime.config.lang
        self.words = Words(self.lang)
        self._ascii = AsciiSigns()
        super().__init__()
        self.heartbeat, self.examine = heartbeat, examine
        self.session = Session()
        self.diagnoses = Diagnoses(self.following, lambda state: self.post_message(messages.DiagnosisMoved(state)))
        self.catalog = Catalog()
        self.version: KnowledgeVersion | None = None
        self.documents: int | None = None
        self.pace: Pace | None = None
        self.recovery: Recovery | None = None
        self.pictures = False
        self.clock = time.monotonic
        self._start_theme = theme or themes.suited(runtime.config.environment)
        self._engine_seen: tuple[State, State] | None = None
        for known in themes.THEMES:
            self.register_theme(known)

    # -- life ------------------------------------------------------------------------------------------------

    def get_default_screen(self) -> Screen[None]:
        """The ask screen is always at the bottom."""
        return AskScreen()

    def get_theme_variable_defaults(self) -> dict[str, str]:
        """Our own colour names, so that the stylesheet also reads under a foreign theme."""
        return dict(themes.DEFAULTS)

    def get_line_filters(self) -> Sequence[LineFilter]:
        """In the plain theme also one that leaves no sign but ASCII's."""
        found = super().get_line_filters()
        return [*found, self._ascii] if self.words.plain else found

    def on_mount(self) -> None:
        """Draw first, then start what needs time: both would want the same cores."""
        self.use_theme(self._start_theme)
        self.call_after_refresh(self._begin)

    def _begin(self) -> None:
        runtime = self.runtime
        self.look_again()
        spawn(lambda: work.look_for_damage(runtime, self.post_message), self._worker_failed, "damage")
        spawn(lambda: runtime.start(work.reporter(self.post_message)), self._worker_failed, "start")
        if runtime.config.read_only:
            self.notify(self.words("second_copy"), timeout=12, markup=False)
        self.set_interval(0.5, self._watch_engine)
        if self.heartbeat is not None:
            self.heartbeat()
            self.set_interval(HEARTBEAT_S, self.heartbeat)

    def look_again(self) -> None:
        """Bring index and list of documents up to date."""
        runtime = self.runtime
        spawn(lambda: work.survey(runtime, self.post_message), self._worker_failed, "survey")

    def on_unmount(self) -> None:
        """Running answers end."""
        self.diagnoses.stop()
        for screen in self.screen_stack:
            if isinstance(screen, AskScreen):
                screen.stop_all()

    def _worker_failed(self, error: BaseException) -> None:
        self.post_message(messages.WorkFailed(error))

    def _print_error_renderables(self) -> None:
        """Textual would print a traceback here; run_app raises the error to its caller instead."""
        self._exit_renderables.clear()

    @property
    def crash(self) -> Exception | None:
        """The error that ended the application, if one did."""
        return self._exception

    @property
    def runtime(self) -> Runtime:
        """What answers now."""
        return self.following.runtime

    @property
    def keeps_gaps(self) -> bool:
        """Whether a question without an answer is kept for the owners."""
        return self.runtime.config.keep_answers or self.runtime.config.keep_gaps

    @property
    def starter_count(self) -> int:
        """How many example questions the empty ask screen shows."""
        return 5

    @on(messages.ReleaseChanged)
    def release_changed(self, event: messages.ReleaseChanged) -> None:
        """Say it, in the title too; list its documents and give those their vectors that have none."""
        self.version = event.version
        self._refresh_header()
        self.notify(self.words("release_changed", version=event.version.label), timeout=8, markup=False)
        self.look_again()
        self.runtime.start(work.reporter(self.post_message))

    # -- what the header tells -------------------------------------------------------------------------------

    @property
    def first_reading(self) -> bool:
        """Whether the documents have not been read yet."""
        return self.documents is None

    def header_facts(self) -> tuple[list[str], list[str]]:
        """Left and right parts of the header line."""
        left = ["Almanac"]
        if self.version is not None:
            left += [line(part) for part in (self.version.label, self.version.date[:10]) if part]
        state = self.runtime.status.answer
        right = [self.words(f"model_{state.value}")]
        if self.documents is not None:
            right.insert(0, self.words("documents", count=self.documents))
        right += [self.words("read_only")] if self.runtime.config.read_only else []
        return left, right

    def console_note(self) -> str:
        """A note for consoles whose font has no Chinese."""
        return self.words("console_font") if self.runtime.config.environment.get("TERM") == "linux" else ""

    def _watch_engine(self) -> None:
        status = self.runtime.status
        if self.pace is not None or (status.answer, status.embedder) != self._engine_seen:
            self._engine_seen = (status.answer, status.embedder)
            self._refresh_header()

    def _refresh_header(self) -> None:
        for screen in self.screen_stack:
            if isinstance(screen, AskScreen) and screen.is_mounted:
                screen.refresh_header()

    @on(messages.ProgressMade)
    def progress_made(self, event: messages.ProgressMade) -> None:
        """Keep the pace of the work that is running."""
        if self.recovery is not None and event.phase == self.recovery.pace.phase:
            self.recovery.pace.done, self.recovery.pace.total = event.done, event.total
        if event.done >= event.total:
            if self.pace is not None and self.pace.phase == event.phase:
                self.pace = None
        else:
            if self.pace is None or self.pace.phase != event.phase:
                self.pace = Pace(event.phase, self.clock())
            self.pace.done, self.pace.total = event.done, event.total
        self._refresh_header()

    @on(messages.CatalogRead)
    def catalog_read(self, event: messages.CatalogRead) -> None:
        """The documents are known."""
        self.catalog, self.version = event.catalog, event.version
        self.documents = event.status.documents
        for screen in self.screen_stack:
            if isinstance(screen, AlmanacScreen) and screen.is_mounted:
                screen.refresh_texts()

    @on(messages.DiagnosisMoved)
    def diagnosis_moved(self, event: messages.DiagnosisMoved) -> None:
        """Keep how far it is; screens that show it draw it anew."""
        if self.diagnoses.moved(event.diagnosis):
            for screen in self.screen_stack:
                if isinstance(screen, AlmanacScreen):
                    screen.diagnosis_moved()

    @on(messages.WorkFailed)
    def work_failed(self, event: messages.WorkFailed) -> None:
        """Say it in a line."""
        self.say_trouble(event.error)

    def say_trouble(self, error: BaseException) -> None:
        """A calm line in the corner, gone after a while."""
        self.notify(self.words.problem(error), severity="warning", timeout=8, markup=False)

    # -- language and colours --------------------------------------------------------------------------------

    def use_theme(self, name: str) -> None:
        """Switch colours; `plain` also switches to ASCII signs."""
        self.theme = name if name in self.available_themes else themes.DARK
        plain = self.theme == themes.PLAIN
        self.set_class(plain, "-plain")
        self.set_class(self.kiosk or self.theme == themes.LARGE, "-large")
        self.words = Words(self.lang, plain)
        self._relabel()

    def action_next_theme(self) -> None:
        """Dark, light, plain in turn."""
        self.use_theme(themes.following(self.theme))

    def action_language(self) -> None:
        """Chinese or English, at once."""
        self.lang = "en" if self.lang == "zh" else "zh"
        self.words = Words(self.lang, self.words.plain)
        self._relabel()

    def _relabel(self) -> None:
        for screen in self.screen_stack:
            if isinstance(screen, AlmanacScreen) and screen.is_mounted:
                screen.refresh_texts()

    # -- moving between screens ------------------------------------------------------------------------------

    def ask_screen(self) -> AskScreen:
        """The screen at the bottom."""
        screen = self.screen_stack[0]
        assert isinstance(screen, AskScreen)
        return screen

    def action_ask(self) -> None:
        """Back to the question."""
        while len(self.screen_stack) > 1:
            self.pop_screen()

    @on(messages.DamageFound)
    def damage_found(self, event: messages.DamageFound) -> None:
        """Offer what mends it; where nothing may be changed only say it, to whoever can tell the owner."""
        if self.runtime.config.read_only:
            said = text(self.lang, f"damage_{event.damage.what.value}", path=line(str(event.damage.path)))
            self.notify(said, severity="warning", timeout=60, markup=False)
            return
        from tui.screens.restore import RestoreScreen

        self.bring_forward(RestoreScreen(event.damage))

    def start_recovery(self, source: Path | None) -> None:
        """Restore `source`, or finish an interrupted restore, unless one runs already."""
        if self.recovery is not None and self.recovery.running:
            return
        self.recovery = Recovery(source, Pace("restore", self.clock()))
        runtime = self.runtime
        spawn(lambda: work.recover(runtime, source, self.post_message), self._worker_failed, "restore")

    @on(messages.RecoveryEnded)
    def recovery_ended(self, event: messages.RecoveryEnded) -> None:
        """Keep how it ended, and say it wherever one is."""
        if self.recovery is not None:
            self.recovery.done, self.recovery.problem = event.done, event.problem
        if event.problem is not None:
            self.say_trouble(event.problem)
        else:
            self.notify(self.words("restore_ready"), timeout=8, markup=False)
        self.pace = None
        self._relabel()

    def compare_document(self, path: str) -> None:
        """The versions of a document beside each other."""
        from tui.screens.compare import CompareScreen

        self.push_screen(CompareScreen(path))

    def open_document(
        self,
        path: str,
        places: list[tuple[int, int]] | None = None,
        marks: Marks | None = None,
        start: int = 0,
    ) -> None:
        """Open the reader at the lines `places[start]`; the other places are one key away."""
        from tui.screens.reader import ReaderScreen

        self.push_screen(ReaderScreen(path, places or [], marks or Marks(), start))

    def get_driver_class(self) -> type[Driver]:
        """Our own where there are terminals of its kind."""
        try:
            from tui.driver import TerminalDriver
        except ImportError:  # Windows
            return super().get_driver_class()
        return TerminalDriver

    def action_leave(self) -> None:
        """Quit."""
        self.exit(0)


def run_app(
    runtime: Runtime, *, theme: str | None = None, heartbeat: Heartbeat | None = None, examine: Work | None = None
) -> int:
    """Run the interface until it is left; 0 then. Its errors are raised. The caller closes `runtime`."""
    return run(AlmanacApp(runtime, theme=theme, heartbeat=heartbeat, examine=examine)) or 0


def run(app: AlmanacApp) -> int | None:
    """Run an interface on this terminal; its exit code, None without one. The error that ended it is raised."""
    from tui import console, pictures

    console.ensure_size(1)
    app.pictures, app.console.size = pictures.prepare(app.runtime.config.environment), themes.terminal_size()
    with contextlib.closing(app.following), console.drawing():
        code = app.run()
    if app.crash is not None:
        raise app.crash
    return code
