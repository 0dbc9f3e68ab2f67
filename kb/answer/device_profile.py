"""Profiles: what a kind of device should use, as a small YAML file. Those that ship lie in kb/profiles."""

from __future__ import annotations

from collections.abc import Mapping
from importlib import resources
from pathlib import Path

from kb.errors import AlmanacError, ExitCode
from kb.paths import PROFILE
from kb.sizing import Wishes
from kb.tree import frontmatter
from kb.tree.frontmatter import FrontMatterError, Value
from kb.tree.textfile import read_text

_NUMBERS = {"memory": (64, 1_000_000), "threads": (1, 256), "context": (512, 131_072)}
_SWITCHES = {"on": True, "off": False, "auto": None}


def shipped() -> dict[str, str]:
    """The profiles that come with the program: text by name."""
    folder = resources.files("kb") / "profiles"
    found = sorted(entry.name for entry in folder.iterdir() if entry.name.endswith(".yaml"))
    return {name.removesuffix(".yaml"): (folder / name).read_text("utf-8") for name in found}


def load(named: str | None, home: Path) -> Wishes:
    """The profile `named` (a shipped name, else a file), without a name the one in `home`; no wishes without any.

    AlmanacError when there is no such profile, or when it does not say what a profile says.
    """
    if named is None:
        path = home / PROFILE
        return _parsed(read_text(path).text, str(path)) if path.is_file() else Wishes()
    known = shipped()
    if named in known:
        return _parsed(known[named], named)
    path = Path(named).expanduser()
    if not path.is_file():
        raise AlmanacError("profile_missing", ExitCode.USAGE, name=named, known=", ".join(known))
    return _parsed(read_text(path).text, str(path))


def _parsed(text: str, name: str) -> Wishes:
    try:
        return wishes(frontmatter.parse(text))
    except FrontMatterError as error:
        # The parser counts from a line --- that stands above in documents.
        raise AlmanacError("broken_yaml", path=name, line=error.line - 1, reason=error.reason) from error
    except ValueError as error:
        raise AlmanacError("profile_bad", path=name, field=str(error)) from error


def wishes(fields: Mapping[str, Value]) -> Wishes:
    """What the `fields` of a profile mean. ValueError names the first one that is unknown or has no such value."""
    numbers: dict[str, int | None] = {}
    switches: dict[str, bool | None] = {}
    for name, value in fields.items():
        written = value if isinstance(value, str) else ""
        if name in _NUMBERS and written.isdecimal() and _NUMBERS[name][0] <= int(written) <= _NUMBERS[name][1]:
            numbers[name] = int(written)
        elif name in ("model", "vectors") and written in _SWITCHES:
            switches[name] = _SWITCHES[written]
        else:
            raise ValueError(f"{name}: {written}")
    return Wishes(
        model=switches.get("model"),
        vectors=switches.get("vectors"),
        context_tokens=numbers.get("context"),
        threads=numbers.get("threads"),
        memory_mb=numbers.get("memory"),
    )
