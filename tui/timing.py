"""A start that is only timed: the interface opens as always, notes its phases, and leaves."""

from __future__ import annotations

from textual import on

from kb.answer.runtime import Runtime
from kb.timing import Timing
from tui import messages
from tui.app import AlmanacApp, run
from tui.background import spawn


class TimedApp(AlmanacApp):
    """The interface, ending by itself once everything that a start brings is there."""

    def __init__(self, runtime: Runtime, timing: Timing) -> None:
        super().__init__(runtime)
        self._timing = timing

    def _begin(self) -> None:
        self._mark("screen")
        super()._begin()
        spawn(self._await_models, self._worker_failed, "timing")

    def _await_models(self) -> None:
        self.runtime.wait()
        self.call_from_thread(self._mark, "models")

    @on(messages.CatalogRead)
    def _documents_listed(self) -> None:
        self._mark("knowledge")

    def _mark(self, phase: str) -> None:
        if self._timing.mark(phase):
            self.exit(0)


def time_start(runtime: Runtime, timing: Timing) -> int:
    """Run the interface until its start is complete; 0 then. Its errors are raised. The caller closes `runtime`."""
    return run(TimedApp(runtime, timing)) or 0
