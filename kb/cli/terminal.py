"""Driving the interface in a pseudo-terminal: every screen is opened once and must draw itself."""

from __future__ import annotations

import contextlib
import os
import re
import select
import signal
import struct
import subprocess
import sys
import time
from collections.abc import Iterator, Mapping
from dataclasses import dataclass, field

from kb.config import Config

PATIENCE_S = 60
_ESCAPES = re.compile(rb"\x1b\[[0-?]*[ -/]*[@-~]|\x1b[PX^_\]].*?(?:\x1b\\|\x07)|\x1b[@-Z\\-_]", re.DOTALL)
# Name, keys, and words that the screen then shows (English interface); the last steps need a document to open.
_STEPS: tuple[tuple[str, bytes, str], ...] = (
    ("ask", b"", "ask anything"),
    ("help", b"\x1bOP", "Esc"),
    ("back to ask", b"\x1b", "ask anything"),
    ("documents", b"\x1bOQ", "type to search the documents"),
    ("back to ask", b"\x1b", "ask anything"),
    ("earlier questions", b"\x1bOS", "Earlier questions"),
    ("back to ask", b"\x1b", "ask anything"),
    ("what changed", b"\x1b[15~", "What changed"),
    ("back to ask", b"\x1b", "ask anything"),
    ("about", b"\x1b[17~", "About this Almanac"),
    ("back to ask", b"\x1b", "ask anything"),
    ("more", b"\x1b[21~", "Earlier questions"),
    ("back to ask", b"\x1b", "ask anything"),
)


@dataclass
class _Screen:
    """The child's terminal: what it wrote since the last `clear`; `patience_s` is the most that it may take."""

    handle: int
    patience_s: int = PATIENCE_S
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


def drive_interface(
    config: Config, question: str, patience_s: int = PATIENCE_S, columns: int = 80, lines: int = 24
) -> str:
    """Start this program on a pseudo-terminal, open its screens, ask, read a source, leave it.

    A screen may take `patience_s`. RuntimeError names the screen that failed.
    """
    if sys.platform == "win32":
        return "not on Windows"
    with _interface(config, {}, columns, lines, patience_s) as (screen, child):
        for name, keys, expected in _STEPS:
            _step(screen, child, name, keys, expected)
        _ask_and_read(screen, child, question)
        os.write(screen.handle, b"\x11")
        _leave(screen, child)
        opened = {name for name, _, _ in _STEPS} - {"back to ask"}
        return f"{', '.join(sorted(opened))}, answer, reader at {columns}x{lines}"


def start_once(config: Config, environment: Mapping[str, str]) -> None:
    """Start the interface with some variables added and wait until it leaves by itself; RuntimeError otherwise."""
    with _interface(config, environment, 80, 24) as (screen, child):
        _leave(screen, child)


@contextlib.contextmanager
def _interface(
    config: Config, added: Mapping[str, str], columns: int, lines: int, patience_s: int = PATIENCE_S
) -> Iterator[tuple[_Screen, subprocess.Popen[bytes]]]:
    """This program's interface on a pseudo-terminal; ended with the block. RuntimeError on Windows."""
    if sys.platform == "win32":
        raise RuntimeError("not on Windows")
    import fcntl
    import pty
    import termios

    master, slave = pty.openpty()
    fcntl.ioctl(slave, termios.TIOCSWINSZ, struct.pack("HHHH", lines, columns, 0, 0))
    environment = {**config.environment, "TERM": "xterm-256color", "LANG": "C.UTF-8", **added}
    command = [*config.self_command, "--lang", "en", "--home", str(config.home)]
    if config.prebuilt_index is None:  # else it finds the same knowledge by itself, with the vectors that lie beside it
        command += ["--knowledge", str(config.knowledge)]
    child = subprocess.Popen(
        command, stdin=slave, stdout=slave, stderr=slave, env=environment, start_new_session=True, close_fds=True
    )
    os.close(slave)
    try:
        yield _Screen(master, patience_s), child
    finally:
        if child.poll() is None:
            os.killpg(child.pid, signal.SIGKILL)
            child.wait()
        os.close(master)


def _step(screen: _Screen, child: subprocess.Popen[bytes], name: str, keys: bytes, expected: str) -> None:
    screen.seen.clear()
    if keys:
        os.write(screen.handle, keys)
    deadline = time.monotonic() + screen.patience_s
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


def _ask_and_read(screen: _Screen, child: subprocess.Popen[bytes], question: str) -> None:
    """Type the question, wait for its sources, open the first one in the reader and come back."""
    _step(screen, child, "sources", question.encode() + b"\r", "●")
    _step(screen, child, "source chosen", b"\t", "open")
    _step(screen, child, "reader", b"\r", "updated 20")
    _step(screen, child, "back to answer", b"\x1b", "●")


def _leave(screen: _Screen, child: subprocess.Popen[bytes]) -> None:
    """Wait for the end; RuntimeError when it does not come or is not a good one."""
    deadline = time.monotonic() + screen.patience_s
    while child.poll() is None and time.monotonic() < deadline:
        screen.read(0.2)
    if child.poll() is None:
        raise RuntimeError(f"does not end: {screen.text()[-300:]}")
    screen.read(0.2)
    if child.returncode != 0:
        raise RuntimeError(f"left with {child.returncode}: {screen.text()[-300:]}")
