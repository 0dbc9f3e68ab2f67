"""kb.cli.grammar.kiosk: the verb's actions, and what the interface is told."""

from __future__ import annotations

import argparse

import pytest

from kb.cli.grammar.kiosk import interface_options
from kb.cli.parser import parse
from kb.cli.usage import UsageError


def test_the_pin_and_the_status() -> None:
    assert parse(["kiosk", "pin"], "en").remove is False
    assert parse(["kiosk", "pin", "--remove", "--home", "h"], "en").home == "h"
    assert parse(["kiosk", "status", "--json"], "en").json is True


@pytest.mark.parametrize("words", [["kiosk"], ["kiosk", "pin", "83561"], ["kiosk", "pni"], ["kiosk", "status", "x"]])
def test_what_does_not_fit_is_refused(words: list[str]) -> None:
    """A PIN is no argument: it would stand in the history of the shell and in the list of processes."""
    with pytest.raises(UsageError):
        parse(words, "en")


def test_what_nobody_said_is_none_so_that_the_settings_stand() -> None:
    parser = argparse.ArgumentParser()
    interface_options(parser, str)
    assert vars(parser.parse_args([])) == {"kiosk": None, "idle": None, "keep_gaps": None}
    assert vars(parser.parse_args(["--no-kiosk", "--idle", "30", "--keep-gaps"])) == {
        "kiosk": False, "idle": 30, "keep_gaps": True,
    }  # fmt: skip
