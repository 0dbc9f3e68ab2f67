"""kb.search.helper: a value from another core, or none."""

from __future__ import annotations

import os
import signal
import time
from collections.abc import Callable
from pathlib import Path

import pytest

from kb.search import helper
from kb.search.helper import Helper, OrphanedError
from tests.helpers import run_in_child, wait_for

pytestmark = pytest.mark.skipif(not hasattr(os, "fork"), reason="needs fork")


@pytest.fixture(autouse=True)
def _two_cores(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("kb.search.helper.os.cpu_count", lambda: 2)


def _start(work: Callable[[Callable[[], None]], object]) -> Helper[object]:
    started = Helper.start(work)
    assert started is not None
    return started


def test_a_value_comes_back_even_a_large_one() -> None:
    assert _start(lambda check: (os.getppid(), b"x" * 3_000_000)).wait() == (os.getpid(), b"x" * 3_000_000)


def test_a_failure_is_none() -> None:
    def fails(check: Callable[[], None]) -> object:
        raise ValueError

    assert _start(fails).wait() is None


def test_a_killed_child_is_none() -> None:
    def dies(check: Callable[[], None]) -> object:
        os.kill(os.getpid(), signal.SIGKILL)
        return 1

    assert _start(dies).wait() is None


def test_a_silent_child_is_given_up(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(helper, "_PATIENCE_S", 0.05)
    assert _start(lambda check: time.sleep(60)).wait() is None


def test_a_child_ends_when_its_parent_is_gone() -> None:
    read, write = os.pipe()

    def works_on(check: Callable[[], None]) -> object:
        os.write(write, str(os.getpid()).encode())
        try:
            while True:
                check()
                time.sleep(0.01)
        except OrphanedError:
            os.write(write, b" ended")
            raise

    def waits() -> None:
        _start(works_on)
        time.sleep(60)

    parent = run_in_child(waits)
    said = os.read(read, 100)
    assert said.strip().isdigit()
    os.kill(parent, signal.SIGKILL)
    os.waitpid(parent, 0)
    os.set_blocking(read, False)
    heard: list[bytes] = []

    def ended() -> bool:
        try:
            heard.append(os.read(read, 100))
        except BlockingIOError:
            return False
        return b"ended" in b"".join(heard)

    wait_for(ended, "the child notices that its parent is gone")


def test_without_a_fork_there_is_no_helper(monkeypatch: pytest.MonkeyPatch) -> None:
    def refused() -> int:
        raise BlockingIOError(11, "Resource temporarily unavailable")

    monkeypatch.setattr("kb.search.helper.os.fork", refused)
    before = len(list(Path("/proc/self/fd").iterdir()))
    assert Helper.start(lambda check: 1) is None
    assert len(list(Path("/proc/self/fd").iterdir())) == before


def test_a_program_that_ignores_its_children_does_the_work_itself() -> None:
    before = signal.signal(signal.SIGCHLD, signal.SIG_IGN)
    try:
        assert _start(lambda check: 1).wait() is None
    finally:
        signal.signal(signal.SIGCHLD, before)


def test_one_core_has_no_helper(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("kb.search.helper.os.cpu_count", lambda: 1)
    assert Helper.start(lambda check: 1) is None
