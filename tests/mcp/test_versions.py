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
    check_tools(toolbox, ("current", "history", "diff", "show_commit"))


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
    found = call(toolbox, "show_commit", commit="HEAD")
    assert "+新的一行。" in found["diff"]
    assert (found["message"], found["cut"]) == ("泵的说明", False)
    assert {one["path"] for one in call(toolbox, "show_commit", commit="kb-1.0.0")["files"]} >= {PATH}


def test_two_commits_or_releases_are_compared_numbers_first(toolbox: Toolbox, root: Path) -> None:
    place = "machinery/泵.md"
    first = git(root, "rev-parse", "HEAD").strip()
    write(root, place, "---\ntitle: 泵\nversion: 1.0\n---\n# 泵\n\n扬程 32 米。\n")
    commit_all(root, "扬程")
    second = git(root, "rev-parse", "HEAD").strip()
    write(root, place, "---\ntitle: 泵\nversion: 1.1\n---\n# 泵\n\n扬程 30 米。\n")
    commit_all(root, "扬程改了")
    found = call(toolbox, "diff", old=second)
    assert [(one["path"], one["old"], one["new"]) for one in found["numbers"]] == [(place, "32 米", "30 米")]
    (changed,) = found["documents"]
    assert (changed["kind"], changed["fields"]) == ("changed", [{"name": "version", "old": "1.0", "new": "1.1"}])
    assert changed["sentences"] == [{"line": 7, "old": "扬程 32 米。", "new": "扬程 30 米。"}]
    assert call(toolbox, "diff", old="HEAD", new="HEAD")["documents"] == []
    by_tag = call(toolbox, "diff", old="kb-1.0.0", new=first)
    assert [(one["kind"], one["path"]) for one in by_tag["documents"]] == [("added", place)]
    assert call(toolbox, "current")["releases"] == ["kb-1.0.0"]


def test_the_history_that_came_with_the_program_is_compared_too(root: Path, config: Config, tmp_path: Path) -> None:
    bundle = tmp_path / "history.bundle"
    git(root, "bundle", "create", str(bundle), "--all")
    unpacked = tmp_path / "unpacked"
    write(unpacked, "machinery/泵.md", "# 泵\n\n新的一行。\n")
    there = dataclasses.replace(
        config, knowledge=unpacked, history_bundle=bundle, environment={"PATH": "/usr/bin:/bin"}
    )  # fmt: skip
    made = versions.open_tools(argparse.Namespace(), there)
    found = call(made, "diff", old="kb-1.0.0", new="main")
    assert [(one["kind"], one["path"]) for one in found["documents"]] == [("added", "machinery/泵.md")]
    assert "+新的一行。" in call(made, "show_commit", commit="main")["diff"]
    assert call(made, "current")["releases"] == ["kb-1.0.0"]
    made.close()


@pytest.mark.parametrize(
    "name", ["--output=/tmp/almanac-x", "../x", "HEAD..kb-1.0.0", "HEAD:cards", "none", "", "-p", "a b"]
)
def test_names_that_are_no_revisions_are_rejected_and_no_file_is_made(toolbox: Toolbox, name: str) -> None:
    for name_of, arguments in (
        ("show_commit", {"commit": name}), ("diff", {"old": name}), ("diff", {"old": "HEAD", "new": name}),
    ):  # fmt: skip
        if fits(toolbox, name_of, **arguments):
            with pytest.raises(AlmanacError):
                call(toolbox, name_of, **arguments)
    assert not Path("/tmp/almanac-x").exists()
    if fits(toolbox, "history", path=name):
        try:
            assert call(toolbox, "history", path=name)["changes"] == []
        except AlmanacError as error:
            assert error.key in ("path_outside", "git_failed")
