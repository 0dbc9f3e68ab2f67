"""What owners look at: inbox, figures, contributions; and what they decide. For command line and screens."""

from __future__ import annotations

import datetime
from collections.abc import Mapping
from dataclasses import dataclass

from kb.answer.runtime import Runtime
from kb.errors import AlmanacError
from kb.supply.board import Contribution, board
from kb.supply.card import Card, CardStatus
from kb.supply.inbox import ARCHIVE, AUTHOR, RENEW, Waiting, decided, inbox
from kb.supply.ledger import Ledger
from kb.supply.lifecycle import renewed
from kb.supply.metrics import Report, report
from kb.supply.metrics_rollup import CardSums, Rollup, Week
from kb.supply.proposals import Proposals
from kb.supply.store import find_card, read_cards
from kb.supply.store_edit import NewValue, edit_bytes
from kb.versions.plumbing import NewCommit, Repository

_MOST_CHANGES = 20_000


@dataclass(frozen=True, slots=True)
class Look:
    """One look at the workbench."""

    waiting: tuple[Waiting, ...]
    report: Report


class Workbench:
    """The workbench of the knowledge and home of `runtime`."""

    def __init__(self, runtime: Runtime) -> None:
        self._runtime = runtime

    def look(self, now: datetime.datetime | None = None) -> Look:
        """What waits and how things are at `now` (default: this moment, UTC)."""
        moment = now or datetime.datetime.now(datetime.UTC)
        cards = read_cards(self._runtime.root).cards
        weeks, sums = self._sums()
        with Ledger(self._runtime.config.home) as ledger:
            waiting = inbox(cards, sums, ledger, moment)
        decisions = len(waiting) + self._proposals()
        return Look(waiting, report(weeks, sums, cards, decisions, moment.date()))

    def _proposals(self) -> int:
        """How many proposals wait for their reviewer; none where the knowledge has no repository of its own."""
        try:
            git, top, inner = self._runtime.history.place()
            return Proposals(Repository.open(top / inner, git)).count()
        except AlmanacError:
            return 0

    def contributions(self) -> tuple[Contribution, ...]:
        """Who contributed cards. AlmanacError without a history."""
        changes = self._runtime.history.changes("cards", limit=_MOST_CHANGES)
        return board(changes, read_cards(self._runtime.root).cards, self._sums()[1])

    def _sums(self) -> tuple[list[Week], Mapping[str, CardSums]]:
        with Rollup(self._runtime.config.home) as rollup:
            rollup.update()
            return rollup.weeks(), rollup.cards()

    def decide(self, identifier: str, decision: str, now: datetime.datetime | None = None) -> Card:
        """Renew or archive a card: one commit with the reason, and a row in the ledger; the card as it was.

        AlmanacError when there is no such card, no repository, somebody has the file half edited, or the decision does
        not fit the card's state.
        """
        moment = now or datetime.datetime.now(datetime.UTC)
        root = self._runtime.root
        repository = Repository.open(root, self._runtime.history.git)
        with repository.locked():
            card = find_card(root, identifier)
            values = _values(card, decision, moment.date())
            if repository.edited(repository.head().commit, [card.path]):
                raise AlmanacError("inbox_in_work", path=card.path)
            changed = edit_bytes(card.path, (root / card.path).read_bytes(), values)
            message = f"policy(cards): {decision} {card.id}: decided in the inbox"
            repository.commit([NewCommit(message, AUTHOR, {card.path: changed})], moment.timestamp())
        with Ledger(self._runtime.config.home) as ledger:
            decided(ledger, card, decision)
        return card


def _values(card: Card, decision: str, today: datetime.date) -> dict[str, NewValue]:
    if decision == ARCHIVE and card.status is not CardStatus.ARCHIVED:
        return {"status": CardStatus.ARCHIVED.value}
    if decision == RENEW and card.status is CardStatus.ACTIVE:
        return {"valid_until": max(renewed(today), card.valid_until)}
    raise AlmanacError("inbox_does_not_fit", id=card.id, status=card.status.value)
