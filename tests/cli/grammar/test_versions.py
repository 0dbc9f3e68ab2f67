"""kb.cli.grammar.versions: the arguments of snapshot, diff, verify, publish, rollback, promote, retire, route."""

from __future__ import annotations

import pytest

from kb.cli.grammar.versions import percent
from kb.cli.parser import VERBS, parse
from kb.cli.usage import UsageError


def test_arguments() -> None:
    assert parse(["snapshot", "--bump", "patch", "-m", "x"], "en").bump == "patch"
    found = parse(["publish", "kb-1.0.0", "--weight", "20", "--at", "2026-12-01", "--env", "test"], "en")
    assert (found.tag, found.weight, found.at, found.env, found.agent) == ("kb-1.0.0", 20, "2026-12-01", "test", "")
    assert parse(["diff", "a"], "en").new == "HEAD"
    assert parse(["route", "show", "--user", "7", "--json"], "en").json is True
    assert parse(["rollback"], "en").to is None
    assert parse(["ask", "x", "--as-agent", "support", "--in-env", "test"], "en").as_agent == "support"
    assert parse(["ask", "x"], "en").as_user is None


@pytest.mark.parametrize(
    "words",
    [
        ["snapshot", "--bump", "huge"], ["snapshot", "--bump", "patch", "--version", "1.0.0"],
        ["publish", "--weight", "0"], ["publish", "--weight", "101"], ["publish", "--env", "live"],
        ["retire"], ["retire", "kb-1.0.0", "--unused"],
        ["route"], ["route", "move"], ["promote", "--to", "dev"], ["diff"], ["ask", "x", "--in-env", "live"],
    ],
)  # fmt: skip
def test_what_does_not_fit(words: list[str]) -> None:
    with pytest.raises(UsageError):
        parse(words, "en")


def test_a_share() -> None:
    assert percent("100") == 100
    for written in ("0", "101", "x", "1.5"):
        with pytest.raises(ValueError, match=written):
            percent(written)


def test_verbs_that_answer_read_the_live_release_and_verbs_about_versions_do_not() -> None:
    assert {name for name, verb in VERBS.items() if verb.serves} >= {"ask", "search", "lookup", "show", "history"}
    assert not any(VERBS[name].serves for name in ("snapshot", "publish", "diff", "verify", "rollback", "index"))
