"""kb.supply.ledger: what was acknowledged stays, in order, and every change of it is named."""

from __future__ import annotations

import os
import resource
import signal
import sqlite3
import threading
from pathlib import Path

import pytest

from kb import db
from kb.errors import AlmanacError
from kb.supply.chain import Break, Entry, Kind
from kb.supply.ledger import MAX_NOTE, Ledger
from tests.helpers import run_in_child, run_python, wait_for


def _entries(count: int, task: str = "t") -> list[Entry]:
    return [Entry(Kind.INJECTION, task=task, card=f"c-{n}", position=n, tokens=50, note="意") for n in range(count)]


def test_rows_come_back_in_order_with_all_they_hold(tmp_path: Path) -> None:
    with Ledger(tmp_path, now=lambda: 77) as ledger:
        assert ledger.append(_entries(3)) == [1, 2, 3]
        assert ledger.append([Entry(Kind.VERDICT, task="u", card="c-1", adopted=False, refers=2, at=5)]) == [4]
        assert ledger.append([]) == []
    with Ledger(tmp_path) as ledger:
        rows = ledger.rows()
        assert [row.number for row in rows] == [1, 2, 3, 4]
        assert rows[1].entry == Entry(Kind.INJECTION, "t", card="c-1", position=1, tokens=50, note="意", at=77)
        assert rows[3].entry.adopted is False
        assert [row.number for row in ledger.rows(kind=Kind.INJECTION, after=1)] == [2, 3]
        assert [row.number for row in ledger.rows(card="c-1")] == [2, 4]
        assert [row.number for row in ledger.rows(task="t", limit=2)] == [1, 2]
        assert [row.number for row in ledger.latest(2)] == [3, 4]
        assert ledger.head() == (4, rows[3].digest.hex())
        assert ledger.verify() is None
        assert ledger.verify(ledger.head()) is None


def test_a_clock_that_jumps_back_does_not_change_the_order(tmp_path: Path) -> None:
    times = iter([3_000, 2_000_000, 1_000])
    with Ledger(tmp_path, now=lambda: next(times)) as ledger:
        for task in "abc":
            ledger.append([Entry(Kind.TASK, task=task)])
        assert [(row.entry.task, row.entry.at) for row in ledger.rows()] == [
            ("a", 3_000),
            ("b", 2_000_000),
            ("c", 1_000),
        ]
        assert ledger.verify() is None


def test_rows_cannot_be_changed_or_removed(tmp_path: Path) -> None:
    with Ledger(tmp_path) as ledger:
        ledger.append(_entries(2))
    connection = db.open_people(tmp_path, db.PeopleData.LEDGER)
    for statement in ("UPDATE ledger_rows SET note = 'x'", "DELETE FROM ledger_rows WHERE number = 2"):
        with pytest.raises(sqlite3.IntegrityError, match="append-only"):
            connection.execute(statement)
    connection.close()


def _tampered(home: Path, statement: str) -> None:
    connection = db.open_people(home, db.PeopleData.LEDGER)
    connection.executescript(f"DROP TRIGGER ledger_no_update; DROP TRIGGER ledger_no_delete; {statement}")
    connection.close()


@pytest.mark.parametrize(
    ("statement", "broken"),
    [
        ("UPDATE ledger_rows SET note = 'x' WHERE number = 3", Break(3, "changed")),
        ("UPDATE ledger_rows SET kind = 'other' WHERE number = 2", Break(2, "changed")),
        ("UPDATE ledger_rows SET adopted = 7 WHERE number = 2", Break(2, "changed")),
        ("UPDATE ledger_rows SET digest = x'00' WHERE number = 1", Break(1, "changed")),
        ("DELETE FROM ledger_rows WHERE number = 2", Break(2, "missing")),
        ("DELETE FROM ledger_rows WHERE number > 3", Break(4, "cut")),
        ("DELETE FROM ledger_rows", Break(1, "cut")),
    ],
)
def test_verify_names_the_first_changed_row(tmp_path: Path, statement: str, broken: Break) -> None:
    with Ledger(tmp_path) as ledger:
        ledger.append(_entries(4))
        ledger.append([Entry(Kind.VERDICT, card="c-1", adopted=True)])
    _tampered(tmp_path, statement)
    with Ledger(tmp_path) as ledger:
        assert ledger.verify() == broken


def test_a_noted_head_shows_a_chain_that_was_written_anew(tmp_path: Path) -> None:
    with Ledger(tmp_path) as ledger:
        ledger.append(_entries(3))
        head = ledger.head()
    for path in (tmp_path / "people").iterdir():
        path.unlink()
    with Ledger(tmp_path) as ledger:
        ledger.append(_entries(2))
        assert ledger.verify() is None
        assert ledger.verify(head) == Break(3, "cut")
        ledger.append(_entries(2, "other"))
        assert ledger.verify(head) == Break(3, "changed")


def test_many_threads_append_without_losing_a_row(tmp_path: Path) -> None:
    with Ledger(tmp_path) as ledger:
        given: list[int] = []
        guard = threading.Lock()

        def work(name: str) -> None:
            for _ in range(10):
                numbers = ledger.append(_entries(2, name))
                with guard:
                    given.extend(numbers)

        threads = [threading.Thread(target=work, args=(f"task-{n}",)) for n in range(16)]
        for thread in threads:
            thread.start()
        for thread in threads:
            thread.join()
        assert sorted(given) == list(range(1, 321))
        assert ledger.verify() is None
        assert [row.entry.position for row in ledger.rows(task="task-3")] == [0, 1] * 10


def test_whoever_waits_is_told_when_the_write_fails(tmp_path: Path) -> None:
    with Ledger(tmp_path, now=lambda: 1 // 0) as ledger:
        outcomes: list[type[BaseException]] = []

        def work() -> None:
            try:
                ledger.append(_entries(1))
            except ZeroDivisionError as error:
                outcomes.append(type(error))

        threads = [threading.Thread(target=work) for _ in range(8)]
        for thread in threads:
            thread.start()
        for thread in threads:
            thread.join(timeout=20)
        assert outcomes == [ZeroDivisionError] * 8
        assert ledger.append([Entry(Kind.TASK, at=1)]) == [1]


def _append_for_ever(home: Path, acknowledged: Path) -> None:
    handle = os.open(acknowledged, os.O_WRONLY | os.O_CREAT | os.O_APPEND, 0o644)
    with Ledger(home) as ledger:
        while True:
            numbers = ledger.append(_entries(2))
            os.write(handle, f"{numbers[-1]}\n".encode())


@pytest.mark.slow
def test_what_was_acknowledged_survives_kill_nine(tmp_path: Path) -> None:
    acknowledged = tmp_path / "acknowledged"
    acknowledged.write_text("")
    for _ in range(20):
        before = acknowledged.stat().st_size
        child = run_in_child(lambda: _append_for_ever(tmp_path, acknowledged))
        wait_for(lambda before=before: acknowledged.stat().st_size > before, "an acknowledged row")  # type: ignore[misc]
        os.kill(child, signal.SIGKILL)
        os.waitpid(child, 0)
    with Ledger(tmp_path) as ledger:
        assert ledger.verify() is None
        promised = [int(line) for line in acknowledged.read_text().split()]
        assert ledger.head()[0] >= promised[-1]
        assert promised == sorted(set(promised))


@pytest.mark.slow
def test_two_processes_share_one_chain(tmp_path: Path) -> None:
    def work() -> None:
        with Ledger(tmp_path) as ledger:
            for _ in range(20):
                ledger.append(_entries(3, str(os.getpid())))

    children = [run_in_child(work) for _ in range(3)]
    assert [os.waitstatus_to_exitcode(os.waitpid(child, 0)[1]) for child in children] == [0, 0, 0]
    with Ledger(tmp_path) as ledger:
        assert ledger.head()[0] == 180
        assert ledger.verify() is None


def test_a_full_disk_is_said_and_leaves_what_was_there(tmp_path: Path) -> None:
    with Ledger(tmp_path) as ledger:
        ledger.append(_entries(3))
        pages = ledger._connection.execute("PRAGMA page_count").fetchone()[0]
        ledger._connection.execute(f"PRAGMA max_page_count = {pages}")
        with pytest.raises(AlmanacError) as raised:
            ledger.append([Entry(Kind.FEEDBACK, note="x" * MAX_NOTE) for _ in range(50)])
        assert raised.value.key == "disk_full"
        assert ledger.head()[0] == 3
        ledger._connection.execute("PRAGMA max_page_count = 1000000")
        assert ledger.append(_entries(1)) == [4]
        assert ledger.verify() is None


def test_a_write_that_the_system_refuses_leaves_what_was_there(tmp_path: Path) -> None:
    def work() -> None:
        with Ledger(tmp_path) as ledger:
            ledger.append(_entries(3))
            signal.signal(signal.SIGXFSZ, signal.SIG_IGN)
            resource.setrlimit(resource.RLIMIT_FSIZE, (ledger.path.stat().st_size,) * 2)
            try:
                ledger.append([Entry(Kind.FEEDBACK, note="x" * MAX_NOTE) for _ in range(50)])
            except AlmanacError as error:
                assert error.key in ("disk_full", "write_failed")
            else:
                raise AssertionError("nothing was refused")

    assert os.waitstatus_to_exitcode(os.waitpid(run_in_child(work), 0)[1]) == 0
    with Ledger(tmp_path) as ledger:
        assert ledger.head()[0] == 3
        assert ledger.verify() is None
        ledger.append(_entries(1))


def test_a_file_that_is_no_database_is_named(tmp_path: Path) -> None:
    path = db.people_path(tmp_path, db.PeopleData.LEDGER)
    path.parent.mkdir()
    path.write_bytes(b"not a database" * 100)
    with pytest.raises(AlmanacError) as raised:
        Ledger(tmp_path)
    assert raised.value.key == "ledger_damaged"
    assert "ledger.db" in str(raised.value)


def test_long_notes_are_cut_and_long_names_refused(tmp_path: Path) -> None:
    with Ledger(tmp_path) as ledger:
        ledger.append([Entry(Kind.FEEDBACK, note="长" * 9000, task="\ud800")])
        row = ledger.rows()[0]
        assert len(row.entry.note) == MAX_NOTE
        assert row.entry.task == "?"
        with pytest.raises(AlmanacError, match="card"):
            ledger.append([Entry(Kind.FEEDBACK, card="c" * 201)])
        assert ledger.verify() is None


def test_two_that_make_the_ledger_at_once_both_can(tmp_path: Path) -> None:
    done = run_python(
        "import threading; from pathlib import Path; from kb.supply.ledger import Ledger\n"
        f"ts=[threading.Thread(target=lambda: Ledger(Path({str(tmp_path)!r})).close()) for _ in range(8)]\n"
        "[t.start() for t in ts]; [t.join() for t in ts]"
    )
    assert done.code == 0
    assert done.err == ""
