"""Is everything about versions as it should be? Registry, routes, releases and tags, looked at without changing any."""

from __future__ import annotations

import sqlite3
from collections.abc import Iterator
from dataclasses import dataclass, field
from pathlib import Path

from kb.errors import AlmanacError, KnowledgeError
from kb.versions import manifest as manifests
from kb.versions import registry as registries
from kb.versions import releases
from kb.versions.registry import Registered, Registry
from kb.versions.routes import all_routes
from kb.versions.snapshot import contents, read
from kb.versions.source import Source


@dataclass(frozen=True, slots=True)
class Finding:
    """Something that is wrong: where, and a key of kb.texts with its blanks. The text names the remedy."""

    place: str
    key: str
    params: dict[str, object] = field(default_factory=dict)


def check_home(home: Path) -> list[Finding]:
    """Registry, routes and release folders of a home; every file of every release is read."""
    if not registries.exists(home):
        return list(_strays(home, set()))
    found: list[Finding] = []
    try:
        with Registry.open_to_read(home) as registry:
            found += _registry(registry)
            rows = registry.snapshots()
            found += [finding for row in rows if row.is_built for finding in _release(home, row)]
            found += _routes(registry, {row.id: row for row in rows})
            found += _strays(home, {row.name for row in rows})
    except AlmanacError as error:
        found.append(Finding("registry.db", error.key, error.params))
    except sqlite3.DatabaseError as error:
        found.append(_damaged(error))
    return found


def check_tags(source: Source, *, every: bool = False) -> list[Finding]:
    """The snapshots of a repository: each has a sound manifest, and git's files are those of the newest (or of `every`
    one)."""
    found: list[Finding] = []
    tags = source.tags()
    for tag in tags:
        try:
            snapshot = read(source, tag)
            if every or tag == tags[-1]:
                stored = source.files(snapshot.commit)
                digests = {path: manifests.sha256(data) for path, data in contents(source, stored)}
                mismatch = manifests.compare(snapshot.manifest, digests, digests.get)
                if mismatch:
                    found.append(
                        Finding(tag, "release_mismatch", {"tag": tag, "names": ", ".join(mismatch.names[:10])})
                    )
        except AlmanacError as error:
            found.append(Finding(tag, error.key, error.params))
    return found


def _registry(registry: Registry) -> Iterator[Finding]:
    for row in registry.connection.execute("PRAGMA integrity_check"):
        if row[0] != "ok":
            yield Finding("registry.db", "registry_unusable", {"path": "registry.db", "reason": row[0]})
    for row in registry.connection.execute("PRAGMA foreign_key_check"):
        yield Finding("registry.db", "registry_unusable", {"path": "registry.db", "reason": f"{row[0]} {row[1]}"})


def _damaged(error: sqlite3.DatabaseError) -> Finding:
    return Finding("registry.db", "registry_unusable", {"path": "registry.db", "reason": str(error)})


def _release(home: Path, row: Registered) -> Iterator[Finding]:
    try:
        release = releases.opened(home, row)
        mismatch = releases.verified(release)
    except KnowledgeError as error:
        yield Finding(row.name, error.key, error.params)
        return
    if mismatch:
        names = ", ".join(mismatch.names[:10])
        yield Finding(row.name, "release_changed", {"tag": row.tag, "names": names})


def _routes(registry: Registry, rows: dict[int, Registered]) -> Iterator[Finding]:
    for route in all_routes(registry):
        for identifier in sorted(route.uses()):
            row = rows.get(identifier)
            if row is not None and not row.is_built:
                place = f"{route.environment} {route.agent}".strip()
                yield Finding(place, "route_lost", {"env": route.environment, "tag": row.tag})


def _strays(home: Path, known: set[str]) -> Iterator[Finding]:
    """Folders that the registry does not name, and what a killed process left."""
    folder = releases.releases_folder(home)
    for path in sorted(folder.iterdir()) if folder.is_dir() else ():
        if path.is_dir() and path.name not in known:
            yield Finding(path.name, "release_stray", {"path": path})
