"""kb.cli.grammar.agent: the arguments of agent and tools."""

from __future__ import annotations

import pytest

from kb.cli.parser import parse
from kb.cli.usage import UsageError


def test_defaults_and_options() -> None:
    found = parse(["agent", "why", "order", "123"], "en")
    assert (found.question, found.steps, found.seconds, found.data, found.json) == (
        ["why", "order", "123"],
        8,
        30,
        None,
        False,
    )
    found = parse(["agent", "q", "--steps", "3", "--seconds", "2.5", "--data", "d", "--json", "--no-model"], "en")
    assert (found.steps, found.seconds, found.data, found.no_model) == (3, 2.5, "d", True)
    assert parse(["tools", "--json"], "en").json


@pytest.mark.parametrize(
    "words",
    [
        ["agent"], ["agent", "q", "--steps", "0"], ["agent", "q", "--steps", "51"], ["agent", "q", "--steps", "x"],
        ["agent", "q", "--seconds", "0"], ["agent", "q", "--seconds", "nan"], ["agent", "q", "--seconds", "1e9"],
        ["tools", "x"],
    ],
)  # fmt: skip
def test_what_does_not_fit_is_refused(words: list[str]) -> None:
    with pytest.raises(UsageError):
        parse(words, "en")
