"""Version numbers of the whole: kb-MAJOR.MINOR.PATCH, counted as in semver.org.

Patch: wording put right; minor: knowledge added or changed; major: the tree was rebuilt, or the search model changed.
"""

from __future__ import annotations

import re
from collections.abc import Iterable
from dataclasses import dataclass
from typing import Literal

from kb.errors import AlmanacError, ExitCode

PREFIX = "kb-"
Level = Literal["major", "minor", "patch"]
_NUMBER = re.compile(r"(?:kb-|v)?(0|[1-9]\d{0,8})\.(0|[1-9]\d{0,8})\.(0|[1-9]\d{0,8})", re.ASCII)


@dataclass(frozen=True, slots=True, order=True)
class Number:
    """A version number; ordered as numbers, so 1.10.0 is after 1.9.0."""

    major: int
    minor: int
    patch: int

    def __str__(self) -> str:
        return f"{self.major}.{self.minor}.{self.patch}"

    @property
    def tag(self) -> str:
        """The name of its tag."""
        return f"{PREFIX}{self}"

    def bumped(self, level: Level) -> Number:
        """The number after this one."""
        if level == "major":
            return Number(self.major + 1, 0, 0)
        if level == "minor":
            return Number(self.major, self.minor + 1, 0)
        return Number(self.major, self.minor, self.patch + 1)


def read_number(written: str) -> Number | None:
    """The number in `1.2.0` or `kb-1.2.0`; None for anything else."""
    found = _NUMBER.fullmatch(written)
    return Number(int(found[1]), int(found[2]), int(found[3])) if found else None


def parse_number(written: str) -> Number:
    """As `read_number`; AlmanacError (usage) when it is none."""
    found = read_number(written)
    if found is None:
        raise AlmanacError("version_not_number", ExitCode.USAGE, version=written)
    return found


def newest(tags: Iterable[str]) -> Number | None:
    """The highest number among tags; other tags do not count."""
    numbers = [number for tag in tags if tag.startswith(PREFIX) and (number := read_number(tag)) is not None]
    return max(numbers, default=None)


def following(tags: Iterable[str], level: Level) -> Number:
    """The number of the next snapshot: 1.0.0 is the first."""
    last = newest(tags)
    return Number(1, 0, 0) if last is None else last.bumped(level)
