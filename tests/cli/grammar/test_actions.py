"""kb.cli.grammar.actions: verbs with actions of their own."""

from __future__ import annotations

import pytest

from kb.cli.parser import build, parse
from kb.cli.usage import UsageError


@pytest.mark.parametrize(
    "words",
    [
        ["kb", "status", "--knowledge", "x", "--json"],
        ["kb", "--knowledge", "x", "status", "--json"],
        ["--knowledge", "x", "kb", "status", "--json"],
    ],
)
def test_what_is_understood_everywhere_may_stand_anywhere(words: list[str]) -> None:
    found = parse(words, "en")
    assert (found.verb, found.action, found.knowledge, found.json) == ("kb", "status", "x", True)


def test_an_action_is_needed_and_must_exist() -> None:
    for words in (["kb"], ["kb", "dance"], ["kb", "status", "--wrong"]):
        with pytest.raises(UsageError):
            parse(words, "en")


def test_what_is_for_programs_stands_in_no_help(capsys: pytest.CaptureFixture[str]) -> None:
    with pytest.raises(SystemExit):
        build("en").parse_args(["kb", "--help"])
    shown = capsys.readouterr().out
    assert "changes" in shown
    assert "check-staged" not in shown
    assert parse(["kb", "check-staged"], "en").action == "check-staged"
