"""kb.versions.backup: a backup counts only when it was checked; old ones go, and never the last good one."""

from __future__ import annotations

import hashlib
import threading
from pathlib import Path

import pytest

from kb import fsio
from kb.db import PeopleData, people_path
from kb.errors import AlmanacError, KnowledgeError
from kb.versions import chain, damage
from kb.versions.backup import Keeping, make, tidy
from kb.versions.bundle import references
from tests.helpers import git, write
from tests.versions.conftest import Base


def test_one_file_with_digest_and_chain(base: Base) -> None:
    made = base.backup()
    assert made.sha256 == hashlib.sha256(made.file.read_bytes()).hexdigest()
    assert chain.digest_file(made.file).read_text() == f"{made.sha256}  {made.file.name}\n"
    assert made.references == references(base.git, base.root)
    assert (made.contents.documents, made.contents.rows, len(made.contents.databases)) == (2, 3, 2)
    verdict = chain.verify(base.backups)
    assert verdict.good and verdict.head == made.head
    assert {path.name for path in base.backups.iterdir()} == {
        made.file.name, f"{made.file.name}.sha256", chain.NAME, ".almanac-backup.lock",
    }  # fmt: skip
    assert [path.name for path in (base.home / "scratch").iterdir()] == [".almanac-backup.lock"]


def test_git_alone_can_clone_it(base: Base, tmp_path: Path) -> None:
    made = base.backup()
    git(tmp_path, "clone", "--quiet", str(made.file), "alone")
    assert (tmp_path / "alone" / "a.md").read_bytes() == (base.root / "a.md").read_bytes()
    git(tmp_path / "alone", "fsck", "--full", "--strict")


def test_progress_grows_to_the_end(base: Base) -> None:
    seen: list[int] = []
    make(base.git, base.source, base.backups, report=lambda phase, done, total: seen.append(done))
    assert seen == sorted(seen) and seen[-1] == 100


def test_old_backups_go_and_the_chain_says_so(base: Base) -> None:
    made = [base.backup(Keeping(2)) for _ in range(4)]
    assert [backup.path for backup in chain.backups(base.backups)] == [made[3].file, made[2].file]
    assert made[2].removed == (made[0].file.name,)
    assert not made[0].file.exists() and not chain.digest_file(made[0].file).exists()
    assert chain.verify(base.backups).good
    assert len({entry.file.name for entry in made}) == 4


def test_the_newest_stays_however_few_or_old(base: Base) -> None:
    base.backup(Keeping(1, 1))
    made = base.backup(Keeping(1, 1))
    assert [backup.path for backup in chain.backups(base.backups)] == [made.file]


def test_a_damaged_base_fails_and_old_backups_stay(base: Base) -> None:
    good = base.backup()
    for path in (base.root / ".git" / "objects").rglob("*"):
        if path.is_file():
            path.chmod(0o644)
            path.write_bytes(b"")
    with pytest.raises(AlmanacError):
        base.backup(Keeping(1))
    verdict = chain.verify(base.backups)
    assert verdict.good and [backup.path for backup in verdict.backups] == [good.file]
    assert not [path for path in base.backups.iterdir() if "tmp" in path.name]


def test_a_damaged_database_fails_the_whole(base: Base) -> None:
    people_path(base.home, PeopleData.LEDGER).write_bytes(b"not a database" * 100)
    with pytest.raises(KnowledgeError) as caught:
        base.backup()
    assert caught.value.key == "people_damaged"
    assert chain.backups(base.backups) == []


def test_a_tree_that_a_restore_would_refuse_is_not_saved_as_good(base: Base) -> None:
    (base.root / "out").symlink_to("/etc")
    with pytest.raises(KnowledgeError) as caught:
        base.backup()
    assert caught.value.key == "bundle_bad_path"
    assert chain.backups(base.backups) == []


def test_the_repository_is_packed_when_asked(base: Base, tmp_path: Path) -> None:
    assert list((base.root / ".git" / "objects").glob("[0-9a-f][0-9a-f]"))
    assert tidy(base.git, base.source)
    assert not list((base.root / ".git" / "objects").glob("[0-9a-f][0-9a-f]"))
    assert damage.look(base.home, base.root, base.backups) is None
    (tmp_path / "plain").mkdir()
    assert not tidy(base.git, type(base.source)(base.home, tmp_path / "plain"))


def test_two_at_once(base: Base) -> None:
    with fsio.locked(base.backups / ".almanac-backup.lock"), pytest.raises(AlmanacError) as caught:
        base.backup()
    assert caught.value.key == "backup_running"
    assert base.backup().file.exists()


def test_it_can_be_stopped(base: Base) -> None:
    stop = threading.Event()
    stop.set()
    with pytest.raises(KeyboardInterrupt):
        make(base.git, base.source, base.backups, stop=stop)
    assert chain.backups(base.backups) == []
    assert not [path for path in base.backups.iterdir() if path.name.startswith(".almanac-tmp")]


def test_what_a_killed_backup_left_is_cleared_or_listed(base: Base) -> None:
    """Killed before its line in the chain: listed by the next one. Killed before its name: swept."""
    first = base.backup()
    (base.backups / chain.NAME).unlink()
    write(base.backups, ".almanac-tmp-1-kb-x.bundle", "half")
    write(base.backups, ".almanac-tmp-1-kb-x.bundle.lock", "half")
    write(base.backups, "kb-20200101-000000.bundle.sha256", "0  x\n")
    write(base.home, "scratch/.almanac-tmp-x/work.git/HEAD", "x")
    second = base.backup()
    assert [backup.path for backup in chain.backups(base.backups)] == [second.file, first.file]
    assert chain.verify(base.backups).good
    assert not [path for path in base.backups.iterdir() if "tmp" in path.name or "2020" in path.name]
    assert [path.name for path in (base.home / "scratch").iterdir()] == [".almanac-backup.lock"]


def test_a_stranger_in_the_folder_is_neither_listed_nor_removed(base: Base) -> None:
    strange = write(base.backups, "kb-holiday.bundle", "mine")
    base.backup(Keeping(1))
    base.backup(Keeping(1))
    assert strange.read_text() == "mine"


def test_an_empty_folder_is_not_saved(base: Base, tmp_path: Path) -> None:
    (tmp_path / "not mounted").mkdir()
    with pytest.raises(KnowledgeError) as caught:
        make(base.git, type(base.source)(base.home, tmp_path / "not mounted"), base.backups)
    assert caught.value.key == "root_empty"
    assert chain.backups(base.backups) == []


def test_without_people_and_without_commits(base: Base, tmp_path: Path) -> None:
    for path in (base.home / "people").iterdir():
        path.unlink()
    assert base.backup().contents.databases == ()
    empty = tmp_path / "empty"
    empty.mkdir()
    git(empty, "init", "--quiet")
    made = make(base.git, type(base.source)(base.home, empty), base.backups)
    assert made.references == {}
