"""Seven figures that say whether the supply line works. Each one's definition is its function's docstring."""

from __future__ import annotations

import datetime
import statistics
from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import dataclass, fields

from kb.supply.card import Card, CardStatus, link_scheme
from kb.supply.metrics_rollup import CardSums, Week
from kb.texts import Lang, text

WEEKS = 12
"""How many weeks a trend shows."""


@dataclass(frozen=True, slots=True)
class Figure:
    """One figure: a share (0..1) or a number of `unit`; None where there is nothing to divide by.

    `key` names its texts: `metrics_<key>` (name) and `metrics_<key>_definition`.
    """

    key: str
    value: float | None
    over: int
    out_of: int
    unit: str = ""

    def shown(self, lang: Lang) -> str:
        """The value for people, with what it was counted from."""
        if self.value is None:
            return text(lang, "metrics_nothing")
        if self.unit:
            return text(lang, f"metrics_{self.unit}", value=f"{self.value:.1f}", over=self.over, out_of=self.out_of)
        return f"{self.value:.0%} ({self.over}/{self.out_of})"


@dataclass(frozen=True, slots=True)
class Trend:
    """A share, week by week; None for a week in which nothing was counted."""

    key: str
    weeks: tuple[datetime.date, ...]
    values: tuple[float | None, ...]


def _share(key: str, over: int, out_of: int) -> Figure:
    return Figure(key, over / out_of if out_of else None, over, out_of)


def hit_rate(week: Week) -> Figure:
    """Injection hit rate: of the tasks that asked for knowledge, the share that was given at least one card."""
    return _share("hit_rate", week.hits, week.tasks)


def adoption_rate(week: Week) -> Figure:
    """Adoption rate: of the cards given whose task was judged, the share that the task followed (the last verdict on
    each counts; contradicted and unrelated ones are not followed)."""
    return _share("adoption_rate", week.followed, week.followed + week.contradicted + week.unrelated)


def blind_search_rate(week: Week) -> Figure:
    """Blind-search rate: of all times that agents took knowledge (given before a task, or searched by themselves), the
    share that were searches. It falls when what is given beforehand suffices."""
    return _share("blind_search_rate", week.searches, week.searches + week.tasks)


def automatic_share(cards: Iterable[Card]) -> Figure:
    """Share of automatic cards: of the active cards, those that were distilled from an event (one of their links is
    `event:<id>`)."""
    active = [card for card in cards if card.status is CardStatus.ACTIVE]
    made = sum(any(link_scheme(link) == "event" for link in card.evidence.links) for card in active)
    return _share("automatic_share", made, len(active))


def stale_rate(cards: Iterable[Card], today: datetime.date) -> Figure:
    """Stale rate: of the active cards, those whose validity has ended and that wait to be renewed or archived."""
    active = [card for card in cards if card.status is CardStatus.ACTIVE]
    return _share("stale_rate", sum(card.expired_on(today) for card in active), len(active))


def review_load(waiting: int, cards: Iterable[Card]) -> Figure:
    """Review load: decisions that wait for people now (the three queues of the inbox, and proposals that wait for their
    reviewer), for each owner of a card."""
    owners = len({card.owner for card in cards if card.owner})
    return Figure("review_load", waiting / owners if owners else None, waiting, owners, "each")


def time_to_first_use(cards: Iterable[Card], sums: Mapping[str, CardSums]) -> Figure:
    """Time to first use: days from the day a card was created to the day it was first given to an agent, the median
    over the cards that were given at least once."""
    days: list[int] = []
    known = 0
    for card in cards:
        known += 1
        first = sums[card.id].first_injected if card.id in sums else None
        if first is not None:
            days.append(max((first.date() - card.created_at).days, 0))
    return Figure("time_to_first_use", float(statistics.median(days)) if days else None, len(days), known, "days")


OF_WEEK: tuple[Callable[[Week], Figure], ...] = (hit_rate, adoption_rate, blind_search_rate)


@dataclass(frozen=True, slots=True)
class Report:
    """All figures on one day, over all time, and the trends of those that happen week by week."""

    figures: tuple[Figure, ...]
    trends: tuple[Trend, ...]
    weeks: tuple[Week, ...]


def report(
    weeks: Sequence[Week], sums: Mapping[str, CardSums], cards: Sequence[Card], waiting: int, today: datetime.date
) -> Report:
    """Put the figures together. `waiting` is the number of entries in the inbox and of proposals."""
    whole = total(weeks)
    shown = last_weeks(weeks)
    trends = tuple(
        Trend(figures[0].key, tuple(week.monday for week in shown), tuple(figure.value for figure in figures))
        for figures in ([of_week(week) for week in shown] for of_week in OF_WEEK)
        if figures
    )
    figures = (
        *(of_week(whole) for of_week in OF_WEEK),
        automatic_share(cards),
        stale_rate(cards, today),
        review_load(waiting, cards),
        time_to_first_use(cards, sums),
    )
    return Report(figures, trends, tuple(shown))


def total(weeks: Sequence[Week]) -> Week:
    """All weeks as one."""
    names = [field.name for field in fields(Week) if field.name != "monday"]
    first = weeks[0].monday if weeks else datetime.date(1970, 1, 5)
    return Week(first, **{name: sum(getattr(week, name) for week in weeks) for name in names})


def last_weeks(weeks: Sequence[Week], count: int = WEEKS) -> list[Week]:
    """The last `count` weeks up to the last one in which something happened, those without anything included."""
    if not weeks:
        return []
    known = {week.monday: week for week in weeks}
    last = weeks[-1].monday
    days = [
        last - datetime.timedelta(weeks=number)
        for number in reversed(range(count))
        if number <= (last - datetime.date.min).days // 7
    ]
    return [known.get(day, Week(day)) for day in days]
