"""`almanac eval`: a report on a question file."""

from __future__ import annotations

import json
from pathlib import Path

from kb.errors import ExitCode
from tests.conftest import CommandLine


def _file(folder: Path) -> Path:
    lines = [
        {"id": "deep", "question": "大豆播种深度是多少", "gold": ["agriculture/crop/soybean/growth_stage_2024_v2.md"],
         "answers": ["3-5厘米"]},
        {"id": "wrong", "question": "大豆播种深度是多少", "gold": ["none.md"], "answers": ["9 米"]},
        {"id": "moon", "question": "zebra pancake trombone"},
    ]  # fmt: skip
    file = folder / "问题.jsonl"
    file.write_text("\n".join(json.dumps(line) for line in lines), "utf-8")
    return file


def test_the_report_counts_and_names_the_wrong_ones(cli: CommandLine, tree: Path, tmp_path: Path) -> None:
    done = cli(
        "eval", str(_file(tmp_path)), "--knowledge", str(tree), "--lang", "en", "--out", str(tmp_path / "r.json")
    )
    assert done.code == ExitCode.OK
    assert "2 questions with an answer in the documents, 1 without" in done.out
    assert "Wrong (1):\n  wrong  大豆" in done.out
    report = json.loads((tmp_path / "r.json").read_text("utf-8"))
    assert report["summary"]["holds"] == 0.5
    assert report["summary"]["refused_rightly"] == 1.0
    assert [item["right"] for item in report["outcomes"]] == [True, False, True]


def test_nothing_of_it_is_kept(cli: CommandLine, tree: Path, tmp_path: Path) -> None:
    found = json.loads(cli("eval", str(_file(tmp_path)), "--limit", "1", "--json", "--knowledge", str(tree)).out)
    assert len(found["outcomes"]) == 1
    assert "No answers" in cli("replay", "--lang", "en").out


def test_a_bad_file_is_wrong_usage(cli: CommandLine, tree: Path, tmp_path: Path) -> None:
    bad = tmp_path / "bad.jsonl"
    bad.write_text('{"question": "a"}\nnot json\n', "utf-8")
    done = cli("eval", str(bad), "--knowledge", str(tree), "--lang", "en")
    assert (done.code, done.clean) == (ExitCode.USAGE, True)
    assert "line 2" in done.err
