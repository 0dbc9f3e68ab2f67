"""kb.crash: a report for whoever maintains the machine."""

from __future__ import annotations

import os
from pathlib import Path

import pytest

from kb import crash, fsio
from kb.errors import AlmanacError


def _fault(message: str) -> Exception:
    try:
        raise ValueError(message)
    except ValueError as error:
        return error


def test_a_report_says_where_without_secrets(own_home: Path) -> None:
    error = _fault(f"token=abc123 in {own_home}/file")
    saved = crash.save_report(error, None, os.environ)
    assert saved is not None
    report = saved.read_text()
    assert "ValueError" in report
    assert "test_crash.py" in report
    assert "abc123" not in report
    assert str(own_home) not in report


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
