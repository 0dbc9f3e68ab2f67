"""Hooks for people's own git: the message has its form, what is committed keeps the contract, nothing is pushed.

Almanac's own git never runs hooks; where it commits, the same checks run in this process.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from enum import StrEnum
from pathlib import Path

from kb import fsio
from kb.errors import AlmanacError, ExitCode
from kb.versions.source import Source

_MARK = "# Almanac: installed by `almanac kb hooks install`, removed by `almanac kb hooks remove`."
_KEPT = ".before-almanac"
NAMES = ("commit-msg", "pre-commit", "pre-push")
_SCRIPT = """\
#!/bin/sh
{mark}
{body}
"""
_MISSING = """\
if ! command -v {program} >/dev/null 2>&1; then
  echo {message} >&2
  exit 1
fi
"""


class State(StrEnum):
    """A hook is `ours`, somebody else's (`foreign`), or `absent`."""

    OURS = "ours"
    FOREIGN = "foreign"
    ABSENT = "absent"


def scripts(command: Sequence[str], root: Path, missing: str) -> dict[str, str]:
    """The text of each hook. `command` starts this program, `root` is the knowledge tree, and `missing` is what to say
    where the program is no longer there."""
    program = f"{' '.join(quoted(word) for word in command)} kb --knowledge {quoted(str(root))}"
    first = _MISSING.format(program=quoted(command[0]), message=quoted(missing))
    bodies = {
        "commit-msg": f'exec {program} check-message "$1"',
        "pre-commit": f"git ls-files -s -z | {program} check-staged",
        "pre-push": f"exec {program} check-push",
    }
    return {name: _SCRIPT.format(mark=_MARK, body=first + body) for name, body in bodies.items()}


def quoted(word: str) -> str:
    """`word` as one word for sh, whatever is in it."""
    return "'" + word.replace("'", "'\\''") + "'"


def folder_of(source: Source) -> Path:
    """Where people's own git looks for hooks. AlmanacError when the repository's `core.hooksPath` leads elsewhere."""
    try:
        named = source.git.run(source.repository, "config", "--local", "--get", "core.hooksPath").strip()
    except AlmanacError:
        named = ""
    own = source.git_folder() / "hooks"
    folder = (source.repository / named).resolve() if named else own
    if not folder.is_relative_to(source.repository.resolve()) and folder != own:
        # A repository from elsewhere must not choose where programs are written.
        raise AlmanacError("hooks_outside", ExitCode.USAGE, path=folder)
    return folder


def states(source: Source) -> dict[str, State]:
    """How each of the hooks stands."""
    folder = folder_of(source)
    return {name: _state(folder / name) for name in NAMES}


def _state(path: Path) -> State:
    if not path.exists():
        return State.ABSENT
    try:
        return State.OURS if _MARK in path.read_text("utf-8", "replace") else State.FOREIGN
    except OSError:
        return State.FOREIGN


def install(source: Source, command: Sequence[str], missing: str, *, replace: bool = False) -> Mapping[str, State]:
    """Write the hooks (see `scripts`); how each stood before.

    A hook of somebody else's is kept beside ours when `replace` is set, else AlmanacError and nothing is changed.
    """
    folder = folder_of(source)
    before = states(source)
    foreign = [name for name, state in before.items() if state is State.FOREIGN]
    if foreign and not replace:
        raise AlmanacError("hooks_foreign", ExitCode.USAGE, names=", ".join(foreign), path=folder)
    for name in foreign:
        fsio.write_bytes(folder / (name + _KEPT), (folder / name).read_bytes())
    for name, text in scripts(command, source.root, missing).items():
        fsio.write_bytes(folder / name, text.encode())
        fsio.make_executable(folder / name)
    return before


def remove(source: Source) -> list[str]:
    """Take our hooks away, and put back what was there before; the names of those removed."""
    folder = folder_of(source)
    removed = [name for name, state in states(source).items() if state is State.OURS]
    for name in removed:
        kept = folder / (name + _KEPT)
        if kept.exists():
            fsio.write_bytes(folder / name, kept.read_bytes())
            fsio.make_executable(folder / name)
            fsio.remove_file(kept)
        else:
            fsio.remove_file(folder / name)
    return removed
