"""kb.supply.inbox: three queues, and what takes a card out of them."""

from __future__ import annotations

import datetime
from collections.abc import Iterator
from pathlib import Path

import pytest

from kb.supply.card import Card, CardStatus
from kb.supply.chain import Entry, Kind
from kb.supply.feedback import record_feedback
from kb.supply.inbox import ARCHIVE, RENEW, Queue, decided, inbox
from kb.supply.ledger import Ledger
from kb.supply.metrics_rollup import Rollup
from tests.supply.supply_helpers import DAY, card

NOW = datetime.datetime.combine(DAY, datetime.time(8), datetime.UTC)
SOON = DAY + datetime.timedelta(10)


@pytest.fixture
def ledger(tmp_path: Path) -> Iterator[Ledger]:
    with Ledger(tmp_path, now=lambda: int(NOW.timestamp() * 1000)) as made:
        yield made


def _use(ledger: Ledger, name: str, times: int = 3, days_ago: int = 1) -> None:
    at = int((NOW - datetime.timedelta(days_ago)).timestamp() * 1000)
    ledger.append([Entry(Kind.INJECTION, "t", card=name, at=at, position=1) for _ in range(times)])


def _queues(ledger: Ledger, home: Path, *cards: Card) -> list[tuple[Queue, str]]:
    with Rollup(home) as rollup:
        rollup.update()
        sums = rollup.cards()
    return [(item.queue, item.card.id) for item in inbox(cards, sums, ledger, NOW)]


def test_much_used_and_about_to_expire(ledger: Ledger, tmp_path: Path) -> None:
    for name, times, days in (("used", 3, 1), ("more", 5, 1), ("rarely", 2, 1), ("long-ago", 9, 120), ("later", 5, 1)):
        _use(ledger, name, times, days)
    cards = [card(name, valid_until=SOON) for name in ("used", "more", "rarely", "long-ago", "never")]
    cards += [card("later", valid_until=DAY + datetime.timedelta(60))]
    assert _queues(ledger, tmp_path, *cards) == [(Queue.EXPIRING, "more"), (Queue.EXPIRING, "used")]


def test_spoken_against_until_the_owner_looked_or_the_card_changed(ledger: Ledger, tmp_path: Path) -> None:
    one = card("one", conclusion="a")
    record_feedback(ledger, ["one"], False, note="滤芯型号不对")
    record_feedback(ledger, ["one"], True)
    assert _queues(ledger, tmp_path, one) == [(Queue.NEGATIVE, "one")]
    decided(ledger, one, RENEW)
    assert _queues(ledger, tmp_path, one) == []
    ledger.append([Entry(Kind.FEEDBACK, card="one", card_version=one.version, feedback=-1)])
    assert _queues(ledger, tmp_path, one) == [(Queue.NEGATIVE, "one")]
    assert _queues(ledger, tmp_path, card("one", conclusion="b")) == []


def test_of_several_verdicts_on_a_task_the_last_counts(ledger: Ledger, tmp_path: Path) -> None:
    one = card("one")
    _use(ledger, "one", 1)
    ledger.append(
        [
            Entry(
                Kind.VERDICT,
                card="one",
                card_version=one.version,
                refers=1,
                adopted=False,
                note="denies 0-3: said | card\nmore",
            )
        ]
    )
    assert _queues(ledger, tmp_path, one) == [(Queue.NEGATIVE, "one")]
    ledger.append([Entry(Kind.VERDICT, card="one", card_version=one.version, refers=1, adopted=True)])
    assert _queues(ledger, tmp_path, one) == []


def test_waiting_in_staging_for_too_long(ledger: Ledger, tmp_path: Path) -> None:
    old = card("old", status=CardStatus.STAGING, created=DAY - datetime.timedelta(40))
    young = card("young", status=CardStatus.STAGING, created=DAY - datetime.timedelta(5))
    assert _queues(ledger, tmp_path, old, young) == [(Queue.CLEAN_UP, "old")]


def test_a_card_stands_in_one_queue_and_the_queues_in_their_order(ledger: Ledger, tmp_path: Path) -> None:
    _use(ledger, "both", 4)
    _use(ledger, "soon", 4)
    record_feedback(ledger, ["both"], False, note="x")
    cards = [
        card("old", status=CardStatus.STAGING, created=DAY - datetime.timedelta(40)),
        card("both", valid_until=SOON), card("soon", valid_until=SOON), card("gone", status=CardStatus.ARCHIVED),
    ]  # fmt: skip
    assert _queues(ledger, tmp_path, *cards) == [
        (Queue.EXPIRING, "soon"), (Queue.NEGATIVE, "both"), (Queue.CLEAN_UP, "old"),
    ]  # fmt: skip


def test_a_decision_is_a_row(ledger: Ledger) -> None:
    number = decided(ledger, card("one"), ARCHIVE)
    (row,) = ledger.rows(kind=Kind.REVIEW)
    assert (row.number, row.entry.card, row.entry.note) == (number, "one", "archive")
