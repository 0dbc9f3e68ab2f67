"""The application as a kiosk: what is closed, when it starts over, how the maintenance screen is reached."""

from __future__ import annotations

import threading
from collections.abc import Callable
from dataclasses import dataclass, field
from enum import StrEnum
from pathlib import Path
from typing import Any, ClassVar

from textual import events, on
from textual.binding import Binding, BindingType
from textual.driver import Driver

from kb.answer.runtime import Runtime
from kb.kiosk.maintenance import Maintenance
from kb.kiosk.pin import Pin
from kb.kiosk.settings import IDLE_S
from kb.texts import text
from tui import messages, themes
from tui.app import AlmanacApp
from tui.kiosk.attract import AttractScreen
from tui.kiosk.work import WorkTold
from tui.widgets.question import QuestionInput
from tui.words import line

HOLD_S = 3.0
WARN_S = 15
_LOOK_S = 0.25
_CORNER = (6, 2)
_FOLDER = Path(__file__).parent.parent
# What a passer-by must not do: leave, replace the knowledge, decide about it, write files, change the program.
CLOSED = frozenset(
    (
        "leave", "quit", "help_quit", "suspend_process", "restore", "inbox", "memory_review", "command_palette",
        "screenshot", "change_theme", "toggle_dark", "simulate_key", "switch_screen", "push_screen", "switch_mode",
        "show_help_panel",
    )
)  # fmt: skip


class Ended(StrEnum):
    """Why a kiosk ended: somebody with the PIN left it or wants it anew, or the system ends the process."""

    LEFT = "left"
    RESTART = "restart"
    STOPPED = "stopped"


@dataclass(frozen=True, slots=True)
class Kiosk:
    """What whoever starts a kiosk gives: settings, PIN, what maintenance can do, and what the interface calls.

    `is_replaced` tells whether an update has put another program in the place of the one that runs.
    """

    pin: Pin
    idle_s: int = IDLE_S
    theme: str = ""
    maintenance: Maintenance = field(default_factory=Maintenance)
    heartbeat: Callable[[], None] | None = None
    is_replaced: Callable[[], bool] = lambda: False


class KioskApp(AlmanacApp):
    """Almanac that nobody leaves. `stopping` is set when the process shall end; `ended` says how it did."""

    kiosk = True
    CSS_PATH: ClassVar[list[str | Path]] = [_FOLDER / "almanac.tcss", _FOLDER / "kiosk.tcss"]  # type: ignore[assignment]
    BINDINGS: ClassVar[list[BindingType]] = [Binding("f12", "maintenance", priority=True, show=False)]

    def __init__(self, runtime: Runtime, given: Kiosk, stopping: threading.Event | None = None) -> None:
        chosen = given.theme or themes.for_kiosk(runtime.config.environment)
        super().__init__(runtime, theme=chosen, heartbeat=given.heartbeat)
        self.given = given
        self.stopping = stopping or threading.Event()
        self.ended: Ended | None = None
        self.working = 0
        self._touched = self.clock()
        self._warned = False
        self._held: float | None = None

    def get_driver_class(self) -> type[Driver]:
        """The driver that no key stops, where there are terminals of this kind."""
        try:
            from tui.kiosk.driver import KioskDriver
        except ImportError:  # Windows
            return super().get_driver_class()
        return KioskDriver

    def on_mount(self) -> None:
        """Beside what every Almanac does: nobody is there yet."""
        self._touched = self.clock()
        self.push_screen(AttractScreen())
        self.set_interval(_LOOK_S, self._look)

    @property
    def starter_count(self) -> int:
        """As many as the screen has room for; from 24 rows on with room between them."""
        height = self.size.height
        room = (height - 14) // 2 if height >= 24 else height - 13 if height >= 18 else height - 6
        return max(3, min(9, room))

    # -- nobody leaves ---------------------------------------------------------------------------------------

    def check_action(self, action: str, parameters: tuple[object, ...]) -> bool | None:
        """What is closed is closed, wherever it is called from."""
        return False if action in CLOSED else super().check_action(action, parameters)

    def action_leave(self) -> None:
        """There is no leaving."""

    def open_url(self, url: str, *, new_tab: bool = True) -> None:
        """No browser."""

    def copy_to_clipboard(self, text: str) -> None:
        """What one person copied is not there for the next."""

    def deliver_text(self, *arguments: Any, **options: Any) -> str | None:
        """No file is written."""
        return None

    def deliver_binary(self, *arguments: Any, **options: Any) -> str | None:
        """No file is written."""
        return None

    def end(self, how: Ended) -> None:
        """The only way out."""
        if self.ended is None:
            self.ended = how
            self.exit(0)

    @on(messages.DamageFound)
    def damage_found(self, event: messages.DamageFound) -> None:
        """Only say it, to whoever can tell the owner."""
        event.prevent_default()
        said = text(self.lang, f"damage_{event.damage.what.value}", path=line(str(event.damage.path)))
        self.notify(said, severity="warning", timeout=60, markup=False)

    # -- somebody is there, or nobody ------------------------------------------------------------------------

    async def on_event(self, event: events.Event) -> None:
        """Any input means that somebody is there; on the attract screen it leads to the ask screen and no further."""
        given = isinstance(event, (events.InputEvent, events.Paste)) and not isinstance(event, events.MouseMove)
        if given and not event.is_forwarded:  # a pointer that only moves may be a shaking table
            self._touched, self._warned = self.clock(), False
            if self._corner_held(event):
                self.action_maintenance()
                return
            if isinstance(self.screen, AttractScreen):
                self._greet(event)
                return
        await super().on_event(event)

    def _corner_held(self, event: events.Event) -> bool:
        """Whether the top right corner was held and is let go now."""
        if not isinstance(event, (events.MouseDown, events.MouseUp)):
            return False
        inside = event.screen_x >= self.size.width - _CORNER[0] and event.screen_y < _CORNER[1]
        if isinstance(event, events.MouseDown):
            self._held = self.clock() if inside else None
            return False
        held, self._held = self._held, None
        return inside and held is not None and self.clock() - held >= HOLD_S

    def _greet(self, event: events.Event) -> None:
        """To the ask screen: with the letter that was typed, or asking the question that was touched."""
        attract = self.screen
        assert isinstance(attract, AttractScreen)
        if isinstance(event, events.MouseUp) or (isinstance(event, events.MouseDown) and self._held is not None):
            return  # the end of a touch that began elsewhere; the corner is held
        starter = attract.example_at(event.x, event.y) if isinstance(event, events.MouseDown) else None
        self.action_ask()
        if isinstance(event, events.Key) and event.key == "f12":
            self.action_maintenance()
        elif isinstance(event, events.Key) and event.is_printable and event.character and event.character.strip():
            self.ask_screen().query_one("#question", QuestionInput).insert_text_at_cursor(event.character)
        elif starter is not None:
            self.ask_screen().ask(starter.question)

    def _look(self) -> None:
        """End when the system says so; start over when nobody was there for the time set.

        A newer program is started as soon as nobody is there.
        """
        if not self.screen_stack:  # it is ending
            return
        if self.stopping.is_set():
            self.end(Ended.STOPPED)
            return
        if isinstance(self.screen, AttractScreen) and not self.working and self.given.is_replaced():
            self.end(Ended.RESTART)
            return
        if isinstance(self.screen, AttractScreen) or self._waits_for_work():
            self._touched = self.clock()
            return
        left = self.given.idle_s - (self.clock() - self._touched)
        if left <= 0:
            self.start_over()
        elif left <= min(WARN_S, self.given.idle_s / 2) and not self._warned:
            self._warned = True
            self.notify(self.words("kiosk_soon", seconds=max(1, round(left))), timeout=left, markup=False)

    def start_over(self) -> None:
        """Nothing stays of who was there: questions, answers, follow-ups, what was typed, copied, chosen or set."""
        self.action_ask()
        self.diagnoses.forget()
        self.session.forget()
        self.ask_screen().forget()
        self.ask_screen().clear_selection()
        self.clear_notifications()
        self._clipboard = ""
        self._warned = False
        self._held = None
        if self.lang != self.runtime.config.lang:
            self.action_language()
        if self.theme != self._start_theme:
            self.use_theme(self._start_theme)
        renew = getattr(self._driver, "renew_input", None)
        if renew is not None:
            renew()
        self.push_screen(AttractScreen())

    def _waits_for_work(self) -> bool:
        """Whether somebody watches a piece of maintenance that is under way."""
        from tui.kiosk.maintenance import ResultScreen

        return self.working > 0 and any(isinstance(screen, ResultScreen) for screen in self.screen_stack)

    # -- maintenance -----------------------------------------------------------------------------------------

    def action_maintenance(self) -> None:
        """Ask for the PIN, unless that is done already."""
        from tui.kiosk.maintenance import MaintenanceScreen, ResultScreen
        from tui.kiosk.pin import PinScreen

        if not any(isinstance(screen, (PinScreen, MaintenanceScreen, ResultScreen)) for screen in self.screen_stack):
            self.action_ask()
            self.push_screen(PinScreen(self.given.pin))

    @on(WorkTold)
    def work_told(self, event: WorkTold) -> None:
        """Shown where it is watched, else said in a line."""
        self.working -= 1
        self._touched = self.clock()
        if not event.show(event):
            good = event.outcome is not None and event.outcome.good
            self.notify(self.words("work_good" if good else "work_bad_short"), timeout=8, markup=False)
