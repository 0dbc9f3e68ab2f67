"""kb.supply.worker_clock: a clock that jumped is seen before cards are archived by it."""

from __future__ import annotations

import datetime

import pytest

from kb.supply.worker_clock import doubt

NOON = datetime.datetime(2026, 11, 30, 12, tzinfo=datetime.UTC)


def _days(number: float) -> datetime.datetime:
    return NOON + datetime.timedelta(days=number)


@pytest.mark.parametrize(
    ("last_run", "last_commit", "ahead"),
    [
        (-1, -1, None),
        (None, -5000, None),
        (0.9, -1, None),
        (-200, -300, None),
        (1.1, -1, False),
        (-1, 1.1, False),
        (None, 20000, False),
        (-401, -500, True),
        (-401, -1, None),
    ],
)
def test_back_and_far_ahead(last_run: float | None, last_commit: float, ahead: bool | None) -> None:
    found = doubt(NOON, None if last_run is None else _days(last_run), _days(last_commit))
    assert (found.ahead if found else None) is ahead
