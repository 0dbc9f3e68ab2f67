"""A forked child that does a part of a long computation on another core, and hands back one value.

Only for work that reads files and computes: the child never touches the parent's databases. A pipe that only the parent
holds open ends the child when the parent is gone, whatever it is doing: until then the child holds the parent's locks.
"""

from __future__ import annotations

import marshal
import os
import select
import signal
import sys
import threading
import warnings
from collections.abc import Callable
from typing import Any, Generic, TypeVar, cast

Value = TypeVar("Value")

# A child that is not done so long after the parent has finished its own part is given up.
_PATIENCE_S = 120.0
_BLOCK = 1 << 20


class Helper(Generic[Value]):
    """A running child. `wait` gives its value, or None when it failed: then the caller does the work itself.

    A value is made of numbers, texts, bytes, tuples and lists.
    """

    def __init__(self, child: int, pipe: int, alive: int) -> None:
        self._child = child
        self._pipe = pipe
        self._alive = alive

    @classmethod
    def start(cls, work: Callable[[], Value]) -> Helper[Value] | None:
        """Begin `work` in a child; None where that cannot be."""
        if sys.platform == "win32" or not hasattr(os, "fork"):
            return None
        read, write = os.pipe()
        watched, alive = os.pipe()
        # No Ctrl-C between the fork and the child's `try`: it would run on as a second copy of the program.
        blocked = signal.pthread_sigmask(signal.SIG_BLOCK, {signal.SIGINT})
        try:
            child = _fork()
        except OSError:
            for handle in (read, write, watched, alive):
                os.close(handle)
            signal.pthread_sigmask(signal.SIG_SETMASK, blocked)
            return None
        if child:
            signal.pthread_sigmask(signal.SIG_SETMASK, blocked)
            os.close(write)
            os.close(watched)
            return cls(child, read, alive)
        code = 1
        try:
            os.close(read)
            os.close(alive)
            threading.Thread(target=_end_with, args=(watched,), daemon=True).start()
            left = memoryview(marshal.dumps(cast("Any", work())))
            while left:
                left = left[os.write(write, left) :]
            code = 0
        finally:
            os._exit(code)

    def wait(self) -> Value | None:
        """The child's value; None when it failed, died, or went silent."""
        data = bytearray()
        try:
            while select.select([self._pipe], [], [], _PATIENCE_S)[0]:
                block = os.read(self._pipe, _BLOCK)
                if not block:
                    break
                data += block
        finally:
            code = self.stop()
        if code != 0:
            return None
        try:
            value: Value = marshal.loads(bytes(data))
        except (EOFError, ValueError, TypeError):
            return None
        return value

    def stop(self) -> int:
        """End the child if it still runs; returns its exit code (negative: killed by that signal)."""
        os.close(self._pipe)
        os.close(self._alive)
        try:
            done, status = os.waitpid(self._child, os.WNOHANG)
            for _ in range(50):
                if done:
                    break
                select.select([], [], [], 0.01)
                done, status = os.waitpid(self._child, os.WNOHANG)
            if not done:
                os.kill(self._child, signal.SIGKILL)
                _, status = os.waitpid(self._child, 0)
        except ChildProcessError:
            # Who ignores SIGCHLD never hears how a child ended.
            return -1
        return os.waitstatus_to_exitcode(status)


def _end_with(watched: int) -> None:
    """End this process when nobody holds the other end of the pipe any more."""
    os.read(watched, 1)
    os._exit(1)


def _fork() -> int:
    with warnings.catch_warnings():
        # Python 3.12 warns of forks beside threads: see `building.warm_up` for the locks that matter here.
        warnings.simplefilter("ignore", DeprecationWarning)
        return os.fork()
