"""kb.cli.grammar.supply: arguments of inject and ledger."""

from __future__ import annotations

import pytest

from kb.cli.parser import parse
from kb.cli.usage import UsageError


def test_arguments() -> None:
    found = parse(["inject", "--task", "a", "--budget", "900", "--dry-run"], "en")
    assert (found.task, found.budget, found.dry_run, found.json) == ("a", 900, True, False)
    found = parse(["ledger", "feedback", "c-1", "--like", "--home", "/x"], "en")
    assert (found.action, found.card, found.like, found.home) == ("feedback", "c-1", True, "/x")
    assert parse(["ledger", "show", "-n", "5"], "zh").top == 5


@pytest.mark.parametrize(
    "words",
    [["inject"], ["inject", "--task", "a", "--budget", "0"], ["ledger"], ["ledger", "burn"],
     ["ledger", "feedback", "c", "--like", "--dislike"], ["ledger", "judge", "--task", "t"]],
)  # fmt: skip
def test_anything_else_is_a_usage_error(words: list[str]) -> None:
    with pytest.raises(UsageError):
        parse(words, "en")
