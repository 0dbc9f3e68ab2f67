"""What a run that lasts looks after: the program's file, its runtime, what it unpacked."""

from __future__ import annotations

import sys
from pathlib import Path

import pytest

from kb import installed, paths


@pytest.fixture
def program(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """A packed program that runs, with a runtime."""
    file = tmp_path / "almanac"
    file.write_bytes(b"old")
    (tmp_path / "runtime" / "_internal").mkdir(parents=True)
    (tmp_path / "runtime" / "almanac").touch()
    monkeypatch.setattr(sys, "frozen", True, raising=False)
    monkeypatch.setattr(sys, "_MEIPASS", str(tmp_path / "runtime" / "_internal"), raising=False)
    monkeypatch.setattr(sys, "argv", [str(file)])
    return file


def test_another_file_in_the_place_of_the_program_is_seen(program: Path) -> None:
    watch = installed.Watch()
    assert not watch.is_replaced
    program.rename(program.with_name("kept"))
    assert not watch.is_replaced and not watch.wants_start(), "a stick that was pulled"
    program.write_bytes(b"new")
    assert watch.is_replaced and watch.wants_start()
    assert not installed.Watch().wants_start()


def test_a_runtime_that_is_gone_wants_a_new_start_where_there_is_a_program_to_start(program: Path) -> None:
    watch = installed.Watch()
    assert not watch.wants_start()
    (program.parent / "runtime" / "almanac").unlink()
    assert watch.lacks_runtime and watch.wants_start()
    program.unlink()
    assert not watch.wants_start()


def test_only_what_this_very_program_unpacked_is_put_back(
    program: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    asked: list[Path] = []
    monkeypatch.setattr(paths, "find_assets", asked.append)
    put_back = installed.putting_back(tmp_path)
    put_back()
    assert asked == [tmp_path]
    program.rename(program.with_name("kept"))
    program.write_bytes(b"a newer one")
    put_back()
    assert asked == [tmp_path]


def test_in_a_source_checkout_there_is_nothing_to_look_after(tmp_path: Path) -> None:
    watch = installed.Watch()
    watch.put_back(tmp_path / "none")
    assert not watch.wants_start() and not (tmp_path / "none").exists()
