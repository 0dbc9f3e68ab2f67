"""tui.console: a terminal without a size gets one, one with a size keeps it."""

from __future__ import annotations

import fcntl
import os
import pty
import struct
import termios

import pytest

from tui.console import ensure_size


@pytest.mark.parametrize(
    ("before", "after"), [((0, 0), (80, 24)), ((132, 0), (132, 24)), ((0, 50), (80, 50)), ((40, 12), (40, 12))]
)
def test_a_serial_line_gets_a_size(before: tuple[int, int], after: tuple[int, int]) -> None:
    master, slave = pty.openpty()
    try:
        fcntl.ioctl(slave, termios.TIOCSWINSZ, struct.pack("HHHH", before[1], before[0], 0, 0))
        ensure_size(slave)
        assert tuple(os.get_terminal_size(slave)) == after
    finally:
        os.close(master)
        os.close(slave)


def test_what_is_no_terminal_is_left_alone() -> None:
    reading, writing = os.pipe()
    ensure_size(writing)
    os.close(reading)
    os.close(writing)
    ensure_size(writing)
