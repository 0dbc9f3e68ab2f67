"""Whether a machine's clock can be trusted with the life of cards: many small computers start in 1970."""

from __future__ import annotations

import datetime
from dataclasses import dataclass

BACK = datetime.timedelta(days=1)
"""Clocks of two machines, or of one before and after it was set, may differ by this much."""
AHEAD = datetime.timedelta(days=400)
"""A farm machine may stand still for a winter; a clock that is further ahead than this was set wrongly."""


@dataclass(frozen=True, slots=True)
class ClockDoubt:
    """The clock shows `now`; it was `known` before that this moment had passed. `ahead`: too far ahead, not back."""

    now: datetime.datetime
    known: datetime.datetime
    ahead: bool


def doubt(
    now: datetime.datetime, last_run: datetime.datetime | None, last_commit: datetime.datetime
) -> ClockDoubt | None:
    """None when the clock fits the last run and the last commit; all three with a time zone.

    Ahead is judged only where a worker ran before: a knowledge base may rest for years until it gets one.
    """
    latest = max(last_commit, last_run) if last_run is not None else last_commit
    if now < latest - BACK:
        return ClockDoubt(now, latest, False)
    if last_run is not None and now > latest + AHEAD:
        return ClockDoubt(now, latest, True)
    return None
