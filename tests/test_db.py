"""kb.db: how databases are opened."""

from __future__ import annotations

import datetime
import sqlite3
from pathlib import Path

import pytest

from kb import db
from kb.errors import AlmanacError


def _pragma(connection: sqlite3.Connection, name: str) -> str:
    return str(connection.execute(f"PRAGMA {name}").fetchone()[0])


def test_peoples_data_is_synced_in_full(tmp_path: Path) -> None:
    connection = db.open_durable(tmp_path / "a.db")
    assert _pragma(connection, "synchronous") == "2"
    assert _pragma(connection, "foreign_keys") == "1"
    assert _pragma(connection, "journal_mode") == ("wal" if db.wal_is_safe() else "persist")
    connection.close()


def test_a_library_with_the_wal_fault_gets_a_rollback_journal(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("kb.db.sqlite3.sqlite_version_info", (3, 40, 1))
    assert not db.wal_is_safe()
    connection = db.open_durable(tmp_path / "a.db")
    assert _pragma(connection, "journal_mode") == "persist"
    connection.execute("CREATE TABLE t (a)")
    with db.transaction(connection):
        connection.execute("INSERT INTO t VALUES (zeroblob(3000000))")
    with db.transaction(connection):
        connection.execute("DELETE FROM t")  # every page goes through the journal
    journal = (tmp_path / "a.db-journal").read_bytes()
    assert not any(journal[:28]), "a header that is cleared rolls nothing back"
    assert len(journal) <= 1 << 20
    connection.close()
    monkeypatch.setattr("kb.db.sqlite3.sqlite_version_info", (3, 51, 3))
    assert db.wal_is_safe()


def test_a_busy_database_is_waited_for(tmp_path: Path) -> None:
    connection = db.open_cache(tmp_path / "a.db")
    assert _pragma(connection, "busy_timeout") == str(db.BUSY_MS)
    assert connection.isolation_level is None
    connection.close()


@pytest.mark.parametrize("name", ["a.db", "带 空格?#%.db"])
def test_read_only_leaves_no_side_file(tmp_path: Path, name: str) -> None:
    connection = db.open_cache(tmp_path / name)
    connection.execute("CREATE TABLE t (x)")
    connection.close()
    reader = db.open_read_only(tmp_path / name)
    assert reader.execute("SELECT count(*) FROM t").fetchone() == (0,)
    with pytest.raises(sqlite3.OperationalError):
        reader.execute("INSERT INTO t VALUES (1)")
    reader.close()
    assert [entry.name for entry in tmp_path.iterdir() if entry.is_file()] == [name]


def test_peoples_databases_lie_together_and_keep_what_was_written(tmp_path: Path) -> None:
    for which in db.PeopleData:
        connection = db.open_people(tmp_path / "家", which)
        connection.execute("CREATE TABLE t (a)")
        connection.execute("INSERT INTO t VALUES (1)")
        connection.close()
    assert {path.parent for path in (tmp_path / "家").rglob("*.db")} == {tmp_path / "家" / "people"}
    assert db.open_people(tmp_path / "家", db.PeopleData.LEDGER).execute("SELECT a FROM t").fetchall() == [(1,)]


def test_errors_of_the_database_become_sentences(tmp_path: Path) -> None:
    path = tmp_path / "people" / "a.db"
    with pytest.raises(AlmanacError) as caught, db.explained(path):
        sqlite3.connect(":memory:").execute("SELECT * FROM nothing")
    assert (caught.value.key, caught.value.params["path"]) == ("people_data_failed", str(path))
    path.parent.mkdir()
    small = db.open_durable(path)
    small.execute("CREATE TABLE t (a)")
    small.execute("PRAGMA max_page_count=2")
    with pytest.raises(AlmanacError) as caught, db.explained(path):
        small.execute("INSERT INTO t VALUES (zeroblob(100000))")
    assert caught.value.key == "disk_full"
    small.close()


def test_a_transaction_is_all_or_nothing(tmp_path: Path) -> None:
    connection = db.open_durable(tmp_path / "a.db")
    connection.execute("CREATE TABLE t (x UNIQUE)")
    other = db.open_existing(tmp_path / "a.db", busy_ms=0)
    with db.transaction(connection):
        connection.execute("INSERT INTO t VALUES (1)")
        assert other.execute("SELECT x FROM t").fetchall() == []
    assert other.execute("SELECT x FROM t").fetchall() == [(1,)]
    for wrong in (sqlite3.IntegrityError, KeyboardInterrupt):
        with pytest.raises(wrong), db.transaction(connection):
            connection.execute("INSERT INTO t VALUES (2)")
            connection.execute("INSERT INTO t VALUES (?)", (1 if wrong is sqlite3.IntegrityError else 3,))
            raise wrong
        assert not connection.in_transaction
        assert other.execute("SELECT x FROM t").fetchall() == [(1,)]
    with db.transaction(connection), pytest.raises(sqlite3.OperationalError, match="locked"), db.transaction(other):
        pass
    # What SQLite has ended by itself is not ended twice: the first error stays.
    with pytest.raises(ValueError, match="the first"), db.transaction(connection):
        connection.execute("ROLLBACK")
        raise ValueError("the first")
    other.close()
    connection.close()


def test_an_existing_database_is_opened_beside_writers(tmp_path: Path) -> None:
    path = tmp_path / "带 空格?#%.db"
    with pytest.raises(sqlite3.OperationalError):
        db.open_existing(path)
    assert not path.exists()
    writer = db.open_cache(path)
    writer.execute("CREATE TABLE t (x)")
    reader = db.open_existing(path, busy_ms=0)
    assert _pragma(reader, "busy_timeout") == "0"
    writer.execute("BEGIN EXCLUSIVE")
    with pytest.raises(sqlite3.OperationalError, match="locked"):
        reader.execute("SELECT * FROM t")
    writer.execute("COMMIT")
    assert reader.execute("SELECT * FROM t").fetchall() == []
    reader.close()
    writer.close()


def test_moments_sort_as_they_follow() -> None:
    east = datetime.timezone(datetime.timedelta(hours=8))
    assert db.utc_text(datetime.datetime(2026, 12, 1, 6, tzinfo=east)) == "2026-11-30T22:00:00Z"
