"""A terminal window for the interface where the program was started without one: by a double-click, from a menu.

Terminals are tried in turn until one shows the program; it says so by taking away a file that was laid for it. Where
there is none, a dialog says what to do, and where there is no dialog either, a text file. POSIX only: on Windows the
system opens a window itself.
"""

from __future__ import annotations

import locale
import os
import shlex
import shutil
import subprocess
import time
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path

from kb import fsio, paths
from kb.errors import AlmanacError, ExitCode
from kb.texts import Lang, text

NOTE = "Almanac-README.txt"
# Until the window has come up: a slow machine with a cold disk.
_PATIENCE_S = 20.0
_STEP_S = 0.05
# What runs in the window: $1 the file that tells of it, $2 what to say after an error, then the program and its words.
# A program that a signal ended (128 and more) may have left the terminal in any state. The output of errors is held.
_IN_WINDOW = """
rm -f -- "$1"; said=$2; shift 2
"$@"
code=$?
case $code in 0|130) exit 0 ;; esac
[ $code -lt 128 ] || printf '\\033[?1049l\\033[?1000l\\033[?1003l\\033[?25h\\033[0m\\n'
stty sane 2>/dev/null
printf '\\n%s (%s)\\n' "$said" "$code"
stty -icanon -echo min 1 2>/dev/null
dd bs=1 count=1 >/dev/null 2>&1
exit $code
"""


@dataclass(frozen=True, slots=True)
class Terminal:
    """A terminal program: `options` come before the command, which it takes as words or as `one_string`."""

    name: str
    options: tuple[str, ...]
    one_string: bool = False

    def command(self, program: str, words: Sequence[str]) -> list[str]:
        """What starts `words` in a window of this terminal, which lies at `program`."""
        return [program, *self.options, *([shlex.join(words)] if self.one_string else words)]


# Its own default is a bitmap font of 1990 without Chinese.
_XTERM = ("+lc", "-u8", "-fa", "Monospace", "-fs", "13", "-geometry", "90x28", "-title", "Almanac", "-e")
TERMINALS = (
    Terminal("gnome-terminal", ("--",)),
    Terminal("ptyxis", ("--",)),
    Terminal("kgx", ("--",)),
    Terminal("konsole", ("-e",)),
    Terminal("xfce4-terminal", ("-x",)),
    Terminal("mate-terminal", ("-x",)),
    Terminal("deepin-terminal", ("-e",)),
    Terminal("lxterminal", ("-e",), one_string=True),
    Terminal("qterminal", ("-e",), one_string=True),
    Terminal("foot", ()),
    Terminal("kitty", ()),
    Terminal("alacritty", ("-e",)),
    Terminal("wezterm", ("start", "--")),
    Terminal("ghostty", ("-e",)),
    Terminal("terminator", ("-x",)),
    Terminal("tilix", ("-e",), one_string=True),
    Terminal("urxvt", ("-e",)),
    Terminal("st", ("-e",)),
    Terminal("lxterm", _XTERM),
    Terminal("uxterm", _XTERM),
    Terminal("xterm", _XTERM),
)
_CHOSEN = "x-terminal-emulator"


def has_display(environment: Mapping[str, str]) -> bool:
    """Whether there is a screen on which a window could open."""
    return os.name == "posix" and bool(environment.get("DISPLAY") or environment.get("WAYLAND_DISPLAY"))


def terminals(search_path: str | None) -> Iterator[tuple[Terminal, str]]:
    """The terminals on this machine with their paths; first the one that the system's owner has chosen."""
    known = {terminal.name: terminal for terminal in TERMINALS}
    chosen = shutil.which(_CHOSEN, path=search_path)
    if chosen:
        # A wrapper of Debian's (gnome-terminal.wrapper) understands -e like xterm.
        name = Path(chosen).resolve().name
        yield known.get(name, Terminal(_CHOSEN, ("-e",))), chosen
    for terminal in TERMINALS:
        found = shutil.which(terminal.name, path=search_path)
        if found and (not chosen or Path(found).resolve() != Path(chosen).resolve()):
            yield terminal, found


def with_utf8(environment: Mapping[str, str], lang: Lang) -> dict[str, str]:
    """`environment` in which a terminal takes bytes for UTF-8, also where its locale is none or not installed.

    The language of the run goes on by ALMANAC_LANG then.
    """
    named = environment.get("LC_ALL") or environment.get("LC_CTYPE") or environment.get("LANG") or "C"
    # One that is not installed, of whatever kind, makes a terminal fall back to ASCII as a whole.
    others = [value for name, value in environment.items() if name == "LANG" or name.startswith("LC_")]
    before = locale.setlocale(locale.LC_CTYPE)
    try:
        for each in (*others, named):
            locale.setlocale(locale.LC_CTYPE, each)
        good = locale.nl_langinfo(locale.CODESET).upper() == "UTF-8"
    except locale.Error:
        good = False
    finally:
        locale.setlocale(locale.LC_CTYPE, before)
    if good:
        return dict(environment)
    return dict(environment) | {"LC_ALL": "C.UTF-8", "ALMANAC_LANG": environment.get("ALMANAC_LANG") or lang}


def open_window(words: Sequence[str], home: Path, environment: Mapping[str, str], lang: Lang) -> str | None:
    """Start this program with `words` in a terminal window; the terminal's name, None when no window came up."""
    foreign = with_utf8(paths.foreign_environment(environment), lang)
    with fsio.scratch(home) as folder:
        for number, (terminal, program) in enumerate(terminals(foreign.get("PATH"))):
            sign = folder / f"{number}"
            fsio.write_bytes(sign, b"")
            inner = ["/bin/sh", "-c", _IN_WINDOW, "almanac", str(sign), text(lang, "window_press_key")]
            if _shows(terminal.command(program, [*inner, *paths.self_command(), *words]), sign, foreign):
                return terminal.name
    return None


def _shows(command: list[str], sign: Path, environment: dict[str, str]) -> bool:
    """Start a terminal and wait until what runs in it has taken `sign` away; False when it failed before."""
    try:
        started = subprocess.Popen(
            command,
            stdin=subprocess.DEVNULL,
            stdout=subprocess.DEVNULL,
            stderr=subprocess.DEVNULL,
            env=environment,
            start_new_session=True,
        )
    except OSError:
        return False
    deadline = time.monotonic() + _PATIENCE_S
    while sign.exists():
        # 0: it handed the command to a process of its own that runs already, and that one opens the window.
        if started.poll() not in (None, 0):
            return not sign.exists()
        if time.monotonic() > deadline:
            return started.poll() is None
        time.sleep(_STEP_S)
    return True


def dialogs(message: str) -> tuple[tuple[str, ...], ...]:
    """What shows `message` in a window, each as a command."""
    return (
        ("zenity", "--error", "--no-markup", "--width=520", "--title=Almanac", f"--text={message}"),
        ("kdialog", "--title", "Almanac", "--error", message),
        ("xmessage", "-center", "-title", "Almanac", message),
        ("notify-send", "--urgency=critical", "Almanac", message),
    )


def tell(message: str, environment: Mapping[str, str], places: Sequence[Path], lang: Lang) -> str:
    """Say `message` where there is no terminal: by a dialog, else in a file in the first of `places` that takes one.

    Returns the dialog's name or the file's path; an empty string when nothing could be said.
    """
    foreign = with_utf8(paths.foreign_environment(environment), lang)
    for command in dialogs(message):
        program = shutil.which(command[0], path=foreign.get("PATH"))
        if program and _said([program, *command[1:]], foreign):
            return command[0]
    for place in places:
        if place.is_dir():
            try:
                fsio.write_text(place / NOTE, f"{message}\n")
            except AlmanacError:
                continue
            return str(place / NOTE)
    return ""


def _said(command: list[str], environment: dict[str, str]) -> bool:
    try:
        done = subprocess.run(
            command, stdin=subprocess.DEVNULL, capture_output=True, env=environment, check=False, start_new_session=True
        )
    except OSError:
        return False
    return done.returncode == 0


def note_places(home: Path | None, environment: Mapping[str, str]) -> list[Path]:
    """Where a person would find a note: beside the program, on the desktop, at home."""
    program = paths.program_file()
    user = Path(environment.get("HOME") or "/nonexistent")
    beside = [program.parent] if program else []
    return [*beside, desktop_folder(user, environment), user, *([home] if home else [])]


def desktop_folder(user: Path, environment: Mapping[str, str]) -> Path:
    """The desktop's folder, whatever it is called in the user's language (xdg-user-dirs)."""
    settings = Path(environment.get("XDG_CONFIG_HOME") or user / ".config") / "user-dirs.dirs"
    try:
        lines = settings.read_text("utf-8").splitlines()
    except (OSError, UnicodeDecodeError):
        lines = []
    for line in lines:
        name, _, value = line.partition("=")
        if name.strip() == "XDG_DESKTOP_DIR":
            return Path(value.strip().strip('"').replace("$HOME", str(user)))
    return user / "Desktop"


def run(words: Sequence[str], home: str | None, environment: Mapping[str, str], lang: Lang) -> int:
    """Open the interface in a window; ExitCode.ENVIRONMENT when only a dialog or a file could say why there is none."""
    folder: Path | None = None
    try:
        folder, _ = paths.find_home(home, environment)
        if open_window(words, folder, environment, lang):
            return ExitCode.OK
        command = shlex.join([*paths.self_command(), *words])
        message = "\n\n".join(text(each, "window_none", command=command) for each in _both(lang))
    except AlmanacError as error:
        message = "\n\n".join(text(each, error.key, **error.params) for each in _both(lang))
    tell(message, environment, note_places(folder, environment), lang)
    return ExitCode.ENVIRONMENT


def _both(lang: Lang) -> tuple[Lang, Lang]:
    """Both languages, the person's own first: a menu may not tell which one that is."""
    return ("zh", "en") if lang == "zh" else ("en", "zh")
