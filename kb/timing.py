"""How long the phases of a start take, counted from the moment the system made this process."""

from __future__ import annotations

import contextlib
import json
import os
import time
from pathlib import Path

from kb import fsio

# In the order in which they are reached: first code of ours, configuration known, modules of the interface loaded,
# first screen drawn, documents listed, models loaded.
PHASES = ("program", "configuration", "interface", "screen", "knowledge", "models")


class Timing:
    """Marks of one start, written to `target` as JSON (phase -> seconds) when the last one is made."""

    def __init__(self, target: Path) -> None:
        self._target = target
        self._began = time.monotonic() - process_age()
        self._marks: dict[str, float] = {}

    def mark(self, phase: str) -> bool:
        """Note that `phase` (one of PHASES) is reached; the first time counts. True when all are."""
        if phase not in PHASES:
            raise ValueError(f"no phase of a start: {phase}")
        self._marks.setdefault(phase, time.monotonic() - self._began)
        complete = len(self._marks) == len(PHASES)
        if complete:
            fsio.write_text(self._target, json.dumps(self._marks))
        return complete


def process_age() -> float:
    """Seconds since the system started this process (the launcher included: it becomes the program); 0 where unknown.

    From `starttime`, field 22 of /proc/self/stat in clock ticks (proc(5)), so exact to 10 ms.
    """
    with contextlib.suppress(OSError, ValueError, IndexError, AttributeError):
        after_name = Path("/proc/self/stat").read_text("utf-8", "replace").rpartition(")")[2].split()
        ticks = int(after_name[22 - 3])
        return max(0.0, time.clock_gettime(time.CLOCK_BOOTTIME) - ticks / os.sysconf("SC_CLK_TCK"))
    return 0.0
