"""The program on a pseudo-terminal of the test's own, which is the controlling terminal of its session."""

from __future__ import annotations

import contextlib
import fcntl
import os
import pty
import select
import signal
import struct
import sys
import termios
import time
from collections.abc import Callable, Iterator, Sequence
from pathlib import Path

import pyte

from tests.helpers import PATIENCE_S, PROJECT, lines_on

# Without models and documents of the program's own, as on a fresh machine; `_WORK` may break something.
_PROGRAM = """
import sys
import agent_main
from kb import paths
from kb.paths import Assets
paths.find_assets = lambda home, report=None: Assets()
{extra}
sys.exit(agent_main.main(sys.argv[1:]))
"""


class Terminal:
    """What the program wrote, as a person sees it, and the ways to reach it."""

    def __init__(self, process: int, master: int, slave: int, size: tuple[int, int]) -> None:
        self.process, self._master, self.slave = process, master, slave
        self._screen = pyte.Screen(*size)
        self._stream = pyte.ByteStream(self._screen)
        self.written = bytearray()
        self.code: int | None = None

    @property
    def text(self) -> str:
        """The screen."""
        return "\n".join(lines_on(self._screen))

    def send(self, keys: bytes) -> None:
        """Type; the program's answers are read meanwhile, so that neither waits for the other."""
        while keys:
            self._read(0.0)
            if select.select([], [self._master], [], 0.01)[1]:
                keys = keys[os.write(self._master, keys[:512]) :]

    def until(self, condition: Callable[[], object], what: str, seconds: float = PATIENCE_S) -> None:
        """Read until `condition` holds; fails with the screen when the program ends or it takes too long."""
        end = time.monotonic() + seconds
        while not condition():
            self._read(0.05)
            if condition():
                return
            assert self.alive, f"{what}: ended with {self.code}\n{self.written[-2000:].decode('utf-8', 'replace')}"
            assert time.monotonic() < end, f"{what}: not within {seconds} s\n{self.text}"

    def settle(self, quiet: float = 0.3) -> None:
        """Read until nothing was written for `quiet` seconds (less than a cursor takes to blink).

        Seconds in which the program had something to do, but maybe no processor to do it on, do not count.
        """
        begun = last = time.monotonic()
        while self.alive and time.monotonic() < last + quiet:
            before = len(self.written)
            self._read(0.05)
            if before != len(self.written) or not self._is_idle():
                last = time.monotonic()
            assert last < begun + PATIENCE_S, f"does not settle\n{self.text}"

    def _is_idle(self) -> bool:
        """Whether the program has read all that was typed and each of its threads waits for something."""
        unread = struct.unpack("i", fcntl.ioctl(self.slave, termios.FIONREAD, bytes(4)))[0]
        with contextlib.suppress(OSError):  # a thread or the program ended; no /proc
            threads = Path(f"/proc/{self.process}/task").iterdir()
            states = {(thread / "stat").read_text().rpartition(")")[2].split()[0] for thread in threads}
            return not unread and states <= {"S", "T"}
        return not unread

    def sees(self, words: str) -> None:
        """Wait until `words` stand on the screen."""
        self.until(lambda: words in self.text, f"«{words}»")

    @property
    def alive(self) -> bool:
        """Whether the program runs (a stopped one does not)."""
        if self.code is None:
            ended, status = os.waitpid(self.process, os.WNOHANG | os.WUNTRACED)
            if ended:
                self.code = os.waitstatus_to_exitcode(status) if not os.WIFSTOPPED(status) else -signal.SIGSTOP
        return self.code is None

    def ended(self, seconds: float = PATIENCE_S) -> int:
        """Wait for the end; the exit code."""
        end = time.monotonic() + seconds
        while self.alive:
            self._read(0.05)
            assert time.monotonic() < end, f"does not end\n{self.text}"
        self._read(0.0)
        assert self.code is not None
        return self.code

    def hang_up(self) -> None:
        """The terminal is gone."""
        os.close(self.slave)
        os.close(self._master)
        self._master = self.slave = -1

    def _read(self, seconds: float) -> None:
        if self._master < 0:
            time.sleep(min(seconds, 0.01))
            return
        while select.select([self._master], [], [], seconds)[0]:
            try:
                read = os.read(self._master, 65536)
            except OSError:
                return
            self.written += read
            self._stream.feed(read)
            seconds = 0.0

    def close(self) -> None:
        """End the program, if it is still there."""
        if self.alive or self.code == -signal.SIGSTOP:
            os.kill(self.process, signal.SIGKILL)
            with contextlib.suppress(ChildProcessError):
                os.waitpid(self.process, 0)
        for handle in (self._master, self.slave):
            if handle >= 0:
                os.close(handle)


@contextlib.contextmanager
def running(
    home: Path, arguments: Sequence[str], *, extra: str = "", size: tuple[int, int] = (80, 24)
) -> Iterator[Terminal]:
    """The program with these arguments. `extra` is Python that is run first; `{home}/` is its home folder."""
    master, slave = pty.openpty()
    fcntl.ioctl(slave, termios.TIOCSWINSZ, struct.pack("HHHH", size[1], size[0], 0, 0))
    environment = {
        "PATH": os.environ.get("PATH", ""), "HOME": str(home), "ALMANAC_HOME": str(home / "almanac"),
        "LANG": "C.UTF-8", "TERM": "xterm-256color", "PYTHONPATH": str(PROJECT), "PYTHONDONTWRITEBYTECODE": "1",
        "TEXTUAL_ALLOW_SIGNALS": "1", "TEXTUAL_LOG": str(home / "textual.log"),
    }  # fmt: skip
    command = [sys.executable, "-c", _PROGRAM.format(extra=extra), *arguments]
    process = os.fork()
    if process == 0:
        try:
            os.setsid()
            fcntl.ioctl(slave, termios.TIOCSCTTY, 0)
            for handle in (0, 1, 2):
                os.dup2(slave, handle)
            os.closerange(3, 256)
            os.chdir(home)
            os.execve(command[0], command, environment)
        finally:
            os._exit(127)
    terminal = Terminal(process, master, slave, size)
    try:
        yield terminal
    finally:
        terminal.close()
