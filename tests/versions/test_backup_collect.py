"""kb.versions.backup_collect: everything is gathered, nothing of the live repository runs or changes."""

from __future__ import annotations

import dataclasses
from pathlib import Path

import pytest

from kb.errors import KnowledgeError
from kb.versions.backup_collect import BackupSource, collect
from kb.versions.backup_contents import WORKTREE, Kind
from kb.versions.bundle import references
from tests.helpers import git, write
from tests.versions.conftest import BEAN, Base


@pytest.fixture
def scratch(tmp_path: Path) -> Path:
    folder = tmp_path / "scratch"
    folder.mkdir()
    return folder


def _state(root: Path) -> dict[str, bytes]:
    """Every file of the repository with its bytes: what a writer would change."""
    return {str(path): path.read_bytes() for path in root.rglob("*") if path.is_file()}


def test_references_files_and_head(base: Base, scratch: Path) -> None:
    before = _state(base.root)
    work, contents = collect(base.git, base.source, scratch, None)
    assert _state(base.root) == before
    found = references(base.git, work)
    assert {name: value for name, value in found.items() if "almanac" not in name} == references(base.git, base.root)
    assert (contents.kind, contents.inner, contents.head) == (Kind.REPOSITORY, "", "refs/heads/main")
    assert (contents.documents, contents.changed, WORKTREE in found) == (2, 0, False)


def test_what_is_not_committed_is_taken_up(base: Base, scratch: Path) -> None:
    write(base.root, "a.md", "changed")
    write(base.root, "新 文件.md", "new")
    write(base.root, ".gitignore", "*.tmp\n")
    write(base.root, "x.tmp", "ignored")
    (base.root / BEAN).unlink()
    git(base.root, "add", "a.md")
    before = _state(base.root)
    work, contents = collect(base.git, base.source, scratch, None)
    assert _state(base.root) == before
    assert contents.changed == 4
    names = base.git.read(work, "ls-tree", "-r", "-z", "--name-only", WORKTREE).split("\0")
    assert sorted(filter(None, names)) == [".gitignore", "a.md", "新 文件.md"]
    assert base.git.read(work, "cat-file", "blob", f"{WORKTREE}:a.md") == "changed"


def test_documents_that_git_ignores_are_taken_up_too(base: Base, scratch: Path) -> None:
    base.commit(".gitignore", "private/\n*.tmp\n", "docs(x): ignore")
    write(base.root, "private/[a] *.md", "answers too")
    write(base.root, "private/junk.tmp", "x")
    work, contents = collect(base.git, base.source, scratch, None)
    assert contents.changed == 1
    assert base.git.read(work, "cat-file", "blob", f"{WORKTREE}:private/[a] *.md") == "answers too"
    assert "junk" not in base.git.read(work, "ls-tree", "-r", "--name-only", WORKTREE)


def test_a_detached_head_and_an_empty_repository(base: Base, scratch: Path, tmp_path: Path) -> None:
    commit = git(base.root, "rev-parse", "HEAD~1").strip()
    git(base.root, "checkout", "--quiet", commit)
    assert collect(base.git, base.source, scratch, None)[1].head == commit
    empty = tmp_path / "empty"
    empty.mkdir()
    (tmp_path / "second").mkdir()
    git(empty, "init", "--quiet", "-b", "main")
    write(empty, "a.md", "x")
    _, contents = collect(base.git, BackupSource(base.home, empty), tmp_path / "second", None)
    assert (contents.kind, contents.head, contents.changed) == (Kind.REPOSITORY, "refs/heads/main", 1)


def test_a_folder_without_history(base: Base, scratch: Path, tmp_path: Path) -> None:
    root = tmp_path / "plain"
    write(root, "b/c.md", "x")
    work, contents = collect(base.git, BackupSource(base.home, root), scratch, None)
    assert (contents.kind, contents.changed) == (Kind.FOLDER, 1)
    assert base.git.read(work, "ls-tree", "-r", "--name-only", WORKTREE) == "b/c.md\n"
    assert not (root / ".git").exists()


def test_knowledge_within_a_repository_and_knowledge_that_merely_lies_in_one(
    base: Base, scratch: Path, tmp_path: Path
) -> None:
    write(base.root, "docs/x.md", "x")
    git(base.root, "add", "-A")
    git(base.root, "commit", "--quiet", "-m", "docs(x): add")
    write(base.root, "docs/y.md", "not committed")
    write(base.root, "outside.md", "not the knowledge's")
    _, contents = collect(base.git, BackupSource(base.home, base.root / "docs"), scratch, None)
    assert (contents.kind, contents.inner, contents.changed) == (Kind.REPOSITORY, "docs/", 1)
    write(base.root, "untracked/z.md", "x")
    (tmp_path / "second").mkdir()
    _, contents = collect(base.git, BackupSource(base.home, base.root / "untracked"), tmp_path / "second", None)
    assert (contents.kind, contents.changed) == (Kind.FOLDER, 1)


def test_history_that_came_with_the_program(base: Base, scratch: Path, tmp_path: Path) -> None:
    bundle = tmp_path / "history.bundle"
    git(base.root, "bundle", "create", str(bundle), "--all", "HEAD")
    root = tmp_path / "unpacked"
    write(root, "a.md", "x")
    work, contents = collect(base.git, BackupSource(base.home, root, bundle), scratch, None)
    assert (contents.kind, contents.head) == (Kind.PROGRAM, "refs/heads/main")
    assert references(base.git, work).items() >= references(base.git, base.root).items()


def test_repositories_within_the_tree_are_named_and_left_out(base: Base, scratch: Path) -> None:
    inner = base.root / "子" / "仓库"
    inner.mkdir(parents=True)
    git(inner, "init", "--quiet")
    write(inner, "x.md", "x")
    _, contents = collect(base.git, base.source, scratch, None)
    assert contents.nested == ("子/仓库",)
    assert contents.changed == 0


def test_a_shallow_clone_is_named(base: Base, scratch: Path, tmp_path: Path) -> None:
    git(tmp_path, "clone", "--quiet", "--depth", "1", f"file://{base.root}", "shallow")
    with pytest.raises(KnowledgeError) as caught:
        collect(base.git, dataclasses.replace(base.source, knowledge=tmp_path / "shallow"), scratch, None)
    assert caught.value.key == "backup_shallow"


def test_a_linked_work_tree_is_a_repository(base: Base, scratch: Path, tmp_path: Path) -> None:
    git(base.root, "worktree", "add", "--quiet", str(tmp_path / "linked"), "draft")
    _, contents = collect(base.git, BackupSource(base.home, tmp_path / "linked"), scratch, None)
    assert (contents.kind, contents.head) == (Kind.REPOSITORY, "refs/heads/draft")


def test_the_live_repositorys_programs_do_not_run(base: Base, scratch: Path, tmp_path: Path) -> None:
    marker = tmp_path / "it ran"
    script = write(tmp_path, "evil.sh", f"#!/bin/sh\ntouch '{marker}'\ncat\n")
    script.chmod(0o755)
    for name in (
        "filter.x.clean",
        "filter.x.process",
        "core.fsmonitor",
        "core.alternateRefsCommand",
        "diff.x.textconv",
    ):
        git(base.root, "config", name, str(script))
    git(base.root, "config", "core.worktree", str(tmp_path))
    write(base.root, ".gitattributes", "*.md filter=x diff=x\n")
    write(base.root, ".git/info/attributes", "*.md filter=x diff=x\n")
    write(base.root, "a.md", "changed")
    work, contents = collect(base.git, base.source, scratch, None)
    assert not marker.exists()
    assert contents.changed == 2
    assert base.git.read(work, "cat-file", "blob", f"{WORKTREE}:a.md") == "changed"
