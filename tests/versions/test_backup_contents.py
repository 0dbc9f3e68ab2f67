"""kb.versions.backup_contents: what a backup says of itself comes back the same, or is refused."""

from __future__ import annotations

import json
from pathlib import Path

import pytest

from kb.db import PeopleData
from kb.errors import KnowledgeError
from kb.versions import backup_contents, people
from kb.versions.backup_contents import PEOPLE, WORKTREE, Contents, Kind
from tests.helpers import git
from tests.versions.conftest import Base


@pytest.fixture
def written(base: Base, tmp_path: Path) -> Contents:
    """Contents with the databases of `base`, committed to its own repository."""
    (tmp_path / "copies").mkdir()
    saved = people.save(base.home, tmp_path / "copies")
    contents = Contents("2026-11-30T02:00:00+08:00", Kind.REPOSITORY, "docs/", "refs/heads/main", "kb-1", "0.1.0", 2, 1,
                        ("子/仓库",), saved)  # fmt: skip
    backup_contents.write_people(base.git, base.root, contents, tmp_path / "copies")
    return contents


def test_contents_and_databases_come_back(base: Base, written: Contents, tmp_path: Path) -> None:
    assert backup_contents.read_contents(base.git, base.root) == written
    assert written.rows == 3
    backup_contents.extract_people(base.git, base.root, written, tmp_path / "back")
    for database in written.databases:
        people.check(tmp_path / "back" / database.name, database)


def _replace_about(base: Base, about: object) -> None:
    text = about if isinstance(about, str) else json.dumps(about)
    blob = base.git.run(base.root, "hash-object", "-w", "--stdin", stdin=text.encode()).strip()
    tree = base.git.run(base.root, "mktree", stdin=f"100644 blob {blob}\tbackup.json\n".encode()).strip()
    git(base.root, "update-ref", PEOPLE, git(base.root, "commit-tree", "-m", "x", tree).strip())


@pytest.mark.parametrize("name", ["../../evil.db", "/etc/passwd", "x", "", "ledger.db/../x"])
def test_a_database_with_another_name_is_refused(base: Base, written: Contents, name: str) -> None:
    about = json.loads(git(base.root, "show", f"{PEOPLE}:backup.json"))
    about["databases"][0]["name"] = name
    _replace_about(base, about)
    with pytest.raises(KnowledgeError) as caught:
        backup_contents.read_contents(base.git, base.root)
    assert caught.value.key == "backup_unreadable"


@pytest.mark.parametrize(
    ("field", "value"), [("inner", "../x/"), ("inner", "/etc"), ("head", "--stdin"), ("head", "a..b")]
)
def test_a_folder_or_branch_that_means_something_else_is_refused(
    base: Base, written: Contents, field: str, value: str
) -> None:
    _replace_about(base, json.loads(git(base.root, "show", f"{PEOPLE}:backup.json")) | {field: value})
    with pytest.raises(KnowledgeError):
        backup_contents.read_contents(base.git, base.root)


@pytest.mark.parametrize("about", ["", "{", "[]", '"x"', "5", '{"format": 1}', '{"format": 1, "kind": "no"}'])
def test_what_cannot_be_understood_is_refused(base: Base, written: Contents, about: str) -> None:
    _replace_about(base, about)
    with pytest.raises(KnowledgeError) as caught:
        backup_contents.read_contents(base.git, base.root)
    assert caught.value.key == "backup_unreadable"


def test_a_newer_format_is_named(base: Base, written: Contents) -> None:
    _replace_about(base, {"format": 2})
    with pytest.raises(KnowledgeError) as caught:
        backup_contents.read_contents(base.git, base.root)
    assert caught.value.key == "backup_newer"


def test_another_database_than_the_one_named_is_refused(base: Base, written: Contents, tmp_path: Path) -> None:
    base.note(PeopleData.LEDGER, "later")
    (tmp_path / "later").mkdir()
    people.save(base.home, tmp_path / "later")
    backup_contents.write_people(base.git, base.root, written, tmp_path / "later")
    with pytest.raises(KnowledgeError) as caught:
        backup_contents.extract_people(base.git, base.root, written, tmp_path / "back")
    assert caught.value.key == "people_damaged"


def test_the_commits_that_become_files(base: Base, tmp_path: Path) -> None:
    assert backup_contents.tree_commits(base.git, base.root) == ["HEAD"]
    git(base.root, "update-ref", WORKTREE, "HEAD")
    assert backup_contents.tree_commits(base.git, base.root) == ["HEAD", WORKTREE]
    (tmp_path / "empty").mkdir()
    git(tmp_path / "empty", "init", "--quiet")
    assert backup_contents.tree_commits(base.git, tmp_path / "empty") == []
    assert backup_contents.commit_of(base.git, tmp_path / "empty", "HEAD") == ""
