"""kb.supply.metrics_rollup: sums that agree with the rows, however they come in."""

from __future__ import annotations

import datetime
import os
from collections import Counter
from pathlib import Path
from typing import Any

import pytest
from hypothesis import Phase, given, settings
from hypothesis import strategies as st

from kb import db
from kb.supply import metrics_rollup
from kb.supply.chain import Entry, Kind, Row
from kb.supply.ledger import Ledger
from kb.supply.metrics_rollup import CardSums, Rollup, Week, usage_of
from tests.helpers import run_in_child

_DAY = 86_400_000
_SOME = st.builds(
    Entry,
    st.sampled_from(Kind),
    card=st.sampled_from(["", "a", "b", "c"]),
    at=st.integers(0, 60 * _DAY),
    position=st.integers(0, 2),
    adopted=st.sampled_from([True, False, None]),
    feedback=st.sampled_from([-1, 0, 1]),
    refers=st.integers(0, 12),
)


def _expected(rows: list[Row]) -> tuple[list[Week], dict[str, CardSums]]:
    """The sums, by looking at every row."""
    weeks: dict[datetime.date, Counter[str]] = {}
    cards: dict[str, dict[str, Any]] = {}
    times: dict[str, dict[str, Any]] = {}
    given_rows = {row.number: row.entry for row in rows if row.entry.kind is Kind.INJECTION}
    verdicts: dict[int, Entry] = {}

    def monday(entry: Entry) -> datetime.date:
        return entry.time.date() - datetime.timedelta(entry.time.weekday())

    for row in rows:
        entry = row.entry
        week = weeks.setdefault(monday(entry), Counter())
        names = {Kind.TASK: "tasks", Kind.INJECTION: "injected", Kind.SEARCH: "searches"}
        if entry.kind in names:
            week[names[entry.kind]] += 1
        week["hits"] += entry.kind is Kind.TASK and entry.position > 0
        week["liked"] += entry.feedback > 0
        week["disliked"] += entry.feedback < 0
        if entry.kind is Kind.VERDICT and entry.refers in given_rows and entry.refers < row.number:
            verdicts[entry.refers] = entry
        if entry.card:
            sums, seen = cards.setdefault(entry.card, Counter()), times.setdefault(entry.card, {})
            sums["injected"] += entry.kind is Kind.INJECTION
            sums["liked"] += entry.feedback > 0
            sums["disliked"] += entry.feedback < 0
            if entry.kind is Kind.INJECTION:
                seen.setdefault("first_injected_ms", entry.at)
                seen["last_injected_ms"] = entry.at
            if entry.kind is Kind.HIT:
                seen["last_hit_ms"] = entry.at
            if entry.feedback > 0:
                seen["last_liked_ms"] = entry.at
    for number, verdict in verdicts.items():
        given_row = given_rows[number]
        name = {True: "followed", False: "contradicted", None: "unrelated"}[verdict.adopted]
        weeks[monday(given_row)][name] += 1
        if given_row.card:
            cards[given_row.card][name] += 1
    return (
        [Week(day, **dict(weeks[day])) for day in sorted(weeks)],
        {name: CardSums(**cards[name], **times[name]) for name in cards},
    )


@settings(max_examples=25, phases=[Phase.generate])
@given(st.lists(st.lists(_SOME, min_size=1, max_size=6), min_size=1, max_size=4), st.integers(1, 5))
def test_sums_agree_with_the_rows_however_they_come_in(parts: list[list[Entry]], batch: int) -> None:
    import tempfile

    with tempfile.TemporaryDirectory() as folder, pytest.MonkeyPatch.context() as patch:
        patch.setattr(metrics_rollup, "_BATCH", batch)
        home = Path(folder)
        with Ledger(home) as ledger:
            for part in parts:
                ledger.append(part)
                with Rollup(home) as rollup:
                    assert rollup.update() == len(part)
            rows = ledger.rows()
        with Rollup(home) as rollup:
            assert rollup.update() == 0
            weeks, cards = _expected(rows)
            assert rollup.weeks() == weeks
            assert rollup.cards() == cards


def _filled(home: Path, count: int = 30) -> None:
    with Ledger(home) as ledger:
        ledger.append([Entry(Kind.INJECTION, card=f"c-{n % 3}", at=_DAY * (n + 1)) for n in range(count)])


def test_a_home_without_a_ledger_has_no_sums(tmp_path: Path) -> None:
    with Rollup(tmp_path) as rollup:
        assert rollup.update() == 0
        assert rollup.weeks() == []
    db.open_people(tmp_path, db.PeopleData.LEDGER).close()
    assert usage_of(tmp_path, ["a"]) == {}


def test_sums_are_made_anew_for_another_ledger(tmp_path: Path) -> None:
    _filled(tmp_path)
    assert usage_of(tmp_path, ["c-0"])["c-0"].injected == 10
    for file in (tmp_path / "people").iterdir():
        file.unlink()
    _filled(tmp_path, 3)
    assert usage_of(tmp_path, ["c-0"])["c-0"].injected == 1


@pytest.mark.parametrize("damage", [b"not a database" * 300, b"", b"SQLite format 3\0" + b"\xff" * 2000])
def test_damaged_sums_are_made_anew(tmp_path: Path, damage: bytes) -> None:
    _filled(tmp_path)
    usage_of(tmp_path, [])
    (tmp_path / "index" / "ledger-sums.db").write_bytes(damage)
    assert usage_of(tmp_path, ["c-1"])["c-1"].injected == 10


def test_where_nothing_can_be_written_sums_are_made_in_memory(tmp_path: Path) -> None:
    _filled(tmp_path)
    (tmp_path / "index").write_text("a file where a folder should be")
    assert usage_of(tmp_path, ["c-1"])["c-1"].injected == 10


def test_a_clock_that_jumps_does_not_decide_what_was_last(tmp_path: Path) -> None:
    with Ledger(tmp_path) as ledger:
        for at in (5 * _DAY, 40_000 * _DAY, 6 * _DAY):
            ledger.append([Entry(Kind.INJECTION, card="a", at=at)])
    last = usage_of(tmp_path, ["a"])["a"].last_injected
    assert last is not None
    assert last.date() == datetime.date(1970, 1, 7)


@pytest.mark.slow
def test_two_processes_count_no_row_twice(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(metrics_rollup, "_BATCH", 7)
    _filled(tmp_path, 300)

    def work() -> None:
        usage_of(tmp_path, [])

    children = [run_in_child(work) for _ in range(4)]
    assert [os.waitstatus_to_exitcode(os.waitpid(child, 0)[1]) for child in children] == [0] * 4
    assert usage_of(tmp_path, ["c-0"])["c-0"].injected == 100
