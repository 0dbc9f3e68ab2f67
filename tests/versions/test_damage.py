"""kb.versions.damage: what a power cut leaves is noticed, a healthy base never."""

from __future__ import annotations

import shutil
import subprocess
from collections.abc import Callable
from pathlib import Path

import pytest

from kb.db import PeopleData, people_path
from kb.paths import OWN_KNOWLEDGE
from kb.versions import damage, restore
from kb.versions.backup import make
from kb.versions.backup_collect import BackupSource
from kb.versions.damage import Damage, Trouble
from tests.helpers import git, write
from tests.versions.conftest import Base


def _look(base: Base) -> Damage | None:
    return damage.look(base.home, base.root, base.backups)


def test_healthy_bases_are_not_damaged(base: Base, tmp_path: Path) -> None:
    assert _look(base) is None
    git(base.root, "gc", "--quiet")
    git(base.root, "pack-refs", "--all")
    assert _look(base) is None
    git(base.root, "checkout", "--quiet", "HEAD~1")
    assert _look(base) is None
    git(base.root, "worktree", "add", "--quiet", str(tmp_path / "linked"), "draft")
    assert damage.look(base.home, tmp_path / "linked", base.backups) is None
    plain = tmp_path / "plain"
    plain.mkdir()
    assert damage.look(tmp_path / "no home", plain, base.backups) is None
    git(plain, "init", "--quiet")
    assert damage.look(tmp_path / "no home", plain, base.backups) is None
    git(tmp_path, "clone", "--quiet", "--shared", str(base.root), "borrowing")
    assert damage.look(base.home, tmp_path / "borrowing", base.backups) is None
    people_path(base.home, PeopleData.ANSWERS).write_bytes(b"")
    assert _look(base) is None


def _empty(path: Path) -> None:
    path.chmod(0o644)
    path.write_bytes(b"")


def _packed(root: Path, suffix: str) -> Path:
    git(root, "gc", "--quiet")
    return next((root / ".git" / "objects" / "pack").glob(f"*{suffix}"))


def _commit_object(root: Path) -> Path:
    name = git(root, "rev-parse", "HEAD").strip()
    return root / ".git" / "objects" / name[:2] / name[2:]


@pytest.mark.parametrize(
    "harm",
    [
        lambda root: _empty(root / ".git" / "HEAD"),
        lambda root: (root / ".git" / "HEAD").unlink(),
        lambda root: (root / ".git" / "HEAD").write_bytes(b"\0" * 41),
        lambda root: _empty(root / ".git" / "refs" / "heads" / "main"),
        lambda root: (root / ".git" / "refs" / "heads" / "main").unlink(),
        lambda root: (root / ".git" / "refs" / "heads" / "main").write_bytes(b"\0" * 41),
        lambda root: shutil.rmtree(root / ".git" / "objects"),
        lambda root: shutil.rmtree(root / ".git" / "refs"),
        lambda root: _empty(_commit_object(root)),
        lambda root: _commit_object(root).unlink(),
        lambda root: _empty(_packed(root, ".pack")),
        lambda root: _packed(root, ".idx").unlink(),
        lambda root: _empty(_packed(root, ".idx")),
        lambda root: [path.unlink() for path in (_packed(root, ".pack"), root / ".git" / "packed-refs")],
    ],
)
def test_a_damaged_repository_is_noticed(base: Base, harm: Callable[[Path], object]) -> None:
    made = base.backup()
    harm(base.root)
    with pytest.raises(subprocess.CalledProcessError):
        git(base.root, "rev-parse", "--verify", "HEAD^{tree}")
        git(base.root, "fsck")
    assert _look(base) == Damage(Trouble.REPOSITORY, base.root, made.file)


def test_documents_that_are_gone_are_noticed(base: Base) -> None:
    for path in base.root.rglob("*.md"):
        path.unlink()
    assert _look(base) == Damage(Trouble.DOCUMENTS, base.root)


def test_a_base_in_the_home_folder_that_is_gone_is_noticed(base: Base, tmp_path: Path) -> None:
    own = base.home / OWN_KNOWLEDGE
    shutil.copytree(base.root, own)
    came_with_program = tmp_path / "program"
    write(came_with_program, "a.md", "x")
    backups = base.home / "backups"
    made = make(base.git, BackupSource(base.home, own), backups)
    assert damage.look(base.home, own, backups) is None
    shutil.rmtree(own)
    assert damage.look(base.home, came_with_program, backups) == Damage(Trouble.GONE, own, made.file)
    make(base.git, BackupSource(base.home, came_with_program), backups)
    assert damage.look(base.home, came_with_program, backups) == Damage(Trouble.GONE, own, made.file)


def test_a_tree_elsewhere_that_is_gone_is_noticed(base: Base) -> None:
    made = base.backup()
    shutil.rmtree(base.root)
    assert _look(base) == Damage(Trouble.GONE, base.root, made.file)


def test_a_damaged_database_is_noticed(base: Base) -> None:
    path = people_path(base.home, PeopleData.MEMORY)
    path.write_bytes(b"\0" * 8192)
    assert _look(base) == Damage(Trouble.PEOPLE, path)


def test_an_unfinished_restore_is_noticed_first(base: Base) -> None:
    write(base.home, restore.PLAN, "{}")
    assert _look(base) == Damage(Trouble.UNFINISHED, base.home)


def test_the_newest_backup_that_is_there_is_offered(base: Base) -> None:
    assert damage.newest(base.backups) is None
    made = [base.backup() for _ in range(2)]
    assert damage.newest(base.backups) == made[1].file
    made[1].file.write_bytes(b"short")
    assert damage.newest(base.backups) == made[0].file
