"""The chain of a backup folder: a line for each backup, each line holding the digest of the line before.

Whoever changes or removes a backup would have to write every later line anew; the digest of the last line, noted
elsewhere, then still tells. `chain.jsonl` lies beside the bundles and can be read without Almanac.
"""

from __future__ import annotations

import contextlib
import datetime
import hashlib
import json
import threading
from collections.abc import Iterable, Iterator
from dataclasses import asdict, dataclass, replace
from enum import StrEnum
from pathlib import Path

from kb import fsio
from kb.config import ProgressReport, no_progress
from kb.errors import AlmanacError
from kb.versions.bundle import file_digest

NAME = "chain.jsonl"
PATTERN = "kb-*.bundle"
_START = "0" * 64


class Event(StrEnum):
    """What a line says of a file."""

    MADE = "made"
    REMOVED = "removed"


class State(StrEnum):
    """How a backup stands to its line in the chain."""

    GOOD = "good"
    MISSING = "missing"
    CHANGED = "changed"
    UNLISTED = "unlisted"


@dataclass(frozen=True, slots=True)
class Entry:
    """A line: `sha256` and `size` (bytes) of the bundle, `references` the digest of its branches and tags.

    `time` is ISO 8601 with offset; `knowledge` the folder that was saved; `previous` the SHA-256 of the line before,
    zeros in the first.
    """

    event: Event
    file: str
    sha256: str
    size: int
    time: str
    references: str
    previous: str = ""
    knowledge: str = ""


@dataclass(frozen=True, slots=True)
class Lines:
    """The chain of a folder: its entries, the numbers (from 1) of lines that are broken or do not follow from the line
    before, and the digest of the last line."""

    entries: tuple[Entry, ...]
    broken: tuple[int, ...]
    head: str

    @property
    def standing(self) -> dict[str, Entry]:
        """By file name, the backups that were made and not removed, in the order in which they were made."""
        found: dict[str, Entry] = {}
        for entry in self.entries:
            found.pop(entry.file, None)
            if entry.event is Event.MADE:
                found[entry.file] = entry
        return found


@dataclass(frozen=True, slots=True)
class Backup:
    """A bundle in the folder, or one that should be there."""

    path: Path
    state: State
    time: str = ""
    size: int = 0
    sha256: str = ""
    knowledge: str = ""


@dataclass(frozen=True, slots=True)
class Verdict:
    """The result of a full check: every backup, the lines (from 1) whose link is broken, the last line's digest."""

    backups: tuple[Backup, ...]
    broken: tuple[int, ...]
    head: str

    @property
    def good(self) -> bool:
        """Whether the chain is whole and every backup in it is there, unchanged."""
        return not self.broken and all(backup.state in (State.GOOD, State.UNLISTED) for backup in self.backups)


def _lines(folder: Path) -> list[str]:
    try:
        return (folder / NAME).read_text("utf-8", "replace").splitlines()
    except FileNotFoundError:
        return []
    except OSError as error:
        raise AlmanacError("unreadable", path=str(folder / NAME), reason=error.strerror or str(error)) from error


def _parse(line: str) -> Entry | None:
    try:
        found = json.loads(line)
        texts = {name: str(found[name]) for name in ("file", "sha256", "time", "references", "previous")}
        entry = Entry(
            event=Event(found["event"]), size=int(found["size"]), knowledge=str(found.get("knowledge", "")), **texts
        )
    except (ValueError, TypeError, KeyError):
        return None
    # A name is a file of this folder, nothing else.
    return entry if Path(entry.file).name == entry.file and entry.file.startswith("kb-") else None


def _digest(line: str) -> str:
    return hashlib.sha256(line.encode()).hexdigest()


def read(folder: Path) -> Lines:
    """The chain of `folder`; empty where there is none."""
    entries: list[Entry] = []
    broken: list[int] = []
    previous = _START
    for number, line in enumerate(_lines(folder), start=1):
        entry = _parse(line)
        if entry is not None:
            entries.append(entry)
        if entry is None or entry.previous != previous:
            broken.append(number)
        previous = _digest(line)
    return Lines(tuple(entries), tuple(broken), previous)


def append(folder: Path, entries: Iterable[Entry]) -> str:
    """Add lines to the chain of `folder`, all or none of them; returns the digest of the last."""
    lines = _lines(folder)
    previous = _digest(lines[-1]) if lines else _START
    for entry in entries:
        lines.append(json.dumps({**asdict(entry), "previous": previous}, ensure_ascii=False, sort_keys=True))
        previous = _digest(lines[-1])
    fsio.write_text(folder / NAME, "".join(f"{line}\n" for line in lines))
    return previous


def backups(folder: Path) -> list[Backup]:
    """The backups of `folder`, newest first, judged by name and size alone: cheap enough for a start."""
    listed = read(folder).standing
    made = [_judged(folder / name, entry) for name, entry in listed.items()]
    alone = [
        Backup(path, State.UNLISTED, _modified(path), _size(path))
        for path in sorted(folder.glob(PATTERN))
        if path.name not in listed
    ]
    return sorted([*made, *alone], key=lambda backup: backup.path.name, reverse=True)


def _judged(path: Path, entry: Entry) -> Backup:
    size = _size(path)
    state = State.MISSING if size < 0 else State.GOOD if size == entry.size else State.CHANGED
    return Backup(path, state, entry.time, entry.size, entry.sha256, entry.knowledge)


def _size(path: Path) -> int:
    try:
        return path.stat().st_size if path.is_file() else -1
    except OSError:
        return -1


def _modified(path: Path) -> str:
    with contextlib.suppress(OSError, ValueError):
        return datetime.datetime.fromtimestamp(path.stat().st_mtime).astimezone().isoformat(timespec="seconds")
    return ""


def digest_file(bundle: Path) -> Path:
    """The file beside `bundle` that `sha256sum -c` reads."""
    return bundle.with_name(bundle.name + ".sha256")


def noted_digest(bundle: Path) -> str | None:
    """What the file beside `bundle` says its digest is; None without one."""
    try:
        words = digest_file(bundle).read_text("ascii", "replace").split()
    except OSError:
        return None
    return words[0].lower() if words else ""


def verify(folder: Path, report: ProgressReport = no_progress, stop: threading.Event | None = None) -> Verdict:
    """Read every backup of `folder` and compare with its line and its digest file; the chain's links too."""
    lines = read(folder)
    known = backups(folder)
    checked = tuple(_verified(known, report, stop))
    return Verdict(checked, lines.broken, lines.head)


def _verified(known: list[Backup], report: ProgressReport, stop: threading.Event | None) -> Iterator[Backup]:
    for number, backup in enumerate(known):
        report("backup_verify", number, len(known))
        if backup.state is State.GOOD:
            noted = noted_digest(backup.path)
            if file_digest(backup.path, stop=stop) != backup.sha256 or noted not in (None, backup.sha256):
                yield replace(backup, state=State.CHANGED)
                continue
        yield backup
    report("backup_verify", len(known), len(known))


def outdated(lines: Lines, keep: int, days: int | None, now: datetime.datetime) -> list[Entry]:
    """Which of the standing backups go: beyond the newest `keep`, or older than `days`.

    Counted for each knowledge folder by itself, and the newest of each always stays: when a disk is not mounted, the
    backups of what is in its place must not push out those of what is missing.
    """
    made = list(lines.standing.values())
    gone: list[Entry] = []
    for folder in dict.fromkeys(entry.knowledge for entry in made):
        *older, _ = [entry for entry in made if entry.knowledge == folder]
        for place, entry in enumerate(reversed(older), start=2):
            if place > keep or (days is not None and _age(entry, now) > datetime.timedelta(days=days)):
                gone.append(entry)
    return [entry for entry in made if entry in gone]


def _age(entry: Entry, now: datetime.datetime) -> datetime.timedelta:
    try:
        made = datetime.datetime.fromisoformat(entry.time)
    except ValueError:
        return datetime.timedelta(0)
    return now - (made if made.tzinfo else made.astimezone())
