"""One document as it was in an earlier version: written back and committed, so that the history only grows."""

from __future__ import annotations

from pathlib import Path

from kb import fsio
from kb.errors import AlmanacError, KnowledgeError
from kb.versions.git import Git, checked_path, checked_reference
from kb.versions.history import History


def roll_back(history: History, path: str, commit: str, message: str) -> str:
    """Make the document `path` what it was in `commit`, as a commit with `message`; returns the commit's name.

    KnowledgeError when the knowledge came with the program, when the document has changes that are not committed,
    or when it is already like that.
    """
    git, repository, inner = history.place()
    if not (repository / ".git").exists():
        raise KnowledgeError("rollback_program")
    name = f"{inner}{checked_path(path)}"
    target = _target(history.root, path)
    literal = f":(top,literal){name}"
    if git.run(repository, "status", "--porcelain", "-z", "--", literal):
        raise KnowledgeError("rollback_uncommitted", path=path)
    wanted = git.read(repository, "rev-parse", "--verify", f"{checked_reference(commit)}:{name}").strip()
    if wanted == _blob(git, repository, name):
        raise KnowledgeError("rollback_same", path=path)
    before = target.read_bytes() if target.is_file() else None
    with fsio.replacing(target) as file:
        git.stream(repository, file, "cat-file", "blob", wanted)
    try:
        git.run(repository, "add", "--force", "--", literal)
        git.run(repository, *git.identity(repository), "commit", "--quiet", "-m", message, "--", literal)
    except AlmanacError:
        # Another program holds the repository: leave the document as it was.
        if before is None:
            fsio.remove_file(target)
        else:
            fsio.write_bytes(target, before)
        raise
    return git.read(repository, "rev-parse", "HEAD").strip()


def _target(root: Path, path: str) -> Path:
    """Where the document lies. KnowledgeError when a link on the way leads elsewhere."""
    target = root / path
    if target.is_symlink() or not target.parent.resolve().is_relative_to(root.resolve()):
        raise KnowledgeError("path_outside", path=path)
    return target


def _blob(git: Git, repository: Path, name: str) -> str:
    try:
        return git.read(repository, "rev-parse", "--verify", "--quiet", f"HEAD:{name}").strip()
    except AlmanacError:
        return ""
