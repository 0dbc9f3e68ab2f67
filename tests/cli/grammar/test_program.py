"""kb.cli.grammar.program: the arguments of doctor, self-test, completion."""

from __future__ import annotations

import pytest

from kb.cli.parser import parse
from kb.cli.usage import UsageError


def test_arguments() -> None:
    assert parse(["doctor", "--json"], "en").json is True
    assert parse(["completion", "zsh"], "en").shell == "zsh"
    assert parse(["self-test"], "en").patience == 60
    assert parse(["self-test", "--patience", "900"], "en").patience == 900
    with pytest.raises(UsageError):
        parse(["self-test", "--patience", "0"], "en")
    with pytest.raises(UsageError):
        parse(["completion", "cmd"], "en")


def test_the_entry_in_the_menu() -> None:
    found = parse(["desktop", "install", "--icon", "--all-users"], "en")
    assert (found.action, found.icon, found.all_users) == ("install", True, True)
    assert parse(["desktop", "remove"], "en").all_users is False
