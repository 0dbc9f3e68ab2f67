"""kb.supply.lifecycle: the table of transitions under a clock that a test moves, also back."""

from __future__ import annotations

import dataclasses
import datetime

import pytest
from hypothesis import given
from hypothesis import strategies as st

from kb.supply.card import Card, CardStatus, Metrics
from kb.supply.lifecycle import RULES, Move, Usage, in_use, next_state, renewed
from kb.supply.schema import parse_card
from tests.supply.card_helpers import CARD, PATH

END = datetime.date(2026, 7, 30)


def day(number: int) -> datetime.date:
    """`number` days after the card's last valid day."""
    return END + datetime.timedelta(days=number)


def moment(number: int, hour: int = 12) -> datetime.datetime:
    return datetime.datetime.combine(day(number), datetime.time(hour), datetime.UTC)


def card(status: CardStatus = CardStatus.ACTIVE, liked: int = 0) -> Card:
    found = parse_card(PATH, CARD).card
    assert found is not None
    return dataclasses.replace(found, status=status, metrics=Metrics(4, 3, liked))


NEVER = Usage()


@pytest.mark.parametrize(
    ("status", "liked", "usage", "today", "move"),
    [
        # valid: nothing happens, used or not
        (CardStatus.ACTIVE, 0, NEVER, 0, None),
        (CardStatus.ACTIVE, 0, NEVER, -1000, None),
        (CardStatus.ACTIVE, 5, Usage(last_injected=moment(-1)), 0, None),
        # expired: not handed out for 90 days and not liked, or used
        (CardStatus.ACTIVE, 0, NEVER, 1, Move.ARCHIVE),
        (CardStatus.ACTIVE, 0, Usage(last_injected=moment(-89)), 1, Move.ARCHIVE),
        (CardStatus.ACTIVE, 0, Usage(last_injected=moment(-88)), 1, Move.RENEW),
        (CardStatus.ACTIVE, 0, Usage(last_injected=moment(1)), 1, Move.RENEW),
        (CardStatus.ACTIVE, 0, Usage(last_injected=moment(40)), 1, Move.RENEW),
        (CardStatus.ACTIVE, 1, NEVER, 1, Move.RENEW),
        (CardStatus.ACTIVE, 0, Usage(liked=1), 1, Move.RENEW),
        (CardStatus.ACTIVE, 0, Usage(last_hit=moment(1)), 1, Move.ARCHIVE),
        # archived: found or liked since then
        (CardStatus.ARCHIVED, 0, Usage(since=moment(1)), 2, None),
        (CardStatus.ARCHIVED, 3, Usage(since=moment(1), liked=3, last_liked=moment(0)), 2, None),
        (CardStatus.ARCHIVED, 0, Usage(since=moment(1, 2), last_hit=moment(1, 3)), 1, Move.REVIVE),
        (CardStatus.ARCHIVED, 0, Usage(since=moment(1, 2), last_hit=moment(1, 1)), 1, None),
        (CardStatus.ARCHIVED, 0, Usage(since=moment(1), last_liked=moment(2)), 2, Move.REVIVE),
        (CardStatus.ARCHIVED, 0, Usage(since=moment(1), last_injected=moment(2)), 2, Move.REVIVE),
        (CardStatus.ARCHIVED, 0, Usage(last_hit=moment(2)), 2, None),
        # staging: 30 days, then a person is asked
        (CardStatus.STAGING, 0, Usage(since=moment(0)), 29, None),
        (CardStatus.STAGING, 0, Usage(since=moment(0)), 30, Move.CLEAN_UP),
        (CardStatus.STAGING, 0, NEVER, -60, Move.CLEAN_UP),
        # drafts are a person's
        (CardStatus.DRAFT, 0, Usage(since=moment(-900)), 900, None),
    ],
)
def test_the_table(status: CardStatus, liked: int, usage: Usage, today: int, move: Move | None) -> None:
    step = next_state(card(status, liked), usage, day(today))
    assert (step.move if step else None) is move


def test_what_a_step_leads_to() -> None:
    archived = next_state(card(), NEVER, day(1))
    assert archived is not None
    assert (archived.status, archived.valid_until) == (CardStatus.ARCHIVED, END)
    assert archived.reason == "expired 2026-07-30, not used for 90 days, no likes"
    kept = next_state(card(), Usage(last_injected=moment(-3)), day(10))
    assert kept is not None
    assert (kept.status, kept.valid_until) == (CardStatus.ACTIVE, day(100))
    assert kept.reason == "expired 2026-07-30, last used 2026-07-27"
    back = next_state(card(CardStatus.ARCHIVED), Usage(since=moment(1), last_hit=moment(2)), day(2))
    assert back is not None
    assert (back.status, back.valid_until) == (CardStatus.ACTIVE, day(92))


def test_every_rule_can_be_reached_and_each_state_has_its_own() -> None:
    assert [rule.move for rule in RULES] == list(Move)
    assert CardStatus.DRAFT not in {rule.status for rule in RULES}


def test_the_end_of_time_is_no_error() -> None:
    assert renewed(datetime.date.max) == datetime.date.max
    assert next_state(card(liked=1), NEVER, datetime.date.max) is not None


_MOMENT = st.integers(-400, 400).map(moment)
_USAGE = st.builds(
    Usage,
    injected=st.integers(0, 3),
    liked=st.integers(0, 1),
    last_injected=st.none() | _MOMENT,
    last_hit=st.none() | _MOMENT,
    last_liked=st.none() | _MOMENT,
    since=st.none() | _MOMENT,
)


@given(st.sampled_from(list(CardStatus)), _USAGE, st.integers(-800, 800))
def test_one_step_never_shortens_a_validity_and_never_renews_into_the_past(
    status: CardStatus, usage: Usage, today: int
) -> None:
    before = card(status)
    step = next_state(before, usage, day(today))
    if step is None:
        return
    assert step.valid_until >= before.valid_until
    if step.move in (Move.RENEW, Move.REVIVE):
        assert step.valid_until > day(today)
    if step.move is Move.ARCHIVE:
        assert not in_use(before, usage, day(today))


@given(_USAGE, st.lists(st.integers(-800, 800), min_size=1, max_size=30))
def test_under_any_clock_a_card_is_archived_once_and_renewed_only_after_its_end(usage: Usage, clock: list[int]) -> None:
    """Usage stands still while the clock jumps to and fro: a card that is archived stays so."""
    now = card()
    archived = 0
    usage = dataclasses.replace(usage, since=None)
    for number in clock:
        step = next_state(now, usage, day(number))
        if step is None:
            continue
        assert now.expired_on(day(number))
        archived += step.move is Move.ARCHIVE
        now = dataclasses.replace(now, status=step.status, valid_until=step.valid_until)
        assert next_state(now, usage, day(number)) is None, "a second pass on the same day finds nothing to do"
    assert archived <= 1
