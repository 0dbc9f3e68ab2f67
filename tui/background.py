"""Background threads of the interface.

Daemon threads of our own, not Textual's thread workers: those run in asyncio's executor, which at the end
waits for every running job, so leaving during a first indexing would hang.
"""

from __future__ import annotations

import logging
import threading
from collections.abc import Callable

_log = logging.getLogger(__name__)

Job = Callable[[], None]
OnError = Callable[[BaseException], object]


def spawn(job: Job, on_error: OnError, name: str = "work") -> threading.Thread:
    """Run `job` in a thread; an exception goes to `on_error`, never to the terminal."""
    thread = threading.Thread(target=_guarded, args=(job, on_error), name=name, daemon=True)
    thread.start()
    return thread


def _guarded(job: Job, on_error: OnError) -> None:
    try:
        job()
    except Exception as error:  # noqa: BLE001 - whatever went wrong is told calmly on screen
        _log.debug("background work failed", exc_info=True)
        on_error(error)


class Lane:
    """One thread that always works on the newest request; older ones that have not begun are dropped."""

    def __init__(self, name: str) -> None:
        self._name = name
        self._wake = threading.Condition()
        self._next: tuple[Job, OnError] | None = None
        self._thread: threading.Thread | None = None

    def submit(self, job: Job, on_error: OnError) -> None:
        """Do `job` as soon as the running one has ended."""
        with self._wake:
            self._next = (job, on_error)
            if self._thread is None:
                self._thread = threading.Thread(target=self._run, name=self._name, daemon=True)
                self._thread.start()
            self._wake.notify()

    def _run(self) -> None:
        while True:
            with self._wake:
                if self._next is None and not self._wake.wait_for(lambda: self._next is not None, timeout=20):
                    self._thread = None
                    return
                assert self._next is not None
                job, on_error = self._next
                self._next = None
            _guarded(job, on_error)
