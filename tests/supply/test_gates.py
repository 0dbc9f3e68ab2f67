"""kb.supply.gates: only released requirements and linked things open a gate; an event twice does nothing."""

from __future__ import annotations

import dataclasses
import datetime
import os
import signal
import sqlite3
from collections.abc import Iterator
from pathlib import Path

import pytest

from kb.db import PeopleData, people_path
from kb.supply.card import Applicable, Card, CardEvidence, CardStatus
from kb.supply.events import Event, EventKind
from kb.supply.gates import Gate, GateStore, gate
from kb.supply.schema import parse_card
from tests.helpers import run_in_child
from tests.supply.card_helpers import CARD, PATH

NOW = datetime.datetime(2026, 11, 30, 12, tzinfo=datetime.UTC)


def _card(*links: str, repos: tuple[str, ...] = ("ALM-PC200",)) -> Card:
    found = parse_card(PATH, CARD).card
    assert found is not None
    return dataclasses.replace(
        found, status=CardStatus.STAGING, evidence=CardEvidence("x", "", links), applicable=Applicable(("x",), repos)
    )


def _event(identifier: str, state: str, at: int | None = None, requirement: str = "R-1") -> Event:
    when = None if at is None else NOW + datetime.timedelta(hours=at)
    return Event(identifier, EventKind.REQUIREMENT, when, requirement, state)


@pytest.fixture
def store(tmp_path: Path) -> Iterator[GateStore]:
    made = GateStore(tmp_path)
    yield made
    made.close()


@pytest.mark.parametrize(
    ("card", "states", "found"),
    [
        (_card("req:R-1"), {"R-1": "RELEASED"}, Gate(True)),
        (_card("req:R-1", "a.md", "req:R-2"), {"R-1": "RELEASED", "R-2": "RELEASED"}, Gate(True)),
        (_card("req:R-1", "req:R-2"), {"R-1": "RELEASED"}, Gate(False, ("R-2",))),
        (_card("req:R-1"), {"R-1": "TESTING"}, Gate(False, ("R-1",))),
        (_card("req:R-1"), {}, Gate(False, ("R-1",))),
        (_card("a.md"), {"R-1": "RELEASED"}, Gate(False, (), True)),
        (_card("req:R-1", repos=()), {"R-1": "RELEASED"}, Gate(False, (), False, True)),
    ],
)
def test_the_gate(card: Card, states: dict[str, str], found: Gate) -> None:
    assert gate(card, states) == found


def test_an_event_twice_does_nothing(store: GateStore) -> None:
    events = [_event("a", "RELEASED"), _event("a", "RELEASED"), _event("b", "TESTING", requirement="R-2")]
    assert [event.id for event in store.take(events, NOW)] == ["a", "b"]
    assert store.take(events, NOW) == []
    assert store.take([_event("a", "ROLLED_BACK")], NOW) == []
    assert store.requirements() == {"R-1": "RELEASED", "R-2": "TESTING"}


def test_the_last_state_counts_by_its_own_time_not_by_its_arrival(store: GateStore) -> None:
    store.take([_event("b", "ROLLED_BACK", 2), _event("a", "RELEASED", 1)], NOW)
    assert store.requirements() == {"R-1": "ROLLED_BACK"}
    store.take([_event("c", "RELEASED", 2)], NOW)
    assert store.requirements() == {"R-1": "RELEASED"}


def test_unknown_events_are_told_from_known_ones(store: GateStore) -> None:
    store.take([_event("a", "RELEASED")], NOW)
    found = store.unknown([_event("a", "RELEASED"), _event("b", "RELEASED"), _event("b", "RELEASED")])
    assert [event.id for event in found] == ["b"]


def test_since_when_a_card_is_in_its_state(store: GateStore) -> None:
    staging = _card("req:R-1")
    hour = datetime.timedelta(hours=1)
    first = store.observe([staging], NOW)
    assert first[staging.id].date() == staging.created_at, "before the first run it waited since it was written"
    active = dataclasses.replace(staging, status=CardStatus.ACTIVE)
    assert store.observe([active], NOW + hour) == {staging.id: NOW + hour}
    assert store.observe([active], NOW + 2 * hour) == {staging.id: NOW + hour}
    assert store.observe([staging], NOW + 3 * hour) == {staging.id: NOW + 3 * hour}


def test_counters_and_runs_are_remembered(store: GateStore, tmp_path: Path) -> None:
    assert store.last_run() is None
    store.note_run(NOW)
    store.begin_counting({"a": (3, 2, 1)})
    store.end_counting(lambda token: True)
    token = store.begin_counting({"a": (4, 2, 1), "b": (0, 0, 1)})
    asked: list[str] = []
    store.end_counting(lambda given: not asked.append(given))  # type: ignore[func-returns-value]
    assert asked == [token]
    store.begin_counting({"a": (9, 9, 9)})
    store.end_counting(lambda token: False)
    store.end_counting(lambda token: pytest.fail("it was forgotten"))
    store.close()
    again = GateStore(tmp_path)
    assert again.last_run() == NOW
    assert again.written_back() == {"a": (4, 2, 1), "b": (0, 0, 1)}
    again.close()


def test_a_failure_in_the_middle_leaves_nothing(store: GateStore) -> None:
    broken = dataclasses.replace(_event("b", "RELEASED"), id=None)  # type: ignore[arg-type]
    with pytest.raises(sqlite3.IntegrityError):
        store.observe([_card("a.md"), dataclasses.replace(_card("a.md"), id=None)], NOW)  # type: ignore[arg-type]
    assert store.connection.execute("SELECT count(*) FROM gate_states").fetchone() == (0,)
    assert store.take([_event("a", "RELEASED"), broken], NOW) == [_event("a", "RELEASED")]


def test_two_workers_take_an_event_once(tmp_path: Path) -> None:
    one, other = GateStore(tmp_path), GateStore(tmp_path)
    events = [_event(str(number), "RELEASED") for number in range(20)]
    assert len(one.take(events[:10], NOW)) + len(other.take(events, NOW)) == 20
    one.close()
    other.close()


@pytest.mark.slow
def test_what_was_taken_survives_a_kill(tmp_path: Path) -> None:
    def work() -> None:
        made = GateStore(tmp_path)
        made.take([_event("a", "RELEASED")], NOW)
        os.kill(os.getpid(), signal.SIGKILL)

    os.waitpid(run_in_child(work), 0)
    again = GateStore(tmp_path)
    assert again.requirements() == {"R-1": "RELEASED"}
    again.close()
    assert people_path(tmp_path, PeopleData.LEDGER).is_file()
