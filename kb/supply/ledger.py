"""The injection ledger: what was given to whom, what became of it, what people thought of it. Append-only.

It lies in the people's data. Appends that come together are written in one transaction and acknowledged when that
stands on disk, so many agents cost few syncs. Verdicts and feedback are rows of their own; no row is ever changed
(triggers refuse it, and the chain of digests shows it). Order is the row number: clocks jump.
"""

from __future__ import annotations

import contextlib
import sqlite3
import threading
import time
from collections.abc import Callable, Iterator, Sequence
from dataclasses import replace
from pathlib import Path
from typing import Any

from kb import db, fsio
from kb.errors import AlmanacError, ExitCode
from kb.supply.chain import COLUMNS, START, Break, Entry, Kind, Row, first_break, link

MAX_NOTE = 4000
MAX_NAME = 200
_NAMES = ("task", "agent", "card", "card_version", "tag", "manifest", "commit")
_FIELDS = ", ".join(f'"{name}"' for name in COLUMNS)
_SCHEMA = """
CREATE TABLE IF NOT EXISTS ledger_rows (
    number INTEGER PRIMARY KEY AUTOINCREMENT, "kind" TEXT NOT NULL, "task" TEXT NOT NULL, "agent" TEXT NOT NULL,
    "card" TEXT NOT NULL, "card_version" TEXT NOT NULL, "tag" TEXT NOT NULL, "manifest" TEXT NOT NULL,
    "commit" TEXT NOT NULL, "at" INTEGER NOT NULL, "position" INTEGER NOT NULL, "tokens" INTEGER NOT NULL,
    "adopted" INTEGER, "feedback" INTEGER NOT NULL, "refers" INTEGER NOT NULL, "note" TEXT NOT NULL,
    digest BLOB NOT NULL);
CREATE INDEX IF NOT EXISTS ledger_by_task ON ledger_rows (task, number);
CREATE INDEX IF NOT EXISTS ledger_by_card ON ledger_rows (card, number);
CREATE TRIGGER IF NOT EXISTS ledger_no_update BEFORE UPDATE ON ledger_rows
    BEGIN SELECT RAISE(ABORT, 'the ledger is append-only'); END;
CREATE TRIGGER IF NOT EXISTS ledger_no_delete BEFORE DELETE ON ledger_rows
    BEGIN SELECT RAISE(ABORT, 'the ledger is append-only'); END;
"""  # AUTOINCREMENT keeps the highest number ever given: rows cut off at the end are missed.
_INSERT = f"INSERT INTO ledger_rows (number, {_FIELDS}, digest) VALUES ({', '.join('?' * (len(COLUMNS) + 2))})"
_SELECT = f"SELECT number, {_FIELDS}, digest FROM ledger_rows"


class _Waiting:
    """Entries of one caller, until they are written or refused. `called` is set when they are, or when it is this
    caller's turn to write for all that wait."""

    __slots__ = ("called", "done", "entries", "error", "numbers")

    def __init__(self, entries: tuple[Entry, ...]) -> None:
        self.entries = entries
        self.numbers: list[int] = []
        self.error: BaseException | None = None
        self.done = False
        self.called = threading.Event()


def _now() -> int:
    return time.time_ns() // 1_000_000


class Ledger:
    """The ledger of `home`. Safe to use from several threads and from several processes at once.

    AlmanacError when it cannot be opened, read or written; what was acknowledged stays in every case.
    """

    def __init__(self, home: Path, now: Callable[[], int] = _now) -> None:
        self.path = db.people_path(home, db.PeopleData.LEDGER)
        self._now = now
        self._queue: list[_Waiting] = []
        self._gate = threading.Lock()
        self._writing = False
        self._using = threading.RLock()
        with explained(self.path):
            self._connection = db.open_people(home, db.PeopleData.LEDGER)
            self._prepare()

    def _prepare(self) -> None:
        known = self._connection.execute("SELECT count(*) FROM sqlite_master WHERE name = 'ledger_no_delete'")
        if not known.fetchone()[0]:
            self._connection.executescript(f"BEGIN IMMEDIATE; {_SCHEMA} COMMIT;")

    def close(self) -> None:
        """Release the database."""
        with self._using:
            self._connection.close()

    def __enter__(self) -> Ledger:
        return self

    def __exit__(self, *_: object) -> None:
        self.close()

    # -- writing ---------------------------------------------------------------------------------------------

    def append(self, entries: Sequence[Entry]) -> list[int]:
        """Write the entries, in one piece; their row numbers. When it returns they survive a power cut.

        Callers that come while others write wait for the next transaction, which takes them all.
        """
        waiting = _Waiting(tuple(_checked(entry) for entry in entries))
        if not waiting.entries:
            return []
        with self._gate:
            self._queue.append(waiting)
            mine, self._writing = not self._writing, True
        if not mine:
            waiting.called.wait()
        if not waiting.done:
            self._write_waiting()
        if waiting.error is not None:
            raise waiting.error
        return waiting.numbers

    def _write_waiting(self) -> None:
        """Write for all that wait, then call one of those that came meanwhile to go on."""
        with self._gate:
            batch, self._queue = self._queue, []
        self._write(batch)
        for waiting in batch:
            waiting.done = True
            waiting.called.set()
        with self._gate:
            self._writing = bool(self._queue)
            if self._queue:
                self._queue[0].called.set()

    def _write(self, batch: list[_Waiting]) -> None:
        try:
            with self._using, explained(self.path), db.transaction(self._connection):
                self._insert(batch)
        except BaseException as error:  # noqa: BLE001  # everyone who waits is told, none is acknowledged
            for waiting in batch:
                waiting.error = error

    def _insert(self, batch: list[_Waiting]) -> None:
        last = self._connection.execute("SELECT number, digest FROM ledger_rows ORDER BY number DESC LIMIT 1")
        number, previous = last.fetchone() or (0, START)
        rows: list[tuple[object, ...]] = []
        for waiting in batch:
            waiting.numbers = []
            for entry in waiting.entries:
                number += 1
                timed = entry if entry.at else replace(entry, at=self._now())
                values = timed.values()
                previous = link(previous, number, values)
                rows.append((number, *values, previous))
                waiting.numbers.append(number)
        self._connection.executemany(_INSERT, rows)

    # -- reading ---------------------------------------------------------------------------------------------

    def rows(
        self, *, kind: Kind | None = None, task: str = "", card: str = "", after: int = 0, limit: int = -1
    ) -> list[Row]:
        """The rows with these properties behind row `after`, in order; `limit` -1 is all."""
        conditions = ["number > ?"]
        wanted: list[object] = [after]
        for name, value in (("kind", kind.value if kind else ""), ("task", task), ("card", card)):
            if value:
                conditions.append(f"{name} = ?")
                wanted.append(value)
        return self._read(f"{_SELECT} WHERE {' AND '.join(conditions)} ORDER BY number LIMIT {limit:d}", wanted)

    def latest(self, limit: int) -> list[Row]:
        """The last `limit` rows, in order."""
        return self._read(f"{_SELECT} ORDER BY number DESC LIMIT {limit:d}", [])[::-1]

    def head(self) -> tuple[int, str]:
        """Number and digest (hexadecimal) of the last row; (0, zeros) of an empty ledger."""
        last = self.latest(1)
        return (last[0].number, last[0].digest.hex()) if last else (0, START.hex())

    def verify(self, expected: tuple[int, str] | None = None) -> Break | None:
        """The first row that is not as it was written, or None. `expected` is a head that somebody noted before."""
        with self._using, explained(self.path):
            found = self._connection.execute("SELECT seq FROM sqlite_sequence WHERE name = 'ledger_rows'").fetchone()
            stored = self._connection.execute(f"{_SELECT} ORDER BY number")
            broken = first_break(((row[0], row[1:-1], row[-1]) for row in stored), int(found[0]) if found else None)
            if broken is None and expected is not None:
                number, digest = expected
                rows = self.rows(after=number - 1, limit=1)
                if not rows or rows[0].number != number or rows[0].digest.hex() != digest.lower():
                    return Break(number, "changed" if rows else "cut")
            return broken

    def _read(self, query: str, values: Sequence[object]) -> list[Row]:
        with self._using, explained(self.path):
            return [_row(stored) for stored in self._connection.execute(query, tuple(values))]


def _row(stored: Sequence[Any]) -> Row:
    number, kind, *rest, digest = stored
    values = dict(zip(COLUMNS[1:], rest, strict=True))
    values["adopted"] = None if values["adopted"] is None else bool(values["adopted"])
    return Row(number, Entry(Kind(kind), **values), digest)


def _checked(entry: Entry) -> Entry:
    """`entry` with texts of a sane length; AlmanacError for a name that is too long to be one."""
    for name in _NAMES:
        value = getattr(entry, name)
        if len(value) > MAX_NAME:
            raise AlmanacError("ledger_name_too_long", ExitCode.USAGE, name=name, limit=MAX_NAME)
    return entry if len(entry.note) <= MAX_NOTE else replace(entry, note=entry.note[: MAX_NOTE - 1] + "…")


@contextlib.contextmanager
def explained(path: Path) -> Iterator[None]:
    """Turn SQLite's errors on the ledger at `path` into sentences for people; finer than `kb.db.explained`."""
    try:
        yield
    except sqlite3.Error as error:
        raise _sentence(error, path) from error


def _sentence(error: sqlite3.Error, path: Path) -> AlmanacError:
    code = getattr(error, "sqlite_errorname", "") or ""
    if code == "SQLITE_FULL":
        return AlmanacError("disk_full", path=str(path.parent), free=fsio.free_mb(path.parent))
    if code.startswith(("SQLITE_BUSY", "SQLITE_LOCKED")):
        return AlmanacError("ledger_busy", path=str(path))
    if code.startswith(("SQLITE_READONLY", "SQLITE_CANTOPEN", "SQLITE_PERM")):
        return AlmanacError("not_writable", path=str(path), reason=str(error))
    if code.startswith("SQLITE_IOERR"):
        return AlmanacError("write_failed", path=str(path), reason=str(error))
    return AlmanacError("ledger_damaged", path=str(path), reason=str(error))
