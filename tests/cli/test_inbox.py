"""`almanac inbox`: what waits, and deciding it."""

from __future__ import annotations

import json
from pathlib import Path

import pytest

from kb.errors import ExitCode
from tests.conftest import CommandLine
from tests.supply.card_helpers import card_text, repository

pytestmark = pytest.mark.slow


@pytest.fixture
def root(tmp_path: Path) -> Path:
    return repository(tmp_path / "knowledge with cards", **{"pump-e07-reset": card_text(valid_until="2199-12-31")})


def test_a_dislike_waits_until_it_is_decided(cli: CommandLine, root: Path) -> None:
    where = ("--knowledge", str(root))
    assert cli("inbox", *where).code == ExitCode.NO_ANSWER
    assert cli("ledger", "feedback", "pump-e07-reset", "--dislike", "--note", "\x1b[31m滤网干净", *where).code == 0
    shown = cli("inbox", "--lang", "zh", *where)
    assert shown.code == ExitCode.OK
    assert "滤网干净" in shown.out
    assert "\x1b" not in shown.out
    (item,) = json.loads(cli("inbox", "--json", *where).out)
    assert (item["queue"], item["id"], item["against"]) == ("negative", "pump-e07-reset", 1)
    assert cli("inbox", "renew", "pump-e07-reset", *where).code == ExitCode.OK
    assert cli("inbox", *where).code == ExitCode.NO_ANSWER
    assert cli("inbox", "archive", "pump-e07-reset", *where).code == ExitCode.OK


def test_wrong_uses_are_said(cli: CommandLine, root: Path, tree: Path) -> None:
    assert cli("inbox", "renew", "--knowledge", str(root)).code == ExitCode.USAGE
    assert cli("inbox", "burn", "--knowledge", str(root)).code == ExitCode.USAGE
    assert cli("inbox", "archive", "none", "--knowledge", str(root)).code == ExitCode.BAD_KNOWLEDGE
    assert cli("inbox", "archive", "none", "--knowledge", str(tree)).code != ExitCode.INTERNAL


def test_the_board(cli: CommandLine, root: Path) -> None:
    found = json.loads(cli("inbox", "board", "--json", "--knowledge", str(root)).out)
    assert found[0]["added"] == 1
    assert "1 cards added" in cli("inbox", "board", "--knowledge", str(root)).out
