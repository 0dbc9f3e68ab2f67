"""Driving the interface in a pseudo-terminal: every screen is opened once and must draw itself."""

from __future__ import annotations

import os
import re
import select
import signal
import struct
import subprocess
import sys
import time
from dataclasses import dataclass, field

from kb.config import Config

_DEADLINE_S = 60.0
_ESCAPES = re.compile(rb"\x1b\[[0-?]*[ -/]*[@-~]|\x1b[PX^_\]].*?(?:\x1b\\|\x07)|\x1b[@-Z\\-_]", re.DOTALL)
# Key sequences and a word that the screen then shows (English interface).
_STEPS: tuple[tuple[str, bytes, str], ...] = (
    ("start", b"", "Almanac"),
    ("help", b"\x1bOP", "Esc"),
    ("back", b"\x1b", ""),
    ("more", b"\x1b[21~", "F10"),
    ("back", b"\x1b", ""),
)


@dataclass
class _Screen:
    """The child's terminal: what it wrote since the last `clear`."""

    handle: int
    seen: bytearray = field(default_factory=bytearray)

    def read(self, seconds: float) -> None:
        """Collect output for at most `seconds`, returning early when there is none left."""
        end = time.monotonic() + seconds
        while (left := end - time.monotonic()) > 0:
            ready, _, _ = select.select([self.handle], [], [], left)
            if not ready:
                return
            try:
                self.seen += os.read(self.handle, 65536)
            except OSError:
                return

    def text(self) -> str:
        """The output without control sequences."""
        return _ESCAPES.sub(b"", bytes(self.seen)).decode("utf-8", "replace")


def drive_interface(config: Config, columns: int = 80, lines: int = 24) -> str:
    """Start this program on a pseudo-terminal, open its screens, leave it; RuntimeError names what failed."""
    if sys.platform == "win32":
        return "not on Windows"
    import fcntl
    import pty
    import termios

    master, slave = pty.openpty()
    fcntl.ioctl(slave, termios.TIOCSWINSZ, struct.pack("HHHH", lines, columns, 0, 0))
    environment = {**config.environment, "TERM": "xterm-256color", "LANG": "C.UTF-8"}
    command = [*config.self_command, "--lang", "en", "--home", str(config.home), "--knowledge", str(config.knowledge)]
    child = subprocess.Popen(
        command, stdin=slave, stdout=slave, stderr=slave, env=environment, start_new_session=True, close_fds=True
    )
    os.close(slave)
    screen = _Screen(master)
    try:
        for name, keys, expected in _STEPS:
            _step(screen, child, name, keys, expected)
        os.write(master, b"\x11")
        code = _leave(screen, child)
        if code != 0:
            raise RuntimeError(f"left with {code}: {screen.text()[-300:]}")
        return f"{len([step for step in _STEPS if step[2]])} screens at {columns}x{lines}"
    finally:
        if child.poll() is None:
            os.killpg(child.pid, signal.SIGKILL)
            child.wait()
        os.close(master)


def _step(screen: _Screen, child: subprocess.Popen[bytes], name: str, keys: bytes, expected: str) -> None:
    screen.seen.clear()
    if keys:
        os.write(screen.handle, keys)
    deadline = time.monotonic() + _DEADLINE_S
    while time.monotonic() < deadline:
        screen.read(0.2)
        text = screen.text()
        if "Traceback" in text:
            raise RuntimeError(f"{name}: {text[-400:]}")
        if child.poll() is not None:
            raise RuntimeError(f"{name}: ended with {child.returncode}: {text[-300:]}")
        if expected in text and (text or not keys):
            return
    raise RuntimeError(f"{name}: «{expected}» did not appear")


def _leave(screen: _Screen, child: subprocess.Popen[bytes]) -> int:
    deadline = time.monotonic() + _DEADLINE_S
    while child.poll() is None and time.monotonic() < deadline:
        screen.read(0.2)
    if child.poll() is None:
        raise RuntimeError("does not end on Ctrl+Q")
    screen.read(0.2)
    return int(child.returncode)
