"""kb.answer.unexplained: codes of real data that no document knows become gaps, others do not."""

from __future__ import annotations

import dataclasses
import datetime
from pathlib import Path

import pytest

from kb.answer.agent.values import Ended, Report
from kb.answer.unexplained import note_unexplained
from kb.config import Config
from kb.supply.events import FOLDER, Event, read_events

NOW = datetime.datetime(2026, 5, 1, tzinfo=datetime.UTC)
SEEN = Report("why did the pump stop", False, next(iter(Ended)), unexplained=("ZX-77", "Q-1"))


def _gaps(home: Path) -> list[str]:
    return sorted(str(item.fields["title"]) for item in read_events(home / FOLDER) if isinstance(item, Event))


def test_each_unexplained_code_becomes_a_gap(tmp_path: Path) -> None:
    note_unexplained(SEEN, Config(tmp_path, tmp_path, "en"), lambda: NOW)
    assert _gaps(tmp_path) == ["Q-1", "ZX-77"]


@pytest.mark.parametrize("keep", [{"keep_answers": False}, {"read_only": True}])
def test_nothing_is_kept_where_nothing_may_be(tmp_path: Path, keep: dict[str, bool]) -> None:
    note_unexplained(SEEN, Config(tmp_path, tmp_path, "en", **keep), lambda: NOW)  # type: ignore[arg-type]
    assert _gaps(tmp_path) == []


def test_the_sample_makes_no_gaps_and_a_full_disk_no_error(tmp_path: Path) -> None:
    config = Config(tmp_path, tmp_path, "en")
    note_unexplained(dataclasses.replace(SEEN, sample="sample data"), config, lambda: NOW)
    assert _gaps(tmp_path) == []
    (tmp_path / FOLDER).write_text("a file where the folder should be", "utf-8")
    note_unexplained(SEEN, config, lambda: NOW)
