"""A Git bundle as a file from outside: read with suspicion, cloned and checked in full before anything trusts it.

Format: gitformat-bundle. `git bundle verify` reads the header only and passes on a flipped byte, so it proves nothing.
"""

from __future__ import annotations

import hashlib
import re
import threading
from collections.abc import Callable
from dataclasses import dataclass
from pathlib import Path, PurePosixPath
from typing import IO

from kb import fsio
from kb.errors import AlmanacError, KnowledgeError
from kb.versions.git import Git

_SIGNATURES = {b"# v2 git bundle\n": 2, b"# v3 git bundle\n": 3}
_REFERENCE = re.compile(rb"([0-9a-f]{40}|[0-9a-f]{64}) (HEAD|refs/[^\0-\x20\x7f~^:?*\[\\]+)\n")
_MOST_REFERENCES = 100_000
_LONGEST_LINE = 4096
# A pack is a header of 12 bytes (PACK, version, count of objects) and ends with the SHA-1 of itself.
_LEAST_PACK = 12 + 20
_CHUNK = 1 << 20
_GITLINK, _LINK = "160000", "120000"

Part = Callable[[float], None]
"""Called with the part that is done, 0 to 1."""


@dataclass(frozen=True, slots=True)
class Header:
    """What a bundle says of itself: `references` from name to commit, HEAD among them if it is there."""

    references: dict[str, str]
    size: int


def read_header(path: Path) -> Header:
    """The header of the bundle at `path`. KnowledgeError when it is none, is cut, or needs other commits first."""
    try:
        with path.open("rb") as file:
            return _header(path, file)
    except OSError as error:
        raise AlmanacError("unreadable", path=str(path), reason=error.strerror or str(error)) from error


def _header(path: Path, file: IO[bytes]) -> Header:
    if _SIGNATURES.get(file.readline(_LONGEST_LINE)) is None:
        raise KnowledgeError("bundle_foreign", path=str(path))
    references: dict[str, str] = {}
    while (line := file.readline(_LONGEST_LINE)) != b"\n":
        if not line.endswith(b"\n"):
            raise KnowledgeError("bundle_cut", path=str(path))
        if line.startswith(b"-"):
            raise KnowledgeError("bundle_incremental", path=str(path))
        if line.startswith(b"@"):
            # Capabilities of version 3; only the usual hash is one that every git can read.
            if line != b"@object-format=sha1\n":
                raise KnowledgeError("bundle_foreign", path=str(path))
            continue
        found = _REFERENCE.fullmatch(line)
        if found is None or b".." in line or len(references) > _MOST_REFERENCES:
            raise KnowledgeError("bundle_foreign", path=str(path))
        references[found[2].decode("utf-8", "replace")] = found[1].decode("ascii")
    if not references:
        raise KnowledgeError("bundle_empty", path=str(path))
    start = file.tell()
    pack = file.read(4)
    size = file.seek(0, 2)
    if pack != b"PACK" or size - start < _LEAST_PACK:
        raise KnowledgeError("bundle_cut", path=str(path))
    return Header(references, size)


def file_digest(path: Path, report: Part | None = None, stop: threading.Event | None = None) -> str:
    """The SHA-256 of a file, 64 hexadecimal digits. KeyboardInterrupt when `stop` was set meanwhile."""
    made = hashlib.sha256()
    try:
        size = max(path.stat().st_size, 1)
        done = 0
        with path.open("rb") as file:
            while piece := file.read(_CHUNK):
                made.update(piece)
                done += len(piece)
                if report is not None:
                    report(min(done / size, 1.0))
                if stop is not None and stop.is_set():
                    raise KeyboardInterrupt
    except OSError as error:
        raise AlmanacError("unreadable", path=str(path), reason=error.strerror or str(error)) from error
    return made.hexdigest()


def unpack(
    git: Git, bundle: Path, folder: Path, cloned: Part, checked: Part, stop: threading.Event | None = None
) -> dict[str, str]:
    """Clone `bundle` into the bare repository `folder`, every reference under its own name, and check every object.

    Returns its references. KnowledgeError when the bundle is damaged or does not hold what its header says.
    """
    header = read_header(bundle)
    try:
        command = ("clone", "--mirror", "--template=", "--progress", "--", str(bundle), str(folder))
        git.watched(folder.parent, *command, report=cloned, stop=stop)
        git.watched(folder, "fsck", "--full", "--strict", "--progress", "--no-dangling", report=checked, stop=stop)
    except AlmanacError as error:
        if fsio.free_mb(folder.parent) < 1 or "No space left" in str(error.params.get("reason", "")):
            raise AlmanacError("disk_full", path=str(folder.parent), free=fsio.free_mb(folder.parent)) from error
        raise KnowledgeError("bundle_damaged", path=str(bundle), reason=error.params.get("reason", "")) from error
    found = references(git, folder)
    wanted = {name: value for name, value in header.references.items() if name != "HEAD"}
    # A bundle of HEAD alone has no name for its commit; the clone keeps it as a detached HEAD.
    if found != wanted:
        raise KnowledgeError("bundle_damaged", path=str(bundle), reason=", ".join(sorted(found.keys() ^ wanted.keys())))
    return found


def references(git: Git, repository: Path) -> dict[str, str]:
    """All references of a repository, from full name to what they point at (tags themselves, not their commits)."""
    lines = git.read(repository, "for-each-ref", "--format=%(objectname) %(refname)").splitlines()
    return {name: value for value, _, name in (line.partition(" ") for line in lines)}


def references_digest(found: dict[str, str]) -> str:
    """One digest for a set of references: equal when every branch and tag points at the same."""
    return hashlib.sha256("".join(f"{found[name]} {name}\n" for name in sorted(found)).encode()).hexdigest()


def check_tree(git: Git, repository: Path, commit: str, path: Path) -> int:
    """Look at every name in the tree of `commit` before it may become files; returns their size in bytes.

    KnowledgeError, naming `path`, for what would write outside, run something, or is not in the bundle: `..`,
    `.git`, links that lead out, submodules, a repository within the tree.
    """
    size = 0
    repository_parts: dict[str, set[str]] = {}
    for entry in git.read(repository, "ls-tree", "-r", "-l", "-z", "--full-tree", commit).split("\0"):
        if not entry:
            continue
        about, _, name = entry.partition("\t")
        mode, _, identity, length = about.split()
        parts = name.split("/")
        if any(_is_trick(part) for part in parts):
            raise KnowledgeError("bundle_bad_path", path=str(path), name=name)
        if mode == _GITLINK:
            raise KnowledgeError("bundle_submodule", path=str(path), name=name)
        if mode == _LINK and _leads_out(name, git.read(repository, "cat-file", "blob", identity)):
            raise KnowledgeError("bundle_bad_path", path=str(path), name=name)
        for place, part in enumerate(parts):
            if part in ("HEAD", "objects", "refs"):
                repository_parts.setdefault("/".join(parts[:place]), set()).add(part)
        size += int(length) if length.isdigit() else 0
    for folder, found in repository_parts.items():
        # git takes such a folder for a repository and would obey the settings in it.
        if len(found) == 3:
            raise KnowledgeError("bundle_bad_path", path=str(path), name=folder or "HEAD")
    return size


def _is_trick(part: str) -> bool:
    """Whether a part of a name means something else than a file of that name, on any system."""
    plain = "".join(char for char in part if char.isprintable()).lower().rstrip(" .")
    return part in ("", ".", "..") or plain in (".git", "git~1") or plain.startswith((".git:", ".git::"))


def _leads_out(name: str, target: str) -> bool:
    """Whether a link at `name` can end outside the tree, other links on its way included."""
    if not target or target.startswith(("/", "~")) or "\\" in target or re.match(r"[A-Za-z]:", target):
        return True
    depth = len(PurePosixPath(name).parent.parts)
    named = False
    for part in target.split("/"):
        if part == "..":
            depth -= 1
            # After a name, `..` is the parent of wherever a link of that name leads.
            if depth < 0 or named:
                return True
        elif part not in ("", "."):
            named = True
            if _is_trick(part):
                return True
    return False
