"""kb.tree.contract.files: a tree on disk and one that is only named are seen alike."""

from __future__ import annotations

from pathlib import Path

import pytest

from kb.errors import KnowledgeError
from kb.tree.contract.files import DiskFiles, Files, GivenFiles, exists, is_knowledge, other_case
from tests.helpers import write

PATHS = ("a/b.md", "a/images/pic_2024.png", "README.md", "top.md", "a/.hidden/x.md", "a/c.markdown")


@pytest.fixture(params=["disk", "given"])
def files(request: pytest.FixtureRequest, tmp_path: Path) -> Files:
    """The same tree, twice."""
    for path in PATHS:
        write(tmp_path, path, "x")
    return DiskFiles(tmp_path.resolve()) if request.param == "disk" else GivenFiles(PATHS, lambda path: b"x")


def test_documents_without_the_hidden_and_the_readme(files: Files) -> None:
    assert files.documents() == ["a/b.md", "a/c.markdown", "top.md"]
    assert is_knowledge("a/README.md")


def test_names_and_bytes(files: Files) -> None:
    assert files.names("a/images") == {"pic_2024.png"}
    assert files.names("nowhere") == frozenset()
    assert {"README.md", "top.md"} <= files.names("")
    assert files.read("a/b.md") == b"x"


@pytest.mark.parametrize(
    ("path", "meant"),
    [
        ("a/images/PIC_2024.png", "a/images/pic_2024.png"),
        ("a/Images/pic_2024.PNG", "a/images/pic_2024.png"),
        ("a/images/none.png", None),
        ("TOP.md", "top.md"),
    ],
)
def test_upper_and_lower_case(files: Files, path: str, meant: str | None) -> None:
    assert not exists(files, path)
    assert other_case(files, path) == meant


def test_two_that_differ_in_case_are_no_answer() -> None:
    assert other_case(GivenFiles(("a/X.png", "a/x.png"), lambda path: b""), "a/x.PNG") is None


def test_links_out_of_the_tree_are_not_there(tmp_path: Path) -> None:
    root = tmp_path / "root"
    outside = write(tmp_path, "outside/secret.png", "x")
    write(root, "a.md", "x")
    (root / "link.png").symlink_to(outside)
    (root / "folder").symlink_to(outside.parent)
    files = DiskFiles(root.resolve())
    assert not exists(files, "link.png")
    assert not exists(files, "folder/secret.png")


def test_an_unreadable_file_has_a_reason(tmp_path: Path) -> None:
    with pytest.raises(KnowledgeError):
        DiskFiles(tmp_path).read("none.md")
