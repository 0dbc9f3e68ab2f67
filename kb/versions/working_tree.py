"""The knowledge trees that people keep, as far as the registry knows them: releases are made from them."""

from __future__ import annotations

from pathlib import Path

from kb.errors import AlmanacError
from kb.paths import UPDATES
from kb.versions import registry as registries
from kb.versions.registry import Registry


def known(home: Path) -> list[Path]:
    """The trees that snapshots were taken of, there or not: people's own before what updates brought, newest first."""
    if not registries.exists(home):
        return []
    try:
        with Registry.open_to_read(home) as registry:
            found = registry.sources()
    except AlmanacError:
        return []  # damaged: whoever needs the registry itself says so
    return sorted(found, key=lambda path: is_brought(home, path))


def kept(home: Path) -> Path | None:
    """The tree that people worked on last; None where they never took a snapshot."""
    return next((path for path in known(home) if not is_brought(home, path)), None)


def is_brought(home: Path, path: Path) -> bool:
    """Whether `path` lies where updates keep what they bring: nobody writes there."""
    return path.is_relative_to(home / UPDATES)
