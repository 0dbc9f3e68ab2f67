"""Sums of the ledger by week and by card, kept up to date row by row, so that a million rows are asked in no time.

Derived data: it can be deleted and is made anew. Where its folder cannot be written, it is made in memory.
"""

from __future__ import annotations

import contextlib
import datetime
import sqlite3
from collections import Counter
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any, NamedTuple
from urllib.parse import quote

from kb import db, fsio
from kb.errors import AlmanacError
from kb.supply.ledger import Ledger, explained
from kb.supply.lifecycle import Usage

# Read this many rows at a time: whoever writes waits no longer than that takes.
_BATCH = 20_000
_VERSION = 1
_WEEK_MS = 7 * 86_400_000
_TO_MONDAY_MS = 3 * 86_400_000  # 1970-01-01 was a Thursday
_WEEK = f"(at + {_TO_MONDAY_MS}) / {_WEEK_MS}"
_COUNTS = ("tasks", "hits", "injected", "followed", "contradicted", "unrelated", "liked", "disliked", "searches")
_OF_CARD = ("injected", "followed", "contradicted", "unrelated", "liked", "disliked")
_LAST = ("first_injected", "last_injected", "last_hit", "last_liked")


def _zeros(names: Sequence[str]) -> str:
    return ", ".join(f"{name} INTEGER NOT NULL DEFAULT 0" for name in names)


_TABLES = {
    "state": "(version INTEGER, through INTEGER, digest BLOB)",
    "weeks": f"(week INTEGER PRIMARY KEY, {_zeros(_COUNTS)})",
    "cards": f"(card TEXT PRIMARY KEY, {_zeros(_OF_CARD)}, {', '.join(f'{name} INTEGER' for name in _LAST)})",
    "verdicts": "(refers INTEGER PRIMARY KEY, adopted INTEGER)",
}
_SUMS = {
    "tasks": "kind = 'task'",
    "hits": "kind = 'task' AND position > 0",
    "injected": "kind = 'injection'",
    "liked": "feedback > 0",
    "disliked": "feedback < 0",
    "searches": "kind = 'search'",
}


@dataclass(frozen=True, slots=True)
class Week:
    """The sums of one week; `monday` is its first day (UTC). Verdicts count in the week in which the card was given,
    and only the last one on each."""

    monday: datetime.date
    tasks: int = 0
    hits: int = 0
    injected: int = 0
    followed: int = 0
    contradicted: int = 0
    unrelated: int = 0
    liked: int = 0
    disliked: int = 0
    searches: int = 0


class CardSums(NamedTuple):
    """The sums of one card; instants are those of the last rows, not the largest: clocks jump.

    A tuple with times as they are stored (milliseconds since 1970 UTC): there are thousands of them in one answer, and
    making dates of all would take most of its time.
    """

    injected: int = 0
    followed: int = 0
    contradicted: int = 0
    unrelated: int = 0
    liked: int = 0
    disliked: int = 0
    first_injected_ms: int | None = None
    last_injected_ms: int | None = None
    last_hit_ms: int | None = None
    last_liked_ms: int | None = None

    @property
    def first_injected(self) -> datetime.datetime | None:
        """When it was first given to an agent, in UTC."""
        return _instant(self.first_injected_ms)

    @property
    def last_injected(self) -> datetime.datetime | None:
        """When it was last given to an agent."""
        return _instant(self.last_injected_ms)

    @property
    def last_hit(self) -> datetime.datetime | None:
        """When it was last missed while it was archived."""
        return _instant(self.last_hit_ms)

    @property
    def last_liked(self) -> datetime.datetime | None:
        """When it was last liked."""
        return _instant(self.last_liked_ms)


class Rollup:
    """The sums for the ledger of `home`. `update` brings them up to date; reading does not."""

    def __init__(self, home: Path) -> None:
        self._ledger = db.people_path(home, db.PeopleData.LEDGER)
        if self._ledger.is_file():
            # What a killed writer left half done is undone by opening it; here it is only read after that.
            with contextlib.suppress(AlmanacError), Ledger(home) as ledger:
                ledger.head()
        with explained(self._ledger):
            self._connection = _opened(home / "index")
            if self._ledger.is_file():
                # Read-only, so that a transaction on the sums does not lock whoever writes the ledger.
                self._connection.execute("ATTACH DATABASE ? AS people", (f"file:{quote(str(self._ledger))}?mode=ro",))

    def close(self) -> None:
        """Release the databases."""
        self._connection.close()

    def __enter__(self) -> Rollup:
        return self

    def __exit__(self, *_: object) -> None:
        self.close()

    def update(self) -> int:
        """Take in the rows that are not in the sums yet; returns how many. AlmanacError when the ledger is damaged."""
        if not self._ledger.is_file():
            return 0
        taken = 0
        with explained(self._ledger):
            if not self._one("SELECT count(*) FROM people.sqlite_master WHERE name = 'ledger_rows'"):
                return 0
            while count := self._step():
                taken += count
        return taken

    def _step(self) -> int:
        """Take in the next rows, in one transaction: two processes never count one row twice."""
        with db.transaction(self._connection):
            last: int = self._one("SELECT max(number) FROM people.ledger_rows") or 0
            through: int
            through, digest = self._connection.execute("SELECT through, digest FROM main.state").fetchone()
            if through and self._one("SELECT digest FROM people.ledger_rows WHERE number = ?", through) != digest:
                # Another ledger lies there now, restored or begun anew.
                _make_tables(self._connection)
                through = 0
            upto = min(through + _BATCH, last)
            if upto > through:
                self._take(through, upto)
        return max(upto - through, 0)

    def _one(self, query: str, *values: object) -> Any:
        found = self._connection.execute(query, values).fetchone()
        return found[0] if found else None

    def _take(self, through: int, upto: int) -> None:
        """Add the rows behind `through` up to `upto`."""
        span = (through, upto)
        rows = "FROM people.ledger_rows WHERE number > ? AND number <= ?"
        sums = ", ".join(f"sum({test})" for test in _SUMS.values())
        added = ", ".join(f"{name} = {name} + excluded.{name}" for name in _SUMS)
        self._connection.execute(
            f"INSERT INTO weeks (week, {', '.join(_SUMS)}) SELECT {_WEEK} AS at_week, {sums} {rows} GROUP BY at_week "
            f"ON CONFLICT (week) DO UPDATE SET {added}",
            span,
        )
        names = ("injected", "liked", "disliked")
        sums = ", ".join(f"sum({_SUMS[name]})" for name in names)
        added = ", ".join(f"{name} = {name} + excluded.{name}" for name in names)
        self._connection.execute(
            f"INSERT INTO cards (card, {', '.join(names)}) SELECT card, {sums} {rows} AND card <> '' GROUP BY card "
            f"ON CONFLICT (card) DO UPDATE SET {added}",
            span,
        )
        for column, test in (
            ("last_injected", "kind = 'injection'"), ("last_hit", "kind = 'hit'"), ("last_liked", "feedback > 0"),
        ):  # fmt: skip
            # SQLite takes the bare column `at` from the row that has the maximum (documentation of SELECT, 2.5).
            self._connection.execute(
                f"INSERT INTO cards (card, {column}) SELECT card, at FROM (SELECT card, max(number), at {rows} "
                f"AND card <> '' AND {test} GROUP BY card) WHERE true "
                f"ON CONFLICT (card) DO UPDATE SET {column} = excluded.{column}",
                span,
            )
        self._connection.execute(
            f"INSERT INTO cards (card, first_injected) SELECT card, at FROM (SELECT card, min(number), at {rows} "
            "AND card <> '' AND kind = 'injection' GROUP BY card) WHERE true "
            "ON CONFLICT (card) DO UPDATE SET first_injected = coalesce(first_injected, excluded.first_injected)",
            span,
        )
        self._take_verdicts(through, upto)
        self._connection.execute(
            "UPDATE state SET through = ?, digest = (SELECT digest FROM people.ledger_rows WHERE number = ?)",
            (upto, upto),
        )

    def _take_verdicts(self, through: int, upto: int) -> None:
        """Of several verdicts on one row the last counts; it counts where and when the card was given."""
        weeks: dict[int, Counter[str]] = {}
        cards: dict[str, Counter[str]] = {}
        found = self._connection.execute(
            "SELECT verdict.refers, max(verdict.number), verdict.adopted, given.card, "
            f"(given.at + {_TO_MONDAY_MS}) / {_WEEK_MS}, known.refers, known.adopted "
            "FROM people.ledger_rows AS verdict "
            "JOIN people.ledger_rows AS given ON given.number = verdict.refers AND given.kind = 'injection' "
            "AND given.number < verdict.number "
            "LEFT JOIN verdicts AS known ON known.refers = verdict.refers "
            "WHERE verdict.number > ? AND verdict.number <= ? AND verdict.kind = 'verdict' GROUP BY verdict.refers",
            (through, upto),
        ).fetchall()
        for _, _, adopted, card, week, known, before in found:
            for counts in (weeks.setdefault(week, Counter()), cards.setdefault(card, Counter())):
                counts[_verdict(adopted)] += 1
                if known is not None:
                    counts[_verdict(before)] -= 1
        self._connection.executemany(
            "INSERT OR REPLACE INTO verdicts (refers, adopted) VALUES (?, ?)",
            ((refers, adopted) for refers, _, adopted, *_ in found),
        )
        for table, key, changes in (("weeks", "week", weeks.items()), ("cards", "card", cards.items())):
            self._connection.executemany(
                f"UPDATE {table} SET followed = followed + ?, contradicted = contradicted + ?, "
                f"unrelated = unrelated + ? WHERE {key} = ?",
                [(counts["followed"], counts["contradicted"], counts["unrelated"], of) for of, counts in changes],
            )

    def weeks(self) -> list[Week]:
        """All weeks in which something happened, in order."""
        with explained(self._ledger):
            found = self._connection.execute(f"SELECT week, {', '.join(_COUNTS)} FROM weeks ORDER BY week").fetchall()
        return [Week(_monday(week), *counts) for week, *counts in found]

    def cards(self) -> dict[str, CardSums]:
        """The sums of every card (and document) that the ledger names."""
        with explained(self._ledger):
            found = self._connection.execute(f"SELECT card, {', '.join((*_OF_CARD, *_LAST))} FROM cards").fetchall()
        return {card: CardSums(*rest) for card, *rest in found}


def _opened(folder: Path) -> sqlite3.Connection:
    """The database of sums, made anew when it is damaged or of another version; in memory where it cannot lie."""
    path = folder / "ledger-sums.db"
    if not fsio.is_writable(folder):
        return _ready(_connected(":memory:"))
    try:
        return _ready(_connected(f"file:{quote(str(path))}"))
    except sqlite3.DatabaseError as error:
        if getattr(error, "sqlite_errorname", "") not in ("SQLITE_NOTADB", "SQLITE_CORRUPT", "SQLITE_ERROR"):
            raise
    path.unlink(missing_ok=True)
    return _ready(_connected(f"file:{quote(str(path))}"))


def _connected(name: str) -> sqlite3.Connection:
    """As `kb.db.open_cache`, with names as URIs, so that the ledger can be attached read-only."""
    connection = sqlite3.connect(
        name, uri=True, timeout=db.BUSY_MS / 1000, isolation_level=None, check_same_thread=False
    )
    connection.execute("PRAGMA journal_mode=DELETE")
    connection.execute("PRAGMA synchronous=OFF")
    return connection


def _ready(connection: sqlite3.Connection) -> sqlite3.Connection:
    with db.transaction(connection):
        made = connection.execute("SELECT count(*) FROM main.sqlite_master WHERE name = 'state'").fetchone()[0]
        if not made or connection.execute("SELECT version FROM main.state").fetchone() != (_VERSION,):
            _make_tables(connection)
    return connection


def _make_tables(connection: sqlite3.Connection) -> None:
    for name, columns in _TABLES.items():
        connection.execute(f"DROP TABLE IF EXISTS main.{name}")
        connection.execute(f"CREATE TABLE main.{name} {columns}")
    connection.execute("INSERT INTO main.state VALUES (?, 0, x'')", (_VERSION,))


def _verdict(adopted: int | None) -> str:
    return "unrelated" if adopted is None else "followed" if adopted else "contradicted"


def _monday(week: int) -> datetime.date:
    return datetime.date(1970, 1, 1) + datetime.timedelta(days=7 * week - 3)


def _instant(milliseconds: int | None) -> datetime.datetime | None:
    if milliseconds is None:
        return None
    return datetime.datetime(1970, 1, 1, tzinfo=datetime.UTC) + datetime.timedelta(milliseconds=milliseconds)


def usage_of(home: Path, cards: Sequence[str]) -> Mapping[str, Usage]:
    """How the cards with these ids were used in this home: a `kb.supply.lifecycle.UsageOf` once `home` is given."""
    with Rollup(home) as rollup:
        rollup.update()
        sums = rollup.cards()
    return {
        name: Usage(found.injected, found.followed, found.liked, found.last_injected, found.last_hit, found.last_liked)
        for name in cards
        if (found := sums.get(name)) is not None
    }
