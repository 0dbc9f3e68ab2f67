"""The few decisions that need people: exactly three queues.

What is much used and about to expire; what people or results spoke against; what has waited in staging for too long.
Nothing else is ever put here: a workbench with many queues is looked at by nobody.
"""

from __future__ import annotations

import datetime
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from enum import StrEnum

from kb.supply.card import Card, CardStatus
from kb.supply.chain import Entry, Kind
from kb.supply.ledger import Ledger
from kb.supply.lifecycle import Move, Usage, next_state
from kb.supply.metrics_rollup import CardSums

SOON_DAYS = 14
"""A card that ends within so many days is about to expire; one that has ended and is still active too."""
MUCH_USED = 3
"""A card that was given at least so often is much used."""
LATELY_DAYS = 90
"""Only what was given within so many days counts as used."""
RENEW, ARCHIVE = "renew", "archive"
AUTHOR = "Almanac inbox"
"""Who commits decisions that were made in the inbox."""


class Queue(StrEnum):
    """The three queues, in the order in which they are shown."""

    EXPIRING = "expiring"
    NEGATIVE = "negative"
    CLEAN_UP = "clean_up"


@dataclass(frozen=True, slots=True)
class Waiting:
    """A card that waits for its owner. `against` counts dislikes and contradictions, `notes` are what was said."""

    queue: Queue
    card: Card
    used: int
    against: int = 0
    notes: tuple[str, ...] = ()


def inbox(
    cards: Sequence[Card], sums: Mapping[str, CardSums], ledger: Ledger, now: datetime.datetime
) -> tuple[Waiting, ...]:
    """What waits at `now`, queue by queue, the most used first. A card stands in one queue only, the first that fits;
    one that was spoken against is not offered for renewal without that being seen."""
    found: list[Waiting] = []
    for card in cards:
        own = sums.get(card.id, CardSums())
        against = _against(ledger, card) if own.disliked or own.contradicted else ()
        if against and card.status is CardStatus.ACTIVE:
            found.append(Waiting(Queue.NEGATIVE, card, own.injected, len(against), tuple(filter(None, against))[-3:]))
        elif _expiring(card, own, now):
            found.append(Waiting(Queue.EXPIRING, card, own.injected))
        else:
            # How often it was used decides nothing about a card in staging.
            step = next_state(card, Usage(), now.date())
            if step is not None and step.move is Move.CLEAN_UP:
                found.append(Waiting(Queue.CLEAN_UP, card, own.injected))
    order = list(Queue)
    found.sort(key=lambda item: (order.index(item.queue), -item.against, -item.used, item.card.id))
    return tuple(found)


def _expiring(card: Card, own: CardSums, now: datetime.datetime) -> bool:
    if card.status is not CardStatus.ACTIVE or own.injected < MUCH_USED or own.last_injected is None:
        return False
    lately = own.last_injected > now - datetime.timedelta(days=LATELY_DAYS)
    return lately and card.expired_on(now.date() + datetime.timedelta(days=SOON_DAYS))


def _against(ledger: Ledger, card: Card) -> tuple[str, ...]:
    """What was said against the card as it is now, since its owner last looked: a note each, '' where there is none.

    Of several verdicts on one task the last counts.
    """
    spoken: dict[tuple[str, int], str] = {}
    version = card.version
    for row in ledger.rows(card=card.id):
        entry = row.entry
        if entry.kind is Kind.REVIEW:
            spoken.clear()
        elif entry.card_version not in ("", version):
            continue
        elif entry.kind is Kind.FEEDBACK and entry.feedback < 0:
            spoken["feedback", row.number] = entry.note
        elif entry.kind is Kind.VERDICT:
            spoken.pop(("verdict", entry.refers), None)
            if entry.adopted is False:
                # `feedback.judge_task` writes "relation place: words of the task | words of the card".
                spoken["verdict", entry.refers] = entry.note.split("\n")[0].partition(": ")[2].replace(" | ", " / ")
    return tuple(spoken.values())


def decided(ledger: Ledger, card: Card, decision: str) -> int:
    """Write down that the owner of `card` decided to RENEW or ARCHIVE it; the row number."""
    return ledger.append([Entry(Kind.REVIEW, card=card.id, card_version=card.version, note=decision)])[0]
