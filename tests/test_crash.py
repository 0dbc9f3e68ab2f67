"""kb.crash: a report for whoever maintains the machine."""

from __future__ import annotations

import os
from pathlib import Path

import pytest

from kb import crash, fsio
from kb.errors import AlmanacError
from tests.helpers import PROJECT


def _fault(message: str) -> Exception:
    try:
        raise ValueError(message)
    except ValueError as error:
        return error


def test_a_report_says_where_and_nothing_of_the_person(own_home: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """No question, no document, no folder, no name, no environment, no command line."""
    monkeypatch.setenv("BARN_SECRET", "s3cr3t-value")
    monkeypatch.setattr("sys.argv", ["almanac", "ask", "why does my cow limp"])
    try:
        try:
            raise KeyError(f"奶牛跛行 {own_home}/file token=abc123")
        except KeyError as inner:
            raise ValueError("why does my cow limp") from inner
    except ValueError as error:
        saved = crash.save_report(error, None, os.environ)
    assert saved is not None
    report = saved.read_text()
    for wanted in ("ValueError", "KeyError", "tests/test_crash.py:", "in test_a_report_says_where_and"):
        assert wanted in report
    secrets = ("cow", "limp", "奶牛", "abc123", "s3cr3t", str(own_home), str(Path.home()), str(PROJECT))
    assert [secret for secret in secrets if secret in report] == []


def test_an_error_of_the_system_keeps_its_number_not_its_file(own_home: Path) -> None:
    saved = crash.save_report(OSError(5, "Input/output error", f"{own_home}/farm.md"), None, os.environ)
    assert saved is not None
    assert "OSError: errno 5" in saved.read_text()
    assert "farm" not in saved.read_text()


def test_an_endless_recursion_makes_a_short_report(own_home: Path) -> None:
    def again() -> None:
        again()

    try:
        again()
    except RecursionError as error:
        saved = crash.save_report(error, None, os.environ)
    assert saved is not None
    report = saved.read_text()
    assert "more" in report
    assert len(report.splitlines()) < 60


def test_after_the_clock_went_back_the_newest_reports_stay(own_home: Path) -> None:
    folder = own_home / "almanac" / "reports"
    folder.mkdir(parents=True)
    for number in range(crash.KEPT):
        (folder / f"report-29991231-0000{number:02d}.txt").write_text("from a clock that was wrong")
    saved = [crash.save_report(_fault("now"), None, os.environ) for _ in range(3)]
    assert len({path for path in saved if path is not None and path.is_file()}) == 3
    assert len(list(folder.iterdir())) == crash.KEPT


def test_ten_reports_are_kept(own_home: Path) -> None:
    folder = own_home / "almanac" / "reports"
    folder.mkdir(parents=True)
    for number in range(15):
        (folder / f"report-20200101-0000{number:02d}.txt").write_text("old")
    saved = crash.save_report(_fault("new"), None, os.environ)
    left = sorted(entry.name for entry in folder.iterdir())
    assert len(left) == crash.KEPT
    assert saved is not None
    assert saved.name in left


def test_a_named_home_gets_the_report(own_home: Path, tmp_path: Path) -> None:
    saved = crash.save_report(_fault("x"), str(tmp_path / "stick"), os.environ)
    assert saved is not None
    assert saved.parent == tmp_path / "stick" / "reports"
    assert not (own_home / "almanac").exists()


@pytest.mark.parametrize("refusal", [AlmanacError("disk_full", path="/x", free=0), OSError(28, "full")])
def test_a_report_that_cannot_be_saved_is_no_second_fault(monkeypatch: pytest.MonkeyPatch, refusal: Exception) -> None:
    def refuse(*_: object) -> None:
        raise refusal

    monkeypatch.setattr(fsio, "write_text", refuse)
    assert crash.save_report(_fault("x"), None, os.environ) is None
