"""The registry: which versions this machine knows, which it has built, and every switch that was ever made.

It is people's data: who put what live, when and why. The log of switches can only grow (triggers refuse the rest).
"""

from __future__ import annotations

import contextlib
import sqlite3
from collections.abc import Iterator
from dataclasses import dataclass
from pathlib import Path

from kb import db
from kb.db import PeopleData, people_path
from kb.errors import AlmanacError, ExitCode
from kb.versions.numbering import read_number
from kb.versions.snapshot import Snapshot

_SCHEMA = """
CREATE TABLE IF NOT EXISTS snapshots (
  id INTEGER PRIMARY KEY, tag TEXT NOT NULL, manifest TEXT NOT NULL, commit_id TEXT NOT NULL, created TEXT NOT NULL,
  documents INTEGER NOT NULL, source TEXT NOT NULL, built TEXT NOT NULL DEFAULT '', retired TEXT NOT NULL DEFAULT '',
  UNIQUE (tag, manifest));
CREATE TABLE IF NOT EXISTS routes (
  agent TEXT NOT NULL, environment TEXT NOT NULL CHECK (environment IN ('dev', 'test', 'prod')),
  current INTEGER REFERENCES snapshots (id), previous INTEGER REFERENCES snapshots (id),
  next INTEGER REFERENCES snapshots (id), weight INTEGER NOT NULL DEFAULT 100 CHECK (weight BETWEEN 0 AND 100),
  starts TEXT NOT NULL DEFAULT '', PRIMARY KEY (agent, environment)) WITHOUT ROWID;
CREATE TABLE IF NOT EXISTS switches (
  id INTEGER PRIMARY KEY, at TEXT NOT NULL, action TEXT NOT NULL, agent TEXT NOT NULL, environment TEXT NOT NULL,
  old TEXT NOT NULL, new TEXT NOT NULL, weight INTEGER NOT NULL, starts TEXT NOT NULL, who TEXT NOT NULL,
  why TEXT NOT NULL);
CREATE TRIGGER IF NOT EXISTS switches_stay BEFORE UPDATE ON switches
  BEGIN SELECT RAISE(ABORT, 'the log only grows'); END;
CREATE TRIGGER IF NOT EXISTS switches_kept BEFORE DELETE ON switches
  BEGIN SELECT RAISE(ABORT, 'the log only grows'); END;
PRAGMA user_version = 1;
"""
SCHEMA_VERSION = 1
_COLUMNS = "id, tag, manifest, commit_id, created, documents, source, built, retired"


@dataclass(frozen=True, slots=True)
class Registered:
    """A snapshot that the registry knows. Times are UTC (`built`, `retired`: '' for not); `source` is its tree."""

    id: int
    tag: str
    manifest: str
    commit: str
    created: str
    documents: int
    source: str
    built: str
    retired: str

    @property
    def name(self) -> str:
        """The name of its release folder."""
        return f"{self.tag}-{self.manifest[:12]}"

    @property
    def is_built(self) -> bool:
        """Whether a release folder of it should be there."""
        return bool(self.built) and not self.retired


@dataclass(frozen=True, slots=True)
class Switch:
    """A line of the log: what was live for whom (`old`) and what is since (`new`), tags or ''."""

    at: str
    action: str
    agent: str
    environment: str
    old: str
    new: str
    weight: int
    starts: str
    who: str
    why: str


def is_busy(error: BaseException | None) -> bool:
    """Whether a writer was at work just then."""
    return isinstance(error, sqlite3.Error) and getattr(error, "sqlite_errorcode", 0) & 0xFF == sqlite3.SQLITE_BUSY


def exists(home: Path) -> bool:
    """Whether anything was ever registered in this home."""
    return people_path(home, PeopleData.REGISTRY).is_file()


def relocate(path: Path, source: Path) -> None:
    """In the registry that lies at `path`, all snapshots become those of the tree `source`, which is brought back."""
    with contextlib.closing(db.open_existing(path)) as connection, contextlib.suppress(sqlite3.OperationalError):
        connection.execute("UPDATE snapshots SET source=?", (str(source),))


class Registry:
    """The open registry of a home. Use as a context manager; changes happen in `writing`."""

    def __init__(self, connection: sqlite3.Connection) -> None:
        self.connection = connection

    @classmethod
    def open(cls, home: Path) -> Registry:
        """Open it, made when it is not there. AlmanacError when it cannot be, or is of a later program."""
        path = people_path(home, PeopleData.REGISTRY)
        try:
            connection = db.open_people(home, PeopleData.REGISTRY)
            if not _version(connection):
                _create(connection)
        except sqlite3.DatabaseError as error:
            raise AlmanacError("registry_unusable", path=path, reason=str(error)) from error
        return cls._checked(connection, path)

    @classmethod
    def open_to_read(cls, home: Path, busy_ms: int = db.BUSY_MS) -> Registry:
        """As `open` for an existing one, also on a read-only medium. It waits `busy_ms` for a writer."""
        path = people_path(home, PeopleData.REGISTRY)
        try:
            try:
                connection = db.open_existing(path, busy_ms)
                found = _version(connection)
            except sqlite3.OperationalError as error:
                if is_busy(error):
                    raise
                connection = db.open_read_only(path)
                found = _version(connection)
        except sqlite3.DatabaseError as error:
            raise AlmanacError("registry_unusable", path=path, reason=str(error)) from error
        if not found:
            _create(connection)
        return cls._checked(connection, path)

    @classmethod
    def _checked(cls, connection: sqlite3.Connection, path: Path) -> Registry:
        if _version(connection) != SCHEMA_VERSION:
            connection.close()
            raise AlmanacError("registry_newer", path=path)
        return cls(connection)

    def __enter__(self) -> Registry:
        return self

    def __exit__(self, *problem: object) -> None:
        self.connection.close()

    @contextlib.contextmanager
    def writing(self) -> Iterator[None]:
        """One transaction: all of it or nothing, also after kill -9."""
        try:
            with db.transaction(self.connection):
                yield
        except sqlite3.OperationalError as error:
            raise AlmanacError("registry_unusable", path="registry.db", reason=str(error)) from error

    def register(self, snapshot: Snapshot, source: Path) -> Registered:
        """The snapshot's row, made when it is not there yet."""
        self.connection.execute(
            "INSERT INTO snapshots (tag, manifest, commit_id, created, documents, source) VALUES (?,?,?,?,?,?) "
            "ON CONFLICT (tag, manifest) DO UPDATE SET source=excluded.source",
            (snapshot.tag, snapshot.digest, snapshot.commit, snapshot.manifest.created,
             len(snapshot.manifest.documents), str(source)),
        )  # fmt: skip
        found = self._rows("WHERE tag=? AND manifest=?", snapshot.tag, snapshot.digest)
        return found[0]

    def mark_built(self, registered: Registered, moment: str) -> None:
        """Its release folder is there, whole."""
        self.connection.execute("UPDATE snapshots SET built=?, retired='' WHERE id=?", (moment, registered.id))

    def mark_retired(self, registered: Registered, moment: str) -> None:
        """Its release folder is about to go."""
        self.connection.execute("UPDATE snapshots SET retired=? WHERE id=?", (moment, registered.id))

    def snapshots(self) -> list[Registered]:
        """All of them, newest first."""
        return self._rows("ORDER BY created DESC, id DESC")

    def by_id(self, identifier: int | None) -> Registered | None:
        """The row with this id."""
        found = self._rows("WHERE id=?", identifier) if identifier is not None else []
        return found[0] if found else None

    def named(self, reference: str) -> Registered:
        """By tag (also without `kb-`) or by the name of the release folder. AlmanacError for none or several."""
        number = read_number(reference)
        wanted = {reference, number.tag if number is not None else reference}
        found = [row for row in self.snapshots() if row.tag in wanted or row.name == reference]
        if len(found) > 1:
            built = [row for row in found if row.is_built]
            if len(built) != 1:
                raise AlmanacError(
                    "release_ambiguous", ExitCode.USAGE, version=reference, names=", ".join(row.name for row in found)
                )
            found = built
        if not found:
            known = ", ".join(row.tag for row in self.snapshots()[:5])
            raise AlmanacError("version_unknown_name", ExitCode.USAGE, version=reference, known=known or "-")
        return found[0]

    def sources(self) -> list[Path]:
        """The knowledge trees that snapshots were taken of, newest first."""
        rows = self.connection.execute("SELECT source FROM snapshots GROUP BY source ORDER BY max(id) DESC")
        return [Path(row[0]) for row in rows]

    def log(self, switch: Switch) -> None:
        """Add a line."""
        self.connection.execute(
            "INSERT INTO switches (at, action, agent, environment, old, new, weight, starts, who, why) "
            "VALUES (?,?,?,?,?,?,?,?,?,?)",
            (switch.at, switch.action, switch.agent, switch.environment, switch.old, switch.new, switch.weight,
             switch.starts, switch.who, switch.why),
        )  # fmt: skip

    def switches(self, limit: int = 50) -> list[Switch]:
        """The last lines of the log, newest first."""
        rows = self.connection.execute(
            "SELECT at, action, agent, environment, old, new, weight, starts, who, why FROM switches "
            "ORDER BY id DESC LIMIT ?",
            (limit,),
        )
        return [Switch(*row) for row in rows]

    def _rows(self, rest: str, *values: object) -> list[Registered]:
        return [Registered(*row) for row in self.connection.execute(f"SELECT {_COLUMNS} FROM snapshots {rest}", values)]


def _version(connection: sqlite3.Connection) -> int:
    return int(connection.execute("PRAGMA user_version").fetchone()[0])


def _create(connection: sqlite3.Connection) -> None:
    """Make the tables in one transaction; where another process was first, nothing is left to do."""
    try:
        connection.executescript(f"BEGIN IMMEDIATE; {_SCHEMA} COMMIT;")
    except BaseException:
        if connection.in_transaction:
            connection.execute("ROLLBACK")
        raise
