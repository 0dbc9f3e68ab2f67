"""kb.cli.grammar.update: the arguments of update."""

from __future__ import annotations

import pytest

from kb.cli.parser import parse
from kb.cli.usage import UsageError


def test_arguments() -> None:
    found = parse(["update"], "en")
    assert (found.action, found.target, found.places, found.only, found.yes) == (None, None, [], None, False)
    found = parse(["update", "check", "--from", "/media/a", "--from", "b", "--only", "program", "--json"], "en")
    assert (found.action, found.places, found.only, found.json) == ("check", ["/media/a", "b"], "program", True)
    found = parse(["update", "make", "/media/a", "--tag", "1.0.0"], "en")
    assert (found.action, found.target, found.tag) == ("make", "/media/a", "1.0.0")
    found = parse(["update", "--allow-older", "--allow-unrelated", "-y", "--undo"], "en")
    assert (found.allow_older, found.allow_unrelated, found.yes, found.undo) == (True, True, True, True)


@pytest.mark.parametrize("words", [["update", "install"], ["update", "--only", "git"], ["update", "--from"]])
def test_what_does_not_fit_is_refused(words: list[str]) -> None:
    with pytest.raises(UsageError):
        parse(words, "en")
