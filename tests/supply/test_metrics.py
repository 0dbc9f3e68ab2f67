"""kb.supply.metrics: figures as their definitions say, also where there is nothing to count."""

from __future__ import annotations

import datetime
import inspect

import pytest

from kb.supply import metrics
from kb.supply.card import Card, CardEvidence, CardStatus
from kb.supply.metrics import Figure, report
from kb.supply.metrics_rollup import CardSums, Week
from kb.texts import CATALOGS
from tests.supply.supply_helpers import DAY, card

MONDAY = datetime.date(2026, 11, 23)
WEEKS = [
    Week(MONDAY - datetime.timedelta(weeks=2), tasks=4, hits=1, injected=3, followed=1, unrelated=1, searches=4),
    Week(MONDAY, tasks=6, hits=5, injected=9, followed=3, contradicted=1, unrelated=2, searches=0),
]


def _figures(cards: list[Card] | None = None, sums: dict[str, CardSums] | None = None) -> dict[str, Figure]:
    return {one.key: one for one in report(WEEKS, sums or {}, cards or [], 3, DAY).figures}


def test_what_happens_week_by_week() -> None:
    found = _figures()
    assert (found["hit_rate"].over, found["hit_rate"].out_of, found["hit_rate"].value) == (6, 10, 0.6)
    assert found["adoption_rate"].value == 4 / 8
    assert found["blind_search_rate"].value == pytest.approx(4 / 14)


def test_what_cards_say() -> None:
    import dataclasses

    made = dataclasses.replace(card("made"), evidence=CardEvidence("x", links=("event:e-1",)))
    cards = [
        made, card("late", valid_until=DAY - datetime.timedelta(1)), card("gone", status=CardStatus.ARCHIVED),
        card("other", owner="storage-desk"),
    ]  # fmt: skip
    first = datetime.datetime(2026, 11, 11, 9, tzinfo=datetime.UTC)
    made_ms = int(first.timestamp() * 1000)
    sums = {"made": CardSums(first_injected_ms=made_ms), "other": CardSums(first_injected_ms=made_ms - 20 * 86_400_000)}
    found = _figures(cards, sums)
    assert (found["automatic_share"].over, found["automatic_share"].out_of) == (1, 3)
    assert (found["stale_rate"].over, found["stale_rate"].out_of) == (1, 3)
    assert found["review_load"].value == 1.5
    assert (found["time_to_first_use"].value, found["time_to_first_use"].over) == (5.0, 2)


def test_nothing_to_count_is_nothing_not_zero() -> None:
    found = report([], {}, [], 0, DAY)
    assert {one.value for one in found.figures} == {None}
    assert found.weeks == ()
    assert all(trend.values == () for trend in found.trends)


def test_a_trend_shows_the_weeks_without_anything_too() -> None:
    found = report(WEEKS, {}, [], 0, DAY)
    (trend,) = [one for one in found.trends if one.key == "hit_rate"]
    assert len(trend.weeks) == metrics.WEEKS
    assert trend.weeks[-1] == MONDAY
    assert trend.values[-3:] == (0.25, None, 5 / 6)


def test_weeks_at_the_beginning_of_time_do_no_harm() -> None:
    assert metrics.last_weeks([Week(datetime.date(1, 1, 8))])[-1].monday == datetime.date(1, 1, 8)


def test_every_figure_has_its_definition_in_docstring_and_on_screen() -> None:
    for key in _figures():
        assert inspect.getdoc(getattr(metrics, key)), key
        for lang in CATALOGS.values():
            assert lang[f"metrics_{key}"]
            assert lang[f"metrics_{key}_definition"]
