"""kb.cli.review: looking at proposals, accepting and rejecting them."""

from __future__ import annotations

import datetime
import json
from pathlib import Path

import pytest

from kb.supply.proposals import Proposals
from kb.supply.roster import FILE_NAME
from kb.versions.git import Git
from kb.versions.plumbing import Repository
from tests.conftest import CommandLine
from tests.helpers import git, has_git, raw_controls, write
from tests.supply.card_helpers import PATH, ROSTER, card_text, repository

pytestmark = pytest.mark.skipif(not has_git(), reason="there is no git program on this machine")


@pytest.fixture
def root(tmp_path: Path) -> Path:
    root = repository(tmp_path / "knowledge", **{"pump-e07-reset": card_text()})
    write(root, FILE_NAME, ROSTER)
    git(root, "add", ".")
    git(root, "commit", "--quiet", "-m", "roster")
    return root


def propose(root: Path, text: str, path: str, name: str, reviewer: str = "machinery-desk") -> None:
    Proposals(Repository.open(root, Git.find(None))).propose(
        name, {path: text.encode()}, f"docs(cards): propose {name}", reviewer=reviewer, origin="event e1",
        author="Almanac distiller", now=datetime.datetime.now(datetime.UTC),
    )  # fmt: skip


def test_from_list_to_decision(cli: CommandLine, root: Path) -> None:
    where = ("--knowledge", str(root))
    assert "Nothing waits" in cli("review", "list", *where).out
    propose(root, card_text(title="改了"), PATH, "change-1")
    propose(root, card_text(id="new", status="draft", confidence="low"), "cards/machinery/new.yaml", "new-1")
    assert [one["name"] for one in json.loads(cli("review", "list", "--json", *where).out)["proposals"]] == [
        "change-1",
        "new-1",
    ]
    assert "Nothing waits" in cli("review", "list", "--reviewer", "irrigation-desk", *where).out
    shown = cli("review", "show", "change-1", *where)
    assert "+title: 改了" in shown.out
    assert "Reviewer: machinery-desk" in shown.out
    found = json.loads(cli("review", "show", "new-1", "--json", *where).out)
    assert (found["files"][0]["new"], found["files"][0]["findings"]) == (True, [])
    assert "staging" in cli("review", "accept", "new-1", *where).out
    assert git(root, "log", "-1", "--format=%an") == "machinery-desk\n"
    assert cli("review", "reject", "change-1", *where).code == 2
    rejected = cli(
        "review", "reject", "change-1", "--reason", "只发生过一次", "--by", "irrigation-desk", "--lang", "zh", *where
    )
    assert "rejected/change-1" in rejected.out
    assert "Nothing waits" in cli("review", "list", *where).out
    assert git(root, "status", "--porcelain") == ""


def test_what_cannot_be_done_is_said(cli: CommandLine, root: Path, empty_tree: Path) -> None:
    where = ("--knowledge", str(root))
    assert cli("review", "show", "--", "--output=x", *where).code == 2
    assert cli("review", "show", "../x", *where).code == 4
    assert cli("review", "list", "--knowledge", str(empty_tree)).code == 4
    propose(root, card_text(owner="nobody"), PATH, "bad-1")
    done = cli("review", "accept", "bad-1", *where)
    assert done.code == 4
    assert "1 errors" in done.err
    assert "the owner nobody is not in roster.yaml" in cli("review", "show", "bad-1", *where).out
    assert cli("review", "accept", "bad-1", "--by", "a person", *where).code == 2


def test_nothing_of_a_proposal_reaches_the_terminal_as_a_command(cli: CommandLine, root: Path) -> None:
    evil = card_text(title='"\\e]52;c;x\\a"') + "# \x1b[2J\x9b1m\n"
    propose(root, evil, PATH, "evil-1", reviewer="\x1b]0;x\x07")
    for action in (["list"], ["show", "evil-1"], ["show", "evil-1", "--json"], ["accept", "evil-1"]):
        done = cli("review", *action, "--knowledge", str(root))
        assert not raw_controls(done.out + done.err)
