"""kb.memory.reading.limits: the limits are such that a real document passes."""

from __future__ import annotations

from dataclasses import asdict

from kb.memory.reading.limits import Limits


def test_limits_travel_as_a_mapping() -> None:
    assert Limits(**asdict(Limits(pages=7))) == Limits(pages=7)


def test_a_stall_ends_before_the_whole_time() -> None:
    assert Limits().stalled_seconds < Limits().seconds
