"""kb.versions.update.updating: a stick with everything on it, one update at a time, and the way back."""

from __future__ import annotations

import datetime
from dataclasses import replace
from pathlib import Path

import pytest

from kb import db, fsio
from kb.errors import AlmanacError, ExitCode
from kb.versions import backup
from kb.versions.backup_collect import BackupSource
from kb.versions.bundle import read_header
from kb.versions.update import medium, updating
from kb.versions.update.offers import Age, Allowed, Kind, Machine
from kb.versions.update.signature import read_key, trust
from tests.helpers import DATA, MOMENT, document, git, write
from tests.versions.update.conftest import Desk, answers, packed, vouch


def test_both_kinds_are_found_knowledge_first(author: Desk, installed: Machine) -> None:
    author.edition(5)
    vouch(packed(author.stick / "almanac", "0.2.0"))
    found = updating.find(installed, (author.stick,))
    assert [(offer.kind, offer.version, offer.age) for offer in found.offers] == [
        (Kind.KNOWLEDGE, "kb-1.0.0", Age.NEWER), (Kind.PROGRAM, "0.2.0", Age.NEWER),
    ]  # fmt: skip
    assert found.newer == found.offers and found.refused == ()
    for offer in found.offers:
        updating.apply(installed, offer)
    assert answers(installed) == ("kb-1.0.0", "5")
    again = updating.find(installed, (author.stick,))
    assert [offer.age for offer in again.offers] == [Age.SAME, Age.SAME]
    assert again.newer == ()


def test_looking_changes_nothing(author: Desk, machine: Machine) -> None:
    author.edition(5)
    updating.apply(machine, updating.find(machine, (author.stick,)).offers[0])
    author.edition(6)
    stick = {path.name: path.read_bytes() for path in author.stick.iterdir()}
    before = sorted((str(path), path.stat().st_mtime_ns) for path in machine.home.rglob("*") if path.is_file())
    assert updating.find(machine, (author.stick,)).newer[0].version == "kb-1.1.0"
    after = sorted((str(path), path.stat().st_mtime_ns) for path in machine.home.rglob("*") if path.is_file())
    assert after == before
    assert {path.name: path.read_bytes() for path in author.stick.iterdir()} == stick


def test_the_newest_sound_one_is_offered_and_the_others_are_named(author: Desk, machine: Machine) -> None:
    first = author.edition(5)
    kept = first.read_bytes()
    second = author.edition(6)
    second.write_bytes(second.read_bytes()[:-30])
    vouch(second)
    first = second.with_name(first.name)
    first.write_bytes(kept)
    (author.stick / "notes.bundle").write_text("of another program")
    vouch(first)
    found = updating.find(machine, (author.stick,))
    assert [offer.version for offer in found.offers] == ["kb-1.0.0"]
    assert [(refused.file, refused.error.key) for refused in found.refused] == [(second, "bundle_damaged")]


def test_a_file_can_be_named_itself(author: Desk, machine: Machine) -> None:
    file = author.edition(5)
    assert updating.find(machine, (file,)).offers[0].file == file
    other = author.stick / "x.bundle"
    other.write_text("nothing")
    [refused] = updating.find(machine, (other,)).refused
    assert refused.error.key == "bundle_foreign"


def test_a_link_on_the_stick_leads_nowhere(author: Desk, machine: Machine, tmp_path: Path) -> None:
    file = author.edition(5)
    stick = tmp_path / "second"
    stick.mkdir()
    (stick / file.name).symlink_to(file)
    (stick / f"{file.name}.sha256").symlink_to(f"{file}.sha256")
    assert updating.find(machine, (stick,)).offers == ()
    (stick / file.name).unlink()
    (stick / file.name).write_bytes(file.read_bytes())
    [refused] = updating.find(machine, (stick,)).refused
    assert refused.error.key == "update_not_plain"


def test_a_kept_key_lets_only_its_own_updates_in(author: Desk, machine: Machine) -> None:
    file = author.edition(5)
    trust(machine.home, read_key(DATA / "update" / "owner.pub"))
    [refused] = updating.find(machine, (author.stick,)).refused
    assert refused.error.key == "update_unsigned"
    file.with_name(file.name + ".minisig").write_bytes((DATA / "update" / "message.txt.minisig").read_bytes())
    [refused] = updating.find(machine, (author.stick,)).refused
    assert refused.error.key == "update_signature_wrong"


def test_without_a_stick_it_says_so(machine: Machine, monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> None:
    monkeypatch.setattr(medium, "places", list)
    with pytest.raises(AlmanacError) as caught:
        updating.find(machine)
    assert (caught.value.key, caught.value.exit_code) == ("update_no_medium", ExitCode.USAGE)
    monkeypatch.setattr(medium, "places", lambda: [tmp_path / "gone", tmp_path])
    found = updating.find(machine)
    assert found.places == (tmp_path / "gone", tmp_path)
    assert [refused.error.key for refused in found.refused] == ["update_medium"]


def test_a_stick_that_is_gone_is_named(author: Desk, machine: Machine, tmp_path: Path) -> None:
    with pytest.raises(AlmanacError) as caught:
        updating.find(machine, (tmp_path / "gone",))
    assert caught.value.key == "update_medium"
    offer = updating.find(machine, (author.edition(5),)).offers[0]
    offer.file.unlink()
    with pytest.raises(AlmanacError) as caught:
        updating.apply(machine, offer)
    assert caught.value.key == "update_medium"
    assert answers(machine) == ("", "4")


def test_one_at_a_time(author: Desk, machine: Machine) -> None:
    offer = updating.find(machine, (author.edition(5),)).offers[0]
    with fsio.locked(machine.folder / "lock"):
        for work in (
            lambda: updating.find(machine, (author.stick,)),
            lambda: updating.apply(machine, offer),
            lambda: updating.undo(machine),
        ):
            with pytest.raises(AlmanacError) as caught:
                work()
            assert caught.value.key == "update_running"


def test_what_a_killed_update_left_is_swept(author: Desk, machine: Machine) -> None:
    left = machine.folder / ".almanac-tmp-left"
    left.mkdir(parents=True)
    (left / "incoming.bundle").write_bytes(b"half")
    updating.find(machine, (author.edition(5),))
    assert not left.exists()


def test_an_older_one_is_named_and_only_looked_into_on_request(author: Desk, machine: Machine) -> None:
    author.edition(5)
    kept = author.stick.rename(author.stick.with_name("old"))
    updating.apply(machine, updating.find(machine, (author.edition(6),)).offers[0])
    [offer] = updating.find(machine, (kept,)).offers
    assert (offer.age, offer.sha256, offer.difference) == (Age.OLDER, "", None)
    with pytest.raises(AlmanacError) as caught:
        updating.apply(machine, offer)
    assert caught.value.key == "update_older"
    [offer] = updating.find(machine, (kept,), older=True).offers
    assert offer.changed_numbers == 1
    updating.apply(machine, offer, Allowed(older=True))
    assert answers(machine) == ("kb-1.0.0", "5")


def test_the_later_of_two_updates_is_taken_back_first(author: Desk, installed: Machine) -> None:
    later = replace(installed, clock=lambda: MOMENT + datetime.timedelta(hours=1))
    vouch(packed(author.stick / "almanac", "0.2.0"))
    updating.apply(installed, updating.find(installed, (author.stick,)).offers[0])
    updating.apply(later, updating.find(later, (author.edition(5),)).offers[0])
    assert updating.undo(installed).kind is Kind.KNOWLEDGE
    assert updating.undo(installed).kind is Kind.PROGRAM
    # Taking a program back is a change of its own; of the knowledge there is nothing left to take back.
    with pytest.raises(AlmanacError) as caught:
        updating.undo(installed, Kind.KNOWLEDGE)
    assert caught.value.key == "update_nothing_to_undo"
    assert updating.undo(installed, Kind.PROGRAM).version == "0.2.0"


def test_without_git_only_the_program_is_updated(author: Desk, installed: Machine) -> None:
    bare = replace(installed, git=None)
    author.edition(5)
    with pytest.raises(AlmanacError) as caught:
        updating.find(bare, (author.stick,))
    assert caught.value.key == "git_missing"
    assert updating.find(bare, (author.stick,), only=Kind.PROGRAM).offers == ()
    (author.stick / "almanac-knowledge-1.0.0.bundle").unlink()
    vouch(packed(author.stick / "almanac", "0.2.0"))
    [offer] = updating.find(bare, (author.stick,)).offers
    assert updating.apply(bare, offer).version == "0.2.0"


def test_a_damaged_program_is_named_and_the_newest_sound_one_offered(installed: Machine, stick: Path) -> None:
    for version in ("0.2.0", "0.10.0", "0.9.0"):
        vouch(packed(stick / f"almanac-{version}", version))
    (stick / "almanac-0.11.0").write_bytes((stick / "almanac-0.9.0").read_bytes()[:-10])
    found = updating.find(installed, (stick,))
    assert [offer.version for offer in found.offers] == ["0.10.0"]
    assert [refused.file.name for refused in found.refused] == ["almanac-0.11.0"]


def test_of_a_backup_only_the_version_is_taken(author: Desk, machine: Machine, tmp_path: Path) -> None:
    author.snapshot(5)
    write(author.source.root, "store/draft.md", document("Draft", "Not committed yet."))
    connection = db.open_people(tmp_path / "desk", db.PeopleData.LEDGER)
    connection.execute("CREATE TABLE notes (said TEXT)")
    connection.close()
    assert machine.git is not None
    made = backup.make(machine.git, BackupSource(tmp_path / "desk", author.source.root), author.stick)
    assert "refs/almanac/people" in read_header(made.file).references
    [offer] = updating.find(machine, (author.stick,)).offers
    assert offer.version == "kb-1.0.0"
    updating.apply(machine, offer)
    assert answers(machine) == ("kb-1.0.0", "5")
    assert sorted(path.name for path in (machine.home / "people").glob("*.db")) == ["registry.db"]
    kept = git(machine.folder / "knowledge", "for-each-ref", "--format=%(refname)")
    assert kept.split() == ["refs/tags/kb-1.0.0"]
    assert "draft" not in git(machine.folder / "knowledge", "ls-tree", "-r", "--name-only", "kb-1.0.0")
