"""kb.tree.contract.roots: which tree a path belongs to."""

from __future__ import annotations

from pathlib import Path

import pytest

from kb.errors import KnowledgeError
from kb.tree.contract.roots import find_root, select
from tests.helpers import write


def test_the_nearest_mark_counts(tmp_path: Path) -> None:
    path = write(tmp_path, "docs/a/b/c.md", "x")
    (tmp_path / ".git").mkdir()
    assert find_root(path) == tmp_path.resolve() / "docs"
    write(tmp_path, "docs/a/taxonomy.yaml", "")
    assert find_root(path) == tmp_path.resolve() / "docs/a"


def test_a_repository_without_docs(tmp_path: Path) -> None:
    path = write(tmp_path, "a/b/c.md", "x")
    assert find_root(path) == tmp_path.resolve() / "a/b"
    (tmp_path / ".git").mkdir()
    assert find_root(path) == tmp_path.resolve()


def test_files_and_folders_are_found_from_here_or_from_the_root(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    root = (tmp_path / "knowledge").resolve()
    for name in ("a/x.md", "a/b/y.md", "README.md", "z.md"):
        write(root, name, "x")
    assert select(root, []) == {root: None}
    assert select(root, ["a"]) == {root: ["a/b/y.md", "a/x.md"]}
    assert select(root, ["a/x.md", "a"]) == {root: ["a/x.md", "a/b/y.md"]}
    monkeypatch.chdir(root / "a")
    assert select(root, ["x.md"]) == {root: ["a/x.md"]}
    assert select(root, ["."]) == {root: ["a/b/y.md", "a/x.md"]}
    assert select(root, [str(root)]) == {root: None}
    outside = write(tmp_path, "other/o.md", "x")
    assert select(root, [str(outside)]) == {outside.parent.resolve(): ["o.md"]}
    with pytest.raises(KnowledgeError):
        select(root, ["none.md"])


def test_without_a_root_each_file_finds_its_own(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    (tmp_path / ".git").mkdir()
    write(tmp_path, "docs/taxonomy.yaml", "")
    write(tmp_path, "docs/a/x.md", "x")
    monkeypatch.chdir(tmp_path)
    docs = tmp_path.resolve() / "docs"
    assert select(None, ["docs/a/x.md"]) == {docs: ["a/x.md"]}
    assert select(None, []) == {docs: None}
