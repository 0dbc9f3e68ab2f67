"""The ledger's rows and the chain that binds them: every row's digest covers the row and the digest before it.

The digest of a row is SHA-256 over the previous row's digest (32 bytes; zeros before the first) followed by the row's
number and fields, in the order of COLUMNS, as one JSON array without white space in UTF-8. Anybody can check a ledger
with that; whoever changes a row has to change every digest after it, and the digest that somebody noted shows it.
"""

from __future__ import annotations

import datetime
import hashlib
import json
from collections.abc import Iterable, Sequence
from dataclasses import dataclass, fields, replace
from enum import StrEnum
from typing import TYPE_CHECKING

from kb.plain import whole

if TYPE_CHECKING:
    from kb.versions.history import KnowledgeVersion

START = bytes(32)


class Kind(StrEnum):
    """What a row tells."""

    TASK = "task"
    """An agent's task was given knowledge: `position` is how many cards, `tokens` the size of the block, `note` the
    pack. A task that no card fitted has position 0."""
    INJECTION = "injection"
    """One card was handed to a task, as number `position` (from 1) of its block, with `tokens`."""
    VERDICT = "verdict"
    """What the task made of the card of row `refers`: `adopted` True, False (contradicts) or None (unrelated)."""
    FEEDBACK = "feedback"
    """A like (+1) or dislike (-1) of a card or document, with `note`."""
    SEARCH = "search"
    """An agent searched by itself; `note` is what for, `position` how much it found."""
    HIT = "hit"
    """An archived card concerned a task or a search, and could not be handed out."""
    REVIEW = "review"
    """The owner of a card looked at it; `note` is what was decided, which settles what was said before."""


@dataclass(frozen=True, slots=True)
class Entry:
    """What is to be written down. `card` is a card's id or a document's path, `card_version` the version of its text.

    `at` is milliseconds since 1970 UTC (0: when it is written). `tag`, `manifest` and `commit` say which knowledge it
    was. Texts are stored without half surrogates, which no encoding can hold.
    """

    kind: Kind
    task: str = ""
    agent: str = ""
    card: str = ""
    card_version: str = ""
    tag: str = ""
    manifest: str = ""
    commit: str = ""
    at: int = 0
    position: int = 0
    tokens: int = 0
    adopted: bool | None = None
    feedback: int = 0
    refers: int = 0
    note: str = ""

    def of(self, version: KnowledgeVersion) -> Entry:
        """The same, said of the knowledge `version`."""
        return replace(self, tag=version.tag, manifest=version.manifest, commit=version.commit)

    def values(self) -> list[str | int | None]:
        """The fields in the order of COLUMNS, as SQLite and JSON hold them: truth values are 0 and 1."""
        found: list[str | int | None] = []
        for name in COLUMNS:
            value = getattr(self, name)
            found.append(whole(value) if isinstance(value, str) else value if value is None else int(value))
        return found

    @property
    def time(self) -> datetime.datetime:
        """When it was, in UTC."""
        return datetime.datetime.fromtimestamp(self.at / 1000, datetime.UTC)


COLUMNS = tuple(field.name for field in fields(Entry))


@dataclass(frozen=True, slots=True)
class Row:
    """A row as it is stored: its number (1, 2, 3, ...), what it tells, and its digest."""

    number: int
    entry: Entry
    digest: bytes


@dataclass(frozen=True, slots=True)
class Break:
    """Where a ledger is not as it was written: `reason` is changed, missing or cut."""

    number: int
    reason: str


def link(previous: bytes, number: int, values: Sequence[object]) -> bytes:
    """The digest of row `number` with these values (`Entry.values`) behind a row with the digest `previous`."""
    written = json.dumps([number, *values], ensure_ascii=False, separators=(",", ":"), default=repr)
    return hashlib.sha256(previous + written.encode("utf-8", "replace")).digest()


def first_break(rows: Iterable[tuple[int, Sequence[object], bytes]], highest: int | None = None) -> Break | None:
    """The first row of a whole ledger that is not as it was written, or None.

    `rows` are numbers, values as they are stored, and digests. `highest` is the largest number that was ever given:
    rows cut off at the end show in it.
    """
    previous, expected = START, 1
    for number, values, digest in rows:
        if number != expected:
            return Break(expected, "missing")
        if link(previous, number, values) != digest:
            return Break(number, "changed")
        previous, expected = digest, expected + 1
    if highest is not None and highest >= expected:
        return Break(expected, "cut")
    return None
