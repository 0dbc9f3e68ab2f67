"""scripts/soak.py: a short run stays level, and growth of each kind is seen."""

from __future__ import annotations

import dataclasses
from pathlib import Path

import pytest
import soak

from kb.answer import journal

LEVEL = [soak.Sample(number * 1000, 40_000 + number, 9, 2, 800 + 20 * number, 4, 0, 9.0) for number in range(11)]


def test_a_level_run_has_no_faults() -> None:
    assert soak.faults(LEVEL) == []


@pytest.mark.parametrize(
    ("name", "by", "said"),
    [
        ("memory_kb", 3000, "memory grows by 300"),
        ("descriptors", 1, "descriptors grew from 12 to 19"),
        ("threads", 1, "threads grew"),
        ("home_files", 600, "home_files grew"),
        ("temporary_files", 1, "temporary_files grew"),
        ("home_kb", 20_000, "the home folder holds"),
    ],
)
def test_what_grows_is_named(name: str, by: int, said: str) -> None:
    grown = [
        dataclasses.replace(sample, **{name: getattr(sample, name) + by * place}) for place, sample in enumerate(LEVEL)
    ]
    found = soak.faults(grown)
    assert len(found) == 1
    assert said in found[0]


def test_one_sample_that_stands_out_is_no_growth() -> None:
    jumped = [*LEVEL[:6], dataclasses.replace(LEVEL[6], memory_kb=90_000), *LEVEL[7:]]
    assert soak.faults(jumped) == []


@pytest.mark.slow
def test_a_short_run_answers_and_stays_level(tmp_path: Path) -> None:
    """Descriptors, threads and files; memory settles only in thousands of questions (`make soak`)."""
    home, temporary = tmp_path / "home", tmp_path / "tmp"
    temporary.mkdir()
    runtime = soak.opened(home, models=False)
    try:
        samples = soak.soak(runtime, temporary, 240, looks=4)
        kept = runtime.journal.latest(1000)
    finally:
        runtime.close()
    assert [sample.asked for sample in samples] == [0, 60, 120, 180, 240]
    assert [fault for fault in soak.faults(samples) if not fault.startswith("memory")] == []
    assert len(kept) > 150
    assert {item.answer["refused"] for item in kept} == {True, False}
    assert len(kept) <= journal.KEPT
