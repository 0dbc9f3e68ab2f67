"""kb.mcp.versions: current, history, diff."""

from __future__ import annotations

import argparse
import dataclasses
from collections.abc import Iterator
from pathlib import Path

import pytest

from kb.config import Config
from kb.errors import AlmanacError
from kb.mcp import versions
from kb.mcp.tool import Toolbox
from tests.helpers import commit_all, git, write
from tests.mcp.calling import call, check_tools, fits
from tests.supply.card_helpers import CARD, PATH, repository

pytestmark = pytest.mark.slow


@pytest.fixture
def root(tmp_path: Path) -> Path:
    made = repository(tmp_path / "知识", **{"pump-e07-reset": CARD})
    git(made, "tag", "kb-1.0.0")
    write(made, "machinery/泵.md", "# 泵\n\n新的一行。\n")
    commit_all(made, "泵的说明")
    return made


@pytest.fixture
def toolbox(root: Path, config: Config) -> Iterator[Toolbox]:
    there = dataclasses.replace(config, knowledge=root, environment={"PATH": "/usr/bin:/bin"})
    made = versions.open_tools(argparse.Namespace(), there)
    yield made
    made.close()


def test_the_tools(toolbox: Toolbox) -> None:
    check_tools(toolbox, ("current", "history", "diff"))


def test_current_and_history(toolbox: Toolbox, root: Path) -> None:
    commit = git(root, "rev-parse", "HEAD").strip()
    assert call(toolbox, "current")["knowledge_version"]["commit"] == commit
    found = call(toolbox, "history", limit=1)["changes"]
    assert [(one["commit"], one["summary"]) for one in found] == [(commit, "泵的说明")]
    assert found[0]["files"] == [{"status": "A", "path": "machinery/泵.md"}]
    assert len(call(toolbox, "history", path=PATH)["changes"]) == 1
    with pytest.raises(AlmanacError):
        call(toolbox, "history", since="2026-02-30")


def test_what_a_commit_or_tag_changed(toolbox: Toolbox) -> None:
    found = call(toolbox, "diff", commit="HEAD")
    assert "+新的一行。" in found["diff"]
    assert (found["message"], found["cut"]) == ("泵的说明", False)
    assert {one["path"] for one in call(toolbox, "diff", commit="kb-1.0.0")["files"]} >= {PATH}


@pytest.mark.parametrize(
    "name", ["--output=/tmp/almanac-x", "../x", "HEAD..kb-1.0.0", "HEAD:cards", "none", "", "-p", "a b"]
)
def test_names_that_are_no_revisions_are_rejected_and_no_file_is_made(toolbox: Toolbox, name: str) -> None:
    if fits(toolbox, "diff", commit=name):
        with pytest.raises(AlmanacError):
            call(toolbox, "diff", commit=name)
    assert not Path("/tmp/almanac-x").exists()
    if fits(toolbox, "history", path=name):
        try:
            assert call(toolbox, "history", path=name)["changes"] == []
        except AlmanacError as error:
            assert error.key in ("path_outside", "git_failed")
