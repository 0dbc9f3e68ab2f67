"""kb.cli.worker: passes and signals from the command line."""

from __future__ import annotations

import json
import signal
from pathlib import Path

import pytest

from kb.errors import ExitCode
from tests.conftest import CommandLine
from tests.helpers import Program, git, has_git, wait_for, write
from tests.supply.card_helpers import card_text, repository

pytestmark = pytest.mark.skipif(not has_git(), reason="there is no git program on this machine")
WAITS = card_text(id="waits", status="staging").replace("  links:\n", "  links:\n    - req:R-1\n")


@pytest.fixture
def root(tmp_path: Path) -> Path:
    return repository(tmp_path / "knowledge", one=card_text(id="one", metrics=""), waits=WAITS)


def test_a_signal_and_a_pass(cli: CommandLine, root: Path, own_home: Path) -> None:
    where = ("--knowledge", str(root))
    assert "waits    waits: not released: R-1" in cli("worker", "run", "--dry-run", "--trust-clock", *where).out
    for _ in range(2):
        assert cli("worker", "signal", "--requirement", "R-1", "--state", "released", "--id", "x").code == 0
    found = json.loads(cli("worker", "run", "--on", "2026-08-01", "--trust-clock", "--json", *where).out)
    assert [(change["id"], change["move"]) for change in found["changes"]] == [("one", "archive"), ("waits", "promote")]
    assert found["events"] == 1
    assert (
        "2 cards, 0 changed, 0 new signals" in cli("worker", "run", "--on", "2026-08-01", "--trust-clock", *where).out
    )
    assert len(git(root, "log", "--format=%s").splitlines()) == 3


def test_without_id_each_signal_counts(cli: CommandLine, root: Path, own_home: Path) -> None:
    for state in ("RELEASED", "ROLLED_BACK", "RELEASED"):
        cli("worker", "signal", "--requirement", "R-1", "--state", state)
    done = cli("worker", "run", "--on", "2026-06-01", "--trust-clock", "--knowledge", str(root))
    assert "promote  waits" in done.out
    assert cli("worker", "signal", "--requirement", "R-1", "--state", "x", "--at", "soon").code == 2
    assert cli("worker", "signal", "--requirement", " ", "--state", "x").code == 2


def test_the_clock_is_doubted_aloud(cli: CommandLine, root: Path) -> None:
    done = cli("worker", "run", "--on", "2001-01-01", "--lang", "zh", "--knowledge", str(root))
    assert "时钟显示 2001-01-01" in done.out
    assert len(git(root, "log", "--format=%s").splitlines()) == 1


def test_broken_cards_and_lines_are_named(cli: CommandLine, root: Path) -> None:
    write(root, "cards/machinery/broken.yaml", "id: [\n")
    write(root, "events/e.jsonl", "nonsense\n")
    done = cli("worker", "run", "--on", "2026-06-01", "--trust-clock", "--knowledge", str(root))
    assert done.code == 4
    assert "e.jsonl:1: not a JSON object" in done.out
    assert "1 files with errors" in done.out


def test_knowledge_without_a_repository(cli: CommandLine, empty_tree: Path) -> None:
    done = cli("worker", "run", "--knowledge", str(empty_tree))
    assert done.code == 4
    assert "no Git repository" in done.err


def test_a_question_that_nobody_could_answer_reaches_a_reviewer(cli: CommandLine, root: Path, own_home: Path) -> None:
    write(
        root,
        "pump/pump_2024_v1.md",
        "---\ntitle: Pump\nversion: 1.0\ndate_updated: 2026-01-01\n---\n# Pump\n\nOil it.\n",
    )
    where = ("--knowledge", str(root))
    asked = ("ask", "zebra pancake trombone", *where)
    worker = ("worker", "run", "--on", "2026-06-01", "--trust-clock", *where)
    assert cli(*asked, "--no-record").code == ExitCode.NO_ANSWER
    assert json.loads(cli(*worker, "--json").out)["verdicts"] == []
    assert cli(*asked).code == ExitCode.NO_ANSWER
    assert ": asked too rarely" in cli(*worker).out
    for _ in range(2):
        cli(*asked)
    done = json.loads(cli(*worker, "--json").out)
    assert [verdict["reason"] for verdict in done["verdicts"]] == ["asked often, nobody knows"]
    (name,) = done["proposals"]
    assert name in cli("review", "list", *where).out
    assert "zebra pancake trombone" in cli("review", "show", name, *where).out
    # it is judged once
    cli(*asked)
    assert json.loads(cli(*worker, "--json").out)["verdicts"] == []


@pytest.mark.parametrize(
    "words", [["run", "--once", "--daemon"], ["run", "--every", "0"], ["run", "--every", "x"], ["signal"], []]
)
def test_what_does_not_fit(cli: CommandLine, words: list[str]) -> None:
    assert cli("worker", *words).code == 2


@pytest.mark.slow
def test_a_daemon_works_until_it_is_stopped(program: Program, root: Path) -> None:
    child = program.start("worker", "run", "--daemon", "--trust-clock", "--knowledge", str(root))
    try:
        wait_for(lambda: len(git(root, "log", "--format=%s").splitlines()) > 1, "the daemon's first pass")
        child.send_signal(signal.SIGINT)
        assert child.wait(20) == 130
    finally:
        child.kill()
        out, err = child.communicate()
    assert b"Traceback" not in out + err


def test_how_cards_were_used_comes_from_the_ledger_of_the_home(tmp_path: Path) -> None:
    from kb.cli.worker import usage_of
    from kb.config import Config
    from kb.supply.chain import Entry, Kind
    from kb.supply.ledger import Ledger

    with Ledger(tmp_path) as ledger:
        ledger.append([Entry(Kind.INJECTION, card="a", position=1), Entry(Kind.FEEDBACK, card="a", feedback=1)])
    found = usage_of(Config(home=tmp_path, knowledge=tmp_path, lang="en"))(["a", "b"])
    assert {name: (use.injected, use.liked) for name, use in found.items()} == {"a": (1, 1)}
