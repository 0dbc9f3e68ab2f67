"""What a run that lasts looks after: the program's own file, its runtime, and what it unpacked into the home folder.

An update puts another file in the program's place; whoever cleans up may take what was unpacked.
"""

from __future__ import annotations

import contextlib
import subprocess
from collections.abc import Callable
from pathlib import Path

from kb import paths

_UNPACKING_S = 120.0


class Watch:
    """Looks at the program as it was when this was made."""

    def __init__(self) -> None:
        self._program = paths.program_file()
        self._runtime = paths.runtime_file()
        self._before = _identity(self._program)

    def is_replaced(self) -> bool:
        """Whether another file has come in the place of the executable. A stick that was pulled brings none."""
        now = _identity(self._program)
        return None not in (self._before, now) and now != self._before

    def put_back(self, home: Path) -> None:
        """Unpack again what is gone of what this very program unpacked. AlmanacError when it cannot be."""
        if self._program is None or _identity(self._program) != self._before:
            return
        if self._runtime is not None and not self._runtime.exists():
            # A start of the program unpacks its runtime; where that fails, what is imported already goes on.
            command = [str(self._program), "--home", str(home), "--version"]
            with contextlib.suppress(OSError, subprocess.TimeoutExpired):
                subprocess.run(
                    command, stdin=subprocess.DEVNULL, capture_output=True, timeout=_UNPACKING_S, check=False
                )
        paths.find_assets(home)


def putting_back(home: Path) -> Callable[[], None]:
    """Calls `put_back` for the program as it is now."""
    watch = Watch()
    return lambda: watch.put_back(home)


def _identity(program: Path | None) -> tuple[int, ...] | None:
    """What another file of the same name would differ in; None where there is no file."""
    if program is None:
        return None
    try:
        state = program.stat()
    except OSError:
        return None
    return state.st_dev, state.st_ino, state.st_size, state.st_mtime_ns
