"""kb.versions.restore_document: an earlier version comes back as a new commit, nothing else changes."""

from __future__ import annotations

from pathlib import Path

import pytest

from kb.errors import AlmanacError, KnowledgeError
from kb.versions.history import History
from kb.versions.restore_document import roll_back
from tests.helpers import git, write
from tests.versions.conftest import BEAN, Base

MESSAGE = "docs(大豆): back"


@pytest.fixture
def history(base: Base) -> History:
    return History(base.root, base.git)


def _first(base: Base) -> str:
    return git(base.root, "rev-list", "--max-parents=0", "HEAD").strip()


def test_an_earlier_version_becomes_the_newest(base: Base, history: History) -> None:
    old = (base.root / BEAN).read_bytes()
    base.commit(BEAN, "播种深度9厘米。\r\n", "docs(大豆): wrong")
    write(base.root, "a.md", "someone is writing here")
    made = roll_back(history, BEAN, _first(base), MESSAGE)
    assert (base.root / BEAN).read_bytes() == old
    assert git(base.root, "rev-parse", "HEAD").strip() == made
    assert git(base.root, "log", "-1", "--format=%s").strip() == MESSAGE
    assert git(base.root, "status", "--porcelain") == " M a.md\n"
    assert len(history.changes(BEAN)) == 3


def test_a_document_that_was_removed_comes_back(base: Base, history: History) -> None:
    git(base.root, "rm", "--quiet", BEAN)
    git(base.root, "commit", "--quiet", "-m", "docs(大豆): remove")
    roll_back(history, BEAN, _first(base), MESSAGE)
    assert (base.root / BEAN).is_file()
    assert git(base.root, "status", "--porcelain") == ""


def test_bytes_that_are_no_utf8_come_back(base: Base, history: History) -> None:
    write(base.root, "gbk.md", "大豆".encode("gbk"))
    git(base.root, "add", "-A")
    git(base.root, "commit", "--quiet", "-m", "docs(x): gbk")
    first = git(base.root, "rev-parse", "HEAD").strip()
    base.commit("gbk.md", "other", "docs(x): other")
    roll_back(history, "gbk.md", first, MESSAGE)
    assert (base.root / "gbk.md").read_bytes() == "大豆".encode("gbk")


def test_uncommitted_work_is_not_overwritten(base: Base, history: History) -> None:
    write(base.root, BEAN, "new thoughts")
    with pytest.raises(KnowledgeError) as caught:
        roll_back(history, BEAN, _first(base), MESSAGE)
    assert caught.value.key == "rollback_uncommitted"
    assert (base.root / BEAN).read_text() == "new thoughts"


def test_the_same_version_is_no_change(base: Base, history: History) -> None:
    with pytest.raises(KnowledgeError) as caught:
        roll_back(history, BEAN, "HEAD", MESSAGE)
    assert caught.value.key == "rollback_same"


def test_a_held_repository_leaves_the_document_as_it_was(base: Base, history: History) -> None:
    base.commit(BEAN, "second", "docs(大豆): second")
    write(base.root, ".git/index.lock", "")
    with pytest.raises(AlmanacError):
        roll_back(history, BEAN, _first(base), MESSAGE)
    (base.root / ".git" / "index.lock").unlink()
    assert (base.root / BEAN).read_text() == "second"
    assert git(base.root, "status", "--porcelain") == ""


@pytest.mark.parametrize(
    ("path", "commit"), [("../x", "HEAD"), ("a.md", "--output=x"), ("none.md", "HEAD"), ("a.md", "no")]
)
def test_what_is_not_there_or_outside(base: Base, history: History, path: str, commit: str) -> None:
    with pytest.raises(AlmanacError):
        roll_back(history, path, commit, MESSAGE)


def test_a_link_is_not_followed_out(base: Base, history: History, tmp_path: Path) -> None:
    (tmp_path / "outside").mkdir()
    base.commit("sub/x.md", "one", "docs(x): one")
    first = git(base.root, "rev-parse", "HEAD").strip()
    (base.root / "sub" / "x.md").unlink()
    (base.root / "sub").rmdir()
    (base.root / "sub").symlink_to(tmp_path / "outside")
    git(base.root, "add", "-A")
    git(base.root, "commit", "--quiet", "-m", "docs(x): link")
    with pytest.raises(AlmanacError):
        roll_back(history, "sub/x.md", first, MESSAGE)
    assert list((tmp_path / "outside").iterdir()) == []


def test_knowledge_of_the_program_stays_as_it_is(base: Base, tmp_path: Path) -> None:
    bundle = tmp_path / "history.bundle"
    git(base.root, "bundle", "create", str(bundle), "--all", "HEAD")
    root = tmp_path / "unpacked"
    write(root, "a.md", "x")
    with pytest.raises(KnowledgeError) as caught:
        roll_back(History(root, base.git, bundle, tmp_path / "cache"), "a.md", "HEAD", MESSAGE)
    assert caught.value.key == "rollback_program"
