"""kb.versions.source: what a repository holds below the knowledge root."""

from __future__ import annotations

from pathlib import Path

import pytest

from kb.errors import AlmanacError, KnowledgeError
from kb.versions.git import Git
from kb.versions.source import Source, is_hidden
from tests.helpers import commit_all, git, write


@pytest.fixture
def inner(repository: Path) -> Source:
    """The knowledge one folder down, beside files that are none of its business."""
    folder = repository / "知识 库"
    write(folder, "作物/大豆 [1]😀.md", "# 大豆\n")
    write(folder, "images/a.png", b"\x89PNG")
    write(folder, ".obsidian/app.json", "{}")
    write(repository, "secret.md", "# secret\n")
    (folder / "link.md").symlink_to("../secret.md")
    commit_all(repository)
    return Source.find(folder, Git.find(None))


def test_only_plain_files_below_the_root_count(inner: Source) -> None:
    stored = inner.files(inner.commit_of("HEAD"))
    assert [entry.path for entry in stored] == ["images/a.png", "作物/大豆 [1]😀.md"]
    assert [entry.size for entry in stored] == [4, 9]
    assert list(inner.blobs(stored)) == [b"\x89PNG", "# 大豆\n".encode()]
    assert [(entry.path, entry.blob) for entry in inner.staged()] == [(entry.path, entry.blob) for entry in stored]
    assert inner.left_out("HEAD") == ["link.md"]
    assert inner.content("HEAD", "作物/大豆 [1]😀.md") == "# 大豆\n".encode()
    assert inner.content("HEAD", "none.md") is None


def test_what_is_not_committed_is_named(inner: Source) -> None:
    assert inner.uncommitted("manifest.json") == []
    write(inner.root, "新 文件.md", "# new\n")
    write(inner.root, "images/a.png", b"other")
    write(inner.root, "manifest.json", "{}")
    write(inner.root, ".obsidian/app.json", "{1}")
    write(inner.repository, "secret.md", "beside the root")
    assert inner.uncommitted("manifest.json") == ["images/a.png", "新 文件.md"]


def test_a_filter_of_the_repository_does_not_run(inner: Source, tmp_path: Path) -> None:
    git(inner.repository, "config", "filter.bad.clean", f"touch {tmp_path}/ran; cat")
    git(inner.repository, "config", "filter.bad.required", "true")
    write(inner.repository, ".gitattributes", "* filter=bad\n")
    write(inner.root, "images/a.png", b"other")
    assert inner.uncommitted("manifest.json") == ["images/a.png"]
    assert not (tmp_path / "ran").exists()


def test_names_of_versions(source: Source) -> None:
    first = source.commit_of("HEAD")
    for tag in ("kb-1.10.0", "kb-1.9.0", "kb-x", "other"):
        git(source.repository, "tag", tag)
    assert source.tags() == ["kb-1.9.0", "kb-1.10.0"]
    assert source.commit_of("1.9.0") == source.commit_of("main") == source.commit_of(first[:10]) == first
    for name in ("9.9.9", "none", "kb-2.0.0"):
        with pytest.raises(AlmanacError) as caught:
            source.commit_of(name)
        assert caught.value.key == "version_unknown_name"
        assert "kb-1.10.0" in str(caught.value)
    for name in ("--output=/x", "../x", "-p", "HEAD@{1}"):
        with pytest.raises(AlmanacError):
            source.commit_of(name)


def test_a_merge_with_conflicts_is_said(source: Source) -> None:
    root = source.repository
    git(root, "checkout", "--quiet", "-b", "draft")
    write(root, "store/a.md", "# one\n")
    commit_all(root)
    git(root, "checkout", "--quiet", "main")
    write(root, "store/a.md", "# two\n")
    commit_all(root)
    with pytest.raises(Exception, match="merge"):
        git(root, "merge", "draft")
    with pytest.raises(KnowledgeError) as caught:
        source.staged()
    assert caught.value.key == "versions_conflict"


def test_a_folder_without_repository(tmp_path: Path) -> None:
    with pytest.raises(KnowledgeError) as caught:
        Source.find(tmp_path, Git.find(None))
    assert caught.value.key == "versions_no_repository"
    with pytest.raises(AlmanacError) as missing:
        Source.find(tmp_path, None)
    assert missing.value.key == "git_missing"


def test_a_linked_work_tree_is_one_too(source: Source, tmp_path: Path) -> None:
    git(source.repository, "worktree", "add", "--quiet", str(tmp_path / "second"), "-b", "second")
    other = Source.find(tmp_path / "second", Git.find(None))
    assert other.files("HEAD") == source.files("HEAD")
    assert other.git_folder() != source.git_folder()
    assert other.git_folder().is_dir()


@pytest.mark.parametrize(("path", "hidden"), [(".a/b.md", True), ("a/.b/c", True), ("a/b.md", False), ("a./b", False)])
def test_hidden(path: str, hidden: bool) -> None:
    assert is_hidden(path) is hidden
