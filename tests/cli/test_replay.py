"""`almanac replay` and `almanac gaps` on a real tree."""

from __future__ import annotations

import json
from pathlib import Path

from kb.errors import ExitCode
from tests.conftest import CommandLine

ON = ("--on", "2026-06-01")


def test_an_answer_is_kept_listed_and_given_again(cli: CommandLine, tree: Path) -> None:
    asked = json.loads(cli("ask", "大豆播种深度是多少", *ON, "--json", "--knowledge", str(tree)).out)
    assert asked["id"] in cli("replay").out
    again = cli("replay", asked["id"][:8], "--knowledge", str(tree), "--lang", "en")
    assert (again.code, again.out.split("\n")[0][:18]) == (ExitCode.OK, "The same answer as")
    found = json.loads(cli("replay", asked["id"], "--json", "--knowledge", str(tree)).out)
    assert (found["same"], found["changed"]) == (True, [])


def test_a_changed_document_is_said(cli: CommandLine, tree: Path) -> None:
    asked = json.loads(cli("ask", "大豆播种深度是多少", *ON, "--json", "--knowledge", str(tree)).out)
    path = tree / asked["evidence"][0]["path"]
    path.write_text(path.read_text("utf-8").replace("3-5", "2-4"), "utf-8")
    again = cli("replay", asked["id"], "--knowledge", str(tree), "--lang", "en")
    assert again.code == ExitCode.NO_ANSWER
    assert "changed: documents" in again.out
    assert "3-5" in again.out
    assert "2-4" in again.out


def test_nothing_is_kept_when_so_wished(cli: CommandLine, tree: Path) -> None:
    cli("ask", "大豆播种深度是多少", "--no-record", "--knowledge", str(tree))
    assert "No answers" in cli("replay", "--lang", "en").out
    assert cli("replay", "abc", "--knowledge", str(tree)).code == ExitCode.USAGE


def test_a_question_without_an_answer_is_a_gap(cli: CommandLine, tree: Path) -> None:
    assert "没有" not in cli("gaps", "--lang", "en").out
    for _ in range(2):
        assert cli("ask", "zebra pancake trombone", "--knowledge", str(tree)).code == ExitCode.NO_ANSWER
    assert "2x  zebra pancake trombone" in cli("gaps", "--lang", "en").out
    assert json.loads(cli("gaps", "--json").out)[0]["count"] == 2


def test_a_follow_up_on_the_command_line(cli: CommandLine, tree: Path) -> None:
    said = cli("ask", "那R5期追肥呢", "--after", "大豆播种深度是多少", *ON, "--knowledge", str(tree), "--lang", "en")
    assert "Understood as: R5期追肥，大豆播种深度是多少" in said.out
