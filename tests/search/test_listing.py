"""kb.search.listing: why a document does not answer on a day."""

from __future__ import annotations

import datetime

import pytest

from kb.search.listing import FOREVER, Listed, day_of

DAY = datetime.date(2026, 6, 1)


@pytest.mark.parametrize(
    ("status", "start", "end", "mark"),
    [
        ("released", None, None, ""),
        ("released", DAY, DAY, ""),
        ("released", None, DAY - datetime.timedelta(1), "expired"),
        ("released", DAY + datetime.timedelta(1), None, "future"),
        ("draft", None, None, "draft"),
    ],
)
def test_marks(status: str, start: datetime.date | None, end: datetime.date | None, mark: str) -> None:
    assert Listed("a.md", "A", "1", "en", status, start, end, ()).mark(DAY) == mark


def test_days() -> None:
    assert day_of(DAY.toordinal()) == DAY
    assert day_of(0) is None
    assert day_of(FOREVER) is None
