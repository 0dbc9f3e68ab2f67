"""kb.versions.restore: all of it comes back or nothing changes; what was there is renamed, never deleted."""

from __future__ import annotations

import json
import shutil
from pathlib import Path

import pytest

from kb import fsio
from kb.config import Tree
from kb.db import PeopleData, people_path
from kb.errors import AlmanacError, KnowledgeError
from kb.versions import chain, restore
from kb.versions.bundle import file_digest
from kb.versions.git import Git
from tests.helpers import git, write
from tests.versions.conftest import Base, files


def _everything(base: Base) -> dict[str, bytes]:
    """All bytes of knowledge, history and people's data."""
    return {
        str(path): path.read_bytes() for root in (base.root, base.home / "people") for path in root.rglob("*")
        if path.is_file()
    }  # fmt: skip


def test_onto_an_empty_disk(base: Base, tmp_path: Path) -> None:
    made = base.backup()
    new = Base(base.git, tmp_path / "new" / "kb", tmp_path / "new" / "home", base.backups)
    done = restore.restore(base.git, made.file, new.root, new.home)
    assert done is not None and (done.aside, done.notes) == ((), ())
    assert files(new.root) == files(base.root)
    assert new.notes(PeopleData.LEDGER) == ["one", "two"] and new.notes(PeopleData.MEMORY) == ["三"]
    assert sorted(path.name for path in (tmp_path / "new").iterdir()) == ["home", "kb"]
    assert sorted(path.name for path in new.home.iterdir()) == ["people", "restore.lock"]


def test_over_a_damaged_base(base: Base) -> None:
    made = base.backup()
    wanted = files(base.root)
    shutil.rmtree(base.root / ".git" / "objects")
    write(base.root, "a.md", "rubbish")
    ledger = people_path(base.home, PeopleData.LEDGER)
    ledger.write_bytes(b"rubbish")
    ledger.with_name("ledger.db-journal").write_bytes(b"old journal")
    base.note(PeopleData.ANSWERS, "not in the backup")
    done = restore.restore(base.git, made.file, base.root, base.home)
    assert done is not None
    assert files(base.root) == wanted
    assert base.notes(PeopleData.LEDGER) == ["one", "two"]
    assert base.notes(PeopleData.ANSWERS) == ["not in the backup"]
    kinds = sorted(path.name.split(".damaged-")[0] for path in done.aside)
    assert kinds == ["ledger.db", "memory.db", "知识"]
    moved = next(path for path in done.aside if path.is_dir())
    assert (moved / "a.md").read_text() == "rubbish"
    left = {path.read_bytes() for path in ledger.parent.glob("ledger.db.damaged-*")}
    assert left == {b"rubbish", b"old journal"}
    assert not ledger.with_name("ledger.db-journal").exists()


@pytest.mark.parametrize("damage", ["flipped", "cut", "stub", "foreign", "digest"])
def test_a_damaged_backup_changes_nothing(base: Base, damage: str) -> None:
    made = base.backup()
    data = bytearray(made.file.read_bytes())
    data[len(data) // 2] ^= 1
    content = {
        "flipped": bytes(data), "cut": bytes(data[:-40]), "stub": b"# v2 git bundle\n", "foreign": b"PK\3\4" * 99,
        "digest": bytes(data),
    }[damage]  # fmt: skip
    made.file.write_bytes(content)
    if damage != "digest":
        # Whoever damaged it also made digest and chain fit.
        digest = file_digest(made.file)
        chain.digest_file(made.file).write_text(f"{digest}  {made.file.name}\n")
        (base.backups / chain.NAME).unlink()
    before = _everything(base)
    with pytest.raises(KnowledgeError):
        restore.restore(base.git, made.file, base.root, base.home)
    assert _everything(base) == before
    assert not restore.unfinished(base.home)
    assert [
        path.name for path in base.root.parent.iterdir() if "restoring" in path.name or "damaged" in path.name
    ] == []


def test_nothing_changes_until_somebody_agrees(base: Base) -> None:
    made = base.backup()
    base.commit("later.md", "x", "docs(later): add")
    before = _everything(base)
    seen = []

    def agree(contents: object, target: Path) -> bool:
        assert _everything(base) == before
        seen.append((contents, target))
        return False

    assert restore.restore(base.git, made.file, base.root, base.home, agree=agree) is None
    assert _everything(base) == before
    assert seen == [(made.contents, base.root)]
    assert not (base.home / "people.restoring").exists()


def test_the_chain_knows_better_than_the_digest_beside_it(base: Base) -> None:
    made = base.backup()
    base.note(PeopleData.LEDGER, "three")
    other = base.backup()
    made.file.write_bytes(other.file.read_bytes())
    chain.digest_file(made.file).write_text(f"{file_digest(made.file)}  {made.file.name}\n")
    with pytest.raises(KnowledgeError) as caught:
        restore.restore(base.git, made.file, base.root, base.home)
    assert caught.value.key == "bundle_digest"


def test_of_a_folder_the_newest_good_one_is_chosen(base: Base, tmp_path: Path) -> None:
    made = [base.backup() for _ in range(3)]
    made[2].file.write_bytes(made[2].file.read_bytes()[:-1])
    made[1].file.unlink()
    chosen = restore.choose(base.backups)
    assert chosen.bundle == made[0].file
    assert [state.value for _, state in chosen.passed_over] == ["changed", "missing"]
    (tmp_path / "none").mkdir()
    with pytest.raises(KnowledgeError) as caught:
        restore.choose(tmp_path / "none")
    assert caught.value.key == "no_good_backup"
    with pytest.raises(AlmanacError):
        restore.choose(tmp_path / "no such file.bundle")


def test_an_interrupted_restore_is_finished_first(base: Base) -> None:
    """The plan is written, nothing is renamed yet; then after each single rename."""
    made = base.backup()
    wanted = files(base.root)
    base.commit("later.md", "x", "docs(later): add")
    moved: list[tuple[Path, Path]] = []
    real = fsio.move

    class Killed(BaseException):
        pass

    for count in range(6):
        moved.clear()

        def move(source: Path, target: Path, limit: int = count) -> None:
            if len(moved) == limit:
                raise Killed
            moved.append((source, target))
            real(source, target)

        with pytest.MonkeyPatch.context() as patch:
            patch.setattr("kb.fsio.move", move)
            with pytest.raises(Killed):
                restore.restore(base.git, made.file, base.root, base.home)
        assert restore.unfinished(base.home)
        done = restore.finish(base.home)
        assert done is not None and done.target == base.root
        assert files(base.root) == wanted
        assert base.notes(PeopleData.LEDGER) == ["one", "two"]
        assert not restore.unfinished(base.home) and restore.finish(base.home) is None
        assert not base.root.with_name("知识.restoring").exists()


def test_a_plan_that_could_not_be_made_safe_is_taken_back(base: Base, monkeypatch: pytest.MonkeyPatch) -> None:
    made = base.backup()
    before = _everything(base)
    real = fsio.write_text

    def written_but_not_synced(path: Path, data: str) -> None:
        real(path, data)
        raise AlmanacError("disk_full", path=str(path), free=0)

    monkeypatch.setattr("kb.fsio.write_text", written_but_not_synced)
    with pytest.raises(AlmanacError):
        restore.restore(base.git, made.file, base.root, base.home)
    assert not restore.unfinished(base.home)
    assert _everything(base) == before


def test_two_at_once(base: Base) -> None:
    made = base.backup()
    with fsio.locked(base.home / "restore.lock"), pytest.raises(AlmanacError) as caught:
        restore.restore(base.git, made.file, base.root, base.home)
    assert caught.value.key == "restore_running"


def test_targets_that_cannot_be_replaced(base: Base, tmp_path: Path) -> None:
    made = base.backup()
    file = write(tmp_path, "a file", "x")
    for target in (Path("/"), base.home, base.home.parent, base.home / "people" / "x", Path("/proc"), file):
        with pytest.raises(AlmanacError) as caught:
            restore.restore(base.git, made.file, target, base.home)
        assert caught.value.exit_code == 2
    assert file.read_text() == "x"


def test_a_link_to_the_base_is_followed(base: Base, tmp_path: Path) -> None:
    made = base.backup()
    link = tmp_path / "link"
    link.symlink_to(base.root)
    done = restore.restore(base.git, made.file, link, base.home)
    assert done is not None and done.target == base.root
    assert link.is_symlink()


def test_a_disk_that_is_too_small_changes_nothing(base: Base, monkeypatch: pytest.MonkeyPatch) -> None:
    made = base.backup()
    before = _everything(base)
    monkeypatch.setattr("kb.fsio.free_mb", lambda folder: 0)
    with pytest.raises(AlmanacError) as caught:
        restore.restore(base.git, made.file, base.root, base.home)
    assert caught.value.key in ("no_space", "disk_full")
    assert _everything(base) == before
    assert not base.root.with_name("知识.restoring").exists()


@pytest.mark.parametrize("plan", ["{", "[]", "{}", '{"databases": ["../x"], "notes": []}'])
def test_a_plan_that_cannot_be_read_does_nothing(base: Base, plan: str) -> None:
    write(base.home, restore.PLAN, plan)
    with pytest.raises(AlmanacError) as caught:
        restore.finish(base.home)
    assert caught.value.key == "restore_plan_damaged"


def test_a_restored_base_can_be_backed_up_and_restored_again(base: Base, tmp_path: Path) -> None:
    write(base.root, "open.md", "not committed")
    new = Base(base.git, tmp_path / "new" / "kb", tmp_path / "new" / "home", tmp_path / "second")
    restore.restore(base.git, base.backup().file, new.root, new.home)
    again = new.backup()
    assert again.references == {
        name: value for value, name in (line.split()[::2] for line in git(base.root, "for-each-ref").splitlines())
    }
    last = Base(base.git, tmp_path / "last" / "kb", tmp_path / "last" / "home", base.backups)
    restore.restore(base.git, again.file, last.root, last.home)
    assert files(last.root) == files(base.root)
    assert json.dumps(last.notes(PeopleData.MEMORY)) == json.dumps(base.notes(PeopleData.MEMORY))


def test_where_every_file_seems_to_be_another_users(
    base: Base, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """As on a FAT or exFAT stick: git's own switch for its tests stands in for the medium."""
    plain = Git.environment
    monkeypatch.setattr(
        Git, "environment", lambda self, *given: plain(self, *given) | {"GIT_TEST_ASSUME_DIFFERENT_OWNER": "1"}
    )
    made = base.backup()
    done = restore.restore(base.git, made.file, tmp_path / "stick", base.home)
    assert done is not None
    assert files(tmp_path / "stick") == files(base.root)
    assert base.git.run(tmp_path / "stick", "status", "--porcelain") == ""
    with pytest.raises(AlmanacError):
        base.git._output([base.git.program, "-C", str(base.root), "status"], ("status",), base.git.environment(None))


def test_it_goes_where_knowledge_is_kept(tmp_path: Path) -> None:
    assert restore.target_of(tmp_path, Tree(Path("/mnt/knowledge"))) == Path("/mnt/knowledge")
    assert restore.target_of(tmp_path, Tree(Path("/usr/docs"), is_packed=True)) == tmp_path / "knowledge"
