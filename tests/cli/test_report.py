"""kb.cli.report: the change report as Markdown, in a file and as JSON."""

from __future__ import annotations

import datetime
import json
from pathlib import Path

import pytest

from tests.conftest import CommandLine
from tests.helpers import git, has_git, raw_controls, write

TODAY = datetime.date.today()
TEXT = "---\ntitle: 退货 [规则]\nversion: {}\nreviewer: 审核组\nvalid_to: {}\n---\n# 退货\n\n退货期为{}天。\n"


@pytest.fixture
def root(empty_tree: Path) -> Path:
    """A repository in which a number changed today, of a document that expires in three days."""
    soon = TODAY + datetime.timedelta(days=3)
    git(empty_tree, "init", "--quiet", "-b", "main")
    path = write(empty_tree, "退货_2024.md", TEXT.format("1.0", soon, 7))
    git(empty_tree, "add", "-A")
    git(empty_tree, "-c", "user.name=T", "commit", "--quiet", "-m", "first", "--date=2020-01-01T00:00:00")
    path.write_text(TEXT.format("1.1", soon, 10), "utf-8")
    git(empty_tree, "commit", "--quiet", "-am", "policy(退货): \x1b[31m改")
    return empty_tree


@pytest.mark.skipif(not has_git(), reason="there is no git program on this machine")
def test_as_markdown(root: Path, cli: CommandLine, tmp_path: Path) -> None:
    done = cli("report", "--week", "--knowledge", str(root), "--lang", "zh")
    assert done.code == 0
    lines = done.out.split("\n")
    assert lines[0].startswith("# 知识变更报告")
    assert "退货 \\[规则\\]" in done.out
    assert "审核组" in done.out
    assert f"- {TODAY + datetime.timedelta(days=3)}" in done.out
    assert not raw_controls(done.out)
    target = tmp_path / "out" / "报告.md"
    assert cli("report", "--out", str(target), "--knowledge", str(root), "--lang", "zh").code == 0
    assert target.read_text("utf-8") == done.out


@pytest.mark.skipif(not has_git(), reason="there is no git program on this machine")
def test_as_json(root: Path, cli: CommandLine) -> None:
    told = json.loads(cli("report", "--since", "昨天", "--json", "--knowledge", str(root)).out)
    assert told["problem"] is None
    assert [item["path"] for item in told["expiring"]] == ["退货_2024.md"]
    assert [item["path"] for item in told["documents"]] == ["退货_2024.md"]


def test_without_history_what_expires_is_listed(tree: Path, cli: CommandLine) -> None:
    done = cli("report", "--knowledge", str(tree))
    assert done.code == 0
    assert "no Git history" in done.out
    assert "Not released" in done.out


def test_a_wrong_day_is_2(tree: Path, cli: CommandLine) -> None:
    assert cli("report", "--since", "soon", "--knowledge", str(tree)).code == 2
