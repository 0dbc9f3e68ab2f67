"""scripts/bench_search.py: which questions are asked, the measures, and a whole run on a set made here."""

from __future__ import annotations

import json
import os
import subprocess
import sys
from pathlib import Path

import bench_search
import pytest
from bench_search import Row
from bench_sets import Question

from tests.helpers import PROJECT, document, write

QUESTIONS = [Question(str(number), str(number), ("x.md",), (), "") for number in range(10)]


@pytest.mark.parametrize(
    ("half", "limit", "wanted"),
    [("all", 0, "0123456789"), ("fit", 0, "02468"), ("report", 0, "13579"), ("all", 3, "036"), ("report", 2, "15"),
     ("all", 99, "0123456789")],
)  # fmt: skip
def test_halves_and_limits(half: str, limit: int, wanted: str) -> None:
    assert "".join(item.id for item in bench_search.chosen(QUESTIONS, half, limit)) == wanted


def test_any_right_document_counts() -> None:
    assert bench_search.rank_of(["a", "b", "c"], ("c", "b")) == 1
    assert bench_search.rank_of([], ("c",)) is None
    assert bench_search.quality([0, 1, None, 6]) == pytest.approx((0.25, 0.5, (1 + 1 / 2 + 1 / 7) / 4))
    assert bench_search.quality([]) == (0, 0, 0)


def test_tables_have_a_line_for_every_method() -> None:
    row = Row("a", 0.5, 0.75, 0.6, 1.234, 2.5, 3.21, 4.0, 5.0)
    assert bench_search.table([row], {"a": "Method A"}).splitlines()[-1] == (
        "| Method A | 0.500 | 0.750 | 0.600 | 1.23 | 2.50 | 3.2 | 4.0 | 5 |"
    )
    text = bench_search.summary({"one": [row], "two": [row]}, {"a": "Method A"})
    assert text.splitlines()[-1] == "| Method A | 0.500 / 0.750 / 0.600 | 0.500 / 0.750 / 0.600 |"


def _run(bench: Path, *arguments: str) -> subprocess.CompletedProcess[str]:
    command = [sys.executable, str(PROJECT / "scripts" / "bench_search.py"), *arguments]
    environment = {**os.environ, "ALMANAC_BENCH": str(bench)}
    return subprocess.run(command, capture_output=True, text=True, env=environment, timeout=120, check=False)


@pytest.mark.slow
def test_without_the_sets_it_says_so(tmp_path: Path) -> None:
    done = _run(tmp_path / "absent")
    assert done.returncode == 0
    assert "not here" in done.stdout
    assert "Traceback" not in done.stderr


@pytest.mark.slow
def test_a_whole_run_prints_tables(tmp_path: Path) -> None:
    for name in ("zh-reading", "zh-agri", "device-faq", "en-reading", "en-agri"):
        docs = {"device-faq": ("docs/zh", "docs/en")}.get(name, ("docs",))
        for folder in docs:
            write(tmp_path, f"{name}/{folder}/soy.md", document("大豆", "大豆追施钾肥五公斤。"))
            write(tmp_path, f"{name}/{folder}/bolt.md", document("Bolts", "Torque of the M12 bolt: 80 Nm."))
        lines = [
            {"id": "1", "question": "大豆追施多少钾肥", "lang": "zh", "gold": [f"{docs[0]}/soy.md"]},
            {"id": "2", "question": "Which torque for M12?", "lang": "en", "gold": [f"{docs[-1]}/bolt.md"]},
        ]
        write(tmp_path, f"{name}/questions.jsonl", "".join(json.dumps(line) + "\n" for line in lines))
    done = _run(tmp_path, "--sets", "en-agri", "device-faq zh", "--methods", "pairs", "fts5")
    assert done.returncode == 0, done.stderr
    assert done.stdout.count("| SQLite FTS5, trigrams | 1.000 | 1.000 | 1.000 |") == 2
    assert "### en-agri: 2 questions" in done.stdout
    assert "### All sets" in done.stdout
    unknown = _run(tmp_path, "--sets", "nonsense")
    assert unknown.returncode == 2
    assert "nonsense" in unknown.stderr
