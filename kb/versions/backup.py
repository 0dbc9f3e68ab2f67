"""A backup: one bundle that brings knowledge and people's data back, checked as a restore would check it.

What `backup_collect` gathers goes into a file with a temporary name, which is cloned and checked; only then does it
get its name, its digest file and its line in the chain, and old backups go.
"""

from __future__ import annotations

import datetime
import threading
import time
from dataclasses import dataclass, replace
from pathlib import Path

from kb import fsio
from kb.config import ProgressReport, no_progress
from kb.errors import AlmanacError, KnowledgeError
from kb.versions import backup_contents, chain
from kb.versions.backup_collect import BackupSource, collect
from kb.versions.backup_contents import OWN, Contents, tree_commits
from kb.versions.backup_steps import Steps
from kb.versions.bundle import check_tree, file_digest, references, references_digest, unpack
from kb.versions.git import Git

DEFAULT_KEEP = 14
_LOCK = ".almanac-backup.lock"
# Parts of the work, in hundredths of the whole as seen on 10,000 documents.
_SAVE, _PACK, _CLONE, _CHECK, _PEOPLE = 15, 30, 25, 20, 10


@dataclass(frozen=True, slots=True)
class Keeping:
    """How many backups stay, and for how many days (None: however old)."""

    keep: int = DEFAULT_KEEP
    days: int | None = None


@dataclass(frozen=True, slots=True)
class Made:
    """A finished, checked backup.

    `size` in bytes; `references` are the knowledge's own; `head` is the digest of the chain's last line; `removed`
    names the backups that went by count or age.
    """

    file: Path
    sha256: str
    size: int
    seconds: float
    references: dict[str, str]
    contents: Contents
    head: str
    removed: tuple[str, ...] = ()


def make(
    git: Git,
    source: BackupSource,
    folder: Path,
    keeping: Keeping = Keeping(),
    report: ProgressReport = no_progress,
    stop: threading.Event | None = None,
) -> Made:
    """Write a backup into `folder`, check it in full, add it to the chain, then let old ones go.

    AlmanacError when another backup runs, the disk is full or git fails; KnowledgeError when knowledge or people's
    data are damaged. Backups that are there stay as they are in every such case, and nothing half-written is left.
    """
    started = time.perf_counter()
    fsio.make_folder(folder)
    scratches = source.home / "scratch"
    with fsio.locked(folder / _LOCK, wait=False) as free, fsio.locked(scratches / _LOCK, wait=False) as alone:
        if not (free and alone):
            raise AlmanacError("backup_running", path=str(folder))
        # Under the locks, every temporary file here is of a process that was killed.
        for place in (folder, scratches):
            fsio.sweep_temporaries(place, -1, time.time())
        _adopt(folder)
        with fsio.scratch(scratches) as scratch:
            made = _write(git, source, folder, scratch, Steps("backup", report), stop)
        removed = _let_go(folder, keeping)
        head = chain.read(folder).head
    return replace(made, seconds=time.perf_counter() - started, removed=removed, head=head)


def tidy(git: Git, source: BackupSource, stop: threading.Event | None = None) -> bool:
    """Let git pack the knowledge's own repository (`git gc`); whether there was one. AlmanacError when git fails."""
    if source.history is not None or not (source.knowledge / ".git").exists():
        return False
    git.run(source.knowledge, "gc", "--quiet", timeout=None, stop=stop)
    return True


def _write(
    git: Git, source: BackupSource, folder: Path, scratch: Path, steps: Steps, stop: threading.Event | None
) -> Made:
    steps.part(_SAVE)
    target = _free_name(folder)
    work, contents = collect(git, source, scratch, stop)
    wanted = references(git, work)
    if not contents.documents and not contents.head:
        # A disk that is not mounted looks like this.
        raise KnowledgeError("root_empty", path=str(source.knowledge))
    with fsio.beside(target, ".bundle") as bundle:
        try:
            command = ("bundle", "create", "--progress", str(bundle), "--all")
            git.watched(work, *command, report=steps.part(_PACK), stop=stop)
        except AlmanacError as error:
            fsio.remove_file(bundle.with_name(bundle.name + ".lock"))
            raise _explained(error, folder) from error
        clone = scratch / "check.git"
        found = unpack(git, bundle, clone, steps.part(_CLONE), steps.part(_CHECK), stop)
        if found != wanted:
            raise KnowledgeError("bundle_damaged", path=str(target), reason="refs")
        steps.part(_PEOPLE)
        _as_restored(git, clone, contents, scratch / "again", target)
        sha256, size = file_digest(bundle, stop=stop), bundle.stat().st_size
        fsio.write_text(chain.digest_file(target), f"{sha256}  {target.name}\n")
    knowledge = {name: value for name, value in wanted.items() if not name.startswith(OWN)}
    entry = chain.Entry(
        chain.Event.MADE,
        target.name,
        sha256,
        size,
        contents.made,
        references_digest(wanted),
        knowledge=str(source.knowledge),
    )
    head = chain.append(folder, [entry])
    steps.end()
    return Made(target, sha256, size, 0.0, knowledge, contents, head)


def _as_restored(git: Git, clone: Path, contents: Contents, folder: Path, target: Path) -> None:
    """Whether a restore would accept the clone: what it says, every database, every name in its trees."""
    if backup_contents.read_contents(git, clone) != contents:
        raise KnowledgeError("bundle_damaged", path=str(target), reason="backup.json")
    backup_contents.extract_people(git, clone, contents, folder)
    for commit in tree_commits(git, clone):
        check_tree(git, clone, commit, target)


def _explained(error: AlmanacError, folder: Path) -> AlmanacError:
    reason = str(error.params.get("reason", ""))
    if "File too large" in reason:
        return AlmanacError("backup_file_limit", path=str(folder))
    if "No space left" in reason or fsio.free_mb(folder) < 1:
        return AlmanacError("disk_full", path=str(folder), free=fsio.free_mb(folder))
    return error


def _free_name(folder: Path) -> Path:
    """`kb-20261130-020000.bundle` by the local clock; a name that is taken gives the next second."""
    moment = datetime.datetime.now()
    used = {entry.file for entry in chain.read(folder).entries}
    while True:
        path = folder / f"kb-{moment:%Y%m%d-%H%M%S}.bundle"
        if path.name not in used and not path.exists():
            return path
        moment += datetime.timedelta(seconds=1)


def _adopt(folder: Path) -> None:
    """List what a killed backup finished but had no time to list; drop digests whose bundle never came."""
    found = []
    for backup in chain.backups(folder):
        noted = chain.noted_digest(backup.path)
        if backup.state is chain.State.UNLISTED and noted and file_digest(backup.path) == noted:
            found.append(chain.Entry(chain.Event.MADE, backup.path.name, noted, backup.size, backup.time, ""))
    if found:
        chain.append(folder, sorted(found, key=lambda entry: entry.file))
    standing = chain.read(folder).standing
    for path in folder.glob(f"{chain.PATTERN}.sha256"):
        bundle = path.name.removesuffix(".sha256")
        if bundle not in standing and not (folder / bundle).exists():
            fsio.remove_file(path)


def _let_go(folder: Path, keeping: Keeping) -> tuple[str, ...]:
    """Remove what is beyond count and age: first the line that says so, then the files."""
    gone = chain.outdated(chain.read(folder), keeping.keep, keeping.days, datetime.datetime.now().astimezone())
    if gone:
        time_now = datetime.datetime.now().astimezone().isoformat(timespec="seconds")
        chain.append(folder, [replace(entry, event=chain.Event.REMOVED, time=time_now) for entry in gone])
    lines = chain.read(folder)
    for name in {entry.file for entry in lines.entries} - lines.standing.keys():
        fsio.remove_file(folder / name)
        fsio.remove_file(chain.digest_file(folder / name))
    return tuple(entry.file for entry in gone)
