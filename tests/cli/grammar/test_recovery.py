"""kb.cli.grammar.recovery: the arguments of backup and restore."""

from __future__ import annotations

import pytest

from kb.cli.parser import parse
from kb.cli.usage import UsageError


def test_arguments() -> None:
    assert parse(["backup"], "en").folder is None
    found = parse(["backup", "/media/usb", "--keep", "3", "--days", "30", "--verify", "--json"], "en")
    assert (found.folder, found.keep, found.days, found.verify, found.json) == ("/media/usb", 3, 30, True, True)
    found = parse(["restore", "x.bundle", "--into", "y", "-y"], "en")
    assert (found.source, found.into, found.yes) == ("x.bundle", "y", True)
    with pytest.raises(UsageError):
        parse(["restore"], "en")
