"""The interface as a process on poor terminals: it draws, answers and is left, also when the size changes meanwhile."""

from __future__ import annotations

import os
import sys
import time
from collections.abc import Callable
from pathlib import Path

import pexpect
import pyte
import pytest

from tests.helpers import PROJECT, lines_on

pytestmark = pytest.mark.slow
_PATIENCE_S = 60.0


class Terminal:
    """The interface in a pseudo-terminal, and what its screen shows; `errors` redirects its standard error."""

    def __init__(
        self, home: Path, kind: str, columns: int, rows: int, tree: Path, *, errors: str = "", **extra: str
    ) -> None:
        environment = {"PATH": "/usr/bin:/bin", "HOME": str(home), "TERM": kind, "LANG": "C.UTF-8", **extra}
        command = [sys.executable, str(PROJECT / "agent_main.py")]
        command += ["--no-model", "--lang", "zh", "--knowledge", str(tree)]
        self.process = pexpect.spawn(
            "/bin/sh", ["-c", f'exec "$0" "$@" {errors}', *command],
            env=environment, dimensions=(rows, columns), encoding="utf-8",
        )  # fmt: skip
        self.screen = pyte.Screen(columns, rows)
        self.stream = pyte.Stream(self.screen)

    @property
    def text(self) -> str:
        """The screen's lines without the second halves of wide characters."""
        return "\n".join(line.rstrip() for line in lines_on(self.screen))

    def until(self, condition: Callable[[str], bool], what: str) -> None:
        """Read what the program draws until the screen is as wanted."""
        deadline = time.monotonic() + _PATIENCE_S
        while not condition(self.text):
            assert time.monotonic() < deadline, f"did not happen: {what}\n{self.text}"
            try:
                self.stream.feed(self.process.read_nonblocking(65536, 0.1))
            except pexpect.TIMEOUT:
                continue

    def resize(self, columns: int, rows: int) -> None:
        """Give the terminal another size."""
        self.process.setwinsize(rows, columns)
        self.screen.resize(rows, columns)

    def leave(self) -> int:
        """Ctrl+Q; the exit code."""
        self.process.send("\x11")
        self.process.expect(pexpect.EOF, timeout=_PATIENCE_S)
        self.process.close()
        code: int = self.process.exitstatus
        return code


@pytest.mark.parametrize(
    ("kind", "columns", "rows"),
    [("dumb", 80, 24), ("dumb", 40, 12), ("unknown", 60, 14), ("linux", 80, 24), ("vt100", 40, 12), ("vt220", 120, 40)],
)
def test_it_answers_and_is_left(own_home: Path, tree: Path, kind: str, columns: int, rows: int) -> None:
    terminal = Terminal(own_home, kind, columns, rows, tree)
    try:
        terminal.until(lambda text: "F1" in text, "the first screen")
        terminal.process.send("大豆播种深度\r")
        terminal.until(lambda text: "3-5" in text, "the answer")
        # Some other sizes on the way, one too small for anything.
        for size in ((40, 12), (9, 3), (columns, rows)):
            terminal.resize(*size)
        terminal.process.send("E-07\r")
        terminal.until(lambda text: "E-07" in text, "the next question")
        if kind in ("dumb", "unknown", "linux", "vt100", "vt220"):
            assert not set(terminal.text) & set("─│┌┐└┘━┃█▀▄●○"), "signs that such a terminal does not have"
        assert terminal.leave() == 0
    finally:
        terminal.process.close(force=True)


@pytest.mark.parametrize("bad", ["大豆".encode("gbk"), b"\xff\xfe\x80", b"\xed\xa0\x80", b"\x1b[99999999u"])
def test_bytes_that_are_no_text_end_nothing(own_home: Path, tree: Path, bad: bytes) -> None:
    terminal = Terminal(own_home, "xterm", 80, 24, tree)
    try:
        terminal.until(lambda text: "F1" in text, "the first screen")
        os.write(terminal.process.child_fd, bad + "大豆播种深度\r".encode())
        terminal.until(lambda text: "3-5" in text, "the answer")
        assert terminal.leave() == 0
    finally:
        terminal.process.close(force=True)


def test_a_size_named_by_the_environment_is_no_endless_loop(own_home: Path, tree: Path) -> None:
    terminal = Terminal(own_home, "xterm", 100, 40, tree, COLUMNS="100", LINES="40")
    try:
        terminal.until(lambda text: "F1" in text, "the first screen")
        terminal.process.send("大豆播种深度\r")
        terminal.until(lambda text: "3-5" in text, "the answer")
        assert terminal.leave() == 0
    finally:
        terminal.process.close(force=True)


@pytest.mark.parametrize("errors", ["2>errors.log", "2>&-"])
def test_it_is_seen_also_where_errors_go_elsewhere(
    own_home: Path, tree: Path, errors: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.chdir(own_home)
    terminal = Terminal(own_home, "xterm", 80, 24, tree, errors=errors)
    try:
        terminal.until(lambda text: "F1" in text, "the first screen")
        assert terminal.leave() == 0
    finally:
        terminal.process.close(force=True)
    log = own_home / "errors.log"
    assert not log.exists() or log.read_bytes() == b""
