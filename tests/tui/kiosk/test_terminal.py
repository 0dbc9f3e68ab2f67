"""The kiosk as a process on a terminal: the whole key space, signals, faults, and what is left of a question."""

from __future__ import annotations

import os
import random
import signal
import termios
from collections.abc import Iterator
from pathlib import Path

import pytest

from kb.answer.journal import Journal
from kb.errors import ExitCode
from kb.kiosk.pin import Pin
from kb.kiosk.settings import MOST_IDLE_S
from tests.tui.kiosk.terminal import Terminal, running

pytestmark = pytest.mark.slow

ATTRACT, ASK = "Touch the screen", "ask anything"
_LETTERS = b"ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz"


@pytest.fixture
def home(own_home: Path) -> Path:
    """The home folder of the process."""
    (own_home / "almanac").mkdir(parents=True, exist_ok=True)
    return own_home


@pytest.fixture
def arguments(tree: Path) -> list[str]:
    """A kiosk over the small tree, which on a slow machine too does not start over before a test is through."""
    return ["--kiosk", "--lang", "en", "--knowledge", str(tree), "--idle", str(MOST_IDLE_S)]


@pytest.fixture
def kiosk(home: Path, arguments: list[str]) -> Iterator[Terminal]:
    """A kiosk that somebody stands at."""
    with running(home, arguments) as terminal:
        come(terminal)
        yield terminal


def come(terminal: Terminal) -> None:
    """Wait for the attract screen and touch a key."""
    terminal.sees(ATTRACT)
    terminal.send(b" ")
    terminal.sees(ASK)


def still_there(terminal: Terminal, mark: str) -> None:
    """Whatever is in front, in either language, the ask screen is two keys away, and what is typed there is shown."""
    terminal.settle()  # what was typed before is worked off

    def listed() -> bool:
        terminal.send(b"\x1b[201~\x1b[21~")  # the end of a paste, if one was begun; F10
        terminal.settle()  # bytes that are no text may have taken the key with them: then once more
        return terminal.text.lstrip().startswith(("More", "更多"))

    terminal.until(listed, "the list under F10")
    terminal.send(b"a")
    terminal.until(lambda: terminal.text.lstrip().startswith("Almanac"), "the ask screen")
    terminal.settle()
    terminal.send(mark.encode())
    terminal.sees(mark)
    assert b"Traceback" not in terminal.written


def key_space() -> Iterator[bytes]:
    """All control bytes, ESC with every byte, every CSI and SS3 sequence that keys send, and some that none does."""
    yield from (bytes([code]) for code in (*range(0x20), 0x7F))
    yield from (b"\x1b" + bytes([code]) for code in range(0x80) if code not in b"[O")
    for final in _LETTERS:
        yield b"\x1bO" + bytes([final])
        yield b"\x1b[" + bytes([final])
        yield b"\x1b[1;%d" % (2 + final % 15) + bytes([final])
    for number in (*range(1, 36), 57344, 57358, 57454, 99999999):
        yield b"\x1b[%d~" % number
        yield b"\x1b[%d;%d~" % (number, 1 + number % 16)
        yield b"\x1b[%d;%du" % (number, 1 + number % 16)
        yield b"\x15"  # a long line is slow to draw
    yield from (b"\x1b[[" + bytes([final]) for final in b"ABCDE")  # function keys of the Linux console
    yield from (
        b"\x1b[48;1;1;1;1t", b"\x1b[?2048;1$y", b"\x1b[?2026;2$y", b"\x1b[I", b"\x1b[O", b"\x1b[1;1R", b"\x1b[c",
        b"\x1b]0;x\x07", b"\x1bP\x1b\\", b"\x1b[<0;1;1M", b"\x1b[<999;999;999M", b"\x1b[<35;-5;0m", b"\x1b[M !!",
        "大豆😀\u202e\u200b".encode(),
    )  # fmt: skip


def test_no_key_leads_out(kiosk: Terminal) -> None:
    for keys in key_space():
        kiosk.send(keys)
    still_there(kiosk, "alive one")
    for keys in (b"\x11", b"\x03", b"\x1a", b"\x1c", b"\x10", b"\x04", b"\x13"):  # Ctrl+Q C Z \ P D S
        kiosk.send(keys)
    still_there(kiosk, "alive two")


def test_five_hundred_random_keys_and_clicks_everywhere(kiosk: Terminal) -> None:
    chance = random.Random(20261130)
    keys = list(key_space())
    for _ in range(500):
        kiosk.send(chance.choice(keys) if chance.random() < 0.7 else bytes([chance.randrange(256)]))
    still_there(kiosk, "alive one")
    for row in range(1, 25):
        for column in range(1, 81, 3):
            kiosk.send(b"\x1b[<0;%d;%dM\x1b[<0;%d;%dm" % (column, row, column, row))
    for button in (1, 2, 64, 65, 66, 67, 128):
        kiosk.send(b"\x1b[<%d;40;12M\x1b[<%d;40;12m" % (button, button))
    still_there(kiosk, "alive two")


@pytest.mark.parametrize(
    "bad", [b"\xff", b"\xc3(", b"\x80" * 5, b"\xf0\x9f\x98", b"\xed\xa0\x80", "大豆".encode("gbk")]
)
def test_bytes_that_are_no_text_do_not_stop_the_reading(kiosk: Terminal, bad: bytes) -> None:
    kiosk.send(b"typed before")
    kiosk.sees("typed before")
    for _ in range(3):
        kiosk.send(bad)
        kiosk.settle()
        assert "typed before" in kiosk.text  # the interface has not begun anew
    still_there(kiosk, "alive")


def test_a_paste_of_escape_sequences_is_text(kiosk: Terminal) -> None:
    body = b"".join(keys.replace(b"\x1b[201~", b"") for keys in key_space() if b"\x1b[20" not in keys)
    kiosk.send(b"\x1b[200~" + body + b"\x1b[201~")
    still_there(kiosk, "alive")


def test_the_terminal_sends_no_signals_and_holds_nothing(kiosk: Terminal) -> None:
    flags = termios.tcgetattr(kiosk.slave)
    assert not flags[0] & (termios.IXON | termios.IXOFF)
    assert not flags[3] & (termios.ISIG | termios.ICANON | termios.ECHO)


def test_signals_of_a_terminal_have_no_effect_and_those_of_the_system_end_it(home: Path, arguments: list[str]) -> None:
    for last in (signal.SIGTERM, signal.SIGHUP):
        with running(home, arguments) as terminal:
            before = termios.tcgetattr(terminal.slave)
            come(terminal)
            sent = (signal.SIGINT, signal.SIGQUIT, signal.SIGTSTP, signal.SIGTTIN, signal.SIGTTOU, signal.SIGCONT)
            for number in sent:
                os.killpg(terminal.process, number)
            still_there(terminal, "alive")
            os.kill(terminal.process, last)
            assert terminal.ended() == 0
            assert termios.tcgetattr(terminal.slave) == before
            assert b"Traceback" not in terminal.written


def test_a_frozen_process_goes_on(kiosk: Terminal) -> None:
    os.kill(kiosk.process, signal.SIGSTOP)
    os.waitpid(kiosk.process, os.WUNTRACED)
    os.kill(kiosk.process, signal.SIGCONT)
    still_there(kiosk, "alive")


def test_a_terminal_that_goes_away_leaves_no_process(home: Path, arguments: list[str]) -> None:
    with running(home, arguments) as terminal:
        come(terminal)
        terminal.hang_up()
        assert terminal.ended() == 0


_BREAKS = """
from tui import work
from tui.screens.ask import AskScreen
real, answer = AskScreen.ask, work.ask
def ask(self, question):
    if question == "break the handler":
        raise RuntimeError(question)
    real(self, question)
def in_thread(following, asked, post):
    if asked.question == "break the worker":
        raise RuntimeError(asked.question)
    if asked.question == "kill the worker":
        raise GeneratorExit(asked.question)
    answer(following, asked, post)
AskScreen.ask, work.ask = ask, in_thread
"""


def test_a_fault_comes_back_by_itself_and_leaves_a_report_without_the_question(
    home: Path, arguments: list[str]
) -> None:
    reports = home / "almanac" / "reports"
    with running(home, arguments, extra=_BREAKS) as terminal:
        come(terminal)
        terminal.send(b"break the worker\r")
        terminal.sees("That did not work (RuntimeError)")
        terminal.send(b"kill the worker\r")
        terminal.until(lambda: len(list(reports.glob("*"))) == 1, "a report of the worker")
        still_there(terminal, "alive one")
        for earlier in reports.glob("*"):
            earlier.unlink()
        for _ in range(2):
            terminal.send(b"\x15")
            terminal.settle()  # Textual does what a key is bound to after letters that come with it
            terminal.send(b"break the handler\r")
            terminal.sees(ATTRACT)
            come(terminal)
            still_there(terminal, "alive two")
        report = next(iter(reports.glob("*"))).read_text("utf-8")
        assert "RuntimeError" in report and "ask.py" in report and "break the handler" not in report
        os.kill(terminal.process, signal.SIGTERM)
        assert terminal.ended() == 0
        assert b"Traceback" not in terminal.written and b"RuntimeError:" not in terminal.written


def test_a_paste_that_never_ends_is_over_when_nobody_is_there(home: Path, arguments: list[str]) -> None:
    extra = "from kb.kiosk import settings\nsettings.LEAST_IDLE_S = 1"
    with running(home, [*arguments, "--idle", "1"], extra=extra) as terminal:
        terminal.sees(ATTRACT)
        terminal.send(b" ")
        terminal.sees(ASK)
        terminal.send(b"\x1b[200~lost")
        terminal.sees(ATTRACT)

        def touched() -> bool:
            terminal.send(b" ")
            return ASK in terminal.text

        terminal.until(touched, "keys are read again")


# -- what is left ------------------------------------------------------------------------------------------------

ANSWERED, UNANSWERED = "大豆播种深度是多少", "zebra pancake trombone"


def ask_and_leave(home: Path, arguments: list[str]) -> None:
    """Ask a question that is answered and one that is not, then end the process as the system does."""
    with running(home, arguments) as terminal:
        come(terminal)
        terminal.send(ANSWERED.encode() + b"\r")
        terminal.sees("3-5 cm")
        terminal.settle()
        terminal.send(UNANSWERED.encode() + b"\r")
        terminal.sees("The documents do not say")
        os.kill(terminal.process, signal.SIGTERM)
        assert terminal.ended() == 0


def holding(folder: Path, words: str) -> list[Path]:
    """Files below `folder` that hold `words` in any of the usual encodings, in content or name."""
    forms = [words.encode(), words.encode("utf-16-le"), ascii(words)[1:-1].encode()]
    return [
        path
        for path in folder.rglob("*")
        if path.is_file() and any(form in path.read_bytes() + str(path).encode() for form in forms)
    ]


def test_nothing_asked_is_kept(home: Path, arguments: list[str]) -> None:
    ask_and_leave(home, arguments)
    assert holding(home, ANSWERED) == [] and holding(home, UNANSWERED) == []
    assert not (home / "almanac" / "people" / "answers.db").exists()
    assert not (home / "almanac" / "people" / "ledger.db").exists()
    assert not (home / "textual.log").exists()


@pytest.mark.parametrize("way", ["flag", "file"])
def test_the_owner_may_have_the_gaps_and_nothing_else(home: Path, arguments: list[str], way: str) -> None:
    if way == "file":
        (home / "almanac" / "kiosk.toml").write_text("enabled = true\nkeep_gaps = true\n")
        ask_and_leave(home, arguments[1:])
    else:
        ask_and_leave(home, [*arguments, "--keep-gaps"])
    assert holding(home, ANSWERED) == []
    assert [gap.question for gap in Journal(home / "almanac").gaps()] == [UNANSWERED]
    assert Journal(home / "almanac").latest(5) == []


# -- maintenance -------------------------------------------------------------------------------------------------


def choose(terminal: Terminal, item: str) -> None:
    """Press the number that stands before `item`."""
    terminal.sees(item)
    row = next(row for row in terminal.text.split("\n") if item in row)
    terminal.send(row.split()[0].encode())


def test_with_the_pin_it_starts_anew_and_ends(home: Path, arguments: list[str]) -> None:
    Pin(home / "almanac").set("83561")
    with running(home, arguments) as terminal:
        process = terminal.process
        come(terminal)
        terminal.send(b"\x1b[24~")
        terminal.sees("PIN")
        terminal.send(b"00000\r")
        terminal.sees("That is not the PIN")
        terminal.send(b"83561\r")
        choose(terminal, "Start anew")
        terminal.sees("Press y to do it")
        terminal.send(b"y")
        come(terminal)
        assert terminal.alive and terminal.process == process
        terminal.send(b"\x03\x1c\x1a\x1b[24~83561\r")
        choose(terminal, "End the kiosk")
        terminal.sees("Press y to end it")
        terminal.send(b"y")
        assert terminal.ended() == ExitCode.KIOSK_LEFT
        assert b"Almanac keeps its data in" in terminal.written
