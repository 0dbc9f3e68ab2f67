"""What was asked and answered, and what the documents did not say: for replay and for the owners of the knowledge."""

from __future__ import annotations

import dataclasses
import datetime
import json
import sqlite3
import threading
from collections import Counter
from collections.abc import Callable
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from kb import db
from kb.answer.answer import Answer
from kb.db import PeopleData
from kb.errors import AlmanacError, ExitCode
from kb.search.normalise import normalise
from kb.supply import questions

# The oldest answers go first; a gap stays until the documents answer it, up to a number that no person reads through.
KEPT = 10_000
GAPS_KEPT = 10_000
_SCHEMA = """
CREATE TABLE IF NOT EXISTS answers (
  number INTEGER PRIMARY KEY, id TEXT NOT NULL UNIQUE, asked TEXT NOT NULL, question TEXT NOT NULL,
  answer TEXT NOT NULL);
CREATE TABLE IF NOT EXISTS gaps (
  question TEXT PRIMARY KEY, shown TEXT NOT NULL, first TEXT NOT NULL, last TEXT NOT NULL, count INTEGER NOT NULL,
  nearest TEXT NOT NULL, version TEXT NOT NULL, closed TEXT NOT NULL DEFAULT '') WITHOUT ROWID;
"""


@dataclass(frozen=True, slots=True)
class Gap:
    """A question that the documents did not answer: when and how often it was asked, and what came near (paths)."""

    question: str
    first: str
    last: str
    count: int
    nearest: tuple[str, ...]
    version: str
    closed: str = ""


@dataclass(frozen=True, slots=True)
class Missing:
    """What goes with a gap: the documents that came near (paths), and the version that did not answer."""

    nearest: tuple[str, ...]
    version: str


@dataclass(frozen=True, slots=True)
class Kept:
    """An answer as it was given: `asked` is the moment (ISO 8601, UTC), `answer` the fields of `Answer` as JSON."""

    id: str
    asked: str
    question: str
    answer: dict[str, Any]


class Journal:
    """The answers database of `home`. Safe to call from several threads.

    Opened when first written or read, and again when its file was deleted under a running program. With `only_gaps` no
    answer is kept, and of an answered question nothing at all.
    """

    def __init__(
        self,
        home: Path,
        now: Callable[[], datetime.datetime] = lambda: datetime.datetime.now(datetime.UTC),
        *,
        only_gaps: bool = False,
    ) -> None:
        """`now` gives the time (UTC)."""
        self._home = home
        self._path = db.people_path(home, PeopleData.ANSWERS)
        self._now = now
        self._only_gaps = only_gaps
        self._lock = threading.Lock()
        self._connection: sqlite3.Connection | None = None
        self._file: tuple[int, int] | None = None

    def keep(self, answer: Answer) -> None:
        """Keep `answer`; a refusal is counted as a gap too, and told to the distiller, as is the answer to a gap.

        AlmanacError when the disk is full or read-only.
        """
        moment = self._now().isoformat(timespec="seconds")
        with self._lock, db.explained(self._path):
            database = self._open()
            with db.transaction(database):
                if not self._only_gaps:
                    _keep_answer(database, answer, moment)
                count = _note(database, answer.resolved, _nearest(answer) if answer.refused else None, moment)
        self._tell(answer.resolved, count, moment, answered=not answer.refused)

    def note(self, text: str, missing: Missing | None) -> None:
        """Count `text`, such as a code, as a gap where it is `missing`; else close the gap that it was.

        AlmanacError when the disk is full or read-only.
        """
        moment = self._now().isoformat(timespec="seconds")
        with self._lock, db.explained(self._path):
            database = self._open()
            with db.transaction(database):
                count = _note(database, text, missing, moment)
        self._tell(text, count, moment, answered=missing is None)

    def _tell(self, text: str, count: int, moment: str, *, answered: bool) -> None:
        """Tell the distiller of a gap, or of the end of one."""
        if count and not self._only_gaps:
            questions.report(self._home, text, count, moment, answered=answered)

    def get(self, identifier: str) -> Kept:
        """The answer whose id begins with `identifier`; AlmanacError when there is none or more than one."""
        with self._lock, db.explained(self._path):
            rows = (
                self._open()
                .execute(
                    "SELECT id, asked, question, answer FROM answers WHERE substr(id, 1, ?) = ? LIMIT 2",
                    (len(identifier), identifier),
                )
                .fetchall()
            )
        if len(rows) != 1 or not identifier:
            raise AlmanacError("no_such_answer", ExitCode.USAGE, id=identifier)
        found, asked, question, answer = rows[0]
        return Kept(found, asked, question, json.loads(answer))

    def latest(self, count: int) -> list[Kept]:
        """The last `count` answers, newest first."""
        with self._lock, db.explained(self._path):
            rows = (
                self._open()
                .execute("SELECT id, asked, question, answer FROM answers ORDER BY number DESC LIMIT ?", (count,))
                .fetchall()
            )
        return [Kept(found, asked, question, json.loads(answer)) for found, asked, question, answer in rows]

    def uses(self, count: int) -> Counter[str]:
        """How often each document (by path) was cited in the last `count` answers."""
        return Counter(
            kept.answer["evidence"][place]["path"]
            for kept in self.latest(count)
            for place in kept.answer["cited"] or (0,)
            if place < len(kept.answer["evidence"]) and not kept.answer["refused"]
        )

    def gaps(self, *, closed: bool = False) -> list[Gap]:
        """What the documents did not answer, the most asked first; with `closed`, also what they answer by now."""
        with self._lock, db.explained(self._path):
            rows = (
                self._open()
                .execute(
                    "SELECT shown, first, last, count, nearest, version, closed FROM gaps "
                    "WHERE ? OR closed = '' ORDER BY count DESC, last DESC",
                    (closed,),
                )
                .fetchall()
            )
        return [
            Gap(shown, first, last, count, tuple(json.loads(nearest)), version, when)
            for shown, first, last, count, nearest, version, when in rows
        ]

    def __enter__(self) -> Journal:
        return self

    def __exit__(self, *_: object) -> None:
        self.close()

    def close(self) -> None:
        """Close the database."""
        with self._lock:
            if self._connection is not None:
                self._connection.close()
                self._connection = None

    def _open(self) -> sqlite3.Connection:
        if self._connection is not None and db.identity(self._path) != self._file:
            self._connection.close()
            self._connection = None
        if self._connection is None:
            connection = db.open_people(self._home, PeopleData.ANSWERS)
            connection.executescript(_SCHEMA)
            self._connection, self._file = connection, db.identity(self._path)
        return self._connection


def _keep_answer(database: sqlite3.Connection, answer: Answer, moment: str) -> None:
    fields = json.dumps(dataclasses.asdict(answer), ensure_ascii=False)
    database.execute(
        "INSERT OR REPLACE INTO answers (id, asked, question, answer) VALUES (?, ?, ?, ?)",
        (answer.id, moment, answer.question, fields),
    )
    database.execute("DELETE FROM answers WHERE number <= (SELECT max(number) FROM answers) - ?", (KEPT,))


def _nearest(answer: Answer) -> Missing:
    return Missing(tuple(near.path for near in answer.nearest), answer.knowledge_version.label)


def _note(database: sqlite3.Connection, text: str, missing: Missing | None, moment: str) -> int:
    """Count or close the gap `text`; how often it was asked without an answer, 0 when it is and was none."""
    return _close_gap(database, text, moment) if missing is None else _count_gap(database, text, missing, moment)


def _close_gap(database: sqlite3.Connection, text: str, moment: str) -> int:
    """How often what is answered now was asked without an answer; 0 when it is no open gap."""
    row = database.execute(
        "UPDATE gaps SET closed = ? WHERE question = ? AND question <> '' AND closed = '' RETURNING count",
        (moment, normalise(text)),
    ).fetchone()
    return 0 if row is None else int(row[0])


def _count_gap(database: sqlite3.Connection, text: str, missing: Missing, moment: str) -> int:
    """How often the question was asked without an answer, this time included."""
    row = database.execute(
        "INSERT INTO gaps (question, shown, first, last, count, nearest, version) VALUES (?, ?, ?, ?, 1, ?, ?) "
        "ON CONFLICT (question) DO UPDATE SET last = excluded.last, count = count + 1, nearest = excluded.nearest, "
        "version = excluded.version, closed = '' RETURNING count",
        (normalise(text), text, moment, moment, json.dumps(missing.nearest), missing.version),
    ).fetchone()
    # Closed ones go first, then those asked least and longest ago; never the one just counted.
    database.execute(
        "DELETE FROM gaps WHERE question IN (SELECT question FROM gaps WHERE question <> ? "
        "ORDER BY closed = '', count, last LIMIT max(0, (SELECT count(*) FROM gaps) - ?))",
        (normalise(text), GAPS_KEPT),
    )
    return int(row[0])
