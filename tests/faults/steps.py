"""Dying on purpose: a child process that kills itself at its n-th write step, and children that die at any moment."""

from __future__ import annotations

import os
import random
import signal
import sys
import time
from collections.abc import Callable

from tests.helpers import run_in_child

# What changes something on disk, or starts the git that does.
_EVENTS = frozenset({
    "os.mkdir", "os.rename", "os.remove", "os.rmdir", "os.utime", "os.truncate", "subprocess.Popen", "sqlite3.connect",
})  # fmt: skip
_WRITING = os.O_WRONLY | os.O_RDWR | os.O_CREAT | os.O_TRUNC | os.O_APPEND


def dies_at(step: int, work: Callable[[], object]) -> bool:
    """Do `work` in a child that is killed (SIGKILL) just before its write step number `step`, counted from 1.

    True when it died there, False when it was done before; fails when it ended in any other way.
    """

    def counted() -> None:
        left = step

        def count() -> None:
            nonlocal left
            left -= 1
            if left == 0:
                os.kill(os.getpid(), signal.SIGKILL)

        def hook(event: str, arguments: tuple[object, ...]) -> None:
            if event in _EVENTS or (event == "open" and isinstance(arguments[2], int) and arguments[2] & _WRITING):
                count()

        real = os.fsync

        def fsync(handle: int) -> None:
            count()
            real(handle)

        os.fsync = fsync  # type: ignore[assignment]
        sys.addaudithook(hook)
        work()

    status = os.waitpid(run_in_child(counted), 0)[1]
    if os.WIFSIGNALED(status):
        assert os.WTERMSIG(status) == signal.SIGKILL
        return True
    assert os.waitstatus_to_exitcode(status) == 0, "the child failed"
    return False


def dies_some_time(chance: random.Random, within_s: float, work: Callable[[], object]) -> bool:
    """Do `work` in a child and kill it and every program it started at some moment; True when it was not done yet."""

    def alone() -> None:
        os.setsid()
        work()

    child = run_in_child(alone)
    time.sleep(chance.random() * within_s)
    try:
        os.killpg(child, signal.SIGKILL)
    except ProcessLookupError:
        os.kill(child, signal.SIGKILL)  # it has no group of its own yet
    return os.WIFSIGNALED(os.waitpid(child, 0)[1])


def how_long(work: Callable[[], object]) -> float:
    """Seconds that `work` takes in a child here and now: a moment for `dies_some_time` lies within them."""
    began = time.monotonic()
    assert exit_code(work) == 0
    return time.monotonic() - began


def exit_code(work: Callable[[], object]) -> int:
    """Do `work` in a child; 0 when it ended well."""
    return os.waitstatus_to_exitcode(os.waitpid(run_in_child(work), 0)[1])
