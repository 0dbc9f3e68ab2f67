"""The repository that people keep a knowledge tree in: local only; branches main, draft and release/*."""

from __future__ import annotations

import re
from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from pathlib import Path

from kb import fsio
from kb.errors import AlmanacError, ExitCode
from kb.tree.contract.findings import Check, Finding, Severity
from kb.versions.git import Git, checked_path, checked_reference, enclosing
from kb.versions.locks import writing
from kb.versions.source import Source, is_hidden

MAIN = "main"
DRAFT = "draft"
RELEASE = "release/"
_STEPS = re.compile(r"(?:~\d{0,4}|\^){1,6}$")
# Files are kept as the bytes they are, so that digests are the same on every system.
_ATTRIBUTES = "* -text\n*.md diff=markdown\n"
_IGNORED = ".almanac-tmp-*\n.almanac-move.json\n.obsidian/\n.trash/\n.DS_Store\nThumbs.db\n~$*\n"
# How many paths one git command is given: well below what every system allows.
_CHUNK = 200


@dataclass(frozen=True, slots=True)
class Changed:
    """A file that differs from the last commit: `letter` A, M or D; whether that is `staged` for the next."""

    letter: str
    path: str
    staged: bool


@dataclass(frozen=True, slots=True)
class Status:
    """Where the tree stands: branch ('' on none), commit ('' before the first), and what is not committed."""

    branch: str
    commit: str
    changes: tuple[Changed, ...]
    remotes: tuple[str, ...]


def create(folder: Path, git: Git | None, sample: Path | None = None) -> Source:
    """Make `folder` a knowledge repository on branch main; what lies in it is kept, nothing is committed yet.

    With `sample`, a folder that is new or empty becomes a copy of that tree first. AlmanacError without git, or when
    the folder already is in a repository.
    """
    if git is None:
        raise AlmanacError("git_missing")
    found = enclosing(folder)
    if found is not None:
        raise AlmanacError("repository_exists", ExitCode.USAGE, path=found[0])
    if sample is not None:
        _copy(sample, folder)
    fsio.make_folder(folder)
    git.run(folder, "init", "--quiet", f"--initial-branch={MAIN}", "--template=")
    for name, value in (
        ("core.quotePath", "false"), ("core.autocrlf", "false"), ("core.precomposeUnicode", "true"),
        ("core.fsync", "all"),
    ):  # fmt: skip
        git.run(folder, "config", "--local", name, value)
    for name, text in ((".gitattributes", _ATTRIBUTES), (".gitignore", _IGNORED)):
        if not (folder / name).exists():
            fsio.write_text(folder / name, text)
    return Source.find(folder, git)


def _copy(sample: Path, folder: Path) -> None:
    """Make `folder` a copy of the tree `sample`, whole or not at all; AlmanacError when something lies there."""
    if folder.exists() and (not folder.is_dir() or any(folder.iterdir())):
        raise AlmanacError("sample_not_empty", ExitCode.USAGE, path=folder)
    with fsio.new_folder(folder) as made:
        for path in sample.rglob("*"):
            inner = path.relative_to(sample)
            if path.is_file() and not is_hidden(inner.as_posix()):
                fsio.place_copy(path, made / inner)


def status(source: Source) -> Status:
    """See Status. Hidden files count only where people see them too: `.gitignore` and its like."""
    listed = source.git.run(
        source.repository, "status", "--porcelain=v1", "-z",
        "--untracked-files=all", "--ignore-submodules=all", "--no-renames", "--", source.spec,
    )  # fmt: skip
    prefix = f"{source.inner}/" if source.inner else ""
    changes = []
    for record in listed.split("\0"):
        if len(record) > 3:
            index, disk, path = record[0], record[1], record[3:].removeprefix(prefix)
            letter = "A" if "?" in index or index == "A" else "D" if "D" in (index, disk) else "M"
            changes.append(Changed(letter, path, index not in " ?"))
    commit = source.commit_of("HEAD") if source.has_commit() else ""
    return Status(
        branch_of(source),
        commit,
        tuple(sorted(changes, key=lambda one: one.path)),
        tuple(source.git.read(source.repository, "remote").split()),
    )


def branch_of(source: Source) -> str:
    """The branch that is checked out; '' when HEAD stands on a commit."""
    try:
        return source.git.read(source.repository, "symbolic-ref", "--quiet", "--short", "HEAD").strip()
    except AlmanacError:
        return ""


def branches(source: Source) -> list[str]:
    """All branches, by name."""
    return source.git.read(source.repository, "for-each-ref", "--format=%(refname:strip=2)", "refs/heads").split()


def is_branch_name(name: str) -> bool:
    """Whether the contract knows such a branch."""
    return name in (MAIN, DRAFT) or (name.startswith(RELEASE) and len(name) > len(RELEASE))


def make_branch(source: Source, name: str) -> None:
    """A branch at the present commit. AlmanacError for a name that is taken, or not main, draft, release/*."""
    if not is_branch_name(name):
        raise AlmanacError("branch_name", ExitCode.USAGE, name=name)
    reference = f"refs/heads/{checked_reference(name)}"
    if name in branches(source):
        raise AlmanacError("branch_exists", ExitCode.USAGE, name=name)
    try:
        source.git.run(source.repository, "check-ref-format", reference)
    except AlmanacError as error:
        raise AlmanacError("branch_name", ExitCode.USAGE, name=name) from error
    with writing(source):
        source.git.run(source.repository, "update-ref", reference, revision(source, "HEAD"), "")


def switch(source: Source, name: str) -> None:
    """Check out a branch. AlmanacError when it does not exist or changes that are not committed would be lost."""
    if name not in branches(source):
        raise AlmanacError("no_such_version", ExitCode.USAGE, reference=name)
    with writing(source):
        source.git.run(
            source.repository,
            "switch", "--quiet", "--no-guess", "--no-recurse-submodules", "--", name,
        )  # fmt: skip


def revision(source: Source, name: str) -> str:
    """The commit that a tag, branch or commit names, or one some steps before it (`HEAD~2`); AlmanacError without."""
    steps = _STEPS.search(name)
    base = name[: steps.start()] if steps is not None else name
    commit = source.commit_of(base)
    if steps is None:
        return commit
    try:
        wanted = f"{commit}{steps[0]}^{{commit}}"
        return source.git.read(source.repository, "rev-parse", "--verify", "--quiet", wanted).strip()
    except AlmanacError as error:
        raise AlmanacError("no_such_version", ExitCode.USAGE, reference=name) from error


def stage(source: Source, paths: Iterable[str]) -> None:
    """Put `paths` (below the root) into the index as they are on disk: added, changed, or gone."""
    wanted = sorted(set(paths))
    known = {stored.path for stored in source.staged()}
    there = [path for path in wanted if path in known or (source.root / path).exists()]
    with writing(source):
        for start in range(0, len(there), _CHUNK):
            specs = [f":(top,literal){source.inside(checked_path(path))}" for path in there[start : start + _CHUNK]]
            source.git.run(source.repository, "add", "--all", "--force", "--", *specs)


def difference(source: Source, old: str, new: str | None, path: str | None) -> str:
    """The lines that differ between two commits, or between one and the files on disk, names unquoted."""
    commits = [revision(source, old)] + ([revision(source, new)] if new is not None else [])
    return _shown(source, ("diff", *commits), path, on_disk=new is None)


def shown(source: Source, name: str) -> str:
    """What one commit changed, under its id, date, author and subject."""
    return _shown(source, ("show", "--format=%h  %ad  %an%n%s%n", "--date=short", revision(source, name)), None)


def _shown(source: Source, command: Sequence[str], path: str | None, *, on_disk: bool = False) -> str:
    place = f":(top,literal){source.inside(checked_path(path))}" if path else source.spec
    flags = ("--no-ext-diff", "--no-textconv", "--no-color", "-M")
    if not on_disk:
        return source.git.read(source.repository, command[0], *flags, *command[1:], "--", place)
    return source.git.run(source.repository, command[0], *flags, *command[1:], "--", place)


def checks(source: Source) -> list[Check]:
    """What `almanac check --all` looks at here."""
    return [Check("repository", lambda: _findings(source))]


def _findings(source: Source) -> list[Finding]:
    """Every object is sound, no other computer is connected, branches are the contract's, nothing is half done."""
    found: list[Finding] = []
    try:
        source.git.read(source.repository, "fsck", "--no-dangling", "--no-progress")
    except AlmanacError as error:
        found.append(Finding("", 0, "repository-damaged", params={"detail": str(error.params.get("reason", ""))}))
    found += [
        Finding("", 0, "repository-remote", Severity.WARNING, {"name": name})
        for name in source.git.read(source.repository, "remote").split()
    ]
    if not source.inner:
        found += [
            Finding("", 0, "branch-unknown", Severity.WARNING, {"name": name})
            for name in branches(source)
            if not is_branch_name(name)
        ]
    found += [
        Finding(change.path, 0, "not-committed", Severity.NOTE)
        for change in status(source).changes
        if not is_hidden(change.path)
    ]
    return found
