"""The knowledge as one file to hand out: a tag and those before it, with their history, and nothing of people's."""

from __future__ import annotations

import threading
from dataclasses import dataclass
from pathlib import Path

from kb import fsio
from kb.config import ProgressReport, no_progress
from kb.errors import AlmanacError, KnowledgeError
from kb.versions import manifest as manifests
from kb.versions.backup_steps import Steps
from kb.versions.bundle import check_tree, file_digest, unpack
from kb.versions.numbering import newest, read_number
from kb.versions.snapshot import Snapshot, contents, read
from kb.versions.source import Source
from kb.versions.update.medium import DIGEST_SUFFIX

_PACK, _CLONE, _CHECK = 50, 30, 20


@dataclass(frozen=True, slots=True)
class Made:
    """A finished, checked file, `size` in bytes."""

    file: Path
    sha256: str
    size: int
    tag: str
    manifest: str
    documents: int


def make(
    source: Source,
    folder: Path,
    tag: str = "",
    report: ProgressReport = no_progress,
    stop: threading.Event | None = None,
) -> Made:
    """Write `almanac-knowledge-<version>.bundle` and its digest file into `folder`; the newest tag where none is named.

    It is cloned and checked in full before it gets its name. KnowledgeError when the tag is not what its manifest says.
    """
    number = read_number(tag) if tag else newest(source.tags())
    if number is None and not tag:
        raise KnowledgeError("publish_no_tag", path=source.root)
    snapshot = read(source, number.tag if number is not None else tag)
    number = read_number(snapshot.tag)
    if number is None:
        raise KnowledgeError("update_not_version", version=tag)
    if source.git.read(source.repository, "rev-parse", "--is-shallow-repository").strip() == "true":
        raise KnowledgeError("backup_shallow", path=source.repository)
    faithful(source, snapshot)
    names = [f"refs/tags/{name}" for name in _up_to(source, snapshot)]
    steps = Steps("update_make", report)
    target = folder.absolute() / f"almanac-knowledge-{number}.bundle"
    with fsio.beside(target, ".bundle") as made, fsio.scratch(target.parent) as scratch:
        try:
            command = ("bundle", "create", "--progress", str(made), *names)
            source.git.watched(source.repository, *command, report=steps.part(_PACK), stop=stop)
        finally:
            fsio.remove_file(made.with_name(made.name + ".lock"))
        clone = scratch / "check.git"
        found = unpack(source.git, made, clone, steps.part(_CLONE), steps.part(_CHECK), stop)
        if sorted(found) != sorted(names):
            raise KnowledgeError("bundle_damaged", path=target, reason="refs")
        check_tree(source.git, clone, snapshot.commit, target)
        sha256, size = file_digest(made, stop=stop), made.stat().st_size
        fsio.write_text(target.with_name(target.name + DIGEST_SUFFIX), f"{sha256}  {target.name}\n")
    steps.end()
    return Made(target, sha256, size, snapshot.tag, snapshot.digest, len(snapshot.manifest.documents))


def faithful(source: Source, snapshot: Snapshot) -> None:
    """KnowledgeError when git's files of a tag are not those of its manifest."""
    stored = source.files(snapshot.commit)
    digests = {path: manifests.sha256(data) for path, data in contents(source, stored)}
    mismatch = manifests.compare(snapshot.manifest, digests, digests.get)
    if mismatch:
        raise KnowledgeError("release_mismatch", tag=snapshot.tag, names=", ".join(mismatch.names[:10]))


def _up_to(source: Source, snapshot: Snapshot) -> list[str]:
    """The tags that lead to this one, itself included: what a receiver compares with."""
    listed = source.git.read(
        source.repository,
        "for-each-ref",
        "--format=%(refname:strip=2)",
        f"--merged={snapshot.commit}",
        "refs/tags/kb-*",
    )
    last = read_number(snapshot.tag)
    found = [name for name in listed.split() if (number := read_number(name)) is not None and last and number <= last]
    return sorted({*found, snapshot.tag})


def is_ancestor(source: Source, first: str, second: str) -> bool:
    """Whether the commit `second` goes on from `first`; False also when one of them is not there."""
    try:
        source.git.read(source.repository, "merge-base", "--is-ancestor", first, second)
    except AlmanacError:
        return False
    return True
