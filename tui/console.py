"""The terminal's size where it has none: a serial line reports 0x0, and nothing would ever be laid out."""

from __future__ import annotations

import contextlib
import os
import struct
import sys

COLUMNS, LINES = 80, 24


def ensure_size(handle: int) -> None:
    """Give the terminal on `handle` a size of 80x24 if it reports none; nothing where it is no terminal."""
    if sys.platform == "win32":
        return
    import fcntl
    import termios

    with contextlib.suppress(OSError):
        size = os.get_terminal_size(handle)
        if not (size.columns and size.lines):
            lines, columns = size.lines or LINES, size.columns or COLUMNS
            fcntl.ioctl(handle, termios.TIOCSWINSZ, struct.pack("HHHH", lines, columns, 0, 0))
