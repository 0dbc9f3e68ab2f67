"""What a backup holds besides the knowledge's own branches and tags, and how it is written into one bundle.

`refs/almanac/people` is a commit without history: `backup.json` and one file for each database of people's data.
`refs/almanac/worktree` is a commit on top of HEAD: the files as they lay in the folder, uncommitted work included.
"""

from __future__ import annotations

import json
import re
import threading
from dataclasses import asdict, dataclass, field
from enum import StrEnum
from pathlib import Path
from typing import Any

from kb import fsio
from kb.db import PeopleData
from kb.errors import AlmanacError, KnowledgeError
from kb.versions.bundle import references
from kb.versions.git import AUTHOR_EMAIL, AUTHOR_NAME, Git, checked_path, checked_reference
from kb.versions.people import Database, check

OWN = "refs/almanac/"
PEOPLE = f"{OWN}people"
WORKTREE = f"{OWN}worktree"
_ABOUT = "backup.json"
_FORMAT = 1
_LONGEST_ABOUT = 4 << 20
_COMMIT = re.compile(r"[0-9a-f]{40}")
# A commit of ours needs a name; nothing of a person's settings is read for it.
IDENTITY = ("-c", f"user.name={AUTHOR_NAME}", "-c", f"user.email={AUTHOR_EMAIL}")


class Kind(StrEnum):
    """Where the knowledge of a backup came from."""

    REPOSITORY = "repository"
    PROGRAM = "program"
    FOLDER = "folder"


@dataclass(frozen=True, slots=True)
class Contents:
    """`inner` is the knowledge's folder in its repository (`docs/`, empty at the top); `head` a branch or a commit.

    `changed` counts files that differ from the last commit, `nested` names repositories inside the tree that are
    not part of it. `made` is local time with its offset, ISO 8601.
    """

    made: str
    kind: Kind
    inner: str = ""
    head: str = ""
    label: str = ""
    program: str = ""
    documents: int = 0
    changed: int = 0
    nested: tuple[str, ...] = ()
    databases: tuple[Database, ...] = field(default_factory=tuple)

    @property
    def rows(self) -> int:
        """Rows of people's data in all."""
        return sum(sum(database.rows.values()) for database in self.databases)


def write_people(
    git: Git, repository: Path, contents: Contents, folder: Path, stop: threading.Event | None = None
) -> None:
    """Commit `contents` and the databases that lie in `folder` to PEOPLE of the bare `repository`."""
    about = json.dumps({"format": _FORMAT, **asdict(contents)}, ensure_ascii=False, indent=1).encode()
    names = {_ABOUT: git.run(repository, "hash-object", "-w", "--no-filters", "--stdin", stdin=about).strip()}
    for database in contents.databases:
        command = ("hash-object", "-w", "--no-filters", "--", str(folder / database.name))
        names[database.name] = git.run(repository, *command, timeout=None, stop=stop).strip()
    entries = "".join(f"100644 blob {blob}\t{name}\0" for name, blob in sorted(names.items()))
    tree = git.run(repository, "mktree", "-z", stdin=entries.encode()).strip()
    commit = git.run(repository, *IDENTITY, "commit-tree", "-m", "Almanac: people's data", tree).strip()
    git.run(repository, "update-ref", PEOPLE, commit)


def read_contents(git: Git, repository: Path) -> Contents:
    """What the backup in the bare `repository` says it holds. KnowledgeError when that cannot be understood."""
    try:
        if int(git.read(repository, "cat-file", "-s", f"{PEOPLE}:{_ABOUT}")) > _LONGEST_ABOUT:
            raise KnowledgeError("backup_unreadable", reason=_ABOUT)
        found = json.loads(git.read(repository, "cat-file", "blob", f"{PEOPLE}:{_ABOUT}"))
        if found.pop("format") != _FORMAT:
            raise KnowledgeError("backup_newer")
        return _contents(found)
    except (AlmanacError, ValueError, TypeError, KeyError, AttributeError) as error:
        if isinstance(error, KnowledgeError):
            raise
        raise KnowledgeError("backup_unreadable", reason=_ABOUT) from error


def _contents(found: dict[str, Any]) -> Contents:
    databases = tuple(
        # The name becomes a file name: only those that there can be.
        Database(
            PeopleData(entry["name"]).value,
            str(entry["sha256"]),
            int(entry["size"]),
            {str(table): int(count) for table, count in entry["rows"].items()},
        )
        for entry in found["databases"]
    )
    texts = {name: str(found[name]) for name in ("made", "inner", "head", "label", "program")}
    if texts["inner"]:
        checked_path(texts["inner"])
    if texts["head"] and not _COMMIT.fullmatch(texts["head"]):
        checked_reference(texts["head"].removeprefix("refs/heads/"))
    numbers = {name: int(found[name]) for name in ("documents", "changed")}
    nested = tuple(str(name) for name in found["nested"])
    return Contents(kind=Kind(found["kind"]), databases=databases, nested=nested, **texts, **numbers)  # type: ignore[arg-type]


def extract_people(git: Git, repository: Path, contents: Contents, folder: Path) -> None:
    """Write the databases of the backup into `folder` and check each of them, byte and row."""
    for database in contents.databases:
        target = folder / database.name
        with fsio.replacing(target) as file:
            git.stream(repository, file, "cat-file", "blob", f"{PEOPLE}:{database.name}")
        check(target, database)


def tree_commits(git: Git, repository: Path) -> list[str]:
    """The commits whose trees become files: HEAD, when it has a commit, and what was not committed."""
    found = ["HEAD"] if commit_of(git, repository, "HEAD") else []
    return [*found, WORKTREE] if WORKTREE in references(git, repository) else found


def commit_of(git: Git, repository: Path, name: str) -> str:
    """The commit that `name` points at; empty when there is none, as on a branch before its first commit."""
    try:
        return git.read(repository, "rev-parse", "--verify", "--quiet", f"{name}^{{commit}}").strip()
    except AlmanacError:
        return ""
