"""People's databases in a backup: copied while they are written to, counted, and compared when they come back."""

from __future__ import annotations

import sqlite3
import threading
import time
from contextlib import closing
from dataclasses import dataclass, field
from pathlib import Path
from urllib.parse import quote

from kb.db import PeopleData, people_path
from kb.errors import AlmanacError, KnowledgeError
from kb.versions.bundle import file_digest

# How long a copy waits for a program that holds a database for itself.
PATIENCE_S = 60.0
# What SQLite puts beside a database; a journal without its database must never meet another one.
SIDE_FILES = ("-journal", "-wal", "-shm")


@dataclass(frozen=True, slots=True)
class Database:
    """One database of a backup: SHA-256 and size in bytes of the copy, rows by table."""

    name: str
    sha256: str
    size: int
    rows: dict[str, int] = field(default_factory=dict)


def save(home: Path, folder: Path, stop: threading.Event | None = None) -> tuple[Database, ...]:
    """Copy every database of people's data below `home` into `folder`; programs may go on writing meanwhile.

    Each copy holds everything that was committed when it began. KnowledgeError when a copy is not sound.
    """
    saved = []
    for which in PeopleData:
        source = people_path(home, which)
        if source.is_file():
            target = folder / which.value
            _copy(source, target, stop)
            saved.append(Database(which.value, file_digest(target), target.stat().st_size, rows(target)))
    return tuple(saved)


def _copy(source: Path, target: Path, stop: threading.Event | None) -> None:
    """By SQLite's backup, all pages in one step: with single steps a busy writer would start it over and over."""
    deadline = time.monotonic() + PATIENCE_S

    def waited(status: int, remaining: int, total: int) -> None:
        if stop is not None and stop.is_set():
            raise KeyboardInterrupt
        if remaining and time.monotonic() > deadline:
            raise AlmanacError("people_busy", path=str(source), seconds=int(PATIENCE_S))

    try:
        with closing(_open(source)) as opened, closing(sqlite3.connect(target)) as copy:
            opened.backup(copy, pages=-1, progress=waited, sleep=0.05)
            # The copy is one file, whatever mode the original is in.
            copy.execute("PRAGMA journal_mode=DELETE")
    except sqlite3.Error as error:
        raise KnowledgeError("people_damaged", path=str(source), reason=str(error)) from error


def _open(path: Path) -> sqlite3.Connection:
    """Writable where that is possible: only then SQLite can take back what a killed program left half-written."""
    last: sqlite3.Error | None = None
    for mode in ("rw", "ro"):
        try:
            opened = sqlite3.connect(f"file:{quote(str(path))}?mode={mode}", uri=True, timeout=PATIENCE_S)
            opened.execute("SELECT count(*) FROM sqlite_master").fetchone()
        except sqlite3.Error as error:
            last = error
        else:
            return opened
    assert last is not None
    raise last


def rows(path: Path) -> dict[str, int]:
    """Rows by table of the database at `path`, after SQLite's own check of all its pages. KnowledgeError otherwise."""
    try:
        with closing(_open(path)) as opened:
            said = [str(row[0]) for row in opened.execute("PRAGMA integrity_check(3)")]
            if said != ["ok"]:
                raise KnowledgeError("people_damaged", path=str(path), reason="; ".join(said))
            # A virtual table is counted by the tables that stand behind it.
            tables = opened.execute(
                "SELECT name FROM sqlite_master WHERE type = 'table' AND name NOT LIKE 'sqlite\\_%' ESCAPE '\\' "
                "AND sql NOT LIKE 'CREATE VIRTUAL%' ORDER BY name"
            ).fetchall()
            counts = {}
            for (name,) in tables:
                quoted = str(name).replace('"', '""')
                counts[str(name)] = int(opened.execute(f'SELECT count(*) FROM "{quoted}"').fetchone()[0])
            return counts
    except sqlite3.Error as error:
        raise KnowledgeError("people_damaged", path=str(path), reason=str(error)) from error


def check(path: Path, wanted: Database) -> None:
    """Whether the file at `path` is the database that was saved. KnowledgeError when a byte or a row differs."""
    if path.stat().st_size != wanted.size or file_digest(path) != wanted.sha256:
        raise KnowledgeError("people_damaged", path=wanted.name, reason="sha256")
    if rows(path) != wanted.rows:
        raise KnowledgeError("people_damaged", path=wanted.name, reason="rows")
