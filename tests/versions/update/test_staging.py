"""kb.versions.update.staging: nothing of a bundle counts before all of it was looked at."""

from __future__ import annotations

import hashlib
from dataclasses import replace
from pathlib import Path

import pytest

from kb.errors import AlmanacError
from kb.versions.git import Git
from kb.versions.snapshot import read
from kb.versions.source import Source
from kb.versions.update import making
from kb.versions.update.offers import Machine
from kb.versions.update.staging import keep, staged, store, version_of
from tests.helpers import git
from tests.versions.update.conftest import Desk, box, new_author, vouch


def _git(machine: Machine) -> Git:
    assert machine.git is not None
    return machine.git


def _key(machine: Machine, file: Path, sha256: str = "") -> str:
    """The key of the error that staging raises; nothing is left behind."""
    with pytest.raises(AlmanacError) as caught, staged(machine, _git(machine), file, sha256):
        pass
    assert [path.name for path in machine.folder.iterdir()] == []
    return caught.value.key


def test_a_sound_version_can_be_read_and_is_gone_afterwards(author: Desk, machine: Machine) -> None:
    file = author.edition(5)
    with staged(machine, _git(machine), file) as found:
        assert found.snapshot.tag == "kb-1.0.0"
        assert found.digests.sha256 == hashlib.sha256(file.read_bytes()).hexdigest()
    assert list(machine.folder.iterdir()) == []


def test_a_byte_is_flipped_and_the_digest_recomputed(author: Desk, machine: Machine) -> None:
    file = author.edition(5)
    whole = file.read_bytes()
    keys = set()
    for place in range(len(whole) // 3, len(whole), len(whole) // 7):
        data = bytearray(whole)
        data[place] ^= 4
        file.write_bytes(data)
        vouch(file)
        keys.add(_key(machine, file))
    assert keys <= {"bundle_damaged", "bundle_foreign", "bundle_cut"}
    assert "bundle_damaged" in keys


def test_a_cut_or_a_changed_file_is_refused(author: Desk, machine: Machine) -> None:
    file = author.edition(5)
    whole = file.read_bytes()
    file.write_bytes(whole[:-100])
    assert _key(machine, file) == "update_digest"
    vouch(file)
    assert _key(machine, file) == "bundle_damaged"
    file.write_bytes(b"no bundle")
    vouch(file)
    assert _key(machine, file) == "bundle_foreign"


def test_the_file_that_was_agreed_to_is_the_one_that_is_taken(author: Desk, machine: Machine) -> None:
    file = author.edition(5)
    assert _key(machine, file, "0" * 64) == "update_other_file"


def test_a_bundle_without_a_version_or_manifest_is_refused(author: Desk, machine: Machine) -> None:
    author.edition(5)
    root = author.source.root
    file = author.stick / "x.bundle"
    git(root, "bundle", "create", str(file), "main")
    assert _key(machine, vouch(file)) == "update_no_version"
    (root / "manifest.json").unlink()
    git(root, "commit", "--quiet", "-am", "gone")
    git(root, "tag", "-a", "-m", "x", "kb-7.0.0")
    git(root, "bundle", "create", str(file), "kb-7.0.0")
    assert _key(machine, vouch(file)) == "version_without_manifest"


def test_a_manifest_that_does_not_fit_its_files_is_refused(author: Desk, machine: Machine) -> None:
    author.edition(5)
    root = author.source.root
    (root / "store/boxes/wombat.md").write_text(box(500))
    git(root, "commit", "--quiet", "-am", "dose", "--no-verify")
    message = git(root, "for-each-ref", "--format=%(contents)", "refs/tags/kb-1.0.0")
    git(root, "tag", "--force", "-a", "-m", message, "kb-1.0.0", "HEAD")
    file = author.stick / "x.bundle"
    git(root, "bundle", "create", str(file), "kb-1.0.0")
    assert _key(machine, vouch(file)) == "release_mismatch"


def test_a_link_out_of_the_tree_is_refused(author: Desk, machine: Machine) -> None:
    author.snapshot(5)
    (author.source.root / "out.md").symlink_to("../../../etc/passwd")
    author.snapshot(6)
    file = author.stick / "x.bundle"
    author.stick.mkdir()
    git(author.source.root, "bundle", "create", str(file), "--tags")
    assert _key(machine, vouch(file)) == "bundle_bad_path"


def test_knowledge_in_a_folder_of_its_repository(tmp_path: Path, machine: Machine) -> None:
    author = new_author(tmp_path)
    root = author.source.root / "docs"
    root.mkdir()
    inner = replace(author, source=Source(author.source.git, author.source.repository, root, "docs"))
    inner.snapshot(5)
    file = making.make(inner.source, inner.stick).file
    with staged(machine, _git(machine), file) as found:
        assert found.source.inner == "docs"
        kept = keep(machine, _git(machine), found)
    assert kept.root == machine.folder / "knowledge" / "docs"
    assert read(kept, "1.0.0").tag == "kb-1.0.0"


def test_what_was_taken_stays_readable_without_the_stick(author: Desk, machine: Machine) -> None:
    for kilograms in (5, 6):
        with staged(machine, _git(machine), author.edition(kilograms)) as found:
            keep(machine, _git(machine), found)
            keep(machine, _git(machine), found)  # once more changes nothing
    kept = store(machine, _git(machine))
    assert kept.tags() == ["kb-1.0.0", "kb-1.1.0"]
    git(kept.repository, "fsck", "--strict", "--no-progress")
    assert [path.name for path in kept.repository.iterdir()] == [".git"]


def test_a_tag_that_was_moved_is_refused(author: Desk, machine: Machine, tmp_path: Path) -> None:
    with staged(machine, _git(machine), author.edition(5)) as found:
        keep(machine, _git(machine), found)
    other = new_author(tmp_path / "other")
    with staged(machine, _git(machine), other.edition(500)) as found, pytest.raises(AlmanacError) as caught:
        keep(machine, _git(machine), found)
    assert caught.value.key == "update_tag_moved"
    assert read(store(machine, _git(machine)), "1.0.0").commit == author.source.commit_of("1.0.0")


def test_the_highest_number_is_the_version(author: Desk) -> None:
    for kilograms in range(5, 17):
        author.snapshot(kilograms)
    assert str(version_of(making.make(author.source, author.stick).file)) == "1.11.0"
