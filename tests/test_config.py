"""kb.config: one run, fixed once."""

from __future__ import annotations

import dataclasses
from pathlib import Path

import pytest

from kb.config import Config, ModelFile, no_progress


def test_a_configuration_cannot_be_changed() -> None:
    config = Config(home=Path("/h"), knowledge=Path("/k"), lang="en")
    with pytest.raises(dataclasses.FrozenInstanceError):
        config.home = Path("/other")  # type: ignore[misc]


def test_defaults_are_not_shared_between_runs() -> None:
    first, second = (Config(home=Path("/h"), knowledge=Path("/k"), lang="en") for _ in range(2))
    first.environment["TERM"] = "dumb"
    assert second.environment == {}


def test_the_silent_report_takes_anything() -> None:
    no_progress("index", 0, 0)
    assert ModelFile("m", Path("/m"), 0, 4, "").size == 4
