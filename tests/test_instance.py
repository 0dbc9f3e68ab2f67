"""kb.instance: of several copies on one home the first may change it, the others read; with real processes."""

from __future__ import annotations

import fcntl
import os
import pty
import signal
import sqlite3
import struct
import subprocess
import sys
import termios
import threading
from collections.abc import Callable, Iterator
from pathlib import Path

import pyte
import pytest

from kb import fsio, instance
from kb.db import PeopleData, people_path
from kb.errors import ExitCode
from tests.helpers import PROJECT, Program, lines_on, run_in_child, wait_for


def test_the_first_copy_is_the_first_until_it_ends(tmp_path: Path) -> None:
    with instance.first_copy(tmp_path / "home") as first:
        assert first
        with instance.first_copy(tmp_path / "home") as second:
            assert not second
        with instance.first_copy(tmp_path / "another") as elsewhere:
            assert elsewhere
    with instance.first_copy(tmp_path / "home") as again:
        assert again


def test_a_killed_copy_leaves_nothing_behind(tmp_path: Path) -> None:
    held = tmp_path / "held"

    def hold() -> None:
        with instance.first_copy(tmp_path / "home"):
            held.touch()
            signal.pause()

    child = run_in_child(hold)
    wait_for(held.exists, "the child holds it")
    with instance.first_copy(tmp_path / "home") as first:
        assert not first
    os.kill(child, signal.SIGKILL)
    os.waitpid(child, 0)
    with instance.first_copy(tmp_path / "home") as first:
        assert first


def test_a_file_system_without_locks_stops_nobody(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    def none(handle: int, wait: bool) -> bool:
        raise OSError(95, "Operation not supported")

    monkeypatch.setattr(fsio, "_take", none)
    with instance.first_copy(tmp_path) as first:
        assert first


def test_an_error_inside_comes_out_as_it_is(tmp_path: Path) -> None:
    with pytest.raises(OSError, match="inside"), instance.first_copy(tmp_path):
        raise OSError("inside")


# -- two interfaces -------------------------------------------------------------------------------------------------


class Copy:
    """An interface on a pseudo-terminal, with what stands on its screen."""

    def __init__(self, home: Path, tree: Path) -> None:
        self.screen = pyte.Screen(100, 30)
        self._stream = pyte.ByteStream(self.screen)
        self.master, slave = pty.openpty()
        fcntl.ioctl(slave, termios.TIOCSWINSZ, struct.pack("HHHH", 30, 100, 0, 0))
        main = str(PROJECT / "agent_main.py")
        words = ["--lang", "en", "--no-model", "--home", str(home), "--knowledge", str(tree)]
        self.process = subprocess.Popen(
            [sys.executable, main, *words],
            stdin=slave,
            stdout=slave,
            stderr=slave,
            env={**os.environ, "TERM": "xterm-256color"},
            start_new_session=True,
        )
        os.close(slave)
        threading.Thread(target=self._read, daemon=True).start()

    def _read(self) -> None:
        try:
            while data := os.read(self.master, 65536):
                self._stream.feed(data)
        except OSError:
            return

    def see(self, text: str) -> None:
        """Wait until `text` stands on the screen."""
        wait_for(lambda: text in " ".join(line.strip() for line in lines_on(self.screen)), text, 60)

    def shows(self, text: str) -> bool:
        """Whether `text` stands there now."""
        return any(text in line for line in lines_on(self.screen))

    def type(self, keys: str) -> None:
        """Press keys."""
        os.write(self.master, keys.encode())

    def kill(self) -> None:
        """End it the hard way, if it runs."""
        if self.process.poll() is None:
            os.killpg(self.process.pid, signal.SIGKILL)
        self.process.wait(20)


@pytest.fixture
def start(tmp_path: Path, tree: Path) -> Iterator[Callable[[], Copy]]:
    """Starts copies on one home."""
    copies: list[Copy] = []

    def one() -> Copy:
        copies.append(Copy(tmp_path / "home", tree))
        return copies[-1]

    yield one
    for copy in copies:
        copy.kill()
        os.close(copy.master)


def _kept(home: Path) -> int:
    path = people_path(home, PeopleData.ANSWERS)
    if not path.is_file():
        return 0
    database = sqlite3.connect(path)
    try:
        return int(database.execute("SELECT count(*) FROM answers").fetchone()[0])
    finally:
        database.close()


@pytest.mark.slow
def test_two_interfaces_on_one_home(
    start: Callable[[], Copy], program: Program, tmp_path: Path, own_home: Path
) -> None:
    home = tmp_path / "home"
    first = start()
    first.see("documents")
    second = start()
    second.see("Another copy of Almanac is open")
    second.see("read only")
    assert not first.shows("read only")
    # Both answer; only the first keeps what was asked.
    for copy in (first, second):
        copy.type("大豆播种多深\r")
        copy.see("●")
    wait_for(lambda: _kept(home) == 1, "the first copy has kept its answer")
    # What changes something is not offered in the second.
    for copy in (first, second):
        copy.type("\x1b[21~")
        copy.see("Earlier questions")
    assert first.shows("Backup") and not second.shows("Backup")
    # A restore waits for the interface to be closed.
    bundle = tmp_path / "some.bundle"
    bundle.write_bytes(b"none")
    refused = program("restore", str(bundle), "--yes", "--home", str(home))
    assert refused.code == ExitCode.ENVIRONMENT
    assert "Close it, then restore" in refused.err
    # When the first is gone, the next one is the first.
    first.kill()
    third = start()
    third.see("documents")
    third.type("大豆播种深度\r")
    third.see("●")
    wait_for(lambda: _kept(home) == 2, "the third copy keeps")
    assert not third.shows("read only")
