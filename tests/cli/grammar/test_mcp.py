"""kb.cli.grammar.mcp: what `almanac mcp` understands."""

from __future__ import annotations

import pytest

from kb.cli.parser import parse
from kb.cli.usage import UsageError


def test_a_server_with_its_options() -> None:
    found = parse(["mcp", "db", "--database", "farm.sqlite", "--agent", "agronomy-desk"], "en")
    assert (found.verb, found.server, found.database, found.agent, found.folder) == (
        "mcp", "db", "farm.sqlite", "agronomy-desk", None,
    )  # fmt: skip


@pytest.mark.parametrize("words", [["mcp"], ["mcp", "all"], ["mcp", "kb", "db"]])
def test_anything_else_is_a_usage_error(words: list[str]) -> None:
    with pytest.raises(UsageError):
        parse(words, "zh")
