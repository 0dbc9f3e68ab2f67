"""kb.cli.cards: looking at cards, checking them, beginning one."""

from __future__ import annotations

import json
from pathlib import Path

import pytest

from kb.supply.roster import FILE_NAME
from tests.conftest import CommandLine
from tests.helpers import PROJECT, git, has_git, raw_controls, write
from tests.supply.card_helpers import CARD, PATH, ROSTER, card_text

DOCS = str(PROJECT / "docs")


@pytest.fixture
def root(empty_tree: Path) -> Path:
    write(empty_tree, FILE_NAME, ROSTER)
    write(empty_tree, "machinery/pump/controller/fault_codes_2025_v1.md", "# E-07\n")
    write(empty_tree, PATH, CARD)
    return empty_tree


def test_the_sample_cards(cli: CommandLine) -> None:
    assert cli("cards", "check", "--on", "2026-11-30", "--knowledge", DOCS).code == 0
    listed = json.loads(cli("cards", "list", "--area", "machinery", "--json", "--knowledge", DOCS).out)
    assert listed["schema"] == 1
    assert {card["area"] for card in [{**card, "area": card["path"].split("/")[1]} for card in listed["cards"]]} == {
        "machinery"
    }


def test_listing_marks_what_expired(cli: CommandLine, root: Path) -> None:
    assert "expired 2026-07-30" in cli("cards", "list", "--on", "2026-08-01", "--knowledge", str(root)).out
    assert "expired" not in cli("cards", "list", "--on", "2026-07-30", "--knowledge", str(root)).out
    assert cli("cards", "list", "--status", "draft", "--knowledge", str(root)).code == 3
    assert "已过期" in cli("cards", "list", "--on", "2026-08-01", "--lang", "zh", "--knowledge", str(root)).out


def test_one_card(cli: CommandLine, root: Path) -> None:
    shown = cli("cards", "show", "pump-e07-reset", "--knowledge", str(root))
    assert PATH in shown.out
    assert "# tried in the field" in shown.out
    found = json.loads(cli("cards", "show", "pump-e07-reset", "--json", "--knowledge", str(root)).out)
    assert (found["id"], found["valid_until"], len(found["version"])) == ("pump-e07-reset", "2026-07-30", 12)
    assert cli("cards", "show", "../../etc/passwd", "--knowledge", str(root)).code == 4


def test_check_names_file_line_and_reason(cli: CommandLine, root: Path) -> None:
    write(root, "cards/machinery/bad.yaml", card_text(id="../x", type="trick"))
    done = cli("cards", "check", "--knowledge", str(root))
    assert done.code == 4
    assert "cards/machinery/bad.yaml:2: error: the id ../x is not allowed" in done.out
    assert "cards/machinery/bad.yaml:3: error: type: trick is none of spec," in done.out
    assert cli("cards", "check", str(root / PATH), "--knowledge", str(root)).code == 0
    found = json.loads(cli("cards", "check", "cards/machinery/bad.yaml", "--json", "--knowledge", str(root)).out)
    assert (found["errors"], found["findings"][0]["rule"]) == (2, "card_bad_id")
    assert cli("cards", "check", "nothing.yaml", "--knowledge", str(root)).code == 2
    assert "1 files with errors" in cli("cards", "list", "--knowledge", str(root)).out


def test_warnings_alone_are_no_failure(cli: CommandLine, root: Path) -> None:
    write(root, PATH, card_text(conclusion="注意安全"))
    done = cli("cards", "check", "--lang", "zh", "--knowledge", str(root))
    assert (done.code, "提醒" in done.out) == (0, True)


def test_a_new_card_is_written_once(cli: CommandLine, root: Path) -> None:
    done = cli("cards", "new", "农机/pump-x", "--owner", "irrigation-desk", "--title", "标题", "--knowledge", str(root))
    assert done.code == 0
    text = (root / "cards" / "农机" / "pump-x.yaml").read_text("utf-8")
    assert "title: 标题\n" in text
    assert cli("cards", "new", "b/pump-x", "--knowledge", str(root)).code == 4
    assert cli("cards", "new", "农机/pump-x", "--knowledge", str(root)).code == 4
    assert cli("cards", "new", "a/y", "--owner", "nobody", "--knowledge", str(root)).code == 2
    assert cli("cards", "new", "../y", "--knowledge", str(root)).code == 4
    assert cli("cards", "check", "--knowledge", str(root)).code == 4


def test_counts(cli: CommandLine, root: Path) -> None:
    found = json.loads(cli("cards", "stats", "--on", "2026-07-20", "--json", "--knowledge", str(root)).out)
    assert (found["cards"], found["expired"], found["expiring"], found["due"], found["injected"]) == (1, 0, 1, 1, 4)
    assert found["by"]["layer"] == {"scenario": 1}
    assert "handed out: 4" in cli("cards", "stats", "--knowledge", str(root)).out


def test_nothing_of_a_card_reaches_the_terminal_as_a_command(cli: CommandLine, root: Path) -> None:
    write(root, "cards/machinery/evil.yaml", card_text(id="evil", title='"\\e]52;c;x\\a[/]"', owner='"\\u009b2J"'))
    for action in (["list"], ["show", "evil"], ["check"], ["stats"], ["list", "--json"]):
        assert not raw_controls(cli("cards", *action, "--knowledge", str(root)).out)


@pytest.mark.skipif(not has_git(), reason="there is no git program on this machine")
def test_a_card_that_a_person_changed_is_not_due(cli: CommandLine, root: Path) -> None:
    where = ("--on", "2026-12-01", "--due", "--knowledge", str(root))
    assert cli("cards", "list", *where).code == 0
    git(root, "init", "--quiet")
    git(root, "add", ".")
    git(root, "commit", "--quiet", "-m", "x", "--date", "2026-11-20T00:00:00Z")
    none = cli("cards", "list", *where)
    assert (none.code, none.out) == (3, "No card is like that.\n")
    assert cli("cards", "list", "--on", "2027-02-01", "--due", "--knowledge", str(root)).code == 0
