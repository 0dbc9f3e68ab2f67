"""kb.versions.people: databases are copied whole while programs write, and compared byte and row."""

from __future__ import annotations

import sqlite3
import threading
from pathlib import Path

import pytest

from kb import db
from kb.db import PeopleData, people_path
from kb.errors import KnowledgeError
from kb.versions import people
from tests.versions.conftest import Base


def test_every_database_that_is_there_is_copied(base: Base, tmp_path: Path) -> None:
    (tmp_path / "to").mkdir()
    saved = people.save(base.home, tmp_path / "to")
    assert {entry.name: entry.rows for entry in saved} == {"ledger.db": {"notes": 2}, "memory.db": {"notes": 1}}
    for entry in saved:
        people.check(tmp_path / "to" / entry.name, entry)
    assert sorted(path.name for path in (tmp_path / "to").iterdir()) == ["ledger.db", "memory.db"]


def test_rows_that_are_acknowledged_before_are_in_the_copy_while_a_writer_runs(base: Base, tmp_path: Path) -> None:
    stop = threading.Event()
    written: list[int] = []

    def work() -> None:
        connection = db.open_people(base.home, PeopleData.LEDGER)
        number = 0
        while not stop.is_set():
            connection.execute("INSERT INTO notes VALUES (?)", (f"row {number}",))
            written.append(number)
            number += 1
        connection.close()

    writer = threading.Thread(target=work)
    writer.start()
    try:
        for round_ in range(5):
            folder = tmp_path / str(round_)
            folder.mkdir()
            before = len(written)
            saved = people.save(base.home, folder)
            assert saved[0].rows["notes"] >= before + 2
            people.check(folder / saved[0].name, saved[0])
    finally:
        stop.set()
        writer.join()


def test_what_a_killed_program_left_half_written_is_not_in_the_copy(base: Base, tmp_path: Path) -> None:
    path = people_path(base.home, PeopleData.LEDGER)
    writer = sqlite3.connect(path, isolation_level=None)
    writer.execute("PRAGMA journal_mode=DELETE")
    writer.execute("PRAGMA cache_size=1")
    writer.execute("BEGIN")
    writer.executemany("INSERT INTO notes VALUES (?)", [("x" * 500,) for _ in range(200)])
    journal = path.with_name(path.name + "-journal").read_bytes()
    half = path.read_bytes()
    writer.execute("ROLLBACK")
    writer.close()
    path.write_bytes(half)
    path.with_name(path.name + "-journal").write_bytes(journal)
    (tmp_path / "to").mkdir()
    assert people.save(base.home, tmp_path / "to")[0].rows == {"notes": 2}


def test_a_damaged_database_is_named(base: Base, tmp_path: Path) -> None:
    base.note(PeopleData.LEDGER, *("text " * 50 for _ in range(300)))
    path = people_path(base.home, PeopleData.LEDGER)
    data = bytearray(path.read_bytes())
    data[8192:12288] = b"\xff" * 4096
    path.write_bytes(bytes(data))
    (tmp_path / "to").mkdir()
    with pytest.raises(KnowledgeError) as caught:
        people.save(base.home, tmp_path / "to")
    assert caught.value.key == "people_damaged"
    path.write_bytes(b"this is no database at all, it is just text" * 100)
    with pytest.raises(KnowledgeError):
        people.rows(path)


def test_another_byte_or_row_is_seen(base: Base, tmp_path: Path) -> None:
    (tmp_path / "to").mkdir()
    saved = people.save(base.home, tmp_path / "to")[0]
    copy = tmp_path / "to" / saved.name
    with pytest.raises(KnowledgeError):
        people.check(copy, people.Database(saved.name, saved.sha256, saved.size, {"notes": 3}))
    copy.write_bytes(copy.read_bytes()[:-1] + b"\x01")
    with pytest.raises(KnowledgeError):
        people.check(copy, saved)


def test_tables_with_odd_names_and_search_tables_are_counted(base: Base, tmp_path: Path) -> None:
    connection = db.open_people(base.home, PeopleData.ANSWERS)
    connection.execute('CREATE TABLE "od""d; drop 表" (a)')
    connection.execute('INSERT INTO "od""d; drop 表" VALUES (1)')
    connection.execute("CREATE VIRTUAL TABLE words USING fts5(text)")
    connection.execute("INSERT INTO words VALUES ('x')")
    connection.close()
    found = people.rows(people_path(base.home, PeopleData.ANSWERS))
    assert found['od"d; drop 表'] == 1
    assert "words" not in found and found["words_content"] == 1
