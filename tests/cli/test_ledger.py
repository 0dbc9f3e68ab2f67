"""`almanac ledger`: verify, show, judge, feedback."""

from __future__ import annotations

import json
import sqlite3
from pathlib import Path

import pytest

from kb.errors import ExitCode
from tests.conftest import CommandLine
from tests.helpers import write
from tests.supply.card_helpers import card_text


@pytest.fixture
def used(cli: CommandLine, tree: Path) -> CommandLine:
    """A command line over a ledger with a task that was given one card."""
    write(tree, "cards/machinery/pump.yaml", card_text(valid_until="2199-12-31"))

    def run(*arguments: str) -> object:
        return cli(*arguments, "--knowledge", str(tree))

    assert cli("inject", "--task", "E-07 停机", "--id", "t-1", "--knowledge", str(tree)).code == 0
    return run  # type: ignore[return-value]


def test_verify_gives_a_head_that_can_be_checked_later(used: CommandLine) -> None:
    head = json.loads(used("ledger", "verify", "--json").out)
    assert (head["whole"], head["rows"]) == (True, 2)
    assert used("ledger", "verify", "--head", f"2:{head['head']}").code == ExitCode.OK
    other = used("ledger", "verify", "--head", f"2:{'0' * 64}")
    assert other.code == ExitCode.BAD_KNOWLEDGE
    assert "Row 2" in other.out
    assert used("ledger", "verify", "--head", "nonsense").code == ExitCode.USAGE


def test_a_changed_row_is_named(used: CommandLine, own_home: Path) -> None:
    path = own_home / "almanac" / "people" / "ledger.db"
    connection = sqlite3.connect(path)
    connection.executescript("DROP TRIGGER ledger_no_update; UPDATE ledger_rows SET tokens = 1 WHERE number = 2")
    connection.close()
    done = used("ledger", "verify")
    assert done.code == ExitCode.BAD_KNOWLEDGE
    assert "Row 2" in done.out
    assert str(path) in done.out


def test_what_a_task_wrote_is_judged(used: CommandLine, tmp_path: Path) -> None:
    text = write(tmp_path, "产出.md", "处理：E-07 停机后反复按复位键，直到启动。\n")
    found = json.loads(used("ledger", "judge", "--task", "t-1", "--text", str(text), "--json").out)
    assert [(one["card"], one["adopted"]) for one in found] == [("pump-e07-reset", False)]
    assert found[0]["evidence"][0]["relation"] == "does_dont"
    shown = used("ledger", "judge", "--task", "t-1", "--text", str(text), "--lang", "zh")
    assert "违背" in shown.out
    assert "反复按复位键" in shown.out
    assert used("ledger", "judge", "--task", "none", "--text", str(text)).code == ExitCode.USAGE
    assert used("ledger", "judge", "--task", "t-1", "--text", str(tmp_path / "none")).code == ExitCode.BAD_KNOWLEDGE


def test_feedback_is_for_what_exists(used: CommandLine) -> None:
    assert used("ledger", "feedback", "pump-e07-reset", "--dislike", "--note", "\x1b[31mwrong").code == ExitCode.OK
    assert used("ledger", "feedback", "machinery/pump/fault_codes_2025_v1.md", "--like").code == ExitCode.OK
    assert used("ledger", "feedback", "no-such-card", "--like").code == ExitCode.BAD_KNOWLEDGE
    assert used("ledger", "feedback", "../../etc/passwd", "--like").code == ExitCode.BAD_KNOWLEDGE
    assert used("ledger", "feedback", "pump-e07-reset").code == ExitCode.USAGE
    shown = used("ledger", "show", "--card", "pump-e07-reset")
    assert "-1" in shown.out
    assert "\x1b" not in shown.out


def test_an_empty_ledger_is_whole(cli: CommandLine, tree: Path) -> None:
    assert cli("ledger", "verify", "--knowledge", str(tree)).code == ExitCode.OK
    assert cli("ledger", "show", "--knowledge", str(tree)).code == ExitCode.NO_ANSWER
    assert cli("ledger", "--knowledge", str(tree)).code == ExitCode.USAGE
