"""kb.versions.update.making: what is handed out is one version with its past, and nothing else."""

from __future__ import annotations

from pathlib import Path

import pytest

from kb.errors import AlmanacError, KnowledgeError
from kb.versions.bundle import file_digest, read_header
from kb.versions.update import making
from tests.helpers import document, git, write
from tests.versions.update.conftest import Desk


def test_a_file_with_its_digest_and_no_branch(author: Desk) -> None:
    author.snapshot(5)
    git(author.source.root, "branch", "draft")
    author.snapshot(6)
    author.snapshot(7)
    made = making.make(author.source, author.stick, "1.1.0")
    assert made.file.name == "almanac-knowledge-1.1.0.bundle"
    assert set(read_header(made.file).references) == {"refs/tags/kb-1.0.0", "refs/tags/kb-1.1.0"}
    assert made.sha256 == file_digest(made.file)
    assert (author.stick / "almanac-knowledge-1.1.0.bundle.sha256").read_text() == f"{made.sha256}  {made.file.name}\n"
    assert sorted(path.name for path in author.stick.iterdir()) == [made.file.name, f"{made.file.name}.sha256"]
    assert making.make(author.source, author.stick).tag == "kb-1.2.0"


def test_nothing_is_made_of_what_is_no_version(author: Desk) -> None:
    with pytest.raises(AlmanacError) as caught:
        making.make(author.source, author.stick)
    assert caught.value.key == "publish_no_tag"
    author.snapshot(5)
    git(author.source.root, "tag", "mine")
    with pytest.raises(AlmanacError) as caught:
        making.make(author.source, author.stick, "mine")
    assert caught.value.key == "update_not_version"
    assert not author.stick.exists()


def test_a_tag_that_is_not_its_manifest_is_not_handed_out(author: Desk) -> None:
    author.snapshot(5)
    write(author.source.root, "store/other.md", document("Other", "Nobody listed me."))
    git(author.source.root, "add", "--all")
    git(author.source.root, "commit", "--quiet", "-m", "after")
    message = git(author.source.root, "for-each-ref", "--format=%(contents)", "refs/tags/kb-1.0.0")
    git(author.source.root, "tag", "--force", "-a", "-m", message, "kb-1.0.0", "HEAD")
    with pytest.raises(KnowledgeError) as caught:
        making.make(author.source, author.stick)
    assert caught.value.key == "release_mismatch"
    assert not author.stick.exists()


def test_two_commits_are_related_or_not(author: Desk, tmp_path: Path) -> None:
    author.snapshot(5)
    author.snapshot(6)
    first, second = author.source.commit_of("1.0.0"), author.source.commit_of("1.1.0")
    assert making.is_ancestor(author.source, first, second)
    assert not making.is_ancestor(author.source, second, first)
    assert not making.is_ancestor(author.source, "0" * 40, second)


def test_a_folder_that_cannot_be_made_is_named(author: Desk, tmp_path: Path) -> None:
    author.snapshot(5)
    (tmp_path / "file").write_text("x")
    with pytest.raises(AlmanacError) as caught:
        making.make(author.source, tmp_path / "file" / "below")
    assert caught.value.key == "write_failed"
