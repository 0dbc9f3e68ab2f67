"""Opens the interface over a runtime that ends with it: for a person, as a kiosk, or only to see how long it takes."""

from __future__ import annotations

import dataclasses
from collections.abc import Callable
from typing import TYPE_CHECKING, TypeVar

from kb import instance
from kb.answer.runtime import Runtime
from kb.config import Config
from kb.kiosk.maintenance import Work
from kb.timing import Timing

if TYPE_CHECKING:
    from tui.kiosk.app import Ended, Kiosk

Shown = TypeVar("Shown")


def person(
    config: Config, theme: str | None, heartbeat: Callable[[], None] | None, examine: Work | None = None
) -> tuple[int, bool]:
    """The interface as people use it: its exit code, and whether nothing computes any more."""
    from tui.app import run_app

    with instance.first_copy(config.home) as first:
        if not first:
            config = dataclasses.replace(config, read_only=True, keep_answers=False)
        return _with_runtime(
            config, lambda runtime: run_app(runtime, theme=theme, heartbeat=heartbeat, examine=examine)
        )


def kiosk(
    config: Config, given: Kiosk, report: Callable[[BaseException], object], *, keep_gaps: bool
) -> tuple[Ended, bool]:
    """The kiosk: why it ended, and whether nothing computes any more. Nothing asked is kept, gaps with `keep_gaps`."""
    from tui.kiosk.running import run_kiosk

    with instance.first_copy(config.home) as first:
        private = dataclasses.replace(config, read_only=not first, keep_answers=False, keep_gaps=keep_gaps and first)
        return _with_runtime(private, lambda runtime: run_kiosk(runtime, given, report))


def timed(config: Config, timing: Timing) -> int:
    """The interface only until its start is complete, with a mark for each phase; 0 then."""
    from tui.timing import time_start

    timing.mark("interface")
    return _with_runtime(config, lambda runtime: time_start(runtime, timing))[0]


def _with_runtime(config: Config, show: Callable[[Runtime], Shown]) -> tuple[Shown, bool]:
    runtime = Runtime(config)
    try:
        shown = show(runtime)
    finally:
        idle = runtime.close()
    return shown, idle
