"""kb.versions.snapshot: manifest, commit and tag; complete or not there."""

from __future__ import annotations

import json
from collections.abc import Iterator
from pathlib import Path

import pytest

from kb.errors import AlmanacError, KnowledgeError
from kb.versions import manifest as manifests
from kb.versions import snapshot as snapshots
from kb.versions.git import Git
from kb.versions.numbering import Number
from kb.versions.snapshot import Author, contents, described, read, take
from kb.versions.source import Source, Stored
from tests.helpers import commit_all, document, git, write

DESK = Author("agronomy-desk")


def test_the_tag_names_commit_and_manifest(source: Source) -> None:
    taken = take(source, DESK, message="erste 大豆")
    assert (taken.tag, taken.is_new, taken.manifest.version) == ("kb-1.0.0", True, "1.0.0")
    assert git(source.repository, "cat-file", "-t", "kb-1.0.0").strip() == "tag"
    assert git(source.repository, "rev-parse", "kb-1.0.0^{commit}").strip() == taken.commit
    assert manifests.sha256((source.root / "manifest.json").read_bytes()) == taken.digest
    assert f"manifest: {taken.digest}" in source.tag_message("kb-1.0.0")
    assert git(source.repository, "log", "-1", "--format=%an %s").strip() == "agronomy-desk docs(kb-1.0.0): erste 大豆"
    assert git(source.repository, "status", "--porcelain") == ""
    assert len(taken.manifest.documents) == 9
    assert {entry.path for entry in taken.manifest.files} >= {"taxonomy.yaml", "_index.yaml"}
    assert not manifests.verify(taken.manifest, source.root)
    again = read(source, "1.0.0")
    assert (again.commit, again.digest, again.manifest) == (taken.commit, taken.digest, taken.manifest)


def test_numbers_rise_and_nothing_new_needs_no_second_name(source: Source) -> None:
    first = take(source, DESK)
    same = take(source, DESK)
    assert (same.tag, same.is_new, same.commit) == (first.tag, False, first.commit)
    assert take(source, DESK, level="patch").tag == "kb-1.0.1"
    write(source.root, "store/new.md", document("New", "x"))
    commit_all(source.repository)
    assert take(source, DESK).tag == "kb-1.1.0"
    assert take(source, DESK, number=Number(3, 0, 0)).tag == "kb-3.0.0"
    with pytest.raises(AlmanacError) as caught:
        take(source, DESK, number=Number(1, 1, 0))
    assert caught.value.key == "version_taken"


def test_only_what_changed_is_read_again(source: Source, monkeypatch: pytest.MonkeyPatch) -> None:
    take(source, DESK)
    write(source.root, "store/new.md", document("New", "x"))
    changed = write(source.root, "troubleshooting/gateway-timeout.md", document("Gateway", "Wait 9 s."))
    (source.root / "taxonomy.yaml").write_text("soybean: 大豆\n", "utf-8")
    commit_all(source.repository)
    read_paths: list[str] = []
    blobs = Source.blobs

    def watched(self: Source, stored: list[Stored]) -> Iterator[bytes]:
        read_paths.extend(entry.path for entry in stored)
        return blobs(self, stored)

    monkeypatch.setattr(Source, "blobs", watched)
    second = take(source, DESK)
    assert set(read_paths) == {"store/new.md", "troubleshooting/gateway-timeout.md", "taxonomy.yaml", "manifest.json"}
    assert not manifests.verify(second.manifest, source.root)
    assert changed.is_file()
    monkeypatch.undo()
    assert second.manifest.same_content(described(source, second.commit))


def test_changes_that_are_not_committed_are_refused_by_name_or_taken_along(source: Source) -> None:
    take(source, DESK)
    write(source.root, "store/新.md", document("New", "x"))
    write(source.root, "taxonomy.yaml", "soybean: 大豆\n")
    (source.root / "troubleshooting/gateway-timeout.md").unlink()
    with pytest.raises(KnowledgeError) as caught:
        take(source, DESK)
    assert caught.value.params["count"] == 3
    assert all(name in str(caught.value) for name in ("store/新.md", "taxonomy.yaml", "gateway-timeout.md"))
    assert source.tags() == ["kb-1.0.0"]
    taken = take(source, DESK, include_changes=True)
    assert taken.tag == "kb-1.1.0"
    assert git(source.repository, "status", "--porcelain") == ""
    assert not manifests.verify(taken.manifest, source.root)
    assert "store/新.md" in taken.manifest.hashes()
    assert "troubleshooting/gateway-timeout.md" not in taken.manifest.hashes()


def test_other_folders_of_the_repository_stay_as_they_are(source: Source) -> None:
    folder = source.root / "agriculture"
    inner = Source.find(folder, Git.find(None))
    write(source.root, "store/unfinished.md", "x")
    git(source.repository, "add", "store/unfinished.md")
    write(folder, "crop/new.md", document("New", "x"))
    taken = take(inner, DESK, include_changes=True)
    assert "crop/new.md" in taken.manifest.hashes()
    assert git(source.repository, "status", "--porcelain").split() == ["A", "store/unfinished.md"]
    assert (folder / "manifest.json").is_file()
    assert read(inner, "kb-1.0.0").manifest == taken.manifest


def test_a_first_commit_can_be_the_snapshot(empty_tree: Path) -> None:
    git(empty_tree, "init", "--quiet", "-b", "main")
    source = Source.find(empty_tree, Git.find(None))
    with pytest.raises(KnowledgeError) as caught:
        take(source, DESK, include_changes=True)
    assert caught.value.key == "root_empty"
    write(empty_tree, "a.md", document("A", "x"))
    with pytest.raises(KnowledgeError):
        take(source, DESK)
    assert take(source, DESK, include_changes=True).tag == "kb-1.0.0"


def test_an_attempt_that_ended_before_its_tag_is_carried_on(source: Source) -> None:
    taken = take(source, DESK)
    git(source.repository, "tag", "--delete", "kb-1.0.0")
    again = take(source, DESK)
    assert (again.commit, again.digest) == (taken.commit, taken.digest)
    git(source.repository, "tag", "--delete", "kb-1.0.0")
    git(source.repository, "reset", "--quiet", "--soft", "HEAD~1")
    assert take(source, DESK).tag == "kb-1.0.0"
    assert git(source.repository, "status", "--porcelain") == ""


def test_a_tag_that_was_moved_is_not_believed(source: Source) -> None:
    take(source, DESK)
    text = source.tag_message("kb-1.0.0")
    other = json.loads((source.root / "manifest.json").read_text())["created"]
    data = (source.root / "manifest.json").read_text().replace(other, "2001-01-01T00:00:00Z")
    write(source.root, "manifest.json", data)
    commit = commit_all(source.repository)
    git(source.repository, "tag", "--force", "--annotate", "kb-1.0.0", commit, "--message", text)
    with pytest.raises(KnowledgeError) as caught:
        read(source, "kb-1.0.0")
    assert caught.value.key == "version_other_manifest"
    git(source.repository, "tag", "--force", "kb-0.9.0", f"{commit}~2")
    with pytest.raises(KnowledgeError) as missing:
        read(source, "kb-0.9.0")
    assert missing.value.key == "version_without_manifest"


def test_hooks_and_signing_of_the_repository_do_not_run(source: Source, tmp_path: Path) -> None:
    hook = write(source.git_folder(), "hooks/commit-msg", f"#!/bin/sh\ntouch {tmp_path}/ran\nexit 1\n")
    hook.chmod(0o755)
    git(source.repository, "config", "commit.gpgSign", "true")
    git(source.repository, "config", "tag.gpgSign", "true")
    git(source.repository, "config", "gpg.program", f"touch {tmp_path}/ran")
    git(source.repository, "config", "user.name", "soil-desk")
    assert take(source, DESK).is_new
    assert not (tmp_path / "ran").exists()
    assert git(source.repository, "log", "-1", "--format=%an").strip() == "soil-desk"


def test_a_state_without_tag_is_described_from_its_files(source: Source) -> None:
    made = described(source, "HEAD")
    assert made.same_content(take(source, DESK).manifest)
    stored = source.files("HEAD")
    assert [path for path, _ in contents(source, stored)] == [entry.path for entry in stored]
    assert snapshots.last(source, source.tags()) is not None
    assert snapshots.last(source, []) is None
