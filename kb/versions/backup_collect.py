"""What a backup is made from: a repository of our own that borrows from the live one and takes up all the rest.

The live repository is not written to: a bare repository in a temporary folder borrows its objects and references,
takes up what is not committed and people's data. So the live one's hooks, filters and settings play no part either.
"""

from __future__ import annotations

import datetime
import os
import threading
from dataclasses import dataclass, replace
from pathlib import Path

from kb import __version__, fsio
from kb.errors import AlmanacError, KnowledgeError
from kb.tree.walk import walk
from kb.versions import backup_contents, people
from kb.versions import registry as registries
from kb.versions.backup_contents import IDENTITY, OWN, WORKTREE, Contents, Kind, commit_of
from kb.versions.bundle import references, unpack
from kb.versions.git import Git, enclosing, repository_folder
from kb.versions.registry import Registered, Registry
from kb.versions.routes import used

# Settings of the live repository that say how its files are to be read; none of them names a program.
_FILE_SETTINGS = frozenset({"core.filemode", "core.autocrlf", "core.ignorecase", "core.symlinks"})
# Above this size git neither compares a file with others nor holds it in memory: databases.
_BIG = "8m"


@dataclass(frozen=True, slots=True)
class BackupSource:
    """What is backed up: the knowledge tree, people's data below `home`, and for knowledge that came inside the
    program its `history` bundle."""

    home: Path
    knowledge: Path
    history: Path | None = None
    label: str = ""


def collect(git: Git, source: BackupSource, scratch: Path, stop: threading.Event | None) -> tuple[Path, Contents]:
    """A bare repository in `scratch` that holds, or borrows, everything the backup is to hold."""
    work = scratch / "work.git"
    made = datetime.datetime.now().astimezone().isoformat(timespec="seconds")
    documents = sum(1 for _ in walk(source.knowledge)) if source.knowledge.is_dir() else 0
    contents = Contents(made, Kind.FOLDER, label=source.label, program=__version__, documents=documents)
    if source.history is not None:
        unpack(git, source.history, work, lambda _: None, lambda _: None, stop)
        head = git.read(work, "symbolic-ref", "--quiet", "HEAD").strip()
        contents = replace(contents, kind=Kind.PROGRAM, head=head)
    else:
        git.run(scratch, "init", "--quiet", "--bare", "--template=", str(work))
        place = _repository(git, source.knowledge)
        if place is not None:
            contents = replace(contents, kind=Kind.REPOSITORY, inner=place[1], head=_borrow(git, place[0], work))
        top, inner = place or (source.knowledge, "")
        changed, nested = _take_up(git, work, top, inner, place is not None, stop)
        contents = replace(contents, changed=changed, nested=nested)
    _borrow_releases(git, work, source.home, source.knowledge)
    git.run(work, "config", "core.bigFileThreshold", _BIG)
    copies = scratch / "people"
    fsio.make_folder(copies)
    contents = replace(contents, databases=people.save(source.home, copies, stop))
    backup_contents.write_people(git, work, contents, copies, stop)
    return work, contents


def _repository(git: Git, root: Path) -> tuple[Path, str] | None:
    """The repository that keeps `root`; one that merely lies around it (a person's whole home) is another's."""
    place = enclosing(root)
    if place is None or not place[1]:
        return place
    try:
        kept = git.read(place[0], "ls-tree", "-d", "HEAD", "--", place[1].rstrip("/"))
    except AlmanacError:
        return None
    return place if kept.strip() else None


def _borrow_releases(git: Git, work: Path, home: Path, knowledge: Path) -> None:
    """Let `work` have the tags of releases that routes need and that came from elsewhere, as from an update.

    Without them the routes that a backup brings back would lead nowhere.
    """
    here = references(git, work)
    for registered in _needed(home):
        place = enclosing(Path(registered.source)) if Path(registered.source) != knowledge else None
        name = f"refs/tags/{registered.tag}"
        value = references(git, place[0]).get(name) if place is not None and name not in here else None
        if place is not None and value is not None:
            _see_objects(git, place[0], work)
            git.run(work, "update-ref", name, value)
            here[name] = value


def _needed(home: Path) -> list[Registered]:
    """The releases that some route of this home uses."""
    if not registries.exists(home):
        return []
    with Registry.open_to_read(home) as registry:
        needed = used(registry)
        return [row for row in registry.snapshots() if row.id in needed]


def _see_objects(git: Git, top: Path, work: Path) -> None:
    """Let `work` read the objects of the repository at `top`. KnowledgeError where that has not all of them."""
    if git.read(top, "rev-parse", "--is-shallow-repository").strip() == "true":
        raise KnowledgeError("backup_shallow", path=str(top))
    objects = git.read(top, "rev-parse", "--git-path", "objects").strip()
    lent = work / "objects" / "info" / "alternates"
    before = lent.read_text("utf-8") if lent.is_file() else ""
    fsio.write_text(lent, f"{before}{(repository_folder(top) / objects).resolve()}\n")


def _borrow(git: Git, top: Path, work: Path) -> str:
    """Let `work` see the objects of the live repository, under the same references; returns its HEAD."""
    _see_objects(git, top, work)
    found = {name: value for name, value in references(git, top).items() if not name.startswith(OWN)}
    lines = "".join(f"{value} {name}\n" for name, value in sorted(found.items()))
    fsio.write_text(work / "packed-refs", f"# pack-refs with: sorted \n{lines}")
    try:
        head = git.read(top, "symbolic-ref", "--quiet", "HEAD").strip()
        git.run(work, "symbolic-ref", "HEAD", head)
    except AlmanacError:
        head = git.read(top, "rev-parse", "--verify", "HEAD^{commit}").strip()
        git.run(work, "update-ref", "--no-deref", "HEAD", head)
    return head


def _take_up(
    git: Git, work: Path, top: Path, inner: str, kept: bool, stop: threading.Event | None
) -> tuple[int, tuple[str, ...]]:
    """Commit the files as they lie in the folder to WORKTREE, where they differ from HEAD; nothing there changes.

    Returns how many files differ, and the repositories within the tree, which git leaves out.
    """
    nested = tuple(sorted(_nested(top / inner, top)))
    index = {"GIT_INDEX_FILE": str(work / "index")}
    settings = _file_settings(git, top) if kept else []
    here = (f"--git-dir={work}", f"--work-tree={top}", *settings)
    base = commit_of(git, work, "HEAD") if kept else ""
    if base:
        git.run(work, *here, "read-tree", base, variables=index)
    out = [f":(top,exclude,literal){name}" for name in nested]
    where = f":(top,literal){inner.rstrip('/')}" if inner else ":(top)"
    git.run(work, *here, "add", "--all", "--", where, *out, timeout=None, variables=index, stop=stop)
    _take_up_ignored(git, work, here, index, top / inner, inner, nested)
    tree = git.run(work, *here, "write-tree", variables=index).strip()
    before = (
        git.run(work, "rev-parse", f"{base}^{{tree}}").strip() if base else git.run(work, "mktree", stdin=b"").strip()
    )
    if tree == before:
        return 0, nested
    parent = ("-p", base) if base else ()
    commit = git.run(work, *IDENTITY, "commit-tree", *parent, "-m", "Almanac: files as they were", tree).strip()
    git.run(work, "update-ref", WORKTREE, commit)
    changed = git.read(work, "diff-tree", "-r", "--name-only", "-z", before, tree)
    return changed.count("\0"), nested


def _take_up_ignored(
    git: Git,
    work: Path,
    here: tuple[str, ...],
    index: dict[str, str],
    root: Path,
    inner: str,
    nested: tuple[str, ...],
) -> None:
    """Documents that `.gitignore` names answer questions like all others, so they are saved too."""
    listed = set(git.run(work, *here, "ls-files", "-z", variables=index).split("\0"))
    found = (f"{inner}{document.path}" for document in walk(root))
    elsewhere = tuple(f"{name}/" for name in nested)
    missing = [name for name in found if name not in listed and not name.startswith(elsewhere)]
    if missing:
        command = ("--literal-pathspecs", "add", "--force", "--pathspec-from-file=-", "--pathspec-file-nul")
        git.run(work, *here, *command, stdin="\0".join(missing).encode(), variables=index)


def _file_settings(git: Git, top: Path) -> list[str]:
    folder = repository_folder(top)
    settings = ["-c", f"core.excludesFile={folder / 'info' / 'exclude'}"]
    for entry in git.read(top, "config", "--local", "--list", "-z").split("\0"):
        name, _, value = entry.partition("\n")
        if name in _FILE_SETTINGS and value.isalpha():
            settings += ["-c", f"{name}={value}"]
    return settings


def _nested(root: Path, top: Path) -> list[str]:
    """Folders below `root` that hold a repository of their own, relative to `top`."""
    found = []
    for folder, folders, files in os.walk(root):
        if ".git" in folders or ".git" in files:
            if Path(folder) != top:
                found.append(Path(folder).relative_to(top).as_posix())
                folders.clear()
            elif ".git" in folders:
                folders.remove(".git")
    return found
