"""The life of a card as a table of rules: what is used stays, what nobody uses goes, what is missed comes back.

Pure: a rule looks at a card, at how it was used, and at a day. It holds whatever the clock did before: a day that lies
back expires nothing, and no validity is ever made shorter.
"""

from __future__ import annotations

import datetime
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from enum import StrEnum

from kb.supply.card import VALID_DAYS, Card, CardStatus

UNUSED_DAYS = 90
"""An expired card that nobody was handed for this long, and nobody liked, goes."""
STAGING_DAYS = 30
"""After so many days in staging a person is asked what should become of a card."""


@dataclass(frozen=True, slots=True)
class Usage:
    """How a card was used. Counts are totals; instants are UTC, None for never.

    `last_injected`: last handed to an agent. `last_hit`: last found while it was archived, so not handed out.
    `since`: since when the card is in its present state, None when that is not known.
    """

    injected: int = 0
    adopted: int = 0
    liked: int = 0
    last_injected: datetime.datetime | None = None
    last_hit: datetime.datetime | None = None
    last_liked: datetime.datetime | None = None
    since: datetime.datetime | None = None


UsageOf = Callable[[Sequence[str]], Mapping[str, Usage]]
"""Gives the usage of the cards with these ids; a card that was never used may be left out."""


class Move(StrEnum):
    """What happens to a card. CLEAN_UP changes nothing: it asks a person."""

    ARCHIVE = "archive"
    RENEW = "renew"
    REVIVE = "revive"
    CLEAN_UP = "clean up"


@dataclass(frozen=True, slots=True)
class Transition:
    """One step: the card's state and validity afterwards, and why (English: it becomes part of a commit's message)."""

    move: Move
    status: CardStatus
    valid_until: datetime.date
    reason: str


@dataclass(frozen=True, slots=True)
class Rule:
    """`applies` to cards in `status`; then the card is in `becomes`, valid VALID_DAYS more days where `renews`."""

    move: Move
    status: CardStatus
    becomes: CardStatus
    renews: bool
    applies: Callable[[Card, Usage, datetime.date], bool]
    reason: Callable[[Card, Usage, datetime.date], str]


def next_state(card: Card, usage: Usage, today: datetime.date) -> Transition | None:
    """What is to happen to `card` on `today`; None when nothing is. The first rule of RULES that applies decides."""
    for rule in RULES:
        if rule.status is card.status and rule.applies(card, usage, today):
            until = card.valid_until
            if rule.renews:
                until = max(until, renewed(today))
            return Transition(rule.move, rule.becomes, until, rule.reason(card, usage, today))
    return None


def renewed(today: datetime.date) -> datetime.date:
    """The last valid day of a card that is renewed on `today`."""
    last = datetime.date.max - datetime.timedelta(days=VALID_DAYS)
    return min(today, last) + datetime.timedelta(days=VALID_DAYS)


def in_use(card: Card, usage: Usage, today: datetime.date) -> bool:
    """Whether a card was liked, or handed out within UNUSED_DAYS before `today` or after it (a clock put back)."""
    last = usage.last_injected
    recently = last is not None and last.date() > today - datetime.timedelta(days=UNUSED_DAYS)
    return recently or max(card.metrics.liked, usage.liked) > 0


def _missed(usage: Usage) -> bool:
    """Whether an archived card was found or liked after it was archived."""
    moments = [moment for moment in (usage.last_hit, usage.last_injected, usage.last_liked) if moment is not None]
    return usage.since is not None and any(moment > usage.since for moment in moments)


def _staging_days(card: Card, usage: Usage, today: datetime.date) -> int:
    since = usage.since.date() if usage.since is not None else card.created_at
    return (today - since).days


def _why_used(card: Card, usage: Usage, today: datetime.date) -> str:
    last = f"last used {usage.last_injected.date()}" if usage.last_injected is not None else "liked"
    return f"expired {card.valid_until}, {last}"


RULES: tuple[Rule, ...] = (
    Rule(
        Move.ARCHIVE, CardStatus.ACTIVE, CardStatus.ARCHIVED, False,
        lambda card, usage, today: card.expired_on(today) and not in_use(card, usage, today),
        lambda card, usage, today: f"expired {card.valid_until}, not used for {UNUSED_DAYS} days, no likes",
    ),
    Rule(
        Move.RENEW, CardStatus.ACTIVE, CardStatus.ACTIVE, True,
        lambda card, usage, today: card.expired_on(today) and in_use(card, usage, today),
        _why_used,
    ),
    Rule(
        Move.REVIVE, CardStatus.ARCHIVED, CardStatus.ACTIVE, True,
        lambda card, usage, today: _missed(usage),
        lambda card, usage, today: "found or liked after it was archived",
    ),
    Rule(
        Move.CLEAN_UP, CardStatus.STAGING, CardStatus.STAGING, False,
        lambda card, usage, today: _staging_days(card, usage, today) >= STAGING_DAYS,
        lambda card, usage, today: f"{_staging_days(card, usage, today)} days in staging",
    ),
)  # fmt: skip
