"""kb.versions.registry: what is known, and a log that only grows."""

from __future__ import annotations

import sqlite3
from dataclasses import replace
from pathlib import Path

import pytest

from kb.db import PeopleData, people_path
from kb.errors import AlmanacError
from kb.versions import registry as registries
from kb.versions.manifest import Manifest
from kb.versions.registry import Registry, Switch
from kb.versions.snapshot import Snapshot

ONE = Snapshot("kb-1.0.0", "c" * 40, "a" * 64, Manifest("1.0.0", "2026-11-29T08:00:00Z", ()))
LINE = Switch("2026-11-29T08:00:00Z", "publish", "", "prod", "", "kb-1.0.0", 100, "", "agronomy-desk", "first")


def test_a_snapshot_is_registered_once(tmp_path: Path) -> None:
    assert not registries.exists(tmp_path)
    with Registry.open(tmp_path) as registry:
        assert registry.sources() == []
        with registry.writing():
            first = registry.register(ONE, Path("/a"))
            again = registry.register(ONE, Path("/b"))
        assert first.id == again.id
        assert (again.source, again.name, again.is_built) == ("/b", "kb-1.0.0-aaaaaaaaaaaa", False)
        assert registry.sources() == [Path("/b")]
    assert registries.exists(tmp_path)
    with Registry.open_to_read(tmp_path) as registry:
        assert [row.tag for row in registry.snapshots()] == ["kb-1.0.0"]
        assert registry.by_id(None) is None
        assert registry.by_id(first.id) is not None


def test_by_tag_by_number_or_by_folder(tmp_path: Path) -> None:
    with Registry.open(tmp_path) as registry, registry.writing():
        first = registry.register(ONE, tmp_path)
        for name in ("kb-1.0.0", "1.0.0", first.name):
            assert registry.named(name).id == first.id
        with pytest.raises(AlmanacError) as caught:
            registry.named("kb-2.0.0")
        assert "kb-1.0.0" in str(caught.value)
        second = registry.register(replace(ONE, digest="b" * 64), tmp_path)
        with pytest.raises(AlmanacError) as unclear:
            registry.named("1.0.0")
        assert second.name in str(unclear.value)
        registry.mark_built(second, "2026-11-29T08:00:00Z")
        assert registry.named("1.0.0").id == second.id
        registry.mark_retired(second, "2026-11-29T09:00:00Z")
        assert not registry.named(second.name).is_built


def test_the_log_only_grows(tmp_path: Path) -> None:
    with Registry.open(tmp_path) as registry:
        with registry.writing():
            registry.log(LINE)
            registry.log(replace(LINE, action="rollback"))
        assert [line.action for line in registry.switches()] == ["rollback", "publish"]
        assert registry.switches(1)[0].why == "first"
        for statement in ("DELETE FROM switches", "UPDATE switches SET who='x'"):
            with pytest.raises(sqlite3.IntegrityError, match="only grows"):
                registry.connection.execute(statement)
        assert len(registry.switches()) == 2


def test_what_fails_in_the_middle_leaves_nothing(tmp_path: Path) -> None:
    with Registry.open(tmp_path) as registry:
        with pytest.raises(RuntimeError), registry.writing():
            registry.register(ONE, tmp_path)
            raise RuntimeError
        assert registry.snapshots() == []


def test_a_damaged_or_later_registry_is_said(tmp_path: Path) -> None:
    with Registry.open(tmp_path) as registry:
        registry.connection.execute("PRAGMA user_version = 9")
    for opening in (Registry.open, Registry.open_to_read):
        with pytest.raises(AlmanacError) as caught:
            opening(tmp_path)
        assert caught.value.key == "registry_newer"
    path = people_path(tmp_path, PeopleData.REGISTRY)
    path.write_bytes(b"no database at all" * 100)
    for opening in (Registry.open, Registry.open_to_read):
        with pytest.raises(AlmanacError) as damaged:
            opening(tmp_path)
        assert damaged.value.key == "registry_unusable"
        assert str(path) in str(damaged.value)
