"""What a run that lasts looks after: the program's own file, its runtime, and what it unpacked into the home folder.

An update puts another file in the program's place; whoever cleans up may take what was unpacked.
"""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path

from kb import paths


class Watch:
    """Looks at the program as it was when this was made."""

    def __init__(self) -> None:
        self._program = paths.program_file()
        self._runtime = paths.runtime_file()
        self._before = _identity(self._program)

    @property
    def is_replaced(self) -> bool:
        """Whether another file has come in the place of the executable. A stick that was pulled brings none."""
        now = _identity(self._program)
        return None not in (self._before, now) and now != self._before

    @property
    def lacks_runtime(self) -> bool:
        """Whether the runtime is gone, so that what was not imported yet cannot be; the next start unpacks it again."""
        return self._runtime is not None and not self._runtime.exists()

    def wants_start(self) -> bool:
        """Whether a new start would be better than going on."""
        return self.is_replaced or (self.lacks_runtime and _identity(self._program) is not None)

    def put_back(self, home: Path) -> None:
        """Unpack again what is gone in `home` of what this very program unpacked. AlmanacError when it cannot be."""
        if self._program is not None and _identity(self._program) == self._before:
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
