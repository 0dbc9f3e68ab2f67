"""From staging to active on signals that nobody can talk up: the requirement is released, and the card says of what.

What events said, and since when each card is in its state, stands in the ledger's database in tables `gate_*`.
"""

from __future__ import annotations

import datetime
import secrets
from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path

from kb.db import PeopleData, open_people, transaction
from kb.supply.card import Card, CardStatus
from kb.supply.events import Event, EventKind

RELEASED = "RELEASED"
_SCHEMA = (
    """CREATE TABLE IF NOT EXISTS gate_events (
        number INTEGER PRIMARY KEY, id TEXT NOT NULL UNIQUE, kind TEXT NOT NULL, requirement TEXT NOT NULL,
        state TEXT NOT NULL, at TEXT NOT NULL)""",
    "CREATE INDEX IF NOT EXISTS gate_requirements ON gate_events (requirement) WHERE requirement <> ''",
    """CREATE TABLE IF NOT EXISTS gate_states (
        card TEXT PRIMARY KEY, status TEXT NOT NULL, since TEXT NOT NULL) WITHOUT ROWID""",
    """CREATE TABLE IF NOT EXISTS gate_counters (
        card TEXT PRIMARY KEY, injected INTEGER NOT NULL, adopted INTEGER NOT NULL, liked INTEGER NOT NULL
        ) WITHOUT ROWID""",
    """CREATE TABLE IF NOT EXISTS gate_counting (
        token TEXT NOT NULL, card TEXT NOT NULL, injected INTEGER NOT NULL, adopted INTEGER NOT NULL,
        liked INTEGER NOT NULL, PRIMARY KEY (token, card)) WITHOUT ROWID""",
    "CREATE TABLE IF NOT EXISTS gate_runs (number INTEGER PRIMARY KEY CHECK (number = 1), at TEXT NOT NULL)",
)


@dataclass(frozen=True, slots=True)
class Gate:
    """Whether a card may become active; else what it waits for: requirements, and links that it lacks."""

    open: bool
    waiting_for: tuple[str, ...] = ()
    no_requirement: bool = False
    no_repository: bool = False


def gate(card: Card, states: Mapping[str, str]) -> Gate:
    """The gate of a card in staging. `states`: requirement -> its last known state."""
    linked = card.evidence.requirements
    waiting = tuple(name for name in linked if states.get(name) != RELEASED)
    return Gate(bool(linked and not waiting and card.applicable.repos), waiting, not linked, not card.applicable.repos)


class GateStore:
    """What the gates and the worker remember between runs. One connection; close it."""

    def __init__(self, home: Path) -> None:
        self.connection = open_people(home, PeopleData.LEDGER)
        for statement in _SCHEMA:
            self.connection.execute(statement)

    def close(self) -> None:
        """Close the database."""
        self.connection.close()

    def take(self, events: Iterable[Event], now: datetime.datetime) -> list[Event]:
        """Remember events; those that were not known before. An event twice does nothing."""
        fresh: list[Event] = []
        with transaction(self.connection):
            for event in events:
                at = (event.at or now).isoformat()
                requirement = event.requirement if event.kind is EventKind.REQUIREMENT else ""
                done = self.connection.execute(
                    "INSERT OR IGNORE INTO gate_events (id, kind, requirement, state, at) VALUES (?, ?, ?, ?, ?)",
                    (event.id, event.kind, requirement, event.state, at),
                )
                if done.rowcount:
                    fresh.append(event)
        return fresh

    def unknown(self, events: Iterable[Event]) -> list[Event]:
        """Those of the events that were not remembered yet, each id once."""
        found: dict[str, Event] = {}
        for event in events:
            query = "SELECT 1 FROM gate_events WHERE id = ?"
            if event.id not in found and self.connection.execute(query, (event.id,)).fetchone() is None:
                found[event.id] = event
        return list(found.values())

    def requirements(self) -> dict[str, str]:
        """The last state of every requirement: by the time that events name, then by the order of their arrival."""
        rows = self.connection.execute(
            "SELECT requirement, state FROM gate_events WHERE requirement <> '' ORDER BY at, number"
        )
        return {str(requirement): str(state) for requirement, state in rows}

    def observe(self, cards: Sequence[Card], now: datetime.datetime) -> dict[str, datetime.datetime]:
        """Note the state of every card; since when each is in it, as far as runs of the worker have seen."""
        known = {
            str(card): (str(status), datetime.datetime.fromisoformat(since))
            for card, status, since in self.connection.execute("SELECT card, status, since FROM gate_states")
        }
        since: dict[str, datetime.datetime] = {}
        with transaction(self.connection):
            for card in cards:
                before = known.get(card.id)
                if before is not None and before[0] == card.status:
                    since[card.id] = before[1]
                    continue
                # Of a card that is seen for the first time, staging began when it was written, not today.
                first = before is None and card.status is CardStatus.STAGING
                begin = datetime.datetime.combine(card.created_at, datetime.time(), datetime.UTC) if first else now
                since[card.id] = min(begin, now)
                self.connection.execute(
                    "INSERT OR REPLACE INTO gate_states (card, status, since) VALUES (?, ?, ?)",
                    (card.id, card.status, since[card.id].isoformat()),
                )
        return since

    def written_back(self) -> dict[str, tuple[int, int, int]]:
        """What of the ledger's counts already stands in the cards: (injected, adopted, liked)."""
        rows = self.connection.execute("SELECT card, injected, adopted, liked FROM gate_counters")
        return {str(card): (int(one), int(two), int(three)) for card, one, two, three in rows}

    def begin_counting(self, counts: Mapping[str, tuple[int, int, int]]) -> str:
        """Remember that a commit is about to bring the cards to these totals; gives the token that its message names.

        Whether it was made is asked of the repository: so a worker that is killed counts nothing twice and forgets
        nothing.
        """
        token = secrets.token_hex(8)
        with transaction(self.connection):
            self.connection.execute("DELETE FROM gate_counting")
            self.connection.executemany(
                "INSERT INTO gate_counting VALUES (?, ?, ?, ?, ?)",
                [(token, card, *values) for card, values in counts.items()],
            )
        return token

    def end_counting(self, made: Callable[[str], bool]) -> None:
        """Take over the totals of the counting that was begun, where `made` tells that the commit with its token is
        there; forget it otherwise."""
        row = self.connection.execute("SELECT token FROM gate_counting LIMIT 1").fetchone()
        if row is None:
            return
        there = made(str(row[0]))
        with transaction(self.connection):
            if there:
                self.connection.execute(
                    "INSERT OR REPLACE INTO gate_counters SELECT card, injected, adopted, liked FROM gate_counting"
                )
            self.connection.execute("DELETE FROM gate_counting")

    def last_run(self) -> datetime.datetime | None:
        """When a worker last ran with a clock that it trusted."""
        row = self.connection.execute("SELECT at FROM gate_runs").fetchone()
        return None if row is None else datetime.datetime.fromisoformat(row[0])

    def note_run(self, now: datetime.datetime) -> None:
        """Remember a run."""
        self.connection.execute("INSERT OR REPLACE INTO gate_runs VALUES (1, ?)", (now.isoformat(),))
