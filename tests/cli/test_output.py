"""kb.cli.output: results to standard output, progress to a terminal only, nothing raw."""

from __future__ import annotations

import datetime
import io
import json
import sys
from pathlib import Path

import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

from kb.cli.output import Output, parse_day
from kb.config import Config
from kb.errors import AlmanacError, ExitCode
from tests.helpers import raw_controls

OUTPUT = Output(Config(home=Path("/h"), knowledge=Path("/k"), lang="en"))


@settings(suppress_health_check=[HealthCheck.function_scoped_fixture])
@given(text=st.text(st.characters(codec="utf-8"), max_size=40))
def test_nothing_raw_is_written(capsys: pytest.CaptureFixture[str], text: str) -> None:
    OUTPUT.say(text)
    assert not raw_controls(capsys.readouterr().out)
    OUTPUT.json({"text": text, "list": [text]})
    out = capsys.readouterr().out
    assert not raw_controls(out)
    assert json.loads(out) == {"text": text, "list": [text]}


def test_json_keeps_chinese_readable(capsys: pytest.CaptureFixture[str]) -> None:
    OUTPUT.json({"day": datetime.date(2026, 1, 2), "text": "大豆\x9b"})
    out = capsys.readouterr().out
    assert "大豆" in out
    assert "2026-01-02" in out
    assert "\\u009b" in out.lower()


class _Terminal(io.StringIO):
    def isatty(self) -> bool:
        return True


def test_progress_is_silent_without_a_terminal(monkeypatch: pytest.MonkeyPatch) -> None:
    plain = io.StringIO()
    monkeypatch.setattr(sys, "stderr", plain)
    progress = OUTPUT.progress()
    progress("index", 1, 9)
    progress.clear()
    assert plain.getvalue() == ""


def test_progress_says_what_how_far_and_how_long_and_goes_away(monkeypatch: pytest.MonkeyPatch) -> None:
    terminal = _Terminal()
    monkeypatch.setattr(sys, "stderr", terminal)
    now = 100.0
    monkeypatch.setattr("kb.cli.output.time.monotonic", lambda: now)
    progress = OUTPUT.progress()
    progress("index", 0, 100)
    now = 102.0
    progress("index", 25, 100)
    assert "Reading documents 25% 6 s" in terminal.getvalue()
    progress("index", 100, 100)
    assert terminal.getvalue().endswith("\r")


def test_days() -> None:
    assert parse_day(None) is None
    assert parse_day("2026-11-29") == datetime.date(2026, 11, 29)
    for wrong in ("2026-02-30", "tomorrow", "", "29.11.2026"):
        with pytest.raises(AlmanacError) as caught:
            parse_day(wrong)
        assert caught.value.exit_code is ExitCode.USAGE
