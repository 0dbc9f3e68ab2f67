"""kb.cli.ask: a question on the command line."""

from __future__ import annotations

import json
from pathlib import Path

import pytest

from tests.conftest import CommandLine
from tests.helpers import Program, document, git, has_git, raw_controls, write

ON = ("--on", "2026-06-01")


def test_an_answer_with_its_place(cli: CommandLine, tree: Path) -> None:
    done = cli("ask", "大豆播种深度是多少", "--knowledge", str(tree), *ON)
    assert done.code == 0
    assert done.out.startswith("大豆播种深度为3-5厘米")
    place = (
        (tree / "agriculture/crop/soybean/growth_stage_2024_v2.md")
        .read_text()
        .split("\n")
        .index("大豆播种深度为3-5厘米，墒情差时可加深到6厘米。播种前不得用拌种剂浸泡超过10分钟。")
    )
    assert f"growth_stage_2024_v2.md:{place + 1}" in done.out
    assert "2024_v2" in done.out
    assert "valid to 2030-06-30" in done.out
    assert "GB/T 22871-2024" in done.out
    assert done.err == ""


def test_a_refusal_is_calm_and_3(cli: CommandLine, tree: Path) -> None:
    done = cli("ask", "zebra", "pancake", "trombone", "--knowledge", str(tree), *ON)
    assert done.code == 3
    assert "The documents do not say." in done.out
    assert "zebra pancake trombone" in done.out
    assert not any(char.isdigit() for char in done.out.split("Nearest")[0])


def test_the_day_decides(cli: CommandLine, tree: Path) -> None:
    question = ("ask", "蓝铜霉素每亩限用多少克", "--knowledge", str(tree))
    assert cli(*question, *ON).code == 3
    then = cli(*question, "--on", "2020-01-01")
    assert (then.code, "200克" in then.out) == (0, True)


SCHEMA = {
    "limits": list,
    "resolved": str,
    "cited": list,
    "replaced": int,
    "day": str,
    "made_with": dict,
    "schema": int,
    "id": str,
    "question": str,
    "text": str,
    "refused": bool,
    "confidence": float,
    "way": str,
    "evidence": list,
    "warnings": list,
    "conflicts": list,
    "nearest": list,
    "looked_for": list,
    "knowledge_version": dict,
    "model": str,
    "timings": dict,
    "changes": type(None),
}
EVIDENCE = {
    "path",
    "title",
    "trail",
    "lines",
    "text",
    "context",
    "plain",
    "kind",
    "version",
    "valid_from",
    "valid_to",
    "date_updated",
    "references",
    "score",
}


@pytest.mark.parametrize(("question", "code"), [("大豆播种深度是多少", 0), ("zebra pancake trombone", 3)])
def test_the_json_schema_is_stable(cli: CommandLine, tree: Path, question: str, code: int) -> None:
    done = cli("ask", "--json", question, "--knowledge", str(tree), *ON)
    assert done.code == code
    found = json.loads(done.out)
    assert {name: type(value) for name, value in found.items()} == SCHEMA
    assert found["schema"] == 2
    assert set(found["knowledge_version"]) == {"tag", "manifest", "commit", "date"}
    assert set(found["timings"]) == {"evidence_ms", "first_token_ms", "total_ms", "tokens"}
    for item in found["evidence"]:
        assert set(item) == EVIDENCE
    for item in found["nearest"]:
        assert set(item) == {"path", "title", "confidence"}


HOSTILE = "\x1b]52;c;aGk=\x07\x1b[31m\x9b2J\x85 [/] [bold [1] [@click=app.quit]x[/]"


@pytest.fixture
def hostile(tree: Path) -> Path:
    text = document(
        f'"wombat {HOSTILE}"'.replace("\x1b", "\\e")
        .replace("\x07", "\\a")
        .replace("\x9b", "\\x9b")
        .replace("\x85", "\\x85"),
        f"The wombat box weighs 5 kg {HOSTILE}.\n\n## wombat {HOSTILE}\n\nwombat row {HOSTILE}",
    )
    write(tree, f"store/wombat{HOSTILE.replace('/', '-')}.md", text)
    return tree


@pytest.mark.parametrize(
    "arguments",
    [
        ("ask", "How much does the wombat box weigh?"),
        ("ask", "--json", "How much does the wombat box weigh?"),
        ("ask", "wombat zebra trombone"),
        ("search", "wombat"),
        ("search", "--explain", "wombat"),
        ("search", "--json", "wombat"),
        ("doctor",),
        ("doctor", "--json"),
        ("index",),
        ("index", "--json"),
        ("lookup", "wombat"),
        ("ask", f"wombat {HOSTILE}"),
        ("search", HOSTILE),
    ],
)
def test_no_control_sequence_reaches_the_terminal(cli: CommandLine, hostile: Path, arguments: tuple[str, ...]) -> None:
    write(hostile, f"bad{HOSTILE.replace('/', '-')}.md", bytes(range(128, 256)) * 4)
    done = cli(*arguments, "--knowledge", str(hostile))
    assert not raw_controls(done.out)
    assert not raw_controls(done.err)
    assert done.clean
    if arguments[:2] in (("ask", "How much does the wombat box weigh?"), ("search", "wombat")):
        assert "[@click=app.quit]x[/]" in done.out, "markup is shown as plain characters"


def test_show_prints_a_hostile_document_harmlessly(cli: CommandLine, hostile: Path) -> None:
    path = next(hostile.glob("store/wombat*"))
    done = cli("show", str(path.relative_to(hostile)), "--knowledge", str(hostile))
    assert done.code == 0
    assert not raw_controls(done.out)
    assert "␛]52;c;aGk=␇" in done.out


def test_the_program_as_it_is_shipped(real_program: Program) -> None:
    done = real_program("ask", "大豆R5期追施多少钾肥", "--lang", "zh", timeout=120)
    assert done.code == 0, done.err
    assert "45-60" in done.out
    assert done.clean


@pytest.mark.skipif(not has_git(), reason="there is no git program on this machine")
def test_what_changed_is_answered_from_history(cli: CommandLine, tree: Path) -> None:
    """Without history the question goes to the documents."""
    question = ("ask", "最近7天更新了哪些大豆知识", "--lang", "zh", "--knowledge", str(tree))
    assert cli(*question).code == 3
    git(tree, "init", "--quiet", "-b", "main")
    git(tree, "add", "-A")
    git(tree, "commit", "--quiet", "-m", "docs(大豆): 修订")
    done = cli(*question)
    assert done.code == 0
    assert "更新了 1 份文档" in done.out
    assert "agriculture/crop/soybean/growth_stage_2024_v2.md" in done.out
    assert "docs(大豆): 修订" in done.out
    told = json.loads(cli(*question, "--json").out)
    assert {name: type(value) for name, value in told.items()} == {**SCHEMA, "changes": dict}
    assert (told["refused"], told["way"], told["question"]) == (False, "history", question[1])
    assert told["text"].splitlines() == done.out.splitlines()
    assert len(told["changes"]["documents"]) == 1
    assert told["knowledge_version"]["commit"]


def test_a_model_that_the_device_cannot_carry_is_said_where_it_was_asked_for(real_program: Program) -> None:
    question = ("ask", "大豆R5期追施多少钾肥", "--memory", "400")
    done = real_program(*question, "--way", "select", timeout=120)
    assert (done.code, "45-60" in done.out) == (0, True)
    assert "too little memory" in done.out
    assert "memory" not in real_program(*question, timeout=120).out


def test_a_bad_profile_is_named(cli: CommandLine, tree: Path, own_home: Path) -> None:
    (own_home / "profile.yaml").write_text("memory: lots\n")
    done = cli("ask", "大豆播种深度是多少", "--knowledge", str(tree), "--home", str(own_home))
    assert done.code == 5
    assert "profile.yaml" in done.err and "memory: lots" in done.err
    assert cli("ask", "x", "--profile", "pi9", "--knowledge", str(tree)).code == 2


@pytest.mark.slow
def test_a_way_that_the_model_cannot_go_is_said(real_program: Program, tree: Path) -> None:
    done = real_program("ask", "大豆播种深度是多少", *ON, "--way", "compose", "--knowledge", str(tree), "--lang", "en")
    assert done.code == 0
    assert "cannot write checked sentences" in done.out
    assert "quoted from the document" in done.out
