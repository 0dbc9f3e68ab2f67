"""kb.cli.memory: the verb `memory`, as a person types it."""

from __future__ import annotations

import json
from pathlib import Path

import pytest

from tests.conftest import CommandLine
from tests.helpers import raw_controls, write
from tests.memory.helpers import MANUAL


@pytest.fixture
def manuals(tmp_path: Path, cli: CommandLine) -> Path:
    """A folder with a manual, in memory already."""
    write(tmp_path, "手册/a.md", MANUAL)
    done = cli("memory", "ingest", str(tmp_path / "手册"))
    assert done.code == 0
    assert "1 documents in memory, 0 of them unchanged, 0 failed." in done.out
    return tmp_path / "手册"


def test_search_and_entity(cli: CommandLine, manuals: Path) -> None:
    done = cli("memory", "search", "XM-2000", "预热多久")
    assert done.code == 0
    lines = done.out.split("\n")
    assert lines[0] == "1. XM-2000 · 预热: 30 分钟 [低于 -10 ℃ 时]"
    assert "a.md:19" in lines[1]
    shown = cli("memory", "entity", "热风机").out
    for words in ("XM-2000  (product)", "额定功率: 5.5 kW", "制造商", "2024-01-15", "not: 严禁带电操作"):
        assert words in shown
    assert "禁止: 严禁带电操作" in cli("memory", "entity", "XM-2000", "--lang", "zh").out


def test_everything_as_json(cli: CommandLine, manuals: Path) -> None:
    for words, name in (
        (["search", "功率"], "records"),
        (["entity", "XM-2000"], "entity"),
        (["list"], "entities"),
        (["events"], "events"),
        (["review", "list"], "reviews"),
        (["merges", "--all"], "merges"),
        (["audit"], "records"),
        (["documents"], "documents"),
        (["ingest", str(manuals)], "documents"),
        (["write", "滤网每月清洗。", "--source", "desk", "--confidence", "0.9"], "state"),
    ):
        done = cli("memory", *words, "--json")
        assert done.code == 0
        found = json.loads(done.out)
        assert found["schema"] == 1
        assert name in found


def test_nothing_found_is_3(cli: CommandLine, manuals: Path) -> None:
    for words in (["search", "zebra"], ["entity", "zebra"], ["list", "zebra"], ["events", "--from", "2099-01-01"]):
        done = cli("memory", *words)
        assert (done.code, done.clean) == (3, True)


def test_write_review_and_accept(cli: CommandLine, manuals: Path) -> None:
    done = cli("memory", "write", "XM-2000 好像是红色", "--source", "user", "--confidence", "0.9")
    assert "almanac memory review accept 1" in done.out
    assert "XM-2000 好像是红色" in cli("memory", "review", "list").out
    assert cli("memory", "review", "accept").code == 2
    assert "accepted" in cli("memory", "review", "accept", "1", "--author", "desk").out
    assert cli("memory", "review", "reject", "1").code == 2
    assert "Nothing waits" in cli("memory", "review", "list").out
    assert "好像是红色" in cli("memory", "search", "XM-2000 红色").out


def test_audit_and_judge(cli: CommandLine, manuals: Path, tmp_path: Path) -> None:
    assert "“| 额定功率 | 5.5 | kW | |”" in cli("memory", "audit", "--sample", "100").out
    sample = json.loads(cli("memory", "audit", "--json").out)
    sample["records"][0]["right"] = False
    file = write(tmp_path, "judged.json", json.dumps(sample))
    done = cli("memory", "audit", "--judge", str(file), "--author", "desk")
    assert (done.code, "1 judgements kept." in done.out) == (0, True)
    assert cli("memory", "audit", "--judge", str(write(tmp_path, "bad.json", "{"))).code == 2
    assert cli("memory", "audit", "--sample", "0").code == 2


@pytest.mark.parametrize(
    ("words", "code"),
    [
        (["ingest"], 2), (["ingest", "none.md"], 4), (["ingest", "x", "--tree"], 2), (["delete", "none"], 4),
        (["undo", "7"], 2),
        (["events", "--from", "2024-02-30"], 2), (["events", "--from", "2024-02-02", "--to", "2024-02-01"], 2),
        (["write", "x", "--source", "a", "--confidence", "7"], 2),
    ],
)  # fmt: skip
def test_wrong_use_is_a_sentence(cli: CommandLine, words: list[str], code: int) -> None:
    done = cli("memory", *words)
    assert (done.code, done.clean) == (code, True)
    assert done.err.strip()


def test_an_empty_folder_and_an_empty_memory(cli: CommandLine, tmp_path: Path) -> None:
    assert cli("memory", "ingest", str(tmp_path)).code == 4
    assert cli("memory", "documents").out.startswith("Memory is empty")


def test_the_tree_and_forgetting(cli: CommandLine, tree: Path) -> None:
    assert cli("memory", "ingest", "--tree", "--knowledge", str(tree)).code == 0
    first = json.loads(cli("memory", "documents", "--json").out)["documents"][0]["doc_id"]
    assert cli("memory", "delete", first).code == 0
    assert cli("memory", "delete", first).code == 4


def test_no_escape_sequence_comes_out(cli: CommandLine, tmp_path: Path) -> None:
    hostile = (
        "# T\x1b[31m\n\n| 名 | 重量（kg） |\n|---|---|\n| [/]\x1b]52;c;aGk=\x07 | 5 |\n\n2024年2月30日\x9b31m故障。\n"
    )
    write(tmp_path, "d/a.md", hostile)
    out = cli("memory", "ingest", str(tmp_path / "d")).out
    for words in (["list"], ["search", "重量"], ["documents", "--findings"], ["audit"], ["audit", "--json"]):
        out += cli("memory", *words).out
    assert "重量" in out
    assert not raw_controls(out)
