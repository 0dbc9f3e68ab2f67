"""kb.cli.cards_distill: judging events from the command line."""

from __future__ import annotations

import json
from pathlib import Path

import pytest

from tests.conftest import CommandLine
from tests.helpers import git, has_git, raw_controls, write
from tests.supply.card_helpers import card_text, repository

pytestmark = pytest.mark.skipif(not has_git(), reason="there is no git program on this machine")
WORTH = {
    "id": "i-1",
    "kind": "incident",
    "request": "弯头爆裂。",
    "comments": ["水锤导致，停泵先关出水阀 30 s 再断电。"],
}
NOTHING = {"id": "d-1", "kind": "delivery", "comments": ["已改。"]}


@pytest.fixture
def root(tmp_path: Path) -> Path:
    return repository(tmp_path / "knowledge", one=card_text(id="one"))


def _file(tmp_path: Path, *events: object, indent: int | None = None) -> str:
    text = "\n".join(json.dumps(event, ensure_ascii=False, indent=indent) for event in events)
    return str(write(tmp_path, "事件.jsonl", text + "\n"))


def test_a_decision_with_its_reason_and_the_draft(cli: CommandLine, root: Path, tmp_path: Path) -> None:
    done = cli("cards", "distill", _file(tmp_path, WORTH, NOTHING), "--knowledge", str(root), "--lang", "zh")
    assert done.code == 0
    assert "i-1  SHOULD_SAVE: yes  原因和做法都清楚" in done.out
    assert "d-1  SHOULD_SAVE: no  没有可复用的结论" in done.out
    assert "conclusion: 水锤导致，停泵先关出水阀 30 s 再断电" in done.out
    assert git(root, "branch", "--list", "proposal/*") == ""


def test_nothing_worth_it(cli: CommandLine, root: Path, tmp_path: Path) -> None:
    assert cli("cards", "distill", _file(tmp_path, NOTHING, indent=1), "--knowledge", str(root)).code == 3


def test_proposing(cli: CommandLine, root: Path, tmp_path: Path) -> None:
    file = _file(tmp_path, WORTH)
    found = json.loads(cli("cards", "distill", file, "--propose", "--json", "--knowledge", str(root)).out)["events"][0]
    assert found["should_save"] is True
    assert found["evidence"][0]["source"] == "comments[0]"
    assert f"proposal/{found['proposal']}" in git(root, "branch", "--list", "proposal/*")
    cli("review", "reject", found["proposal"], "--reason", "no", "--knowledge", str(root))
    assert "Not proposed" in cli("cards", "distill", file, "--propose", "--knowledge", str(root)).out


def test_bad_files(cli: CommandLine, root: Path, tmp_path: Path) -> None:
    where = ("--knowledge", str(root))
    assert cli("cards", "distill", str(tmp_path / "none"), *where).code == 5
    assert cli("cards", "distill", str(write(tmp_path, "bad", "nonsense\n")), *where).code == 2
    done = cli("cards", "distill", str(write(tmp_path, "mixed", f"nonsense\n{json.dumps(WORTH)}\n")), *where)
    assert done.code == 0
    assert "mixed:1: not a JSON object" in done.out


def test_the_worker_proposes_by_itself_and_once(cli: CommandLine, root: Path, own_home: Path) -> None:
    write(root, "events/e.jsonl", json.dumps(WORTH) + "\n" + json.dumps(NOTHING) + "\n")
    where = ("--knowledge", str(root), "--on", "2026-06-01", "--trust-clock")
    assert "proposed i-1-" in cli("worker", "run", *where).out
    assert "proposed" not in cli("worker", "run", *where).out
    assert git(root, "branch", "--list", "proposal/*").count("proposal/") == 1


def test_nothing_of_an_event_reaches_the_terminal_as_a_command(cli: CommandLine, root: Path, tmp_path: Path) -> None:
    evil = WORTH | {
        "id": "x\x1b[2J",
        "request": "爆裂\x9b2J",
        "comments": ["水锤导致\x1b]0;x\x07，先关阀 30 s 再断电。"],
    }
    for more in ((), ("--json",)):
        assert not raw_controls(cli("cards", "distill", _file(tmp_path, evil), "--knowledge", str(root), *more).out)
