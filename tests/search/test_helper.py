"""kb.search.helper: a value from another core, or none."""

from __future__ import annotations

import os
import signal
import time
from collections.abc import Callable
from pathlib import Path

import pytest

from kb import fsio
from kb.search import helper
from kb.search.helper import Helper
from tests.helpers import run_in_child, wait_for

pytestmark = pytest.mark.skipif(not hasattr(os, "fork"), reason="needs fork")


def _start(work: Callable[[], object]) -> Helper[object]:
    started = Helper.start(work)
    assert started is not None
    return started


def test_a_value_comes_back_even_a_large_one() -> None:
    assert _start(lambda: (os.getppid(), b"x" * 3_000_000)).wait() == (os.getpid(), b"x" * 3_000_000)


def test_a_failure_is_none() -> None:
    def fails() -> object:
        raise ValueError

    assert _start(fails).wait() is None


def test_a_killed_child_is_none() -> None:
    def dies() -> object:
        os.kill(os.getpid(), signal.SIGKILL)
        return 1

    assert _start(dies).wait() is None


def test_a_silent_child_is_given_up(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(helper, "_PATIENCE_S", 0.05)
    assert _start(lambda: time.sleep(60)).wait() is None


def test_a_child_ends_at_once_when_its_parent_is_gone(tmp_path: Path) -> None:
    """Also in the middle of one long document: the parent's lock goes with it."""
    read, write = os.pipe()

    def works_on() -> object:
        os.write(write, b"working")
        time.sleep(600)
        return 1

    def holds() -> None:
        with fsio.locked(tmp_path / "lock"):
            _start(works_on).wait()

    parent = run_in_child(holds)
    os.close(write)
    assert os.read(read, 100) == b"working"
    with fsio.locked(tmp_path / "lock", wait=False) as mine:
        assert not mine
    os.kill(parent, signal.SIGKILL)
    os.waitpid(parent, 0)

    def free() -> bool:
        with fsio.locked(tmp_path / "lock", wait=False) as mine:
            return mine

    wait_for(free, "the lock is free")


def test_without_a_fork_there_is_no_helper(monkeypatch: pytest.MonkeyPatch) -> None:
    def refused() -> int:
        raise BlockingIOError(11, "Resource temporarily unavailable")

    monkeypatch.setattr("kb.search.helper.os.fork", refused)
    before = len(list(Path("/proc/self/fd").iterdir()))
    assert Helper.start(lambda: 1) is None
    assert len(list(Path("/proc/self/fd").iterdir())) == before


def test_a_program_that_ignores_its_children_does_the_work_itself() -> None:
    before = signal.signal(signal.SIGCHLD, signal.SIG_IGN)
    try:
        assert _start(lambda: 1).wait() is None
    finally:
        signal.signal(signal.SIGCHLD, before)
