"""The worker: one pass over all cards, gates first, then life, then counters; each change a commit with its reason."""

from __future__ import annotations

import datetime
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, replace
from pathlib import Path

from kb import fsio
from kb.errors import AlmanacError
from kb.supply.card import Card, CardStatus, Confidence
from kb.supply.events import FOLDER, BadLine, Event, EventKind, read_events
from kb.supply.gates import Gate, GateStore, gate
from kb.supply.lifecycle import Move, Transition, Usage, UsageOf, next_state, renewed
from kb.supply.schema import Finding
from kb.supply.store import CardSet, read_cards
from kb.supply.store_edit import NewValue, edit_bytes
from kb.supply.worker_clock import ClockDoubt, doubt
from kb.versions.plumbing import NewCommit, Repository

AUTHOR = "Almanac worker"
PROMOTE = "promote"
COUNT = "count"
_LOCK = "worker.lock"


@dataclass(frozen=True, slots=True)
class Verdict:
    """What the distiller says to an event: `proposal` names what it proposes, empty for no; `reason` says why."""

    event: str
    proposal: str
    reason: str


Distil = Callable[[Sequence[Event]], Sequence[Verdict]]
"""Judges events and makes proposals of them."""


@dataclass(frozen=True, slots=True)
class Change:
    """One card's new values. `move` is a Move, PROMOTE or COUNT; `reason` goes into the commit's message."""

    card: Card
    move: str
    values: Mapping[str, NewValue]
    reason: str

    @property
    def message(self) -> str:
        """The commit's message."""
        return f"policy(cards): {self.move} {self.card.id}: {self.reason}"


@dataclass(frozen=True, slots=True)
class Pass:
    """What a pass did or, as a dry run, would do."""

    cards: int
    changes: tuple[Change, ...] = ()
    counted: int = 0
    clean_up: tuple[tuple[Card, Transition], ...] = ()
    waiting: tuple[tuple[Card, Gate], ...] = ()
    in_work: tuple[str, ...] = ()
    events: int = 0
    bad_lines: tuple[BadLine, ...] = ()
    findings: tuple[Finding, ...] = ()
    verdicts: tuple[Verdict, ...] = ()
    clock: ClockDoubt | None = None
    busy: bool = False

    @property
    def proposals(self) -> tuple[str, ...]:
        """The names of what was proposed."""
        return tuple(one.proposal for one in self.verdicts if one.proposal)


@dataclass(frozen=True, slots=True)
class Worker:
    """One knowledge root and one home. `usage` comes from the ledger; `distil` is called with events worth a look."""

    repository: Repository
    home: Path
    usage: UsageOf = lambda cards: {}
    distil: Distil | None = None
    trust_clock: bool = False

    def run(self, now: datetime.datetime, *, dry: bool = False) -> Pass:
        """One pass at `now` (UTC). Only one worker of a home runs at a time: another one gets `busy` and does nothing.

        AlmanacError when the knowledge has no repository or something cannot be written.
        """
        with fsio.locked(self.home / _LOCK, wait=False) as ours:
            if not ours:
                return Pass(0, busy=True)
            store = GateStore(self.home)
            try:
                return self._run(store, now, dry)
            finally:
                store.close()

    def _run(self, store: GateStore, now: datetime.datetime, dry: bool) -> Pass:
        with self.repository.locked():
            head = self.repository.head()
            self._end_counting(store, head.commit, dry)
            found = read_cards(self.repository.root)
            committed = datetime.datetime.fromisoformat(self.repository.authored(head.commit)[1])
            clock = None if self.trust_clock else doubt(now, store.last_run(), committed)
            events, bad_lines = self._events()
            signals = [event for event in events if event.kind is EventKind.REQUIREMENT]
            fresh = store.unknown(signals) if dry else store.take(signals, now)
            usage = self._usage(found, {} if dry else store.observe(found.cards, now))
            done = self._judge(found, store, usage, now.date(), clock, fresh if dry else [])
            in_work = self.repository.edited(head.commit, [change.card.path for change in done.changes])
            done = replace(
                done,
                changes=tuple(change for change in done.changes if change.card.path not in in_work),
                in_work=tuple(sorted(in_work)),
                events=len(fresh),
                bad_lines=tuple(bad_lines),
            )
            if not dry:
                done = self._write(store, found, done, usage, now)
        if not dry and self.distil is not None:
            done = replace(done, verdicts=tuple(self._distilled(store, events, now)))
        if not dry and clock is None:
            store.note_run(now)
        return done

    def _events(self) -> tuple[list[Event], list[BadLine]]:
        """All events of the home's folder and the knowledge root's."""
        events: list[Event] = []
        bad: list[BadLine] = []
        for folder in (self.home / FOLDER, self.repository.root / FOLDER):
            for item in read_events(folder):
                if isinstance(item, Event):
                    events.append(item)
                else:
                    bad.append(item)
        return events, bad

    def _usage(self, found: CardSet, since: Mapping[str, datetime.datetime]) -> dict[str, Usage]:
        given = self.usage([card.id for card in found.cards])
        return {card.id: replace(given.get(card.id, Usage()), since=since.get(card.id)) for card in found.cards}

    def _judge(
        self, found: CardSet, store: GateStore, usage: Mapping[str, Usage], today: datetime.date,
        clock: ClockDoubt | None, unseen: Sequence[Event],
    ) -> Pass:  # fmt: skip
        """What is to change. Gates do not depend on the clock; the rest waits until it can be trusted."""
        states = store.requirements() | {event.requirement: event.state for event in unseen}
        changes: list[Change] = []
        waiting: list[tuple[Card, Gate]] = []
        clean_up: list[tuple[Card, Transition]] = []
        for card in found.cards:
            if card.status is CardStatus.STAGING:
                state = gate(card, states)
                if state.open:
                    changes.append(promotion(card, today))
                    continue
                waiting.append((card, state))
            step = None if clock else next_state(card, usage[card.id], today)
            if step is None:
                continue
            if step.move is Move.CLEAN_UP:
                clean_up.append((card, step))
            else:
                changes.append(_change(card, step))
        return Pass(
            len(found.cards), tuple(changes), clean_up=tuple(clean_up), waiting=tuple(waiting),
            findings=found.findings, clock=clock,
        )  # fmt: skip

    def _write(
        self, store: GateStore, found: CardSet, done: Pass, usage: Mapping[str, Usage], now: datetime.datetime
    ) -> Pass:
        """Commit the changes one by one and the counters in one commit; remember what was written."""
        texts: dict[str, bytes] = {}
        commits: list[NewCommit] = []
        for change in done.changes:
            texts[change.card.path] = self._edited(texts, change)
            commits.append(NewCommit(change.message, AUTHOR, {change.card.path: texts[change.card.path]}))
        counted, totals = self._counters(store, found, usage, set(done.in_work))
        if counted:
            files = {}
            for change in counted:
                files[change.card.path] = texts[change.card.path] = self._edited(texts, change)
            token = store.begin_counting(totals)
            message = f"policy(cards): {COUNT} uses of {len(counted)} cards\n\n{_counting(token)}"
            commits.append(NewCommit(message, AUTHOR, files))
        if commits:
            commit = self.repository.commit(commits, now.timestamp())
            self._end_counting(store, commit, dry=False)
        store.observe(_after(found.cards, done.changes), now)
        return replace(done, counted=len(counted))

    def _end_counting(self, store: GateStore, commit: str, dry: bool) -> None:
        """Remember which uses stand in the cards, also those that a killed worker had just committed."""
        if not dry:
            store.end_counting(lambda token: self.repository.is_said(commit, _counting(token)))

    def _edited(self, texts: Mapping[str, bytes], change: Change) -> bytes:
        path = change.card.path
        try:
            data = texts[path] if path in texts else (self.repository.root / path).read_bytes()
        except OSError as error:
            raise AlmanacError("unreadable", path=path, reason=error.strerror or str(error)) from error
        return edit_bytes(path, data, change.values)

    def _counters(
        self, store: GateStore, found: CardSet, usage: Mapping[str, Usage], in_work: set[str]
    ) -> tuple[list[Change], dict[str, tuple[int, int, int]]]:
        """Cards whose counters grew since they were last written back, and the totals that stand in them afterwards.

        Added, not set: the card may have been used from other homes too.
        """
        known = store.written_back()
        changes: list[Change] = []
        totals: dict[str, tuple[int, int, int]] = {}
        for card in found.cards:
            use, before = usage[card.id], known.get(card.id, (0, 0, 0))
            now = (use.injected, use.adopted, use.liked)
            grown = {
                f"metrics.{name}": getattr(card.metrics, name) + more - less
                for name, more, less in zip(("injected", "adopted", "liked"), now, before, strict=True)
                if more > less
            }
            if grown:
                totals[card.id] = now
                changes.append(Change(card, COUNT, grown, ""))
        edited = in_work | self.repository.edited(self.repository.head().commit, [one.card.path for one in changes])
        kept = [change for change in changes if change.card.path not in edited]
        return kept, {change.card.id: totals[change.card.id] for change in kept}

    def _distilled(self, store: GateStore, events: Sequence[Event], now: datetime.datetime) -> list[Verdict]:
        """Let new events be judged, one at a time, so that one that fails costs only itself the next time."""
        verdicts: list[Verdict] = []
        for event in store.unknown([event for event in events if event.kind is not EventKind.REQUIREMENT]):
            assert self.distil is not None
            verdicts += self.distil([event])
            store.take([event], now)
        return verdicts


def _counting(token: str) -> str:
    """The line of a commit's message by which it is known to have been made."""
    return f"Counting: {token}"


def promotion(card: Card, today: datetime.date) -> Change:
    """A card passes its gate: active, tried in real use, and valid from now on when it had expired while it waited."""
    values: dict[str, NewValue] = {"status": CardStatus.ACTIVE.value, "confidence": Confidence.HIGH.value}
    if card.expired_on(today):
        values["valid_until"] = renewed(today)
    released = ", ".join(card.evidence.requirements)
    return Change(card, PROMOTE, values, f"requirement {released} released, {', '.join(card.applicable.repos)} linked")


def _change(card: Card, step: Transition) -> Change:
    values: dict[str, NewValue] = {}
    if step.status is not card.status:
        values["status"] = step.status.value
    if step.valid_until != card.valid_until:
        values["valid_until"] = step.valid_until
    reason = f"{step.reason}, valid until {step.valid_until}" if "valid_until" in values else step.reason
    return Change(card, step.move.value, values, reason)


def _after(cards: Sequence[Card], changes: Sequence[Change]) -> list[Card]:
    """The cards with the states that the changes give them."""
    states = {change.card.id: CardStatus(str(change.values.get("status", change.card.status))) for change in changes}
    return [replace(card, status=states.get(card.id, card.status)) for card in cards]
