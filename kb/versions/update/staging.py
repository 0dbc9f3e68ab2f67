"""Knowledge from a stick on its way in: copied, vouched for, cloned, checked in full; only then kept in the home.

The store `<home>/updates/knowledge` is a repository without files of its own. It holds the tags that were taken here,
so that a release can be made again, compared and rolled back when the stick is long gone.
"""

from __future__ import annotations

import contextlib
from collections.abc import Callable, Iterator
from dataclasses import dataclass
from pathlib import Path, PurePosixPath

from kb import fsio
from kb.errors import AlmanacError, KnowledgeError
from kb.versions import manifest as manifests
from kb.versions.backup_steps import Steps
from kb.versions.bundle import check_tree, read_header, references, unpack
from kb.versions.git import Git
from kb.versions.locks import writing
from kb.versions.manifest import FILE_NAME
from kb.versions.numbering import PREFIX, Number, newest, read_number
from kb.versions.snapshot import Snapshot, read
from kb.versions.source import Source
from kb.versions.update import medium
from kb.versions.update.making import faithful
from kb.versions.update.medium import Digests
from kb.versions.update.offers import Machine, vouched
from kb.versions.update.signature import Signature

_TAGS = "refs/tags/"
_VERSIONS = f"{_TAGS}{PREFIX}"
_COPY, _CLONE, _CHECK, _FILES = 30, 30, 30, 10
STORE = "knowledge"


@dataclass(frozen=True, slots=True)
class Staged:
    """A version that is sound as a whole: `source` reads it from the clone beside `bundle`, the copy of the file."""

    bundle: Path
    digests: Digests
    signature: Signature | None
    source: Source
    snapshot: Snapshot
    number: Number


def version_of(bundle: Path) -> Number:
    """The highest kb-X.Y.Z that a bundle's header names. KnowledgeError when it names none."""
    number = newest(name.removeprefix(_TAGS) for name in read_header(bundle).references if name.startswith(_TAGS))
    if number is None:
        raise KnowledgeError("update_no_version", path=bundle)
    return number


@contextlib.contextmanager
def staged(machine: Machine, git: Git, file: Path, sha256: str = "") -> Iterator[Staged]:
    """The version that the bundle `file` brings; what was copied and cloned is gone when the block ends.

    Raises KnowledgeError when the file is not vouched for, damaged, would do harm, or is not `sha256` (where given).
    """
    steps = Steps("update", machine.report)
    with fsio.scratch(machine.folder) as scratch:
        copied = scratch / "incoming.bundle"
        signatures: list[Signature | None] = []

        def check(digests: Digests) -> None:
            if sha256 and digests.sha256 != sha256:
                raise KnowledgeError("update_other_file", path=file)
            signatures.append(vouched(machine.home, file, digests))

        digests = medium.copy(file, copied, check, _counted(steps.part(_COPY)), machine.stop)
        with _naming(file):
            number = version_of(copied)
            fsio.need_space(scratch, 2 * digests.size)
            clone = scratch / "staged.git"
            unpack(git, copied, clone, steps.part(_CLONE), steps.part(_CHECK), machine.stop)
            steps.part(_FILES)
            bare = Source(git, clone, clone, "")
            commit = bare.commit_of(number.tag)
            check_tree(git, clone, commit, file)
            source = Source(git, clone, clone, _inner(bare, commit, number))
            snapshot = read(source, number.tag)
            faithful(source, snapshot)
        steps.end()
        yield Staged(copied, digests, signatures[0], source, snapshot, number)


def _counted(report: Callable[[float], None]) -> Callable[[int, int], None]:
    return lambda done, size: report(done / max(size, 1))


@contextlib.contextmanager
def _naming(file: Path) -> Iterator[None]:
    """Errors about the copy name the file on the stick: it is what people can look at."""
    try:
        yield
    except AlmanacError as error:
        if "path" in error.params and error.key.startswith(("bundle_", "update_", "unreadable")):
            error.params["path"] = file
        raise


def _inner(source: Source, commit: str, number: Number) -> str:
    """The folder of the knowledge in its repository: where the manifest of this version lies.

    KnowledgeError when there is none.
    """
    listed = source.git.read_bytes(source.repository, "ls-tree", "-r", "-z", "--name-only", "--full-tree", commit)
    names = [PurePosixPath(name.decode("utf-8", "replace")) for name in listed.split(b"\0") if name]
    for path in sorted((path for path in names if path.name == FILE_NAME), key=lambda path: (len(path.parts), path)):
        data = source.content(commit, path.as_posix())
        with contextlib.suppress(KnowledgeError):
            if data is not None and manifests.parse(data, str(path)).version == str(number):
                return "" if path.parent == PurePosixPath() else path.parent.as_posix()
    raise KnowledgeError("version_without_manifest", version=number.tag)


def store(machine: Machine, git: Git, inner: str = "") -> Source:
    """The store of this home, made when it is not there; whole or absent."""
    folder = machine.folder / STORE
    if not (folder / ".git").is_dir():
        with fsio.new_folder(folder) as made:
            git.run(made.parent, "init", "--quiet", "--template=", "--", str(made))
    root = folder / inner if inner else folder
    fsio.make_folder(root)
    return Source(git, folder, root, inner)


def keep(machine: Machine, git: Git, found: Staged) -> Source:
    """Take the tags of a checked bundle into the store. KnowledgeError when one of them was another one before."""
    kept = store(machine, git, found.source.inner)
    coming = _versions(git, found.source.repository)
    with writing(kept):
        here = references(git, kept.git_folder())
        moved = sorted(name for name, value in coming.items() if here.get(name, value) != value)
        if moved:
            raise KnowledgeError("update_tag_moved", tag=moved[0].removeprefix(_TAGS))
        missing = [f"{name}:{name}" for name in coming if name not in here]
        if missing:
            # From the bundle, not from the clone: that needs no other program than git itself.
            git.run(
                kept.repository, "fetch", "--quiet", "--no-tags", "--no-write-fetch-head", "--", str(found.bundle),
                *missing, timeout=None, stop=machine.stop,
            )  # fmt: skip
    return kept


def _versions(git: Git, repository: Path) -> dict[str, str]:
    """The references of versions; a backup brings others too, which stay out."""
    return {
        name: value
        for name, value in references(git, repository).items()
        if name.startswith(_VERSIONS) and read_number(name.removeprefix(_TAGS)) is not None
    }
