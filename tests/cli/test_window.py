"""kb.cli.window: a double-click opens a terminal window, errors stay on it, and where there is none it is said."""

from __future__ import annotations

import os
import pty
import shlex
import shutil
import subprocess
from collections.abc import Callable, Iterator
from pathlib import Path

import pytest

from kb import paths
from kb.cli import window
from kb.errors import ExitCode
from tests.helpers import Program, wait_for

HARD = ["a b", "数据", "%f", "$HOME", 'quo"te', "it's", "`id`", "\\", "*", ""]


@pytest.fixture
def programs(tmp_path: Path) -> Path:
    """The only folder in which programs are looked for: what the window's script needs, and what a test adds."""
    folder = tmp_path / "bin"
    folder.mkdir()
    for name in ("rm", "stty", "dd", "sleep"):
        found = shutil.which(name)
        assert found
        (folder / name).symlink_to(found)
    return folder


def put(folder: Path, name: str, script: str) -> None:
    """A program of the system, as far as a test needs it."""
    (folder / name).write_text(f"#!/bin/sh\n{script}\n", "utf-8")
    (folder / name).chmod(0o755)


@pytest.fixture
def asked(monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> Callable[[], list[str]]:
    """In place of this program one that writes down the words that it was given; gives them back."""
    record = tmp_path / "asked"
    script = 'printf "%s\\0" "$@" > "$0.part"; mv "$0.part" "$0"'
    monkeypatch.setattr(paths, "self_command", lambda: ("/bin/sh", "-c", script, str(record)))
    monkeypatch.setenv("PATH", os.environ["PATH"])

    def read() -> list[str]:
        wait_for(record.exists, "the program was started")
        return record.read_bytes().decode().split("\0")[:-1]

    return read


def environment(programs: Path) -> dict[str, str]:
    """As a file manager hands it on; `mv` comes from the system."""
    return {"PATH": f"{programs}:/usr/bin:/bin", "DISPLAY": ":99", "HOME": str(programs.parent), "LANG": "C.UTF-8"}


def only(monkeypatch: pytest.MonkeyPatch, programs: Path) -> None:
    """Look for terminals and dialogs in `programs` alone, not among those of this machine."""
    real = shutil.which

    def which(name: str, path: str | None = None) -> str | None:
        return real(name, path=str(programs))

    monkeypatch.setattr(shutil, "which", which)


# Each terminal's own way to be told a command, as its manual has it.
_WAYS = {
    "gnome-terminal": 'shift; exec "$@"',
    "konsole": 'shift; exec "$@"',
    "xfce4-terminal": 'shift; exec "$@"',
    "lxterminal": 'exec /bin/sh -c "$2"',
    "qterminal": 'exec /bin/sh -c "$2"',
    "foot": 'exec "$@"',
    "kitty": 'exec "$@"',
    "alacritty": 'shift; exec "$@"',
    "wezterm": 'shift 2; exec "$@"',
    "xterm": 'while [ "$1" != -e ]; do shift; done; shift; exec "$@"',
}


@pytest.mark.parametrize("name", sorted(_WAYS))
def test_the_words_arrive_whole_through_every_terminal(
    monkeypatch: pytest.MonkeyPatch, programs: Path, tmp_path: Path, asked: Callable[[], list[str]], name: str
) -> None:
    only(monkeypatch, programs)
    put(programs, name, _WAYS[name])
    assert window.open_window(HARD, tmp_path / "home 数据 %", environment(programs), "en") == name
    assert asked() == HARD
    assert list((tmp_path / "home 数据 %").iterdir()) == [], "nothing is left behind"


def test_the_next_terminal_is_tried_when_one_fails(
    monkeypatch: pytest.MonkeyPatch, programs: Path, tmp_path: Path, asked: Callable[[], list[str]]
) -> None:
    only(monkeypatch, programs)
    put(programs, "gnome-terminal", "exit 1")
    (programs / "konsole").write_text("no program", "utf-8")
    (programs / "konsole").chmod(0o755)
    put(programs, "foot", "echo no wayland >&2; exit 230")
    put(programs, "xterm", _WAYS["xterm"])
    assert window.open_window(["x"], tmp_path, environment(programs), "en") == "xterm"
    assert asked() == ["x"]


def test_a_terminal_may_hand_the_window_to_one_that_runs_already(
    monkeypatch: pytest.MonkeyPatch, programs: Path, tmp_path: Path, asked: Callable[[], list[str]]
) -> None:
    only(monkeypatch, programs)
    put(programs, "gnome-terminal", 'shift; (sleep 0.3; exec "$@") & exit 0')
    put(programs, "xterm", "exit 1")
    assert window.open_window(["x"], tmp_path, environment(programs), "en") == "gnome-terminal"
    assert asked() == ["x"]


def test_one_that_never_shows_anything_is_given_up(
    monkeypatch: pytest.MonkeyPatch, programs: Path, tmp_path: Path
) -> None:
    only(monkeypatch, programs)
    monkeypatch.setattr(window, "_PATIENCE_S", 0.2)
    put(programs, "gnome-terminal", "exit 0")
    assert window.open_window(["x"], tmp_path, environment(programs), "en") is None


def test_the_chosen_terminal_comes_first_and_is_known_by_what_it_is(
    monkeypatch: pytest.MonkeyPatch, programs: Path
) -> None:
    only(monkeypatch, programs)
    for name in ("gnome-terminal", "lxterminal"):
        put(programs, name, "exit 0")
    (programs / "x-terminal-emulator").symlink_to("lxterminal")
    found = [(terminal.name, terminal.one_string) for terminal, _ in window.terminals(None)]
    assert found == [("lxterminal", True), ("gnome-terminal", False)]
    (programs / "x-terminal-emulator").unlink()
    put(programs, "x-terminal-emulator", "exit 0")
    first, path = next(window.terminals(None))
    assert first.command(path, ["a b"]) == [str(programs / "x-terminal-emulator"), "-e", "a b"]


# -- an error stays on the screen ------------------------------------------------------------------------------------


def _in_window(tmp_path: Path, script: str) -> tuple[subprocess.Popen[bytes], int]:
    """Run `script` as the program in the window, on a real pseudo-terminal."""
    (tmp_path / "sign").touch()
    master, slave = pty.openpty()
    words = ["/bin/sh", "-c", window._IN_WINDOW, "almanac", str(tmp_path / "sign"), "PRESS", "/bin/sh", "-c", script]
    started = subprocess.Popen(words, stdin=slave, stdout=slave, stderr=slave, start_new_session=True)
    os.close(slave)
    return started, master


@pytest.mark.parametrize(("script", "code"), [("echo broken; exit 4", 4), ("kill -SEGV $$", 139)])
def test_an_error_stays_until_a_key_is_pressed(tmp_path: Path, script: str, code: int) -> None:
    started, master = _in_window(tmp_path, script)
    seen = b""
    while f"PRESS ({code})".encode() not in seen:
        seen += os.read(master, 4096)
    assert (b"broken" in seen) == (code == 4)
    assert started.poll() is None, "the window waits"
    assert not (tmp_path / "sign").exists()
    # The key may come before the terminal gives single keys: then Enter ends it too.
    os.write(master, b"\n")
    assert started.wait(20) == code
    os.close(master)


@pytest.mark.parametrize("code", [0, 130])
def test_a_window_that_was_left_closes_at_once(tmp_path: Path, code: int) -> None:
    started, master = _in_window(tmp_path, f"exit {code}")
    assert started.wait(20) == 0
    os.close(master)


# -- no terminal at all ----------------------------------------------------------------------------------------------


@pytest.mark.parametrize("name", ["zenity", "kdialog", "xmessage", "notify-send"])
def test_a_dialog_says_what_to_do(monkeypatch: pytest.MonkeyPatch, programs: Path, tmp_path: Path, name: str) -> None:
    only(monkeypatch, programs)
    for before in ("zenity", "kdialog", "xmessage", "notify-send"):
        put(programs, before, "exit 1")  # there, but it has no screen
    put(programs, name, f'printf "%s\\n" "$@" > {shlex.quote(str(tmp_path / "said"))}')
    home = str(tmp_path / "a b")
    assert window.run(["--home", home], home, environment(programs), "zh") == ExitCode.ENVIRONMENT
    said = (tmp_path / "said").read_text("utf-8")
    assert said.index("sudo apt install xterm）") < said.index("sudo apt install xterm)"), "one's own language first"
    assert f"--home {shlex.quote(home)}" in said
    assert not (tmp_path / window.NOTE).exists()


def test_without_a_dialog_a_file_on_the_desktop_says_it(
    monkeypatch: pytest.MonkeyPatch, programs: Path, tmp_path: Path
) -> None:
    only(monkeypatch, programs)
    (tmp_path / "桌面").mkdir()
    (tmp_path / ".config").mkdir()
    (tmp_path / ".config/user-dirs.dirs").write_text('# x\nXDG_DESKTOP_DIR="$HOME/桌面"\n', "utf-8")
    assert window.run([], str(tmp_path / "data"), environment(programs), "en") == ExitCode.ENVIRONMENT
    assert "sudo apt install xterm" in (tmp_path / "桌面" / window.NOTE).read_text("utf-8")
    shutil.rmtree(tmp_path / "桌面")
    window.run([], str(tmp_path / "data"), environment(programs), "en")
    assert (tmp_path / window.NOTE).is_file(), "at home, where there is no desktop"


def test_a_home_that_cannot_be_written_is_said_too(
    monkeypatch: pytest.MonkeyPatch, programs: Path, tmp_path: Path
) -> None:
    only(monkeypatch, programs)
    assert window.run([], "/proc/almanac", environment(programs), "en") == ExitCode.ENVIRONMENT
    assert "/proc/almanac" in (tmp_path / window.NOTE).read_text("utf-8")


# -- the program -----------------------------------------------------------------------------------------------------


@pytest.mark.slow
def test_the_program_without_a_terminal_opens_a_window(program: Program, programs: Path, tmp_path: Path) -> None:
    put(programs, "x-terminal-emulator", f'shift; printf "%s\\n" "$@" > {tmp_path}/words; rm -f -- "$5"; exit 0')
    env = environment(programs) | {"ALMANAC_HOME": str(tmp_path / "home"), "PATH": str(programs)}
    done = program("--no-model", env=env)
    assert (done.code, done.out, done.err) == (0, "", "")
    words = (tmp_path / "words").read_text("utf-8").splitlines()
    assert words[-2:] == [str(program.main), "--no-model"]


@pytest.mark.slow
@pytest.mark.parametrize("display", ["", ":99"])
def test_a_verb_never_opens_one(program: Program, programs: Path, tmp_path: Path, display: str) -> None:
    put(programs, "x-terminal-emulator", f"touch {tmp_path}/opened; exit 1")
    env = environment(programs) | {"DISPLAY": display}
    assert program("--version", env=env).code == 0
    assert program("show", env=env).code == ExitCode.USAGE
    if not display:
        done = program(env=env)
        assert (done.code, "needs a terminal" in done.err) == (ExitCode.USAGE, True)
    assert not (tmp_path / "opened").exists()


@pytest.fixture
def screen(tmp_path: Path) -> Iterator[str]:
    """A real X screen that nobody sees."""
    if shutil.which("Xvfb") is None or shutil.which("xterm") is None:
        pytest.skip("Xvfb or xterm is not here (packages xvfb, xterm)")
    reading, writing = os.pipe()
    server = subprocess.Popen(
        ["Xvfb", "-displayfd", str(writing), "-screen", "0", "800x600x24", "-nolisten", "tcp"],
        pass_fds=[writing],
        stderr=subprocess.DEVNULL,
    )
    os.close(writing)
    number = os.read(reading, 16).decode().strip()
    yield f":{number}"
    server.terminate()
    server.wait(20)
    os.close(reading)


@pytest.mark.slow
def test_a_real_xterm_shows_the_program_on_a_terminal(
    monkeypatch: pytest.MonkeyPatch, programs: Path, tmp_path: Path, screen: str
) -> None:
    (programs / "xterm").symlink_to(shutil.which("xterm") or "")
    only(monkeypatch, programs)
    proof = tmp_path / "proof 数据"
    monkeypatch.setattr(paths, "self_command", lambda: ("/bin/sh", "-c", 'test -t 0 && test -t 1 && : > "$0"'))
    env = environment(programs) | {"DISPLAY": screen}
    assert window.open_window([str(proof)], tmp_path, env, "zh") == "xterm"
    wait_for(proof.exists, "the program ran on a terminal")
    assert window.open_window([str(proof)], tmp_path, env | {"DISPLAY": ":98"}, "zh") is None, "no such screen"


# -- characters ------------------------------------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("given", "changed"),
    [
        ({"LANG": "C.UTF-8"}, False),
        ({"LANG": "xx_NONE.UTF-8"}, True),
        ({"LANG": "xx_NONE.UTF-8", "LC_CTYPE": "C.UTF-8"}, True),
        ({"LANG": "C"}, True),
        ({}, True),
        ({"LANG": "C", "LC_ALL": "C.UTF-8"}, False),
    ],
)
def test_a_terminal_takes_the_bytes_for_utf8(given: dict[str, str], changed: bool) -> None:
    found = window.with_utf8(given, "zh")
    assert found == (given | {"LC_ALL": "C.UTF-8", "ALMANAC_LANG": "zh"} if changed else given)


def test_a_screen_is_one_of_x_or_wayland() -> None:
    assert window.has_display({"DISPLAY": ":0"}) and window.has_display({"WAYLAND_DISPLAY": "wayland-0"})
    assert not window.has_display({"DISPLAY": ""})
