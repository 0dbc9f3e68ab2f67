"""kb.cli.grammar.knowledge: the arguments of show, history, index."""

from __future__ import annotations

from kb.cli.parser import parse


def test_arguments() -> None:
    assert parse(["show", "a/b.md"], "en").path == "a/b.md"
    assert parse(["history"], "en").path is None
    assert parse(["history", "a.md", "--top", "3"], "en").top == 3
    assert parse(["index", "--write"], "en").write is True
