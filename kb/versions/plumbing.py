"""Commits to single files of a knowledge repository, and branches, without touching anything else of its work tree.

Objects and branches are written by `git fast-import`: no index, no checkout, no filter, no hook. What moves the branch
that is checked out is noted first (`journal.json` inside the repository's own folder), so that a run that was killed
is completed by the next one: branch, index and files agree again.
"""

from __future__ import annotations

import contextlib
import hashlib
import json
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from pathlib import Path

from kb import fsio
from kb.errors import AlmanacError, KnowledgeError
from kb.versions.git import Git, checked_path, checked_reference, enclosing, name_status

_FOLDER = "almanac"
_JOURNAL = "journal.json"
_PENDING = "refs/almanac/pending"
_MAIL = "almanac@localhost.invalid"
_NOTHING = ""


@dataclass(frozen=True, slots=True)
class NewCommit:
    """A commit to make: `files` are paths below the knowledge root and their new contents; `merges` further parents."""

    message: str
    author: str
    files: Mapping[str, bytes]
    merges: tuple[str, ...] = ()


@dataclass(frozen=True, slots=True)
class Head:
    """The branch that is checked out (`refs/heads/main`) and its commit."""

    reference: str
    commit: str

    @property
    def branch(self) -> str:
        """The branch's short name."""
        return self.reference.removeprefix("refs/heads/")


@dataclass(frozen=True, slots=True)
class _Move:
    """A branch on its way from `old` to `new`; `files` path -> (blob before, blob after), '' for none."""

    reference: str
    old: str
    new: str
    files: dict[str, tuple[str, str]] = field(default_factory=dict)


class Repository:
    """The repository that holds the knowledge root `root`: at the root itself or above it."""

    def __init__(self, git: Git, root: Path, top: Path, inner: str) -> None:
        self.root = root
        self._git = git
        self._top = top
        self._inner = inner  # `docs/`, '' where the root is the top
        self._git_folder = Path(git.run(top, "rev-parse", "--absolute-git-dir").rstrip("\n"))
        self._folder = self._git_folder / _FOLDER

    @classmethod
    def open(cls, root: Path, git: Git | None) -> Repository:
        """AlmanacError when there is no git program, no repository, or one without a commit."""
        if git is None:
            raise AlmanacError("git_missing")
        found = enclosing(root)
        if found is None:
            raise KnowledgeError("card_no_repository", path=root)
        return cls(git, root, *found)

    @contextlib.contextmanager
    def locked(self) -> Iterator[None]:
        """The right to move branches, among all that do so through this class; a killed run is completed first."""
        with fsio.locked(self._folder / "lock"):
            self._recover()
            yield

    def head(self) -> Head:
        """The checked-out branch; AlmanacError when there is none (a detached HEAD) or no commit yet."""
        try:
            reference = self._git.run(self._top, "symbolic-ref", "--quiet", "HEAD").strip()
        except AlmanacError as error:
            raise AlmanacError("card_no_branch", path=str(self._top)) from error
        commit = self.tip(reference)
        if commit is None:
            raise AlmanacError("card_no_commit", path=str(self._top))
        return Head(reference, commit)

    def tip(self, reference: str) -> str | None:
        """The commit that a full reference (`refs/heads/x`) points to; None when it does not exist."""
        line = self._git.run(
            self._top,
            "for-each-ref",
            "--format=%(refname)%00%(objectname)%00%(*objectname)",
            checked_reference(reference),
        )
        for row in line.splitlines():
            name, commit, peeled = row.split("\0")
            if name == reference:
                return peeled or commit
        return None

    def references(self, prefix: str) -> list[tuple[str, str]]:
        """All references below `prefix` (`refs/heads/proposal/`), with their commits."""
        listed = self._git.run(
            self._top, "for-each-ref", "--format=%(refname)%00%(objectname)", checked_reference(prefix)
        )
        return [(name, commit) for name, _, commit in (row.partition("\0") for row in listed.splitlines())]

    def message(self, commit: str) -> str:
        """The message of a commit."""
        return self._git.run(self._top, "log", "-1", "--format=%B", checked_reference(commit)).rstrip("\n")

    def authored(self, commit: str) -> tuple[str, str]:
        """Who made a commit, and when (ISO 8601)."""
        line = self._git.run(self._top, "log", "-1", "--format=%an%x00%aI", checked_reference(commit)).rstrip("\n")
        name, _, when = line.partition("\0")
        return name, when

    def is_said(self, commit: str, line: str) -> bool:
        """Whether the message of `commit`, or of one before it, has `line` as a line of its own."""
        listed = self._git.run(
            self._top, "log", "--fixed-strings", f"--grep={line}", "--format=%B%x00", checked_reference(commit), "--"
        )
        return any(line in message.splitlines() for message in listed.split("\0"))

    def between(self, before: str, after: str) -> list[str]:
        """The commits that `after` has and `before` has not, the latest first, merges' other sides left out."""
        words = ("rev-list", "--first-parent", checked_reference(after), "--not", checked_reference(before))
        return self._git.run(self._top, *words).split()

    def merge_base(self, one: str, other: str) -> str | None:
        """The last commit that both have; None when they have none."""
        try:
            return self._git.run(self._top, "merge-base", checked_reference(one), checked_reference(other)).strip()
        except AlmanacError:
            return None

    def changed(self, before: str, after: str) -> list[tuple[str, str]]:
        """What differs between two commits: (status letter, path from the repository's top), without renames."""
        listed = self._git.run(
            self._top, "diff-tree", "-r", "-z", "--no-renames", "--name-status",
            checked_reference(before), checked_reference(after),
        )  # fmt: skip
        return name_status(listed)

    def below_root(self, path: str) -> str | None:
        """A path from the repository's top as one below the knowledge root; None when it lies elsewhere."""
        return path.removeprefix(self._inner) if path.startswith(self._inner) else None

    def blobs(self, commit: str, paths: Sequence[str]) -> dict[str, str]:
        """The object of each path (below the knowledge root) in a commit; what is not there is left out."""
        found: dict[str, str] = {}
        for start in range(0, len(paths), 200):
            asked = [self._inner + checked_path(path) for path in paths[start : start + 200]]
            listed = self._git.run(self._top, "ls-tree", "-z", "--full-tree", checked_reference(commit), "--", *asked)
            for row in listed.split("\0")[:-1]:
                facts, _, name = row.partition("\t")
                if facts.split(" ")[1] == "blob":
                    found[name.removeprefix(self._inner)] = facts.split(" ")[2]
        return found

    def content(self, commit: str, path: str) -> bytes | None:
        """The bytes of `path` (below the knowledge root) in a commit; None when it is not there."""
        blob = self.blobs(commit, [path]).get(path)
        return None if blob is None else self._git.read_bytes(self._top, "cat-file", "blob", blob)

    def edited(self, commit: str, paths: Sequence[str]) -> set[str]:
        """Those of `paths` whose file in the work tree is not what `commit` holds: a person is at work on them."""
        blobs = self.blobs(commit, paths)
        return {path for path in paths if self._file_blob(path, len(commit)) != blobs.get(path, _NOTHING)}

    def record(self, base: str, commits: Sequence[NewCommit], now: float, reference: str = _PENDING) -> str:
        """Write `commits` one upon the other on `base` and let `reference` point to the last; its name.

        `reference` must not exist, or lie behind what is written. Raises AlmanacError when git refuses.
        """
        self._git.run(self._top, "fast-import", "--quiet", "--date-format=raw",
                      stdin=self._stream(base, commits, int(now), reference))  # fmt: skip
        commit = self.tip(reference)
        assert commit is not None, "fast-import made the reference"
        return commit

    def commit(self, commits: Sequence[NewCommit], now: float) -> str:
        """Put `commits` on the checked-out branch and bring index and files along. Call it with the lock held.

        Files that a person has edited stay as they are in the work tree. AlmanacError when the branch moved meanwhile.
        """
        head = self.head()
        if self.tip(_PENDING) is not None:
            self._git.run(self._top, "update-ref", "-d", _PENDING)
        new = self.record(head.commit, commits, now)
        paths = sorted({path for commit in commits for path in commit.files})
        before, after = self.blobs(head.commit, paths), self.blobs(new, paths)
        move = _Move(head.reference, head.commit, new,
                     {path: (before.get(path, _NOTHING), after[path]) for path in paths})  # fmt: skip
        fsio.write_text(self._folder / _JOURNAL, json.dumps(
            {"reference": move.reference, "old": move.old, "new": move.new, "files": move.files}, ensure_ascii=False
        ))  # fmt: skip
        self._finish(move)
        return new

    def delete(self, reference: str, commit: str) -> None:
        """Take a reference away that still points to `commit`."""
        self._git.run(self._top, "update-ref", "-d", checked_reference(reference), checked_reference(commit))

    def tag(self, name: str, commit: str, message: str, author: str) -> None:
        """An annotated tag; AlmanacError when the name is taken."""
        self._git.run(self._top, "-c", f"user.name={_name(author)}", "-c", f"user.email={_MAIL}", "tag", "-a", "-m",
                      message, "--", checked_reference(name), checked_reference(commit))  # fmt: skip

    def _recover(self) -> None:
        """Complete the move that a killed run noted."""
        path = self._folder / _JOURNAL
        if not path.is_file():
            return
        try:
            noted = json.loads(path.read_text("utf-8"))
            files = {str(name): (str(pair[0]), str(pair[1])) for name, pair in noted["files"].items()}
            move = _Move(str(noted["reference"]), str(noted["old"]), str(noted["new"]), files)
        except (ValueError, KeyError, TypeError, AttributeError, IndexError):
            path.unlink(missing_ok=True)  # not ours: the journal is written whole or not at all
            return
        self._finish(move)

    def _finish(self, move: _Move) -> None:
        """Branch, index, files, in this order; each step may have been done before."""
        if self.tip(move.reference) == move.old:
            self._git.run(self._top, "update-ref", "-m", "almanac", move.reference, move.new, move.old)
        if self.tip(move.reference) == move.new:
            rows = "".join(f"100644 {after}\t{self._inner}{path}\0" for path, (_, after) in move.files.items())
            # Writing the index, git looks at files that are as young as it, through their filters: so it works where
            # none of them is.
            self._git.run(self._folder, f"--git-dir={self._git_folder}", f"--work-tree={self._folder}",
                          "update-index", "-z", "--index-info", stdin=rows.encode())  # fmt: skip
            for path, (before, after) in move.files.items():
                if self._file_blob(path, len(move.new)) == before:
                    target = self.root / checked_path(path)
                    fsio.write_bytes(target, self._git.read_bytes(self._top, "cat-file", "blob", after))
        elif self.tip(_PENDING) == move.new:
            (self._folder / _JOURNAL).unlink(missing_ok=True)
            raise AlmanacError("card_branch_moved", branch=move.reference.removeprefix("refs/heads/"))
        if self.tip(_PENDING) is not None:
            self._git.run(self._top, "update-ref", "-d", _PENDING)
        (self._folder / _JOURNAL).unlink(missing_ok=True)
        fsio.sync_folder(self._folder)

    def _file_blob(self, path: str, digits: int) -> str:
        """The object name that the file in the work tree would have; '' when it is not there, '?' when unreadable."""
        target = self.root / path
        if not target.parent.resolve().is_relative_to(self.root.resolve()) or target.is_symlink():
            return "?"
        try:
            data = target.read_bytes()
        except FileNotFoundError:
            return _NOTHING
        except OSError:
            return "?"
        digest = hashlib.sha256() if digits == 64 else hashlib.sha1(usedforsecurity=False)
        digest.update(b"blob %d\0" % len(data) + data)
        return digest.hexdigest()

    def _stream(self, base: str, commits: Sequence[NewCommit], now: int, reference: str) -> bytes:
        """The input of fast-import (git-fast-import(1), "INPUT FORMAT")."""
        parts: list[bytes] = []
        for number, commit in enumerate(commits):
            who = f"{_name(commit.author)} <{_MAIL}> {now} +0000\n"
            message = commit.message.encode()
            parts.append(f"commit {reference}\nmark :{number + 1}\nauthor {who}committer {who}".encode())
            parts.append(b"data %d\n%s\n" % (len(message), message))
            parts.append(f"from {checked_reference(base) if number == 0 else f':{number}'}\n".encode())
            parts += [f"merge {checked_reference(parent)}\n".encode() for parent in commit.merges]
            for path, data in commit.files.items():
                parts.append(f"M 100644 inline {_quoted(self._inner + checked_path(path))}\n".encode())
                parts.append(b"data %d\n%s\n" % (len(data), data))
        return b"".join(parts)


def _quoted(path: str) -> str:
    """A path as fast-import reads it, C-style."""
    return '"' + path.replace("\\", "\\\\").replace('"', '\\"').replace("\n", "\\n") + '"'


def _name(author: str) -> str:
    """A name that cannot end early inside a commit's header."""
    return " ".join(author.translate({ord(char): " " for char in "<>\n\0\r"}).split()) or "Almanac"
