"""kb.versions.releases: a release folder is whole or absent, and stays while somebody reads it."""

from __future__ import annotations

import json
import shutil
from dataclasses import replace
from pathlib import Path

import pytest

from kb import fsio
from kb.errors import AlmanacError, KnowledgeError
from kb.search.retriever import Retriever
from kb.versions import releases
from kb.versions.history import STAMP_NAME, History
from kb.versions.registry import Registry
from kb.versions.snapshot import Author, take
from tests.conftest import Published
from tests.helpers import document, git, write

NEW = {"store/新 [1].md": document("Wombat box", "The wombat box weighs 5 kg.")}


def _folders(home: Path) -> list[str]:
    return sorted(path.name for path in (home / "releases").iterdir() if path.is_dir())


def test_the_files_of_the_tag_with_index_and_stamp(published: Published) -> None:
    write(published.source.root, ".obsidian/app.json", "{}")
    made, built = published.make(NEW)
    release = releases.opened(published.home, made)
    assert _folders(published.home) == [made.name]
    assert not releases.verified(release)
    assert not (release.docs / ".obsidian").exists()
    assert (release.docs / "store/新 [1].md").read_text() == NEW["store/新 [1].md"]
    stamp = json.loads((release.folder / STAMP_NAME).read_text())
    assert (stamp["tag"], stamp["manifest"], stamp["commit"]) == (made.tag, made.manifest, made.commit)
    assert History(release.docs, None).version() == release.version
    assert built is not None
    assert built.embedded == built.chunks > 9
    retriever = Retriever(release.docs, release.index)
    assert retriever.update().changed == 0
    assert retriever.find("wombat box weight")[0].path == "store/新 [1].md"
    retriever.close()


def test_the_history_of_a_release_ends_with_it(published: Published) -> None:
    first, _ = published.make()
    published.make(NEW)
    release = releases.opened(published.home, first)
    history = History(release.docs, published.source.git)
    changes = history.changes()
    assert changes[0].commit == first.commit
    assert changes[-1].summary == "docs(all): first"
    assert history.content("taxonomy.yaml", first.commit) == (release.docs / "taxonomy.yaml").read_text()


def test_only_what_changed_is_embedded_again(published: Published) -> None:
    _, first = published.make()
    _, second = published.make(NEW)
    assert first is not None
    assert second is not None
    assert (second.embedded, second.chunks) == (1, first.chunks + 1)
    assert second.documents == first.documents + 1


def test_attributes_and_filters_do_not_touch_what_is_exported(published: Published, tmp_path: Path) -> None:
    root = published.source.root
    git(root, "config", "filter.bad.smudge", f"touch {tmp_path}/ran; cat")
    git(root, "config", "filter.bad.clean", f"touch {tmp_path}/ran; cat")
    write(root, ".gitattributes", "*.md filter=bad ident export-ignore\n")
    write(root, "store/crlf.md", b"---\ntitle: C\nversion: 1\n---\r\n$Id$ 5 kg\r\n")
    made, _ = published.make()
    data = (releases.opened(published.home, made).docs / "store/crlf.md").read_bytes()
    assert data == b"---\ntitle: C\nversion: 1\n---\r\n$Id$ 5 kg\r\n"
    assert not (tmp_path / "ran").exists()


def test_a_release_that_is_gone_or_another_is_no_release(published: Published) -> None:
    made, _ = published.make()
    folder = releases.folder_of(published.home, made)
    assert releases.is_whole(published.home, made)
    with pytest.raises(KnowledgeError) as other:
        releases.opened(published.home, replace(made, commit="0" * 40))
    assert other.value.key == "release_other"
    write(folder, "docs/store/more.md", "x")
    assert not releases.is_whole(published.home, made)
    (folder / "docs/store/more.md").unlink()
    (folder / "docs/manifest.json").write_text("{}")
    assert not releases.is_whole(published.home, made)
    (folder / STAMP_NAME).unlink()
    with pytest.raises(KnowledgeError) as gone:
        releases.opened(published.home, made)
    assert gone.value.key == "release_missing"
    again, built = published.make()
    assert again.id == made.id
    assert built is not None
    assert releases.is_whole(published.home, again)


def test_files_that_are_not_the_manifests_are_not_published(published: Published) -> None:
    source = published.source
    taken = take(source, Author("agronomy-desk"))
    shutil.copy(source.root / "manifest.json", source.root.parent / "kept.json")
    write(source.root, "store/boxes/contents_en_2025_v1.md", document("Other", "y"))
    write(source.root, "manifest.json", (source.root.parent / "kept.json").read_bytes())
    git(source.root, "commit", "--quiet", "--all", "-m", "amended")
    moved = replace(taken, commit=source.commit_of("HEAD"))
    with Registry.open(published.home) as registry:
        with registry.writing():
            row = registry.register(moved, source.root)
        with pytest.raises(KnowledgeError) as caught, releases.building(published.home):
            releases.build(published.home, row, source, moved, published.index, ())
    assert caught.value.key == "release_mismatch"
    assert "store/boxes/contents_en_2025_v1.md" in str(caught.value)
    assert _folders(published.home) == []


def test_a_used_release_stays_and_a_read_one_goes_later(published: Published) -> None:
    first, _ = published.make()
    second, _ = published.make(NEW)
    published.switch(first)
    folder = releases.folder_of(published.home, first)
    with Registry.open(published.home) as registry:
        with pytest.raises(AlmanacError) as caught:
            releases.retire(published.home, registry, first, "2026-06-01T08:00:00Z")
        assert caught.value.key == "release_in_use"
        with fsio.shared(releases.lease_of(releases.folder_of(published.home, second))):
            assert not releases.retire(published.home, registry, second, "2026-06-01T08:00:00Z")
            assert releases.sweep(published.home, registry) == []
            assert len(_folders(published.home)) == 2
        assert not registry.named(second.name).is_built
        assert releases.sweep(published.home, registry) == [second.name]
    assert _folders(published.home) == [folder.name]
    assert not releases.lease_of(releases.folder_of(published.home, second)).exists()


def test_what_a_killed_process_left_is_swept(published: Published) -> None:
    write(published.home, "releases/.almanac-tmp-abc/docs/x.md", "half")
    published.make()
    assert not (published.home / "releases/.almanac-tmp-abc").exists()
