"""What changed in the knowledge, and when: read from the tree's Git repository or from its bundle."""

from __future__ import annotations

import datetime
import json
from dataclasses import dataclass
from pathlib import Path

from kb import fsio
from kb.errors import AlmanacError, KnowledgeError
from kb.versions.git import Git, checked_path, checked_reference, enclosing, name_status
from kb.versions.source import Source

STAMP_NAME = "knowledge-version.json"
_FORMAT = "%x1e%H%x1f%aI%x1f%an%x1f%s%x1f"


@dataclass(frozen=True, slots=True)
class KnowledgeVersion:
    """Which knowledge answers: `tag` such as kb-1.0.0, digest of its manifest, commit. Empty when unknown."""

    tag: str = ""
    manifest: str = ""
    commit: str = ""
    date: str = ""

    @property
    def label(self) -> str:
        """The shortest name that says which version it is."""
        return self.tag or self.commit[:10] or self.manifest[:10]


@dataclass(frozen=True, slots=True)
class Change:
    """One commit: `files` are (status letter, path) pairs, paths relative to the knowledge root."""

    commit: str
    date: datetime.datetime
    author: str
    summary: str
    files: tuple[tuple[str, str], ...]


class History:
    """The history of the tree at `root`: a repository that holds it, or a bundle unpacked into `cache`.

    A release has that of the tree it was made from, up to its own commit.
    """

    def __init__(self, root: Path, git: Git | None, bundle: Path | None = None, cache: Path | None = None) -> None:
        self.root = root
        self.git = git
        self._bundle = bundle
        self._cache = cache

    def place(self) -> tuple[Git, Path, str]:
        """The program, the repository, and the tree's path inside it ('' at the top)."""
        if self.git is None:
            raise AlmanacError("git_missing")
        # What came with the program has its history beside it; a repository around the home folder is another's.
        if self._bundle is not None and self._cache is not None and self._bundle.is_file():
            return self.git, self._unbundled(self.git, self._bundle, self._cache), ""
        made_from = self._stamp().get("source", "")
        found = enclosing(Path(made_from) if made_from and Path(made_from).is_dir() else self.root)
        if found is None:
            raise KnowledgeError("no_history", path=self.root)
        return self.git, *found

    def source(self) -> Source:
        """The repository behind it, to compare whole states; AlmanacError when there is none."""
        git, repository, inner = self.place()
        return Source(git, repository, self.root, inner.rstrip("/"))

    def _stamp(self) -> dict[str, str]:
        """What stands beside a tree that was unpacked or released; empty without that."""
        try:
            found = json.loads((self.root.parent / STAMP_NAME).read_text("utf-8"))
            return {str(name): str(value) for name, value in found.items()}
        except (OSError, ValueError, AttributeError):
            return {}

    def _unbundled(self, git: Git, bundle: Path, cache: Path) -> Path:
        """The bundle as a bare repository, cloned and checked once."""
        target = cache / "history.git"
        if not target.is_dir():
            with fsio.new_folder(target) as folder:
                git.run(folder.parent, "clone", "--quiet", "--bare", "--", str(bundle), str(folder))
                git.run(folder, "fsck", "--no-dangling")
                git.run(folder, "rev-parse", "--verify", "--quiet", "HEAD^{commit}")
        return target

    def version(self) -> KnowledgeVersion:
        """The version of the tree: its stamp when it was unpacked from the executable, else from git."""
        if (self.root.parent / STAMP_NAME).is_file():
            stamp = self._stamp()
            return KnowledgeVersion(*(stamp.get(name, "") for name in ("tag", "manifest", "commit", "date")))
        try:
            git, repository, inner = self.place()
            line = git.read(repository, "log", "-1", "--format=%H%x1f%as", "--", inner or ".").strip()
            commit, _, date = line.partition("\x1f")
            tag = ""
            if commit:
                query = ("tag", "--sort=version:refname", "--list", "kb-*", "--points-at", commit)
                names = git.read(repository, *query).split()
                tag = names[-1] if names else ""
            return KnowledgeVersion(tag, "", commit, date)
        except AlmanacError:
            return KnowledgeVersion()

    def changes(self, path: str | None = None, since: datetime.date | None = None, limit: int = 200) -> list[Change]:
        """The commits that touched the tree (or the document `path`), newest first."""
        git, repository, inner = self.place()
        arguments = ["log", f"--format={_FORMAT}", "--name-status", "-z", "-M", f"-{limit}"]
        if since is not None:
            arguments.append(f"--since={since.isoformat()}T00:00:00")
        stamp = self._stamp()
        if stamp.get("source"):
            arguments.append(checked_reference(stamp.get("commit", "")))
        arguments += ["--", f":(literal){inner}{checked_path(path)}" if path else (inner or ".")]
        return [_change(record, inner) for record in git.read(repository, *arguments).split("\x1e")[1:]]

    def content(self, path: str, commit: str) -> str:
        """The document as it was in `commit`."""
        git, repository, inner = self.place()
        return git.read(repository, "cat-file", "blob", f"{checked_reference(commit)}:{inner}{checked_path(path)}")


def _change(record: str, inner: str) -> Change:
    commit, date, author, summary, rest = record.split("\x1f", 4)
    files = tuple((status, path.removeprefix(inner)) for status, path in name_status(rest.replace("\n", "\0")))
    return Change(commit, datetime.datetime.fromisoformat(date), author, summary, files)
