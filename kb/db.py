"""SQLite as Almanac uses it: settings for what people made (durable) and for what can be rebuilt (fast).

Before SQLite 3.51.3 a WAL reset can lose a commit (sqlite.org, "WAL-reset bug"), and Python brings the system's
version; so people's data uses a rollback journal unless the library is new enough, always with synchronous=FULL. The
journal stays and its header is cleared (PERSIST): that write is synced, while the removal of a journal file (DELETE) is
not, so that a power cut soon after could bring the journal back and take an acknowledged commit away.
"""

from __future__ import annotations

import contextlib
import datetime
import sqlite3
from collections.abc import Iterator
from enum import StrEnum
from pathlib import Path
from urllib.parse import quote

from kb import fsio
from kb.errors import AlmanacError

BUSY_MS = 5000
_WAL_SAFE = (3, 51, 3)
_JOURNAL_BYTES = 1 << 20
"""What a journal that stays may take of the disk between commits."""

_CACHE_KB = 512


class PeopleData(StrEnum):
    """The databases of what people create. They lie in `<home>/people/`; a backup holds every one of them."""

    ANSWERS = "answers.db"
    LEDGER = "ledger.db"
    REGISTRY = "registry.db"
    MEMORY = "memory.db"


def utc_text(moment: datetime.datetime | None = None) -> str:
    """How a moment (default: this one) is kept: UTC, to the second; such texts sort as the moments do."""
    return (moment or datetime.datetime.now()).astimezone(datetime.UTC).strftime("%Y-%m-%dT%H:%M:%SZ")


def people_path(home: Path, which: PeopleData) -> Path:
    """Where `which` lies below `home`."""
    return home / "people" / which.value


def wal_is_safe() -> bool:
    """Whether this SQLite has the fix for the WAL-reset fault."""
    return sqlite3.sqlite_version_info >= _WAL_SAFE


def open_durable(path: Path) -> sqlite3.Connection:
    """A database of people's data: an acknowledged commit survives kill -9 and power loss."""
    connection = _connect(path)
    connection.execute(f"PRAGMA journal_mode={'WAL' if wal_is_safe() else 'PERSIST'}")
    connection.execute(f"PRAGMA journal_size_limit={_JOURNAL_BYTES}")
    connection.execute("PRAGMA synchronous=FULL")
    connection.execute("PRAGMA foreign_keys=ON")
    return connection


def open_people(home: Path, which: PeopleData) -> sqlite3.Connection:
    """The database `which` of `home`, made when it is not there yet. AlmanacError when the folder cannot be written."""
    path = people_path(home, which)
    fsio.make_folder(path.parent)
    return open_durable(path)


@contextlib.contextmanager
def explained(path: Path) -> Iterator[None]:
    """Turn SQLite's errors on the database at `path` into a message for a person (AlmanacError)."""
    try:
        yield
    except sqlite3.Error as error:
        if getattr(error, "sqlite_errorname", "") == "SQLITE_FULL":
            raise AlmanacError("disk_full", path=str(path.parent), free=fsio.free_mb(path.parent)) from error
        raise AlmanacError("people_data_failed", path=str(path), reason=str(error)) from error


@contextlib.contextmanager
def transaction(connection: sqlite3.Connection) -> Iterator[None]:
    """All of what is written inside, or nothing, also between processes and after kill -9."""
    connection.execute("BEGIN IMMEDIATE")
    try:
        yield
        connection.execute("COMMIT")
    except BaseException:
        if connection.in_transaction:
            with contextlib.suppress(sqlite3.Error):
                connection.execute("ROLLBACK")
        raise


def open_existing(path: Path, busy_ms: int = BUSY_MS) -> sqlite3.Connection:
    """A database that is there, to be read beside writers; `busy_ms` is how long SQLite itself waits for one of them.

    It is opened for writing too, since what a killed writer left has to be rolled back. sqlite3.OperationalError where
    it cannot be opened.
    """
    connection = sqlite3.connect(
        f"file:{quote(str(path))}?mode=rw", uri=True, timeout=busy_ms / 1000, isolation_level=None,
        check_same_thread=False,
    )  # fmt: skip
    connection.execute(f"PRAGMA busy_timeout={busy_ms}")
    return connection


def open_cache(path: Path) -> sqlite3.Connection:
    """A database that can be rebuilt: whole after a crash of the program. Readers go on until a change is committed,
    however large it is."""
    connection = _connect(path)
    connection.execute("PRAGMA cache_spill=OFF")
    # What is read once, the columns of all documents, would stay: pages come from the system's cache as fast.
    connection.execute(f"PRAGMA cache_size=-{_CACHE_KB}")
    connection.execute("PRAGMA journal_mode=DELETE")
    connection.execute("PRAGMA synchronous=NORMAL")
    return connection


def identity(path: Path) -> tuple[int, int] | None:
    """Which file lies at `path` (device and number); None when there is none.

    SQLite goes on with a file whose name is gone, reading what nobody else sees and refusing to write: whoever keeps a
    database open compares, and opens it anew when a cleaner of temporary folders took it away.
    """
    try:
        found = path.stat()
    except OSError:
        return None
    return found.st_dev, found.st_ino


def open_read_only(path: Path) -> sqlite3.Connection:
    """A database in a folder that cannot be written, opened without any side file."""
    return sqlite3.connect(f"file:{quote(str(path))}?immutable=1", uri=True, check_same_thread=False)


def _connect(path: Path) -> sqlite3.Connection:
    connection = sqlite3.connect(path, timeout=BUSY_MS / 1000, isolation_level=None, check_same_thread=False)
    connection.execute(f"PRAGMA busy_timeout={BUSY_MS}")
    return connection
