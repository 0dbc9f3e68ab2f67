"""kb.kiosk.maintenance: nothing can be done that nobody gave."""

from __future__ import annotations

from dataclasses import fields

from kb.kiosk.maintenance import Maintenance


def test_nothing_is_offered_by_itself() -> None:
    assert all(getattr(Maintenance(), field.name) is None for field in fields(Maintenance))
