"""kb.answer.journal: answers are kept, gaps counted, nothing is lost or half written."""

from __future__ import annotations

import datetime
import shutil
import sqlite3
import subprocess
import sys
from dataclasses import replace
from pathlib import Path

import pytest

from kb import db
from kb.answer import journal as module
from kb.answer.answer import Answer, Evidence, Nearest, Way
from kb.answer.journal import Journal, Missing
from kb.errors import AlmanacError, ExitCode
from kb.supply.events import Event, EventKind, read_events
from tests.helpers import PROJECT

REFUSAL = Answer("r1", "几克？", "蓝铜霉素几克？", "", True, 0.1, Way.REFUSED, nearest=(Nearest("a.md", "A", 0.2),))
ANSWER = Answer("a1", "多深？", "大豆播种多深？", "3-5 厘米", False, 0.9, Way.QUOTE)


class Clock:
    """A clock that a test moves."""

    def __init__(self) -> None:
        self.now = datetime.datetime(2026, 5, 1, tzinfo=datetime.UTC)

    def __call__(self) -> datetime.datetime:
        self.now += datetime.timedelta(minutes=1)
        return self.now


def test_an_answer_comes_back_by_the_beginning_of_its_id(tmp_path: Path) -> None:
    journal = Journal(tmp_path, Clock())
    journal.keep(ANSWER)
    journal.keep(replace(ANSWER, id="b2"))
    kept = journal.get("a")
    assert (kept.id, kept.question, kept.answer["text"]) == ("a1", "多深？", "3-5 厘米")
    assert kept.asked == "2026-05-01T00:01:00+00:00"
    assert [item.id for item in journal.latest(5)] == ["b2", "a1"]
    journal.close()
    assert Journal(tmp_path).get("b2").id == "b2"


@pytest.mark.parametrize("identifier", ["", "zz", "a", "%", "_"])
def test_what_names_no_single_answer_is_said(tmp_path: Path, identifier: str) -> None:
    journal = Journal(tmp_path)
    journal.keep(ANSWER)
    journal.keep(replace(ANSWER, id="a2"))
    with pytest.raises(AlmanacError) as caught:
        journal.get(identifier)
    assert (caught.value.key, caught.value.exit_code) == ("no_such_answer", ExitCode.USAGE)


def test_a_gap_is_counted_until_the_documents_answer(tmp_path: Path) -> None:
    journal = Journal(tmp_path, Clock())
    journal.keep(REFUSAL)
    journal.keep(replace(REFUSAL, id="r2", resolved="蓝銅霉素几克？"))
    journal.keep(replace(REFUSAL, id="r3", resolved="other?", nearest=()))
    first, second = journal.gaps()
    assert (first.question, first.count, first.nearest) == ("蓝铜霉素几克？", 2, ("a.md",))
    assert (second.question, second.count) == ("other?", 1)
    journal.keep(replace(ANSWER, id="a9", resolved="蓝铜霉素几克？"))
    assert [gap.question for gap in journal.gaps()] == ["other?"]
    assert [bool(gap.closed) for gap in journal.gaps(closed=True)] == [True, False]
    journal.keep(replace(REFUSAL, id="r4"))
    assert journal.gaps()[0].count == 3


def test_the_oldest_answers_go_and_gaps_stay(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(module, "KEPT", 3)
    journal = Journal(tmp_path)
    for number in range(6):
        journal.keep(replace(REFUSAL, id=f"r{number}", resolved=f"question {number}"))
    assert [item.id for item in journal.latest(9)] == ["r5", "r4", "r3"]
    assert len(journal.gaps()) == 6


def test_a_database_that_a_cleaner_took_away_is_made_again(tmp_path: Path) -> None:
    """A home in a temporary folder: files not used for days are deleted under a running program."""
    journal = Journal(tmp_path / "home")
    journal.keep(ANSWER)
    shutil.rmtree(tmp_path / "home")
    journal.keep(replace(ANSWER, id="b2"))
    assert [item.id for item in journal.latest(5)] == ["b2"]
    shutil.rmtree(tmp_path / "home")
    assert journal.latest(5) == []
    journal.close()


def test_gaps_are_bounded_and_the_least_asked_go_first(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(module, "GAPS_KEPT", 3)
    journal = Journal(tmp_path)
    for number in (0, 0, 1, 2, 3, 4):
        journal.keep(replace(REFUSAL, id=f"r{number}", resolved=f"question {number}"))
    assert len(journal.gaps()) == 3
    shown = [gap.question for gap in journal.gaps()]
    assert shown[0] == "question 0"  # asked twice
    assert "question 4" in shown  # the one just asked


def test_a_full_disk_is_said_and_what_was_kept_stays(tmp_path: Path) -> None:
    journal = Journal(tmp_path)
    journal.keep(ANSWER)
    assert journal._connection is not None
    pages = journal._connection.execute("PRAGMA page_count").fetchone()[0]
    journal._connection.execute(f"PRAGMA max_page_count={pages}")
    with pytest.raises(AlmanacError) as caught:
        journal.keep(replace(REFUSAL, question="x" * 100_000))
    assert caught.value.key == "disk_full"
    assert [item.id for item in journal.latest(5)] == ["a1"]
    assert journal.gaps() == []


def test_a_damaged_database_is_said(tmp_path: Path) -> None:
    path = db.people_path(tmp_path, db.PeopleData.ANSWERS)
    path.parent.mkdir()
    path.write_bytes(b"not a database" * 100)
    with pytest.raises(AlmanacError) as caught:
        Journal(tmp_path).keep(ANSWER)
    assert caught.value.key == "people_data_failed"
    assert path.read_bytes() == b"not a database" * 100


def test_a_gap_is_told_to_the_distiller_and_so_is_its_answer(tmp_path: Path) -> None:
    journal = Journal(tmp_path, Clock())
    journal.keep(ANSWER)
    assert list(read_events(tmp_path / "events")) == []
    for number in range(3):
        journal.keep(replace(REFUSAL, id=f"r{number}"))
    (event,) = read_events(tmp_path / "events")
    assert isinstance(event, Event)
    assert (event.kind, event.fields["question"], event.fields["asked"], event.fields["answered"]) == (
        EventKind.QUESTION, REFUSAL.resolved, 3, False,
    )  # fmt: skip
    journal.keep(replace(ANSWER, id="a3", resolved=REFUSAL.resolved))
    (event,) = read_events(tmp_path / "events")
    assert isinstance(event, Event)
    assert event.fields["answered"] is True


_WRITER = """
import dataclasses, sys
from pathlib import Path
from tests.answer.test_journal import ANSWER
from kb.answer.journal import Journal
journal = Journal(Path(sys.argv[1]))
for number in range(100000):
    journal.keep(dataclasses.replace(ANSWER, id=f"k{number:06}"))
    print(number, flush=True)
"""


@pytest.mark.slow
def test_what_was_acknowledged_survives_kill_9(tmp_path: Path) -> None:
    for attempt in range(3):
        child = subprocess.Popen(
            [sys.executable, "-c", _WRITER, str(tmp_path / str(attempt))], cwd=PROJECT, stdout=subprocess.PIPE
        )
        assert child.stdout is not None
        for _ in range(5 + attempt):
            last = int(child.stdout.readline())
        child.kill()
        child.wait()
        found = Journal(tmp_path / str(attempt)).latest(1000)
        assert f"k{last:06}" in {item.id for item in found}
        check = sqlite3.connect(db.people_path(tmp_path / str(attempt), db.PeopleData.ANSWERS))
        assert check.execute("PRAGMA integrity_check").fetchone() == ("ok",)
        check.close()


def test_only_gaps_keeps_nothing_of_an_answered_question(tmp_path: Path) -> None:
    journal = Journal(tmp_path, Clock(), only_gaps=True)
    journal.keep(ANSWER)
    journal.keep(REFUSAL)
    assert journal.latest(5) == [] and [gap.question for gap in journal.gaps()] == ["蓝铜霉素几克？"]
    journal.close()
    written = b"".join(path.read_bytes() for path in tmp_path.rglob("*") if path.is_file())
    assert "大豆播种".encode() not in written and "蓝铜霉素".encode() in written


def _evidence(path: str) -> Evidence:
    return Evidence(path, "A", (), (1, 1), "x", "", "x", "paragraph", "1", "", "", "", (), 0.5)


def test_uses_count_what_was_cited(tmp_path: Path) -> None:
    journal = Journal(tmp_path, Clock())
    sources = tuple(_evidence(path) for path in ("a.md", "b.md"))
    journal.keep(replace(ANSWER, evidence=sources))
    journal.keep(replace(ANSWER, id="a2", evidence=sources, cited=(1,)))
    journal.keep(replace(ANSWER, id="a3", evidence=sources, cited=(1,)))
    journal.keep(REFUSAL)
    assert journal.uses(10) == {"a.md": 1, "b.md": 2}
    assert journal.uses(2) == {"b.md": 1}


def test_a_code_is_a_gap_without_an_answer(tmp_path: Path) -> None:
    with Journal(tmp_path, Clock()) as journal:
        journal.note("ERR_X", Missing(("a.md",), "kb-1"))
        journal.note("err_x", Missing(("b.md",), "kb-2"))
        (gap,) = journal.gaps()
        assert (gap.question, gap.count, gap.nearest, gap.version) == ("ERR_X", 2, ("b.md",), "kb-2")
        assert journal.latest(5) == []
        journal.note("ERR_X", None)
        assert journal.gaps() == [] and journal.gaps(closed=True)[0].closed == "2026-05-01T00:03:00+00:00"
        journal.note("never asked", None)
        assert len(journal.gaps(closed=True)) == 1
