"""Keeping a kiosk on the screen: what breaks in the interface is reported, and the interface starts again in place."""

from __future__ import annotations

import contextlib
import os
import signal
import sys
import threading
import time
from collections.abc import Callable, Iterator

from kb.answer.runtime import Runtime
from kb.texts import text
from tui.app import run
from tui.kiosk.app import Ended, Kiosk, KioskApp

Report = Callable[[BaseException], object]
"""Saves a report of an error. Never raises."""

# Errors within this time count as one row; each further one waits longer, so that a broken start does not spin.
_ROW_S = 60.0
_LONGEST_PAUSE_S = 30.0
# An interface that does not end by itself by then (its terminal is gone, it hangs) is ended.
_LAST_WAIT_S = 8.0


def run_kiosk(runtime: Runtime, given: Kiosk, report: Report) -> Ended:
    """Run the interface until somebody with the PIN ends it or the system does. The caller closes `runtime`."""
    stopping = threading.Event()
    with _quiet(), _signals(stopping), _hooks(report):
        return _again_and_again(runtime, given, report, stopping)


def _again_and_again(runtime: Runtime, given: Kiosk, report: Report, stopping: threading.Event) -> Ended:
    errors: list[float] = []
    while not stopping.is_set():
        app = KioskApp(runtime, given, stopping)
        error: BaseException | None = None
        try:
            run(app)
        except Exception as raised:  # noqa: BLE001 - whatever it is, the screen comes back
            error = raised
        if app.ended is not None:
            return app.ended
        if error is not None:
            report(error)
        errors = [moment for moment in errors if time.monotonic() - moment < _ROW_S] + [time.monotonic()]
        _say(text(runtime.config.lang, "kiosk_again"))
        # The heartbeat is silent meanwhile: a copy that cannot come back is for the watchdog.
        stopping.wait(pause(len(errors)))
    return Ended.STOPPED


def pause(row: int) -> float:
    """Seconds before the next start after `row` errors shortly after each other."""
    return 0.0 if row <= 1 else min(_LONGEST_PAUSE_S, 2.0 ** (min(row, 10) - 2))


# -- the process -------------------------------------------------------------------------------------------------


def _quiet() -> contextlib.AbstractContextManager[None]:
    """The terminal without signals and echo; nothing where there is none of this kind."""
    if sys.platform == "win32" or not sys.stdin.isatty():
        return contextlib.nullcontext()
    from tui.kiosk.driver import quiet_terminal

    return quiet_terminal()


def _say(words: str) -> None:
    if sys.platform != "win32":
        from tui.kiosk.driver import put

        put(f"\x1b[2J\x1b[H\r\n  {words}\r\n")


@contextlib.contextmanager
def _signals(stopping: threading.Event) -> Iterator[None]:
    """What a terminal sends is ignored; what the system sends to end a process sets `stopping`."""

    def stop(*_: object) -> None:
        stopping.set()
        last = threading.Timer(_LAST_WAIT_S, os._exit, (0,))
        last.daemon = True
        last.start()

    ignored = ("SIGINT", "SIGQUIT", "SIGTSTP", "SIGTTIN", "SIGTTOU")
    handled = [(name, signal.SIG_IGN) for name in ignored] + [(name, stop) for name in ("SIGTERM", "SIGHUP")]
    before = {}
    for name, handler in handled:
        number = getattr(signal, name, None)
        if number is not None:
            before[number] = signal.signal(number, handler)
    try:
        yield
    finally:
        for number, earlier in before.items():
            signal.signal(number, earlier)


@contextlib.contextmanager
def _hooks(report: Report) -> Iterator[None]:
    """An error that Python would print over the screen becomes a report."""
    threads, unraisable, top = threading.excepthook, sys.unraisablehook, sys.excepthook

    def in_thread(arguments: threading.ExceptHookArgs) -> None:
        if arguments.exc_value is not None:
            report(arguments.exc_value)

    def nowhere(arguments: sys.UnraisableHookArgs) -> None:
        if arguments.exc_value is not None:
            report(arguments.exc_value)

    threading.excepthook, sys.unraisablehook = in_thread, nowhere
    sys.excepthook = lambda kind, error, trace: report(error) and None
    try:
        yield
    finally:
        threading.excepthook, sys.unraisablehook, sys.excepthook = threads, unraisable, top
