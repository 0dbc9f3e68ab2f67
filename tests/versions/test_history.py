"""kb.versions.history: what changed, from a repository or a bundle."""

from __future__ import annotations

import contextlib
import datetime
import json
from pathlib import Path

import pytest

from kb.errors import AlmanacError
from kb.versions.git import Git
from kb.versions.history import STAMP_NAME, History, KnowledgeVersion
from tests.helpers import git, has_git, write

pytestmark = pytest.mark.skipif(not has_git(), reason="there is no git program on this machine")
NAME = "作物/大豆 播种😀.md"


def _commit(root: Path, message: str) -> str:
    git(root, "add", "-A")
    git(root, "commit", "--quiet", "-m", message)
    return git(root, "rev-parse", "HEAD").strip()


@pytest.fixture
def project(tmp_path: Path) -> Path:
    """A repository whose folder `docs` is the knowledge, with a secret beside it."""
    root = tmp_path / "project"
    root.mkdir()
    git(root, "init", "--quiet", "-b", "main")
    write(root, f"docs/{NAME}", "播种深度3厘米\n" * 9)
    write(root, "secret.md", "secret\n")
    _commit(root, "第一次：\x1b[31m大豆")
    write(root, f"docs/{NAME}", "播种深度3厘米\n" * 9 + "新的一行\n")
    _commit(root, "second")
    git(root, "mv", f"docs/{NAME}", "docs/moved.md")
    write(root, "docs/extra [x].md", "x")
    _commit(root, "third")
    return root


def _history(root: Path) -> History:
    return History(root, Git.find(None))


def test_changes_come_newest_first_with_plain_names(project: Path) -> None:
    changes = _history(project / "docs").changes()
    assert [change.summary for change in changes] == ["third", "second", "第一次：\x1b[31m大豆"]
    assert sorted(changes[0].files) == [("A", "extra [x].md"), ("R", "moved.md")]
    assert changes[1].files == (("M", NAME),)
    assert ("A", NAME) in changes[2].files
    assert changes[0].author == "Test"
    assert changes[0].date.tzinfo is not None
    assert len(changes[0].commit) == 40


@pytest.mark.parametrize(("path", "count"), [(NAME, 3), ("moved.md", 1), ("extra [x].md", 1), ("none.md", 0)])
def test_one_document(project: Path, path: str, count: int) -> None:
    assert len(_history(project / "docs").changes(path)) == count


def test_limits(project: Path) -> None:
    history = _history(project / "docs")
    assert len(history.changes(limit=2)) == 2
    assert history.changes(since=datetime.date.today() + datetime.timedelta(days=2)) == []


@pytest.mark.parametrize(
    "path",
    [
        "../secret.md",
        "../x",
        "a/../../secret.md",
        "/etc/passwd",
        "--output=/tmp/x",
        ":(top)secret.md",
        ":/secret.md",
        "*",
    ],
)
def test_a_path_cannot_leave_the_knowledge(project: Path, path: str) -> None:
    """Refused, or simply nothing: never another folder's history."""
    history = _history(project / "docs")
    with contextlib.suppress(AlmanacError):
        assert history.changes(path) == []
    with pytest.raises(AlmanacError):
        history.content(path, "HEAD")
    assert not (Path("/tmp/x")).exists()


@pytest.mark.parametrize("commit", ["--output=/tmp/almanac-made-this", "../x", "-p", "HEAD:secret.md", "HEAD..main"])
def test_a_version_cannot_be_an_option(project: Path, commit: str) -> None:
    with pytest.raises(AlmanacError) as caught:
        _history(project / "docs").content("moved.md", commit)
    assert caught.value.key == "bad_reference"
    assert not Path("/tmp/almanac-made-this").exists()


def test_an_old_edition_is_read(project: Path) -> None:
    history = _history(project / "docs")
    first = history.changes()[-1].commit
    assert history.content(NAME, first) == "播种深度3厘米\n" * 9


def test_the_version_is_the_commit_and_its_tag(project: Path) -> None:
    history = _history(project / "docs")
    head = git(project, "rev-parse", "HEAD").strip()
    assert history.version().commit == head
    assert history.version().label == head[:10]
    git(project, "tag", "kb-1.2.0")
    git(project, "tag", "other-1")
    version = history.version()
    assert (version.tag, version.label) == ("kb-1.2.0", "kb-1.2.0")
    assert version.date


def test_the_newest_of_several_tags_counts(project: Path) -> None:
    for tag in ("kb-1.9.0", "kb-1.10.0"):
        git(project, "tag", tag)
    assert _history(project / "docs").version().tag == "kb-1.10.0"


def test_a_stamp_beside_unpacked_knowledge_counts(tmp_path: Path) -> None:
    root = tmp_path / "kb" / "docs"
    root.mkdir(parents=True)
    stamp = root.parent / STAMP_NAME
    stamp.write_text(json.dumps({"tag": "kb-1.0.0", "manifest": "m", "commit": "c", "date": "d"}))
    assert _history(root).version() == KnowledgeVersion("kb-1.0.0", "m", "c", "d")
    for broken in ("{", "[]", '"x"', "5"):
        stamp.write_text(broken)
        assert _history(root).version() == KnowledgeVersion()


def test_without_git_or_history_there_is_a_reason(tmp_path: Path) -> None:
    for history, key in ((History(tmp_path, None), "git_missing"), (_history(tmp_path), "no_history")):
        with pytest.raises(AlmanacError) as caught:
            history.changes()
        assert caught.value.key == key
        assert history.version() == KnowledgeVersion()


def test_an_empty_repository_has_no_version(tmp_path: Path) -> None:
    git(tmp_path, "init", "--quiet")
    assert _history(tmp_path).version() == KnowledgeVersion()


def _bundled(project: Path, tmp_path: Path) -> tuple[Path, Path]:
    """The knowledge as a bundle, and an unpacked tree without repository."""
    alone = tmp_path / "alone"
    alone.mkdir()
    git(alone, "init", "--quiet", "-b", "main")
    write(alone, NAME, "x")
    _commit(alone, "in the bundle")
    bundle = tmp_path / "history.bundle"
    git(alone, "bundle", "create", str(bundle), "--all")
    root = tmp_path / "unpacked"
    write(root, NAME, "x")
    return bundle, root


def test_history_comes_from_a_bundle(project: Path, tmp_path: Path) -> None:
    bundle, root = _bundled(project, tmp_path)
    history = History(root, Git.find(None), bundle, tmp_path / "cache")
    assert [change.summary for change in history.changes()] == ["in the bundle"]
    bundle.unlink()
    bundle.write_bytes(b"gone")
    assert history.changes()[0].files == (("A", NAME),)


@pytest.mark.parametrize("damage", ["flipped", "cut", "stub"])
def test_a_damaged_bundle_is_refused_and_leaves_nothing(project: Path, tmp_path: Path, damage: str) -> None:
    bundle, root = _bundled(project, tmp_path)
    data = bytearray(bundle.read_bytes())
    if damage == "flipped":
        data[-30] ^= 0x10
    bundle.write_bytes({"flipped": bytes(data), "cut": bytes(data[:-25]), "stub": b"# v2 git bundle\n"}[damage])
    history = History(root, Git.find(None), bundle, tmp_path / "cache")
    with pytest.raises(AlmanacError) as caught:
        history.changes()
    assert caught.value.key == "git_failed"
    assert list((tmp_path / "cache").iterdir()) == []
