"""The repository that a knowledge root stands in, and what its commits hold below that root."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass
from pathlib import Path

from kb.errors import AlmanacError, ExitCode, KnowledgeError
from kb.versions.git import Git, checked_path, checked_reference, enclosing
from kb.versions.numbering import read_number

FILE_MODES = ("100644", "100755")
"""How git marks plain files, executable or not."""


@dataclass(frozen=True, slots=True)
class Stored:
    """A file in a commit or in the index: its path below the knowledge root, its blob, its size where it was asked."""

    path: str
    blob: str
    size: int = 0


@dataclass(frozen=True, slots=True)
class Source:
    """The knowledge root `root` in the work tree `repository`, `inner` ('' or `docs`) below its top."""

    git: Git
    repository: Path
    root: Path
    inner: str

    @classmethod
    def find(cls, root: Path, git: Git | None) -> Source:
        """The repository at `root` or above it. AlmanacError without git, KnowledgeError without a repository."""
        if git is None:
            raise AlmanacError("git_missing")
        found = enclosing(root)
        if found is None:
            raise KnowledgeError("versions_no_repository", path=root)
        repository, inner = found
        return cls(git, repository, root, inner.rstrip("/"))

    def inside(self, path: str) -> str:
        """The path of a file of the knowledge from the top of the repository."""
        return f"{self.inner}/{path}" if self.inner else path

    @property
    def spec(self) -> str:
        """The knowledge root as git's pathspec."""
        return f":(top,literal){self.inner}" if self.inner else ":(top)"

    def git_folder(self) -> Path:
        """Where the repository keeps index and locks."""
        return Path(self.git.read(self.repository, "rev-parse", "--absolute-git-dir").strip())

    def tags(self) -> list[str]:
        """The tags kb-X.Y.Z, lowest first."""
        listed = self.git.read(self.repository, "for-each-ref", "--format=%(refname:strip=2)", "refs/tags/kb-*")
        numbers = [(number, tag) for tag in listed.split() if (number := read_number(tag)) is not None]
        return [tag for _, tag in sorted(numbers)]

    def has_commit(self) -> bool:
        """Whether anything was ever committed."""
        try:
            self.git.read(self.repository, "rev-parse", "--verify", "--quiet", "HEAD^{commit}")
        except AlmanacError:
            return False
        return True

    def commit_of(self, reference: str) -> str:
        """The commit that a tag (also without `kb-`), branch or commit names; AlmanacError when there is none."""
        number = read_number(reference)
        names = [f"refs/tags/{number.tag}"] if number is not None else []
        for name in (*names, checked_reference(reference)):
            try:
                return self.git.read(
                    self.repository, "rev-parse", "--verify", "--quiet", "--end-of-options", f"{name}^{{commit}}"
                ).strip()
            except AlmanacError:
                continue
        raise AlmanacError("version_unknown_name", ExitCode.USAGE, version=reference, known=", ".join(self.tags()[-5:]))

    def tag_message(self, tag: str) -> str:
        """What an annotated tag says."""
        return self.git.read(
            self.repository, "for-each-ref", "--format=%(contents)", f"refs/tags/{checked_reference(tag)}"
        )

    def files(self, commit: str) -> list[Stored]:
        """The files below the root in `commit`, in path order; links, submodules and hidden files are left out."""
        found = [kept for facts, name in self._tree(commit) for kept in _kept(name, facts)]
        return sorted(found, key=lambda entry: entry.path)

    def staged(self) -> list[Stored]:
        """As `files`, of the index: what the next commit will hold. KnowledgeError amid a merge with conflicts."""
        listed = self.git.read_bytes(self.repository, "ls-files", "--stage", "-z", "--", self.spec)
        prefix = f"{self.inner}/" if self.inner else ""
        found: list[Stored] = []
        for facts, name in _records(listed):
            if facts[2] != "0":
                raise KnowledgeError("versions_conflict", path=_decoded(name))
            found.extend(_kept(name, (facts[0], "blob", facts[1], "0"), prefix))
        return sorted(found, key=lambda entry: entry.path)

    def left_out(self, commit: str) -> list[str]:
        """Links and submodules below the root: a release holds plain files only."""
        return sorted(_decoded(name) for facts, name in self._tree(commit) if facts[0] not in FILE_MODES)

    def _tree(self, commit: str) -> Iterator[tuple[list[str], bytes]]:
        tree = f"{checked_reference(commit)}:{self.inner}"
        return _records(self.git.read_bytes(self.repository, "ls-tree", "-r", "-l", "-z", "--full-tree", tree))

    def blobs(self, stored: Iterable[Stored]) -> Iterator[bytes]:
        """The bytes of each file."""
        return self.git.blobs(self.repository, (entry.blob for entry in stored))

    def content(self, commit: str, path: str) -> bytes | None:
        """One file of a commit; None when it is not there."""
        name = f"{checked_reference(commit)}:{self.inside(checked_path(path))}"
        try:
            return self.git.read_bytes(self.repository, "cat-file", "blob", name)
        except AlmanacError:
            return None

    def uncommitted(self, ignored: str) -> list[str]:
        """Files below the root that differ from the last commit, untracked ones included, `ignored` left out."""
        listed = self.git.run(
            self.repository,
            "status", "--porcelain=v1", "-z", "--untracked-files=all", "--ignore-submodules=all", "--no-renames",
            "--", self.spec,
        )  # fmt: skip
        prefix = f"{self.inner}/" if self.inner else ""
        paths = [record[3:].removeprefix(prefix) for record in listed.split("\0") if record]
        return sorted(path for path in paths if path != ignored and not is_hidden(path))


def is_hidden(path: str) -> bool:
    """Whether a file is left out of the knowledge: its name, or that of a folder above it, begins with a dot."""
    return path.startswith(".") or "/." in path


def _kept(name: bytes, facts: Sequence[str], prefix: str = "") -> Iterator[Stored]:
    """The file, when it is a plain one that counts as knowledge; `facts` as ls-tree has them: mode, type, id, size."""
    path = _decoded(name).removeprefix(prefix)
    if facts[0] in FILE_MODES and not is_hidden(path):
        yield Stored(checked_path(path), facts[2], int(facts[3]))


def _records(listed: bytes) -> Iterator[tuple[list[str], bytes]]:
    """Facts and name of each record of ls-tree (mode, type, id, size) or ls-files (mode, id, stage)."""
    for record in listed.split(b"\0"):
        if record:
            facts, _, name = record.partition(b"\t")
            yield facts.decode().split(), name


def _decoded(name: bytes) -> str:
    try:
        return name.decode()
    except UnicodeDecodeError as error:
        raise KnowledgeError("versions_bad_name", path=name.decode("utf-8", "replace")) from error
