"""The copy that a restore makes beside what is there: cloned, checked, its files written, ready to be renamed."""

from __future__ import annotations

import datetime
import threading
from collections.abc import Callable
from dataclasses import dataclass
from pathlib import Path

from kb import fsio
from kb.db import PeopleData
from kb.errors import KnowledgeError
from kb.versions import backup_contents, registry
from kb.versions.backup_contents import OWN, PEOPLE, WORKTREE, Contents, Kind, commit_of, tree_commits
from kb.versions.backup_steps import Steps
from kb.versions.bundle import check_tree, file_digest, read_header, references, unpack
from kb.versions.git import Git

_BRANCH = "refs/heads/main"
# Parts of the work, in hundredths of the whole as seen on 10,000 documents.
_DIGEST, _CLONE, _CHECK, _PEOPLE, _FILES = 5, 30, 30, 5, 30


@dataclass(frozen=True, slots=True)
class Plan:
    """What is left to do: the folder `stage` becomes `target`, the staged databases become those of people's data.

    `stamp` names what was there before, `inner` is the knowledge's folder in the target. `notes` are (text key,
    detail) pairs for whoever restores.
    """

    bundle: str
    sha256: str
    stage: str
    target: str
    stamp: str
    inner: str = ""
    databases: tuple[str, ...] = ()
    notes: tuple[tuple[str, str], ...] = ()


@dataclass(frozen=True, slots=True)
class Stage:
    """The two folders in which a restore is prepared: the knowledge beside its target, people's data in the home."""

    knowledge: Path
    people: Path

    def remove(self) -> None:
        """Delete both."""
        fsio.remove_tree(self.knowledge)
        fsio.remove_tree(self.people)

    def fill(
        self,
        git: Git,
        bundle: Path,
        target: Path,
        digests: set[str],
        steps: Steps,
        stop: threading.Event | None,
    ) -> tuple[Plan, Contents | None]:
        """Make the complete, checked copy, and sync it. Contents is None for a bundle that Almanac did not make.

        `digests` is what is noted of the bundle's digest; KnowledgeError when it has another.
        """
        header = read_header(bundle)
        digest = file_digest(bundle, steps.part(_DIGEST), stop)
        if digests and digests != {digest}:
            raise KnowledgeError("bundle_digest", path=str(bundle))
        fsio.make_folder(self.knowledge)
        fsio.need_space(self.knowledge, header.size)
        clone = self.knowledge / ".git"
        found = unpack(git, bundle, clone, steps.part(_CLONE), steps.part(_CHECK), stop)
        contents = None
        steps.part(_PEOPLE)
        if PEOPLE in found:
            contents = backup_contents.read_contents(git, clone)
            fsio.need_space(self.people, sum(database.size for database in contents.databases))
            backup_contents.extract_people(git, clone, contents, self.people)
            if (self.people / PeopleData.REGISTRY).is_file():
                registry.relocate(self.people / PeopleData.REGISTRY, target / contents.inner)
        if contents is not None and contents.kind is Kind.REPOSITORY and contents.inner and target.exists():
            raise KnowledgeError("restore_inner", inner=contents.inner, path=str(target))
        notes = _settle_head(git, clone, contents, bundle)
        trees = tree_commits(git, clone)
        if not trees and (contents is None or contents.documents):
            raise KnowledgeError("bundle_empty", path=str(bundle))
        fsio.need_space(self.knowledge, sum(check_tree(git, clone, name, bundle) for name in trees))
        _write_files(git, self.knowledge, steps.part(_FILES), stop)
        _forget_own(git, self.knowledge, contents, stop)
        if contents is None:
            notes.append(("restore_no_people", ""))
        notes += [("restore_nested", name) for name in (contents.nested if contents else ())]
        fsio.sync_tree(self.knowledge)
        plan = Plan(
            str(bundle),
            digest,
            str(self.knowledge),
            str(target),
            f"{datetime.datetime.now():%Y%m%d-%H%M%S}",
            contents.inner if contents else "",
            tuple(database.name for database in contents.databases) if contents else (),
            tuple(notes),
        )
        return plan, contents


def _settle_head(git: Git, clone: Path, contents: Contents | None, bundle: Path) -> list[tuple[str, str]]:
    """Let HEAD be the branch it was; a bundle without a branch gets one, and says what it lacks.

    KnowledgeError, naming `bundle`, when no name in it leads to a commit.
    """
    found = {name for name in references(git, clone) if not name.startswith(OWN)}
    branches = sorted(name for name in found if name.startswith("refs/heads/"))
    if contents is not None:
        if contents.head.startswith("refs/heads/"):
            git.run(clone, "symbolic-ref", "HEAD", contents.head)
        elif contents.head:
            git.run(clone, "update-ref", "--no-deref", "HEAD", contents.head)
        return []
    notes = [] if any(name.startswith("refs/tags/") for name in found) else [("restore_no_tags", "")]
    commit = commit_of(git, clone, "HEAD")
    if branches and not commit:
        chosen = _BRANCH if _BRANCH in branches else branches[0]
        git.run(clone, "symbolic-ref", "HEAD", chosen)
        notes.append(("restore_no_head", chosen.removeprefix("refs/heads/")))
    elif not branches:
        tag = "" if commit else _newest_tag(git, clone)
        if not (commit or tag):
            raise KnowledgeError("bundle_empty", path=str(bundle))
        git.run(clone, "update-ref", _BRANCH, commit or commit_of(git, clone, tag))
        git.run(clone, "symbolic-ref", "HEAD", _BRANCH)
        missing = ("restore_head_only", _BRANCH.removeprefix("refs/heads/"))
        notes.append(("restore_tags_only", tag.removeprefix("refs/tags/")) if tag else missing)
    return notes


def _newest_tag(git: Git, clone: Path) -> str:
    """The full name of the tag made last, of those of one second the highest version; empty without a commit."""
    by_age = ("--sort=-version:refname", "--sort=-creatordate")
    names = git.read(clone, "for-each-ref", *by_age, "--format=%(refname)", "refs/tags").splitlines()
    return next((name for name in names if commit_of(git, clone, name)), "")


def _write_files(git: Git, folder: Path, report: Callable[[float], None], stop: threading.Event | None) -> None:
    """Turn the bare clone in `folder` into a repository with its files, uncommitted work among them."""
    clone = folder / ".git"
    git.run(clone, "config", "--remove-section", "remote.origin")
    git.run(clone, "config", "core.bare", "false")
    committed, as_lay = commit_of(git, clone, "HEAD"), commit_of(git, clone, WORKTREE)
    if as_lay or committed:
        git.watched(folder, "read-tree", "--reset", "-u", "-v", as_lay or committed, report=report, stop=stop)
    if as_lay:
        # The files stay as they lay; what git takes as committed is HEAD.
        git.run(folder, "read-tree", committed or "--empty", timeout=None)


def _forget_own(git: Git, folder: Path, contents: Contents | None, stop: threading.Event | None) -> None:
    """People's data and the files as they lay have been brought back: they do not stay in the repository's objects."""
    own = [name for name in references(git, folder) if name.startswith(OWN)]
    for name in own:
        git.run(folder, "update-ref", "-d", name)
    if contents is not None and contents.kind is Kind.FOLDER:
        fsio.remove_tree(folder / ".git")
    elif own:
        git.run(folder, "repack", "-a", "-d", "-q", timeout=None, stop=stop)
