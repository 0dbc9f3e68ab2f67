"""kb.versions.working_tree: the trees that releases were made from, people's own first."""

from __future__ import annotations

from pathlib import Path

from kb.db import PeopleData, people_path
from kb.paths import UPDATES
from kb.versions.manifest import Manifest
from kb.versions.registry import Registry
from kb.versions.snapshot import Snapshot
from kb.versions.working_tree import kept, known


def _register(home: Path, tag: str, source: Path) -> None:
    with Registry.open(home) as registry, registry.writing():
        registry.register(
            Snapshot(tag, "c" * 40, tag.ljust(64, "0"), Manifest(tag, "2026-11-29T08:00:00Z", ())), source
        )


def test_what_an_update_brought_is_nobodys(tmp_path: Path) -> None:
    assert (known(tmp_path), kept(tmp_path)) == ([], None)
    brought = tmp_path / UPDATES / "knowledge"
    _register(tmp_path, "kb-1.0.0", brought)
    assert (known(tmp_path), kept(tmp_path)) == ([brought], None)
    _register(tmp_path, "kb-1.1.0", Path("/one"))
    _register(tmp_path, "kb-1.2.0", Path("/two"))
    _register(tmp_path, "kb-1.3.0", brought)
    assert known(tmp_path) == [Path("/two"), Path("/one"), brought]
    assert kept(tmp_path) == Path("/two")


def test_a_damaged_registry_knows_none(tmp_path: Path) -> None:
    path = people_path(tmp_path, PeopleData.REGISTRY)
    path.parent.mkdir(parents=True)
    path.write_bytes(b"\0" * 8192)
    assert known(tmp_path) == []
