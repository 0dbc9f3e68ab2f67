"""kb.cli.version_wiring: which repository, who acts, when."""

from __future__ import annotations

import argparse
import datetime
from dataclasses import replace
from pathlib import Path

import pytest

from kb.cli.version_wiring import moment, source_of, who
from kb.config import Config
from kb.errors import AlmanacError, ExitCode
from tests.conftest import Published


def _config(home: Path, knowledge: Path) -> Config:
    return Config(home=home, knowledge=knowledge, lang="en", environment={"USER": "field-desk"})


def _arguments(**values: object) -> argparse.Namespace:
    return argparse.Namespace(**{"knowledge": None, "by": None, "why": "", **values})


def test_a_moment_of_the_command_line() -> None:
    assert moment(None) is None
    assert moment("2026-12-01T06:00+08:00") == datetime.datetime(2026, 11, 30, 22, tzinfo=datetime.UTC)
    local = moment("2026-12-01")
    assert local is not None
    assert local.astimezone().hour == 0
    with pytest.raises(AlmanacError) as caught:
        moment("soon")
    assert caught.value.exit_code == ExitCode.USAGE


def test_who_acts(tmp_path: Path) -> None:
    config = _config(tmp_path, tmp_path)
    assert who(_arguments(by="x"), config) == "x"
    assert who(_arguments(), config) == "field-desk"
    assert who(_arguments(), replace(config, environment={})) == "almanac"


def test_the_tree_of_the_newest_snapshot_is_meant_unless_another_is_named(published: Published, tmp_path: Path) -> None:
    config = _config(published.home, tmp_path)
    with pytest.raises(AlmanacError):
        source_of(_arguments(), config)
    published.make()
    assert source_of(_arguments(), config) == published.source
    assert source_of(_arguments(knowledge=str(published.source.root)), replace(config, knowledge=published.source.root))
