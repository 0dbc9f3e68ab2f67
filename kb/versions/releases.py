"""Release folders: a tag's files and their search index, `<home>/releases/<tag>-<digest>/`, whole or absent.

`docs/` is exported from git's objects, so neither a work tree nor its filters matter; `index/` is made before anybody
is sent there; `knowledge-version.json` says what it is. Nothing in it is changed afterwards. Whoever reads a release
holds its lease, and a release is only removed while nobody does.
"""

from __future__ import annotations

import contextlib
import json
import math
import sqlite3
from collections.abc import Callable, Iterator
from dataclasses import dataclass
from pathlib import Path

from kb import fsio
from kb.config import ProgressReport, no_progress
from kb.errors import AlmanacError, ExitCode, KnowledgeError
from kb.versions import manifest as manifests
from kb.versions.history import STAMP_NAME, KnowledgeVersion
from kb.versions.manifest import FILE_NAME, Mismatch
from kb.versions.registry import Registered, Registry
from kb.versions.routes import used
from kb.versions.snapshot import Snapshot, contents
from kb.versions.source import Source, is_hidden

_BASE_NS = 1_000_000_000 * 10**9
_SPAN_S = 600_000_000


@dataclass(frozen=True, slots=True)
class BuiltIndex:
    """What making an index took: of `chunks` pieces of text, `embedded` were given to the embedder, the others' vectors
    were taken over. `has_vectors` is off where there is no embedder."""

    documents: int
    chunks: int
    embedded: int
    has_vectors: bool


IndexBuilder = Callable[[Path, Path, tuple[Path, ...]], BuiltIndex]
"""(documents, folder of the index to make, folders of indexes whose work may be taken over) -> what it took."""


@dataclass(frozen=True, slots=True)
class Release:
    """A release folder and its parts."""

    folder: Path
    version: KnowledgeVersion

    @property
    def docs(self) -> Path:
        """The documents."""
        return self.folder / "docs"

    @property
    def index(self) -> Path:
        """The search index of the documents."""
        return self.folder / "index"


def releases_folder(home: Path) -> Path:
    """Where all releases of a home lie."""
    return home / "releases"


def folder_of(home: Path, registered: Registered) -> Path:
    """Where this release lies."""
    return releases_folder(home) / registered.name


def lease_of(folder: Path) -> Path:
    """The lock file of a release's readers: beside the folder, which itself never changes."""
    return folder.parent / f"{folder.name}.lease"


@contextlib.contextmanager
def building(home: Path) -> Iterator[None]:
    """Hold the releases of a home for making or removing; what a killed process left half-made is swept."""
    folder = releases_folder(home)
    with fsio.locked(folder / "lock"):
        # Everybody who makes a temporary folder here holds the lock: what is there now belongs to nobody.
        fsio.sweep_temporaries(folder, 0.0, math.inf)
        yield


def opened(home: Path, registered: Registered) -> Release:
    """The release as it lies there. KnowledgeError when it is gone or is not what the registry says."""
    folder = folder_of(home, registered)
    version = _version(registered)
    try:
        found = json.loads((folder / STAMP_NAME).read_text("utf-8"))
        said = tuple(found[name] for name in ("tag", "manifest", "commit"))
    except (OSError, ValueError, KeyError, TypeError) as error:
        raise KnowledgeError("release_missing", tag=registered.tag, path=folder) from error
    if said != (version.tag, version.manifest, version.commit):
        raise KnowledgeError("release_other", tag=registered.tag, path=folder)
    return Release(folder, version)


def _version(registered: Registered) -> KnowledgeVersion:
    return KnowledgeVersion(registered.tag, registered.manifest, registered.commit, registered.created[:10])


def is_whole(home: Path, registered: Registered) -> bool:
    """Whether the folder is there and every file in it is as the manifest says."""
    try:
        return not verified(opened(home, registered))
    except KnowledgeError:
        return False


def verified(release: Release) -> Mismatch:
    """How the documents of a release differ from its manifest. KnowledgeError when that is not the one it names."""
    try:
        data = (release.docs / FILE_NAME).read_bytes()
    except OSError as error:
        raise KnowledgeError("release_missing", tag=release.version.tag, path=release.folder) from error
    if manifests.sha256(data) != release.version.manifest:
        raise KnowledgeError("release_other", tag=release.version.tag, path=release.folder)
    return manifests.verify(manifests.parse(data, str(release.docs / FILE_NAME)), release.docs)


def build(
    home: Path,
    registered: Registered,
    source: Source,
    snapshot: Snapshot,
    make_index: IndexBuilder,
    earlier: tuple[Path, ...],
    report: ProgressReport = no_progress,
) -> BuiltIndex:
    """Make the release folder; call it within `building`. KnowledgeError when git's files are not the manifest's."""
    target = folder_of(home, registered)
    with fsio.new_folder(target, replace=True) as folder:
        _export(source, snapshot, folder / "docs", report)
        version = _version(registered)
        mismatch = verified(Release(folder, version))
        if mismatch:
            raise KnowledgeError("release_mismatch", tag=snapshot.tag, names=", ".join(mismatch.names[:10]))
        stamp = {"tag": version.tag, "manifest": version.manifest, "commit": version.commit, "date": version.date,
                 "source": str(source.root)}  # fmt: skip
        fsio.place(folder / STAMP_NAME, json.dumps(stamp, indent=1).encode())
        try:
            return make_index(folder / "docs", folder / "index", earlier)
        except sqlite3.OperationalError as error:
            raise AlmanacError("write_failed", path=folder / "index", reason=str(error)) from error


def _export(source: Source, snapshot: Snapshot, docs: Path, report: ProgressReport) -> None:
    """The files of the tag. Their times follow from their bytes, so an index taken over from another release sees at
    once which files are the same."""
    stored = source.files(snapshot.commit)
    fsio.need_space(docs.parent, 2 * sum(entry.size for entry in stored))  # the index is about as large
    for path, data in contents(source, stored, report):
        if not is_hidden(path):
            number = int(manifests.sha256(data)[:16], 16)
            fsio.place(docs / path, data, _BASE_NS + number % _SPAN_S * 10**9)


def retire(home: Path, registry: Registry, registered: Registered, moment: str) -> bool:
    """Free a release that no route uses; False when somebody still reads it (it goes the next time).

    AlmanacError when a route uses it.
    """
    with building(home):
        with registry.writing():
            if registered.id in used(registry):
                raise AlmanacError("release_in_use", ExitCode.USAGE, tag=registered.tag)
            registry.mark_retired(registered, moment)
        return _removed(folder_of(home, registered))


def _removed(folder: Path) -> bool:
    lease = lease_of(folder)
    with fsio.locked(lease, wait=False) as alone:
        if not alone:
            return False
        fsio.remove_folder(folder)
        fsio.remove_file(lease)
    return True


def sweep(home: Path, registry: Registry) -> list[str]:
    """Remove retired releases that were still read when they were retired; returns their names."""
    gone: list[str] = []
    with building(home):
        for registered in registry.snapshots():
            folder = folder_of(home, registered)
            if registered.retired and folder.is_dir() and _removed(folder):
                gone.append(registered.name)
    return gone
