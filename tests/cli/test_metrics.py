"""`almanac metrics`: figures with definitions, and files."""

from __future__ import annotations

import json
from pathlib import Path

import pytest

from kb.errors import ExitCode
from tests.conftest import CommandLine
from tests.helpers import write
from tests.supply.card_helpers import card_text


@pytest.fixture
def root(tree: Path) -> Path:
    write(tree, "cards/machinery/pump.yaml", card_text(valid_until="2199-12-31"))
    return tree


def test_figures_and_definitions_in_both_languages(cli: CommandLine, root: Path) -> None:
    where = ("--knowledge", str(root))
    assert cli("metrics", *where).code == ExitCode.OK
    assert cli("inject", "--task", "E-07 停机", *where).code == ExitCode.OK
    assert cli("inject", "--task", "write a poem", *where).code == ExitCode.NO_ANSWER
    assert "50% (1/2)" in cli("metrics", *where).out
    shown = cli("metrics", "--lang", "zh", *where).out
    assert "注入命中率" in shown
    assert "至少得到一张卡片" in shown
    found = json.loads(cli("metrics", "--json", *where).out)
    assert len(found["figures"]) == 7
    assert all(one["definition"] for one in found["figures"])
    assert found["weeks"][-1]["tasks"] == 2


def test_files(cli: CommandLine, root: Path, tmp_path: Path) -> None:
    svg, table = tmp_path / "新" / "trend.svg", tmp_path / "新" / "weeks.csv"
    done = cli("metrics", "--svg", str(svg), "--csv", str(table), "--knowledge", str(root))
    assert done.code == ExitCode.OK
    assert svg.read_text("utf-8").startswith("<svg")
    assert table.read_text("utf-8").startswith("monday,tasks")
    (tmp_path / "file").write_text("")
    refused = cli("metrics", "--csv", str(tmp_path / "file" / "x.csv"), "--knowledge", str(root))
    assert refused.code == ExitCode.ENVIRONMENT
    assert refused.clean
