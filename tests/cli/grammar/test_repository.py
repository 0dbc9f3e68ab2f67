"""kb.cli.grammar.repository: the arguments of check, new, normalise, kb, report."""

from __future__ import annotations

from kb.cli.parser import parse


def test_check() -> None:
    found = parse(["check", "a", "b.md", "--fix"], "en")
    assert (found.paths, found.fix, found.all, found.json) == (["a", "b.md"], True, False, False)
