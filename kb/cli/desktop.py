"""`almanac desktop`: the entry in the menu of the desktop, and an icon to double-click (freedesktop.org's entries)."""

from __future__ import annotations

import argparse
from collections.abc import Sequence
from pathlib import Path

from kb import fsio
from kb.cli.icon import SVG
from kb.cli.output import Output
from kb.cli.window import desktop_folder
from kb.config import Config
from kb.errors import AlmanacError

ALL_USERS = Path("/usr/local/share")
_ENTRY = "almanac.desktop"


def run(arguments: argparse.Namespace, config: Config) -> int:
    """Put the entry there, or take it away."""
    output = Output(config)
    share = ALL_USERS if arguments.all_users else _own_share(config)
    desktop = _desktop(config) / _ENTRY
    places = {share / "applications" / _ENTRY: "", share / "icons/hicolor/scalable/apps/almanac.svg": SVG}
    if arguments.action == "remove":
        for path in [*places, desktop]:
            if path.is_file():
                fsio.remove_file(path)
                output.tell("desktop_removed", path=path)
        return 0
    words = list(config.self_command)
    for name in ("home", "lang", "knowledge"):
        if value := getattr(arguments, name):
            words += [f"--{name}", str(Path(value).absolute()) if name != "lang" else value]
    text = entry(words)
    for path, content in places.items():
        fsio.write_text(path, content or text)
        output.tell("desktop_written", path=path)
    if arguments.icon:
        fsio.write_text(desktop, text)
        # Desktops start an entry that lies on them only when its owner may run it.
        fsio.make_executable(desktop)
        output.tell("desktop_written", path=desktop)
    return 0


def _own_share(config: Config) -> Path:
    named = config.environment.get("XDG_DATA_HOME")
    return Path(named) if named and Path(named).is_absolute() else _user(config) / ".local" / "share"


def _desktop(config: Config) -> Path:
    return desktop_folder(_user(config), config.environment)


def _user(config: Config) -> Path:
    home = config.environment.get("HOME")
    if not home:
        raise AlmanacError("desktop_no_home")
    return Path(home)


def entry(words: Sequence[str]) -> str:
    """A desktop entry that starts the command `words`. The program opens its terminal itself."""
    # GLib looks for a program by its name before it reads %% as %, and the specification forbids an = there.
    through_shell = ("/bin/sh", "-c", 'exec "$0" "$@"') if set("%=") & set(words[0]) else ()
    lines = {
        "Type": "Application",
        "Version": "1.0",
        "Name": "Almanac",
        "GenericName": "Answers from documents",
        "GenericName[zh_CN]": "离线资料问答",
        "Comment": "Answers a question from the documents inside it, with sources, without a network",
        "Comment[zh_CN]": "根据内置资料回答问题并注明出处，无需联网",
        "Exec": value(" ".join(map(quoted, (*through_shell, *words)))),
        "TryExec": value(words[0]),
        "Icon": "almanac",
        "Terminal": "false",
        "StartupNotify": "false",
        "Categories": "Education;",
        "Keywords": "help;manual;farm;advice;",
        "Keywords[zh_CN]": "资料;手册;农技;问答;",
    }
    return "[Desktop Entry]\n" + "".join(f"{key}={text}\n" for key, text in lines.items())


def quoted(word: str) -> str:
    """`word` as one argument of Exec: in quotes, with what a shell would obey and field codes (%) made plain."""
    plain = "".join(f"\\{sign}" if sign in '"`$\\' else sign for sign in word)
    return f'"{plain.replace("%", "%%")}"'


def value(text: str) -> str:
    """`text` as a value of type string, in which backslashes and line ends are escapes."""
    return text.replace("\\", "\\\\").replace("\n", "\\n").replace("\t", "\\t").replace("\r", "\\r")
