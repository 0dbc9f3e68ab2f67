"""kb.versions.repository: the repository that people keep a tree in."""

from __future__ import annotations

from pathlib import Path

import pytest

from kb.errors import AlmanacError
from kb.versions import repository
from kb.versions.git import Git
from kb.versions.repository import Changed, revision, stage, status
from kb.versions.source import Source
from tests.helpers import git, has_git, write

pytestmark = pytest.mark.skipif(not has_git(), reason="there is no git program on this machine")
NAME = "作物/大豆 播种😀.md"


@pytest.fixture
def source(tmp_path: Path) -> Source:
    """A knowledge repository with one commit."""
    made = repository.create(tmp_path.resolve() / "knowledge", Git.find(None))
    write(made.root, NAME, "播种深度3厘米\n")
    git(made.root, "add", "-A")
    git(made.root, "commit", "--quiet", "-m", "first")
    return made


def test_a_new_one_is_local_and_keeps_bytes(source: Source) -> None:
    assert repository.branch_of(source) == "main"
    assert git(source.root, "config", "core.autocrlf").strip() == "false"
    assert git(source.root, "remote") == ""
    write(source.root, "crlf.md", "a\r\nb\r\n")
    stage(source, ["crlf.md"])
    assert git(source.root, "cat-file", "blob", ":crlf.md") == "a\r\nb\r\n"
    with pytest.raises(AlmanacError) as caught:
        repository.create(source.root / "inner", Git.find(None))
    assert caught.value.key == "repository_exists"


def test_without_git(tmp_path: Path) -> None:
    with pytest.raises(AlmanacError) as caught:
        repository.create(tmp_path, None)
    assert caught.value.key == "git_missing"


def test_what_lay_in_the_folder_stays(tmp_path: Path) -> None:
    write(tmp_path, ".gitignore", "mine\n")
    repository.create(tmp_path.resolve(), Git.find(None))
    assert (tmp_path / ".gitignore").read_text() == "mine\n"


def test_status(source: Source) -> None:
    assert status(source).changes == ()
    assert status(source).commit == git(source.root, "rev-parse", "HEAD").strip()
    write(source.root, NAME, "播种深度5厘米\n")
    write(source.root, "新 文档.md", "x")
    write(source.root, "staged.md", "x")
    write(source.root, ".obsidian/workspace.json", "{}")
    stage(source, ["staged.md"])
    assert status(source).changes == (
        Changed("A", "staged.md", True), Changed("M", NAME, False), Changed("A", "新 文档.md", False),
    )  # fmt: skip
    (source.root / NAME).unlink()
    assert Changed("D", NAME, False) in status(source).changes


def test_an_empty_repository_has_a_status(tmp_path: Path) -> None:
    made = repository.create(tmp_path.resolve(), Git.find(None))
    found = status(made)
    assert (found.branch, found.commit) == ("main", "")
    assert {change.path for change in found.changes} == {".gitattributes", ".gitignore"}


def test_a_move_is_staged_as_a_move(source: Source) -> None:
    (source.root / NAME).rename(source.root / "sowing_2024_v1.md")
    stage(source, [NAME, "sowing_2024_v1.md", "never there.md"])
    assert git(source.root, "-c", "core.quotePath=false", "status", "--porcelain", "-M").startswith("R  ")


@pytest.mark.parametrize("path", ["../x", "--output=/tmp/almanac-made-this", "/etc/passwd", ":(top)x"])
def test_paths_that_are_none(source: Source, path: str) -> None:
    with pytest.raises(AlmanacError):
        repository.difference(source, "HEAD", None, path)
    assert not Path("/tmp/almanac-made-this").exists()


def test_branches(source: Source) -> None:
    repository.make_branch(source, "draft")
    repository.make_branch(source, "release/2027春")
    assert repository.branches(source) == ["draft", "main", "release/2027春"]
    repository.switch(source, "draft")
    assert repository.branch_of(source) == "draft"
    for name, key in (
        ("feature", "branch_name"),
        ("draft", "branch_exists"),
        ("release/", "branch_name"),
        ("release/a..b", "bad_reference"),
        ("release/x.lock", "branch_name"),
    ):
        with pytest.raises(AlmanacError) as caught:
            repository.make_branch(source, name)
        assert caught.value.key == key
    with pytest.raises(AlmanacError):
        repository.switch(source, "--detach")


def test_switching_never_loses_changes(source: Source) -> None:
    repository.make_branch(source, "draft")
    write(source.root, NAME, "播种深度4厘米\n")
    git(source.root, "commit", "--quiet", "-am", "second")
    write(source.root, NAME, "播种深度5厘米\n")
    with pytest.raises(AlmanacError):
        repository.switch(source, "draft")
    assert (source.root / NAME).read_text("utf-8") == "播种深度5厘米\n"
    assert repository.branch_of(source) == "main"


def test_revisions(source: Source) -> None:
    first = git(source.root, "rev-parse", "HEAD").strip()
    write(source.root, "b.md", "x")
    git(source.root, "add", "-A")
    git(source.root, "commit", "--quiet", "-m", "second")
    for name in ("HEAD~1", "main~", "HEAD^", "HEAD~0^", first[:10]):
        assert revision(source, name) == first
    for name in ("HEAD~9", "none", "--output=/x", "../x", "HEAD~1..main", "HEAD:b.md", "HEAD~1;x", "~1"):
        with pytest.raises(AlmanacError):
            revision(source, name)


def test_differences_have_unquoted_names(source: Source) -> None:
    write(source.root, NAME, "播种深度5厘米\n")
    on_disk = repository.difference(source, "HEAD", None, None)
    assert f"+++ b/{NAME}" in on_disk
    assert "-播种深度3厘米\n+播种深度5厘米" in on_disk
    git(source.root, "commit", "--quiet", "-am", "second")
    assert repository.difference(source, "HEAD~1", "HEAD", NAME) == on_disk
    assert repository.difference(source, "HEAD~1", "HEAD", "other.md") == ""
    assert "second" in repository.shown(source, "HEAD")


def test_nothing_that_a_repository_names_is_run(source: Source, tmp_path: Path) -> None:
    """Filters, diff drivers and hooks of a repository from elsewhere: in none of the commands."""
    trap = tmp_path / "trap"
    script = tmp_path / "evil.sh"
    script.write_text(f"#!/bin/sh\necho ran >> '{trap}'\ncat\n")
    script.chmod(0o755)
    write(source.root, ".gitattributes", "*.md filter=evil diff=evil\n")
    for name in (
        "filter.evil.clean",
        "filter.evil.smudge",
        "diff.evil.command",
        "diff.evil.textconv",
        "core.fsmonitor",
    ):
        git(source.root, "config", name, str(script))
    for name in ("post-checkout", "pre-commit", "post-index-change", "reference-transaction"):
        hook = source.root / ".git" / "hooks" / name
        hook.parent.mkdir(exist_ok=True)
        hook.write_text(script.read_text())
        hook.chmod(0o755)
    trap.unlink(missing_ok=True)
    write(source.root, NAME, "播种深度5厘米\n")
    status(source)
    stage(source, [NAME])
    repository.difference(source, "HEAD", None, None)
    repository.shown(source, "HEAD")
    repository.make_branch(source, "draft")
    repository.switch(source, "draft")
    list(repository.checks(source)[0].run())
    assert not trap.exists()


def test_checks_see_remotes_branches_and_damage(source: Source) -> None:
    (check,) = repository.checks(source)
    assert list(check.run()) == []
    git(source.root, "remote", "add", "origin", "https://example.org/x.git")
    git(source.root, "branch", "feature")
    write(source.root, "new.md", "x")
    assert sorted(finding.rule for finding in check.run()) == ["branch-unknown", "not-committed", "repository-remote"]
    blob = git(source.root, "rev-parse", f"HEAD:{NAME}").strip()
    place = source.root / ".git" / "objects" / blob[:2] / blob[2:]
    place.chmod(0o644)
    place.write_bytes(b"damaged")
    assert "repository-damaged" in [finding.rule for finding in check.run()]
