"""The terminal to draw on: its size where it has none, and the way to it where standard error leads elsewhere."""

from __future__ import annotations

import contextlib
import os
import struct
import sys
from collections.abc import Iterator

COLUMNS, LINES = 80, 24


def ensure_size(handle: int) -> None:
    """Give the terminal on `handle` a size of 80x24 if it reports none; nothing where it is no terminal.

    A serial line reports 0x0, and nothing would ever be laid out.
    """
    if sys.platform == "win32":
        return
    import fcntl
    import termios

    with contextlib.suppress(OSError):
        size = os.get_terminal_size(handle)
        if not (size.columns and size.lines):
            lines, columns = size.lines or LINES, size.columns or COLUMNS
            fcntl.ioctl(handle, termios.TIOCSWINSZ, struct.pack("HHHH", lines, columns, 0, 0))


@contextlib.contextmanager
def drawing() -> Iterator[None]:
    """Textual draws on standard error; where that is no terminal (`2>log`, `2>&-`), let it draw on standard output."""
    error = sys.__stderr__
    if error is None or not error.isatty():
        sys.__stderr__ = sys.__stdout__  # type: ignore[misc]  # read-only by declaration alone
    try:
        yield
    finally:
        sys.__stderr__ = error  # type: ignore[misc]
