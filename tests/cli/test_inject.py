"""`almanac inject`: blocks from tasks in every form."""

from __future__ import annotations

import json
from argparse import Namespace
from pathlib import Path

import pytest

from kb.cli.inject import read_task
from kb.errors import ExitCode
from tests.conftest import CommandLine
from tests.helpers import write
from tests.supply.card_helpers import card_text


@pytest.fixture
def root(tree: Path) -> Path:
    """A tree with a card that is valid for long."""
    write(tree, "cards/machinery/pump.yaml", card_text(valid_until="2199-12-31"))
    return tree


def test_a_block_is_printed_and_written_down(cli: CommandLine, root: Path) -> None:
    done = cli("inject", "--task", "E-07 停机后怎么复位", "--id", "t-1", "--knowledge", str(root))
    assert done.code == ExitCode.OK
    assert done.out.startswith("<team_knowledge>")
    assert "pump-e07-reset" in done.out
    assert "t-1" in done.err
    shown = cli("ledger", "show", "--task", "t-1", "--json", "--knowledge", str(root))
    assert [row["kind"] for row in json.loads(shown.out)] == ["task", "injection"]


def test_json_and_a_dry_run(cli: CommandLine, root: Path) -> None:
    done = cli("inject", "--task", "E-07 停机", "--json", "--dry-run", "--knowledge", str(root))
    found = json.loads(done.out)
    assert found["cards"][0]["id"] == "pump-e07-reset"
    assert found["cards"][0]["pinned"] is False
    assert found["tokens"] <= found["budget"] == 2000
    assert found["tokenizer"] == "utf-8 bytes"
    assert cli("ledger", "show", "--knowledge", str(root)).code == ExitCode.NO_ANSWER


def test_nothing_fits(cli: CommandLine, root: Path) -> None:
    done = cli("inject", "--task", "write a poem", "--knowledge", str(root))
    assert (done.code, done.out) == (ExitCode.NO_ANSWER, "")
    assert "No card" in done.err


def test_wrong_uses_are_said(cli: CommandLine, root: Path, empty_tree: Path) -> None:
    assert cli("inject", "--knowledge", str(root)).code == ExitCode.USAGE
    assert cli("inject", "--task", " ", "--knowledge", str(root)).code == ExitCode.USAGE
    assert cli("inject", "--task", "x", "--budget", "3", "--knowledge", str(root)).code == ExitCode.USAGE
    assert cli("inject", "--task", "x", "--budget", "many", "--knowledge", str(root)).code == ExitCode.USAGE
    none = cli("inject", "--task", "x", "--knowledge", str(empty_tree))
    assert none.code == ExitCode.BAD_KNOWLEDGE
    assert "cards" in none.err


def test_a_broken_card_is_named_beside_the_block(cli: CommandLine, root: Path) -> None:
    write(root, "cards/machinery/bad.yaml", "id: [\n")
    done = cli("inject", "--task", "E-07 停机", "--knowledge", str(root))
    assert done.code == ExitCode.OK
    assert "bad.yaml" in done.err


def _read(task: str, given: str = "", **options: str | None) -> dict[str, str]:
    names = Namespace(**{"task": task, "repo": None, "type": None, "agent": None, "id": None, **options})
    found = read_task(names, lambda: given)
    return {name: getattr(found, name) for name in ("id", "title", "text", "repo", "type", "agent")}


def test_a_task_is_read_in_every_form(tmp_path: Path) -> None:
    yaml = write(tmp_path, "任务 1.yaml", "title: 校准喷雾机\nrepo: boom-sprayer\nid: t-7\nagent: a\n")
    assert _read(str(yaml)) == {
        "id": "t-7", "title": "校准喷雾机", "text": "", "repo": "boom-sprayer", "type": "", "agent": "a",
    }  # fmt: skip
    assert _read(str(yaml), agent="b", id="t-8")["agent"] == "b"
    plain = write(tmp_path, "plain.txt", "just: some\nwords\n")
    assert _read(str(plain))["text"] == "just: some\nwords\n"
    assert _read("-", '{"title": "t", "text": "from input", "type": "bugfix"}')["type"] == "bugfix"
    words = _read("title: what is it about? no file of this name")
    assert words["title"].startswith("what is it about")
    assert _read("no such file.yaml")["text"] == "no such file.yaml"
    assert _read("x\0y")["text"] == "x\0y"
    assert _read("a")["id"].startswith("task-")
    assert _read("a")["id"] != _read("a")["id"]
