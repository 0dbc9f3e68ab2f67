"""Whether the knowledge base or people's data are damaged, told within milliseconds at each start.

A power cut on a cheap disk leaves files of length zero and folders without their files; those are what is looked for.
A flipped byte deep inside is found by the nightly backup, which reads everything.
"""

from __future__ import annotations

import contextlib
import os
import re
from collections.abc import Iterator
from dataclasses import dataclass
from enum import StrEnum
from pathlib import Path

from kb.db import PeopleData, people_path
from kb.errors import AlmanacError
from kb.paths import OWN_KNOWLEDGE
from kb.tree.walk import walk
from kb.versions import chain, restore
from kb.versions.git import repository_folder

_COMMIT = re.compile(r"[0-9a-f]{40}")
_SQLITE = b"SQLite format 3\0"
# gitformat-pack: PACK, version 2; an index of version 2 begins with this and holds 256 counts.
_PACK, _INDEX, _LEAST_PACK, _LEAST_INDEX = b"PACK", b"\377tOc", 32, 1072


class Trouble(StrEnum):
    """What is wrong; each has a text `damage_<name>`."""

    UNFINISHED = "unfinished"
    GONE = "gone"
    DOCUMENTS = "documents"
    REPOSITORY = "repository"
    PEOPLE = "people"


@dataclass(frozen=True, slots=True)
class Damage:
    """Where the trouble is, and the newest backup that could mend it, if there is one."""

    what: Trouble
    path: Path
    backup: Path | None = None


def look(home: Path, knowledge: Path, backups: Path) -> Damage | None:
    """The damage that can be seen from outside, or None. Reads a few small files and the names of packs."""
    if restore.unfinished(home):
        return Damage(Trouble.UNFINISHED, home)
    found = next(_found(home, knowledge), None)
    if found is None:
        return _gone(home, knowledge, backups)
    return Damage(found.what, found.path, newest(backups, knowledge) or newest(backups))


def newest(backups: Path, knowledge: Path | None = None) -> Path | None:
    """The newest backup (of the folder `knowledge`) that is there in the right size.

    Whether it is good shows when it is restored.
    """
    with contextlib.suppress(AlmanacError, OSError):
        for backup in chain.backups(backups):
            wanted = knowledge is None or backup.knowledge == str(knowledge)
            if wanted and backup.state in (chain.State.GOOD, chain.State.UNLISTED):
                return backup.path
    return None


def _gone(home: Path, knowledge: Path, backups: Path) -> Damage | None:
    """A base that has backups and is not there: other knowledge would answer, and nobody could go on with it."""
    for base in (knowledge, home / OWN_KNOWLEDGE):
        saved = None if base.exists() else newest(backups, base)
        if saved is not None:
            return Damage(Trouble.GONE, base, saved)
    return None


def _found(home: Path, knowledge: Path) -> Iterator[Damage]:
    # Only a repository of the knowledge's own: one around it may be anything.
    if (knowledge / ".git").exists():
        with contextlib.suppress(AlmanacError):
            if not _repository_is_whole(knowledge):
                yield Damage(Trouble.REPOSITORY, knowledge)
            elif _documents_are_gone(knowledge):
                yield Damage(Trouble.DOCUMENTS, knowledge)
    for which in PeopleData:
        path = people_path(home, which)
        if not _database_begins_well(path):
            yield Damage(Trouble.PEOPLE, path)


def _repository_is_whole(knowledge: Path) -> bool:
    folder = repository_folder(knowledge)
    common = folder
    with contextlib.suppress(OSError):
        # A linked work tree has its own HEAD and shares the rest.
        common = (folder / (folder / "commondir").read_text("utf-8").strip()).resolve()
    try:
        head = (folder / "HEAD").read_text("ascii", "replace").strip()
    except OSError:
        return False
    if not (common / "objects").is_dir() or not (common / "refs").is_dir():
        return False
    packs = {path.with_suffix("") for end in ("pack", "idx") for path in (common / "objects" / "pack").glob(f"*.{end}")}
    if not all(_pack_is_whole(path) for path in packs):
        return False
    if head.startswith("ref: refs/"):
        name = head.removeprefix("ref: ")
        commit = _loose(common / name)
        if commit is None:
            commit = _packed(common / "packed-refs", name)
        # A branch without a commit is new, unless the repository has other commits.
        return _object_may_be_there(common, commit) if commit is not None else not _has_objects(common)
    return _object_may_be_there(common, head)


def _loose(path: Path) -> str | None:
    try:
        return path.read_text("ascii", "replace").strip()
    except OSError:
        return None


def _packed(path: Path, name: str) -> str | None:
    with contextlib.suppress(OSError), path.open("r", encoding="utf-8", errors="replace") as file:
        for line in file:
            value, _, found = line.rstrip("\n").partition(" ")
            if found == name:
                return value
    return None


def _has_objects(common: Path) -> bool:
    return any(len(path.name) == 2 or any(path.glob("*.pack")) for path in (common / "objects").iterdir())


def _object_may_be_there(common: Path, commit: str) -> bool:
    """Whether `commit` is a commit's name and its object a file with something in it, or in some pack."""
    if not _COMMIT.fullmatch(commit):
        return False
    loose = common / "objects" / commit[:2] / commit[2:]
    try:
        return loose.stat().st_size > 0
    except OSError:
        elsewhere = (common / "objects" / "info" / "alternates").exists()
        return elsewhere or any((common / "objects" / "pack").glob("*.pack"))


def _pack_is_whole(stem: Path) -> bool:
    pack, index = stem.with_suffix(".pack"), stem.with_suffix(".idx")
    return _begins(pack, _PACK, _LEAST_PACK) and _begins(index, _INDEX, _LEAST_INDEX)


def _begins(path: Path, magic: bytes, least: int) -> bool:
    try:
        with path.open("rb") as file:
            return file.read(len(magic)) == magic and os.fstat(file.fileno()).st_size >= least
    except OSError:
        return False


def _documents_are_gone(knowledge: Path) -> bool:
    """Whether git's list of files has entries and the folder no document: someone, or the disk, emptied it."""
    try:
        with (repository_folder(knowledge) / "index").open("rb") as file:
            head = file.read(12)
    except OSError:
        return False
    # gitformat-index: DIRC, version, count of entries.
    listed = int.from_bytes(head[8:12], "big") if head[:4] == b"DIRC" else 0
    return listed > 0 and next(walk(knowledge), None) is None


def _database_begins_well(path: Path) -> bool:
    try:
        with path.open("rb") as file:
            start = file.read(len(_SQLITE))
    except OSError:
        return not path.exists()
    # Of length zero: SQLite has made the file and written nothing yet.
    return start in (b"", _SQLITE)
