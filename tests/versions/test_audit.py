"""kb.versions.audit: each thing that can be wrong with versions is found, and a healthy home has no findings."""

from __future__ import annotations

import shutil
from pathlib import Path

from kb.db import PeopleData, people_path
from kb.texts import CATALOGS
from kb.versions import releases
from kb.versions.audit import Finding, check_home, check_tags
from kb.versions.registry import Registry
from tests.conftest import Published
from tests.helpers import commit_all, git, write


def _keys(found: list[Finding]) -> list[str]:
    for finding in found:
        assert CATALOGS["zh"][finding.key].format(**finding.params)
    return [finding.key for finding in found]


def test_a_healthy_home_has_no_findings(published: Published, tmp_path: Path) -> None:
    assert check_home(tmp_path / "none") == []
    made, _ = published.make()
    published.switch(made)
    assert check_home(published.home) == []
    assert check_tags(published.source, every=True) == []


def test_releases_that_are_gone_changed_or_nobodys(published: Published) -> None:
    made, _ = published.make()
    published.switch(made)
    folder = releases.folder_of(published.home, made)
    write(folder, "docs/taxonomy.yaml", "changed")
    assert _keys(check_home(published.home)) == ["release_changed"]
    shutil.rmtree(folder)
    (published.home / "releases/stray").mkdir()
    assert _keys(check_home(published.home)) == ["release_missing", "release_stray"]
    with Registry.open(published.home) as registry:
        registry.mark_retired(made, "2026-06-01T08:00:00Z")
    assert _keys(check_home(published.home)) == ["route_lost", "release_stray"]


def test_a_damaged_registry(published: Published) -> None:
    published.make()
    path = people_path(published.home, PeopleData.REGISTRY)
    path.write_bytes(path.read_bytes()[:4096] + b"x" * 8000)
    assert set(_keys(check_home(published.home))) == {"registry_unusable"}
    path.write_bytes(b"no database")
    assert _keys(check_home(published.home)) == ["registry_unusable"]


def test_tags_whose_manifest_does_not_fit(published: Published) -> None:
    source = published.source
    published.make()
    write(source.root, "taxonomy.yaml", "rice: 水稻\n")
    commit = commit_all(source.root)
    git(source.root, "tag", "kb-1.0.1", commit)
    assert _keys(check_tags(source)) == ["version_other_manifest"]
    git(source.root, "tag", "--delete", "kb-1.0.1")
    git(source.root, "tag", "--force", "kb-1.0.0", commit)
    assert _keys(check_tags(source)) == ["release_mismatch"]
    (source.root / "manifest.json").unlink()
    git(source.root, "tag", "kb-1.0.2", commit_all(source.root))
    assert _keys(check_tags(source)) == ["version_without_manifest"]
    assert _keys(check_tags(source, every=True)) == ["release_mismatch", "version_without_manifest"]
