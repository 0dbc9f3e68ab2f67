"""The terminal of a kiosk: no signal from the keyboard, no bytes that stop the reading, no way to suspend."""

from __future__ import annotations

import contextlib
import signal
import sys
import termios
import threading
from collections.abc import Iterator
from typing import TYPE_CHECKING, cast

from textual import events, messages
from textual.message import Message

from tui.driver import TerminalDriver

if TYPE_CHECKING:
    from tui.kiosk.app import KioskApp

# What a keyboard, or a program that talks to the terminal, can send.
FROM_TERMINAL = (signal.SIGINT, signal.SIGQUIT, signal.SIGTSTP, signal.SIGTTIN, signal.SIGTTOU)
_AGAIN_S = 0.05


def ignore_terminal_signals() -> None:
    """Signals that a terminal sends have no effect, on this process and on those that it starts."""
    for number in FROM_TERMINAL:
        signal.signal(number, signal.SIG_IGN)


@contextlib.contextmanager
def quiet_terminal() -> Iterator[None]:
    """Between and beside screens too, keys are neither echoed nor made into signals, and Ctrl+S holds nothing.

    The screen below is wiped, and what was typed meanwhile never reaches the program that comes after.
    """
    handle = sys.stdin.fileno()
    before = termios.tcgetattr(handle)
    silent = termios.tcgetattr(handle)
    silent[0] &= ~(termios.IXON | termios.IXOFF | termios.BRKINT)
    silent[3] &= ~(termios.ECHO | termios.ICANON | termios.ISIG | termios.IEXTEN)
    termios.tcsetattr(handle, termios.TCSAFLUSH, silent)
    put("\x1b[2J\x1b[H")
    try:
        yield
    finally:
        with contextlib.suppress(termios.error):
            termios.tcsetattr(handle, termios.TCSAFLUSH, before)


def put(text: str) -> None:
    """Write to the terminal while no screen is up; a terminal that is gone is no error."""
    with contextlib.suppress(OSError, ValueError):
        sys.stdout.write(text)
        sys.stdout.flush()


class KioskDriver(TerminalDriver):
    """Textual's driver, for a terminal that anybody may type at."""

    # Attributes of Textual's driver that are used here: _app, _loop, _key_thread, exit_event.

    def __init__(self, app: KioskApp, **options: object) -> None:
        super().__init__(app, **options)  # type: ignore[arg-type]
        self._renewing = threading.Event()
        ignore_terminal_signals()

    @property
    def can_suspend(self) -> bool:
        """Never: behind it there would be a shell."""
        return False

    def start_application_mode(self) -> None:
        """As Textual does, which sets signals of its own."""
        super().start_application_mode()  # type: ignore[no-untyped-call]
        ignore_terminal_signals()

    def _sigtstp_application(self, *_: object) -> None:
        """Ctrl+Z does nothing, also in the moment before signals are ignored."""

    def _sigcont_application(self, *_: object) -> None:
        """Whoever froze the process lets it go on: draw what may be gone from the screen."""
        self._loop.call_soon_threadsafe(self._app.refresh)

    def _query_in_band_window_resize(self) -> None:
        """Sizes are asked of the system, not taken from what is typed."""

    def process_message(self, message: Message) -> None:
        """Everything typed, but for reports that a keyboard can make up."""
        if not isinstance(message, (messages.InBandWindowResize, events.Resize)):
            super().process_message(message)

    # -- reading ---------------------------------------------------------------------------------------------

    def _run_input_thread(self) -> None:
        """Read until the end, whatever one key may do."""
        while True:
            try:
                self.run_input_thread()
            except OSError:
                cast("KioskApp", self._app).stopping.set()  # the terminal is gone
                return
            except Exception:  # noqa: BLE001 - whatever was typed, the next key is read again
                if self.exit_event.wait(_AGAIN_S) and not self._renewing.is_set():
                    return
            else:
                if not self._renewing.is_set():
                    return
            if self._renewing.is_set():
                self.exit_event.clear()
                self._renewing.clear()

    def renew_input(self) -> None:
        """Forget a paste or sequence that never ended; to be called from the interface's loop."""
        thread = self._key_thread
        if thread is not None and thread.is_alive() and not self.exit_event.is_set():
            self._renewing.set()
            self.exit_event.set()

    def disable_input(self) -> None:
        """As Textual does, once the reading that is being renewed has begun anew."""
        thread = self._key_thread
        while self._renewing.is_set() and thread is not None and thread.is_alive():
            self.exit_event.wait(0.01)
        super().disable_input()
