"""What a check may look at: the documents of a tree on disk, or of a commit that is being made."""

from __future__ import annotations

import os
from collections.abc import Callable, Iterable
from pathlib import Path
from typing import Protocol

from kb.errors import KnowledgeError
from kb.tree.walk import TEMPLATES, is_document, walk

# Explain a repository to people; they are no knowledge and may be called and placed as is usual.
REPOSITORY_FILES = frozenset({"README.md", "README.zh-CN.md", "CHANGELOG.md", "CONTRIBUTING.md", "LICENSE.md"})


class Files(Protocol):
    """A knowledge tree. Paths are relative to its root with `/` between parts."""

    def documents(self) -> list[str]:
        """The paths of all documents, sorted."""
        ...

    def names(self, folder: str) -> frozenset[str]:
        """The files in `folder` ('' for the root), without those below; empty when there is no such folder."""
        ...

    def read(self, path: str) -> bytes:
        """The bytes of a file; KnowledgeError when they cannot be read."""
        ...


def is_knowledge(path: str) -> bool:
    """Whether the contract holds for `path`: not for the README and its like at the top."""
    return path not in REPOSITORY_FILES


def is_checked(path: str) -> bool:
    """Whether a path names a document that has to keep the contract."""
    return is_document(path) and is_knowledge(path)


class DiskFiles:
    """The tree at `root` (resolved). Everything is listed once, so one object serves one check."""

    def __init__(self, root: Path) -> None:
        self.root = root
        self._listed: dict[str, frozenset[str]] = {}
        self._documents: list[str] | None = None

    def documents(self) -> list[str]:
        """See Files."""
        if self._documents is None:
            self._documents = sorted(state.path for state in walk(self.root) if is_knowledge(state.path))
        return list(self._documents)

    def names(self, folder: str) -> frozenset[str]:
        """See Files. What a link brings in from outside the root is not there."""
        known = self._listed.get(folder)
        if known is None:
            known = self._listed[folder] = self._list(self.root / folder)
        return known

    def _list(self, folder: Path) -> frozenset[str]:
        try:
            if not folder.resolve().is_relative_to(self.root):
                return frozenset()
            with os.scandir(folder) as entries:
                return frozenset(entry.name for entry in entries if entry.is_file() and self._within(entry))
        except (OSError, RuntimeError):
            return frozenset()

    def _within(self, entry: os.DirEntry[str]) -> bool:
        return not entry.is_symlink() or Path(entry.path).resolve().is_relative_to(self.root)

    def read(self, path: str) -> bytes:
        """See Files."""
        try:
            return (self.root / path).read_bytes()
        except OSError as error:
            raise KnowledgeError("unreadable", path=path, reason=error.strerror or str(error)) from error


class GivenFiles:
    """A tree known by its paths, whose bytes `read` gives: a commit, or what is staged for one."""

    def __init__(self, paths: Iterable[str], read: Callable[[str], bytes]) -> None:
        self._folders: dict[str, set[str]] = {}
        for path in paths:
            folder, _, name = path.rpartition("/")
            self._folders.setdefault(folder, set()).add(name)
        self._read = read

    def documents(self) -> list[str]:
        """See Files. Hidden folders are left out, as on disk."""
        found = []
        for folder, names in self._folders.items():
            if any(part.startswith(".") or part == TEMPLATES for part in folder.split("/")):
                continue
            for name in names:
                path = f"{folder}/{name}" if folder else name
                if name[0] != "." and is_checked(path):
                    found.append(path)
        return sorted(found)

    def names(self, folder: str) -> frozenset[str]:
        """See Files."""
        return frozenset(self._folders.get(folder, ()))

    def read(self, path: str) -> bytes:
        """See Files."""
        return self._read(path)


def exists(files: Files, path: str) -> bool:
    """Whether `path` is a file of the tree, letter for letter."""
    folder, _, name = path.rpartition("/")
    return name in files.names(folder)


def other_case(files: Files, path: str) -> str | None:
    """The one file whose path differs from `path` only in upper and lower case; None without or with several."""
    folder, _, name = path.rpartition("/")
    here = files.names(folder)
    found = [f"{folder}/{other}" if folder else other for other in here if other.lower() == name.lower()]
    if not here and folder:
        parent, _, last = folder.rpartition("/")
        for variant in {last.lower(), last.upper(), last.capitalize()} - {last}:
            inner = f"{parent}/{variant}" if parent else variant
            found += [f"{inner}/{other}" for other in files.names(inner) if other.lower() == name.lower()]
    return found[0] if len(found) == 1 else None
