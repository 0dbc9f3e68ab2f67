"""The standard streams of this process: fit to be written to from the first line to the last."""

from __future__ import annotations

import io
import os
import sys
from typing import TextIO


def prepare() -> None:
    """Make up for streams that whoever started this process has closed, and let none fail for a character that its
    encoding lacks (a GBK or C locale)."""
    _fill_gaps()
    for stream in (sys.stdout, sys.stderr):
        if isinstance(stream, io.TextIOWrapper):
            if (stream.encoding or "").lower() in ("ascii", "ansi_x3.4-1968", "us-ascii"):
                stream.reconfigure(encoding="utf-8")
            stream.reconfigure(errors="replace")


def let_go() -> None:
    """Write what the streams still hold; what nobody takes any more (a pipe or terminal that is gone, a full disk) goes
    nowhere. Otherwise the interpreter's own last flush fails, and that makes the exit code 120."""
    for stream in (sys.stdout, sys.stderr):
        _flush_or_drop(stream)


def _fill_gaps() -> None:
    """Let closed streams lead nowhere: else the next file that is opened gets their number, and what a library writes
    to standard output lands in it."""
    while (handle := os.open(os.devnull, os.O_RDWR)) <= 2:
        os.set_inheritable(handle, True)
    os.close(handle)
    for number, (name, mode) in enumerate((("stdin", "r"), ("stdout", "w"), ("stderr", "w"))):
        if getattr(sys, name) is None:
            setattr(sys, name, os.fdopen(number, mode, encoding="utf-8", closefd=False))


def _flush_or_drop(stream: TextIO) -> None:
    try:
        stream.flush()
    except ValueError:
        return  # closed
    except OSError:
        os.dup2(os.open(os.devnull, os.O_WRONLY), stream.fileno())
