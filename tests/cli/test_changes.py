"""kb.cli.changes: the answer to a question about changes."""

from __future__ import annotations

import datetime
from pathlib import Path

import pytest

from kb.cli.changes import as_json, lines_of
from kb.cli.output import Output
from kb.config import Config
from kb.tree.taxonomy import Taxonomy
from kb.versions.asked import ChangesAsked, ChangesFound, find_changes
from kb.versions.git import Git
from kb.versions.history import History
from kb.versions.periods import Period
from tests.helpers import git, has_git, raw_controls, write

pytestmark = pytest.mark.skipif(not has_git(), reason="there is no git program on this machine")
TODAY = datetime.date.today()
ASKED = ChangesAsked(Period(TODAY - datetime.timedelta(days=2), TODAY), ("soybean",))


@pytest.fixture
def root(empty_tree: Path) -> Path:
    """A repository whose newest commit changed two documents."""
    git(empty_tree, "init", "--quiet", "-b", "main")
    write(empty_tree, "crop/soybean/a_2024.md", "---\ntitle: 大豆\nversion: 2.0\n---\n")
    write(empty_tree, "crop/rice/b_2024.md", "x")
    git(empty_tree, "add", "-A")
    git(empty_tree, "commit", "--quiet", "-m", "docs(大豆): \x9b31m新增")
    return empty_tree


def _found(root: Path, asked: ChangesAsked = ASKED) -> ChangesFound:
    taxonomy = Taxonomy({"soybean": {"zh": ("大豆",)}})
    return find_changes(asked, History(root, Git.find(None)), root, taxonomy, "zh")


def test_lines_name_document_version_and_commit(root: Path) -> None:
    output = Output(Config(home=root, knowledge=root, lang="zh"))
    lines = list(lines_of(_found(root), output))
    assert lines[0].startswith(f"{ASKED.period.start} 至 {TODAY} 关于大豆更新了 1 份文档")
    assert "crop/soybean/a_2024.md" in lines[1]
    assert "2.0" in lines[1]
    assert "新增" in lines[2]
    assert not raw_controls("".join(lines))


def test_nothing_is_said_as_such(root: Path) -> None:
    asked = ChangesAsked(ASKED.period, (), ("香菇",))
    output = Output(Config(home=root, knowledge=root, lang="en"))
    assert _found(root, asked).documents == ()
    (line,) = lines_of(_found(root, asked), output)
    assert "Nothing changed" in line
    assert "香菇" in line


def test_json(root: Path) -> None:
    told = as_json(_found(root))
    assert told["words"] == ("soybean",)
    assert [item["path"] for item in told["documents"]] == ["crop/soybean/a_2024.md"]  # type: ignore[attr-defined]
