"""What a run that lasts looks after: the program's file, its runtime, what it unpacked."""

from __future__ import annotations

import sys
from pathlib import Path

import pytest

from kb import installed, paths

# Stands for the launcher: a start unpacks the runtime.
_PROGRAM = '#!/bin/sh\n[ "$1" = --home ] && [ "$3" = --version ] && : > "${0%/*}/runtime/almanac"\n'


@pytest.fixture
def program(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """A packed program that runs, with a runtime."""
    file = tmp_path / "almanac"
    file.write_text(_PROGRAM)
    file.chmod(0o755)
    (tmp_path / "runtime" / "_internal").mkdir(parents=True)
    (tmp_path / "runtime" / "almanac").touch()
    monkeypatch.setattr(sys, "frozen", True, raising=False)
    monkeypatch.setattr(sys, "_MEIPASS", str(tmp_path / "runtime" / "_internal"), raising=False)
    monkeypatch.setattr(sys, "argv", [str(file)])
    return file


@pytest.fixture
def unpacked(monkeypatch: pytest.MonkeyPatch) -> list[Path]:
    """The homes in which what came with the program was looked at."""
    homes: list[Path] = []
    monkeypatch.setattr(paths, "find_assets", homes.append)
    return homes


def _replace(program: Path) -> None:
    program.rename(program.with_name("kept"))
    program.write_bytes(b"a newer one")


def test_another_file_in_the_place_of_the_program_is_seen(program: Path) -> None:
    watch = installed.Watch()
    assert not watch.is_replaced()
    program.rename(program.with_name("kept"))
    assert not watch.is_replaced(), "a stick that was pulled"
    program.write_bytes(b"new")
    assert watch.is_replaced()
    assert not installed.Watch().is_replaced()


def test_a_runtime_that_is_gone_is_unpacked_by_a_start(program: Path, tmp_path: Path, unpacked: list[Path]) -> None:
    put_back = installed.putting_back(tmp_path / "home")
    runtime = tmp_path / "runtime" / "almanac"
    runtime.unlink()
    put_back()
    assert runtime.exists() and unpacked == [tmp_path / "home"]


def test_a_start_that_fails_is_no_second_fault(program: Path, tmp_path: Path, unpacked: list[Path]) -> None:
    program.chmod(0o644)
    put_back = installed.putting_back(tmp_path)
    (tmp_path / "runtime" / "almanac").unlink()
    put_back()
    assert unpacked == [tmp_path]


def test_only_what_this_very_program_unpacked_is_put_back(program: Path, tmp_path: Path, unpacked: list[Path]) -> None:
    put_back = installed.putting_back(tmp_path)
    put_back()
    _replace(program)
    put_back()
    assert unpacked == [tmp_path]


def test_in_a_source_checkout_there_is_nothing_to_look_after(tmp_path: Path) -> None:
    watch = installed.Watch()
    watch.put_back(tmp_path / "none")
    assert not watch.is_replaced() and not (tmp_path / "none").exists()
