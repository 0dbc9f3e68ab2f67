"""kb.cli.grammar.memory: the actions of `memory` and their options."""

from __future__ import annotations

import pytest

from kb.cli.parser import parse
from kb.cli.usage import UsageError


def test_actions() -> None:
    found = parse(["memory", "search", "水泵", "功率", "--entity", "a", "--entity", "b", "-n", "3", "--json"], "en")
    assert (found.action, found.query, found.entity, found.top, found.json) == (
        "search",
        ["水泵", "功率"],
        ["a", "b"],
        3,
        True,
    )
    assert parse(["memory", "audit"], "zh").sample == 20
    assert parse(["memory", "review", "accept", "3", "4"], "en").number == [3, 4]
    assert parse(["memory", "documents", "--home", "/x"], "en").home == "/x"


@pytest.mark.parametrize(
    "words", [[], ["nothing"], ["review", "maybe"], ["undo"], ["write", "x"], ["search", "x", "-n", "0"]]
)
def test_wrong_use(words: list[str]) -> None:
    with pytest.raises(UsageError):
        parse(["memory", *words], "en")
