"""One commit as a reader wants it: who, when, why, which files, and the text of the difference."""

from __future__ import annotations

from dataclasses import dataclass

from kb.versions.git import name_status
from kb.versions.source import Source

_FORMAT = "%H%x00%an%x00%aI%x00%B%x00"


@dataclass(frozen=True, slots=True)
class CommitText:
    """A commit; `files` are status letter and path, `diff` the difference to its first parent, cut at a limit."""

    commit: str
    author: str
    date: str
    message: str
    files: tuple[tuple[str, str], ...]
    diff: str
    cut: bool


class CommitReader:
    """Reads commits of a repository as far as they concern the knowledge, without touching the work tree."""

    def __init__(self, source: Source) -> None:
        self._source = source
        self._git = source.git
        self._top = source.repository
        self._inner = source.inner or "."

    def read(self, reference: str, limit: int) -> CommitText:
        """The commit `reference` as far as it concerns the root, its difference cut at `limit` characters.

        AlmanacError when there is none, or when the name could be anything but a revision.
        """
        commit = self._source.commit_of(reference)
        line = self._git.read(self._top, "log", "-1", f"--format={_FORMAT}", commit, "--")
        found, author, date, message, *_ = line.split("\0")
        listed = self._git.read(
            self._top, "diff-tree", "-r", "-z", "--root", "--no-commit-id", "--name-status", "-M", "-m",
            "--first-parent", commit, "--", self._inner,
        )  # fmt: skip
        diff = self._git.read(
            self._top, "diff-tree", "-p", "--root", "--no-commit-id", "--no-ext-diff", "--no-textconv", "-M", "-m",
            "--first-parent", commit, "--", self._inner,
        )  # fmt: skip
        files = tuple(name_status(listed))
        return CommitText(found.strip(), author, date, message.strip(), files, diff[:limit], len(diff) > limit)
