"""kb.tree.walk: all documents below the root and nothing else."""

from __future__ import annotations

import contextlib
import os
from pathlib import Path

import pytest
from hypothesis import given
from hypothesis import strategies as st

from kb.errors import KnowledgeError
from kb.tree.textfile import read_text
from kb.tree.walk import MAX_DEPTH, inside, resolve_root, walk
from tests.helpers import write


def _paths(root: Path) -> list[str]:
    return sorted(state.path for state in walk(root))


def test_documents_are_found_wherever_they_lie(empty_tree: Path) -> None:
    for path in ("a.md", "b/c.markdown", "b/D.MD", "中文 目录/文件 名.md", "😀/x.md"):
        write(empty_tree, path, "x")
    for path in (".git/a.md", ".hidden.md", "b/.x/a.md", "notes.txt", "image.png", "md"):
        write(empty_tree, path, "x")
    assert _paths(empty_tree) == sorted(["a.md", "b/c.markdown", "b/D.MD", "中文 目录/文件 名.md", "😀/x.md"])


def test_size_and_time_are_those_of_the_file(empty_tree: Path) -> None:
    path = write(empty_tree, "a.md", "12345")
    (state,) = walk(empty_tree)
    assert (state.size, state.mtime_ns) == (5, path.stat().st_mtime_ns)


def test_links_are_followed_only_inside(empty_tree: Path, tmp_path: Path) -> None:
    outside = write(tmp_path, "outside/secret.md", "secret")
    write(empty_tree, "a.md", "a")
    (empty_tree / "inner.md").symlink_to(empty_tree / "a.md")
    (empty_tree / "out.md").symlink_to(outside)
    (empty_tree / "folder").symlink_to(outside.parent)
    (empty_tree / "loop").symlink_to(empty_tree)
    (empty_tree / "dangling.md").symlink_to(empty_tree / "none.md")
    assert _paths(empty_tree) == ["a.md", "inner.md"]


def test_a_name_that_is_not_text_is_left_out(empty_tree: Path) -> None:
    Path(os.fsdecode(bytes(empty_tree) + b"/bad\xff.md")).write_text("x")
    assert _paths(empty_tree) == []


def test_depth_has_an_end(empty_tree: Path) -> None:
    write(empty_tree, "d/" * MAX_DEPTH + "in.md", "x")
    write(empty_tree, "d/" * (MAX_DEPTH + 1) + "out.md", "x")
    assert [path.rsplit("/", 1)[1] for path in _paths(empty_tree)] == ["in.md"]


@pytest.mark.parametrize(
    "path",
    [
        "../secret.md",
        "a/../../secret.md",
        "/etc/passwd",
        "",
        "a\0.md",
        "..\\secret.md",
        "link.md",
        "folder/secret.md",
        "..",
    ],
)
def test_nothing_outside_is_read(empty_tree: Path, tmp_path: Path, path: str) -> None:
    secret = write(tmp_path, "secret.md", "secret")
    (empty_tree / "link.md").symlink_to(secret)
    (empty_tree / "folder").symlink_to(tmp_path)
    with pytest.raises(KnowledgeError) as caught:
        inside(empty_tree, path)
    assert caught.value.key == "path_outside"


@pytest.mark.parametrize("path", ["none.md", "b", "x" * 300 + ".md", "a.md/b.md", "loop.md", "~", "\udcff.md"])
def test_what_is_not_a_file_is_no_document(empty_tree: Path, path: str) -> None:
    write(empty_tree, "a.md", "a")
    (empty_tree / "b").mkdir()
    (empty_tree / "loop.md").symlink_to(empty_tree / "loop.md")
    with pytest.raises(KnowledgeError) as caught:
        inside(empty_tree, path)
    assert caught.value.key == "no_such_document"


def test_a_document_inside_is_found(empty_tree: Path) -> None:
    target = write(empty_tree, "b/大豆.md", "x")
    assert inside(empty_tree, "b/大豆.md") == target.resolve()
    assert inside(empty_tree, "b/../b/大豆.md") == target.resolve()


@given(st.text(max_size=40))
def test_no_path_leads_out(tmp_path_factory: pytest.TempPathFactory, path: str) -> None:
    root = tmp_path_factory.getbasetemp() / "root"
    root.mkdir(exist_ok=True)
    with contextlib.suppress(KnowledgeError):
        assert inside(root.resolve(), path).is_relative_to(root.resolve())


def test_a_root_is_an_absolute_folder(empty_tree: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.chdir(tmp_path)
    assert resolve_root("documents") == empty_tree.resolve()
    link = tmp_path / "link"
    link.symlink_to(empty_tree)
    assert resolve_root(link) == empty_tree.resolve()
    write(tmp_path, "file", "x")
    for name, key in (("none", "root_missing"), ("file", "root_not_folder")):
        with pytest.raises(KnowledgeError) as caught:
            resolve_root(tmp_path / name)
        assert caught.value.key == key
    monkeypatch.setattr(os, "access", lambda *_: False)
    with pytest.raises(KnowledgeError) as caught:
        resolve_root(empty_tree)
    assert caught.value.key == "unreadable"


def test_templates_are_no_documents(empty_tree: Path) -> None:
    write(empty_tree, "_templates/knowledge.md", "x")
    write(empty_tree, "a/_errors.md", "x")
    assert [state.path for state in walk(empty_tree)] == ["a/_errors.md"]


@pytest.mark.skipif(not hasattr(os, "mkfifo"), reason="there are no named pipes here")
def test_a_pipe_or_device_is_never_waited_for(empty_tree: Path) -> None:
    """Opening a pipe that nobody writes into would stop a start for ever."""
    write(empty_tree, "a.md", "a")
    os.mkfifo(empty_tree / "pipe.md")
    (empty_tree / "link.md").symlink_to(empty_tree / "pipe.md")
    (empty_tree / "folder.md").mkdir()
    assert [state.path for state in walk(empty_tree)] == ["a.md"]
    for path in (empty_tree / "pipe.md", empty_tree / "link.md", Path("/dev/zero")):
        with pytest.raises(KnowledgeError, match="not a regular file"):
            read_text(path)
