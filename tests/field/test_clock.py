"""A wall clock that jumps under a running program, as a board without a battery makes it do at each start."""

from __future__ import annotations

import datetime
import os
from pathlib import Path

from kb.answer.answerer import Answerer
from kb.answer.journal import Journal
from kb.search.retriever import Retriever
from tests.helpers import DAY, document, write

FAR = (datetime.date(1970, 1, 1), datetime.date(2026, 6, 1), datetime.date(2038, 1, 20), datetime.date(9999, 12, 31))


class Clock:
    """A day that a test sets."""

    def __init__(self, day: datetime.date) -> None:
        self.day = day

    def __call__(self) -> datetime.date:
        return self.day


def test_validity_follows_the_clock_from_one_question_to_the_next(empty_tree: Path, tmp_path: Path) -> None:
    write(
        empty_tree, "a.md", document("Mower", "Mower M-1 cuts at 5 cm.", valid_from="2026-01-01", valid_to="2026-12-31")
    )
    clock = Clock(DAY)
    made = Retriever(empty_tree, tmp_path / "index")
    asking = Answerer(made, clock=clock)
    for day in (*FAR, DAY, datetime.date(2026, 12, 31), datetime.date(2027, 1, 1), datetime.date(2025, 12, 31), DAY):
        clock.day = day
        answer = asking.ask("M-1")
        assert answer.refused is not (datetime.date(2026, 1, 1) <= day <= datetime.date(2026, 12, 31)), day
        assert answer.day == day.isoformat()
    made.close()


def test_what_is_kept_stays_in_the_order_in_which_it_happened(empty_tree: Path, tmp_path: Path) -> None:
    write(empty_tree, "a.md", document("Mower", "Mower M-1 cuts at 5 cm."))
    moment = [datetime.datetime(2026, 6, 1, tzinfo=datetime.UTC)]
    journal = Journal(tmp_path / "home", now=lambda: moment[0])
    made = Retriever(empty_tree, tmp_path / "index")
    asking = Answerer(made, clock=lambda: DAY, journal=journal)
    ids = []
    for year in (2026, 1970, 2099, 2026):
        moment[0] = moment[0].replace(year=year)
        ids.append(asking.ask("M-1").id)
        asking.ask("zebra pancake trombone")
    kept = [item.id for item in reversed(journal.latest(20))]
    assert [identifier for identifier in kept if identifier in ids] == ids
    assert len(set(ids)) == 4
    assert [(gap.question, gap.count) for gap in journal.gaps()] == [("zebra pancake trombone", 4)]
    made.close()
    journal.close()


def test_files_from_the_future_are_read_and_seen_to_change(empty_tree: Path, tmp_path: Path) -> None:
    """Times are compared for being other, never for being later."""
    made = Retriever(empty_tree, tmp_path / "index")
    path = write(empty_tree, "a.md", document("Mower", "Mower M-1 cuts at 5 cm."))
    for stamp, height in ((4_000_000_000, 6), (1, 7), (0, 8), (2_000_000_000, 9)):
        write(empty_tree, "a.md", document("Mower", f"Mower M-1 cuts at {height} cm."))
        os.utime(path, (stamp, stamp))
        made.update()
        assert f"{height} cm" in made.find("mower M-1", 1)[0].section.text
    made.close()
