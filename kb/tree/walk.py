"""Finding the documents below a root, and never leaving it."""

from __future__ import annotations

import os
import stat
from collections.abc import Iterator
from dataclasses import dataclass, field
from pathlib import Path, PurePosixPath

from kb.errors import KnowledgeError

MAX_DEPTH = 12
# Where an editor keeps what new documents begin with; it holds no knowledge.
TEMPLATES = "_templates"
_SUFFIXES = (".md", ".markdown")


@dataclass(frozen=True, slots=True)
class FileState:
    """A document's place and state: `path` relative to the root, `size` in bytes, `mtime_ns`.

    `changed_ns` is when its content or name last changed by the system's own clock, which no program can set; where the
    system has no such time it stays as it is.
    """

    path: str
    size: int
    mtime_ns: int
    changed_ns: int = field(default=0, compare=False)

    @classmethod
    def of(cls, path: str, found: os.stat_result) -> FileState:
        """From what the system says of the file."""
        return cls(path, found.st_size, found.st_mtime_ns, found.st_ctime_ns)


def resolve_root(root: str | os.PathLike[str]) -> Path:
    """The absolute root of a knowledge tree; KnowledgeError when it is not a readable folder."""
    path = Path(root).expanduser().resolve()
    if not path.exists():
        raise KnowledgeError("root_missing", path=str(path))
    if not path.is_dir():
        raise KnowledgeError("root_not_folder", path=str(path))
    if not os.access(path, os.R_OK | os.X_OK):
        raise KnowledgeError("unreadable", path=str(path), reason="Permission denied")
    return path


def is_document(path: str) -> bool:
    """Whether a path names a document and not another file."""
    return path.lower().endswith(_SUFFIXES)


def walk(root: Path) -> Iterator[FileState]:
    """All documents below `root`, in no particular order. Hidden folders and templates are left out.

    Links are followed only to files inside the root, so no document can bring in what lies elsewhere.
    """
    stack: list[tuple[str, str, int]] = [(str(root), "", 0)]
    while stack:
        folder, prefix, depth = stack.pop()
        try:
            entries = os.scandir(folder)
        except OSError:
            continue
        with entries:
            for entry in entries:
                name = entry.name
                if name[0] == "." or name == TEMPLATES:
                    continue
                if entry.is_dir(follow_symlinks=False):
                    if depth < MAX_DEPTH:
                        stack.append((entry.path, f"{prefix}{name}/", depth + 1))
                elif is_document(name):
                    state = _state(entry, root, prefix + name)
                    if state is not None:
                        yield state


def _state(entry: os.DirEntry[str], root: Path, path: str) -> FileState | None:
    try:
        if entry.is_symlink() and not Path(entry.path).resolve().is_relative_to(root):
            return None
        found = entry.stat()
    except OSError:
        return None
    if not stat.S_ISREG(found.st_mode):
        # Opening a pipe waits for somebody to write into it; reading a device need not end.
        return None
    try:
        path.encode("utf-8")
    except UnicodeEncodeError:
        return None
    return FileState.of(path, found)


def inside(root: Path, path: str) -> Path:
    """The file that `path` names below `root`, all links resolved.

    Raises KnowledgeError when it would lie outside (`../`, absolute, a link out) or does not exist: nothing
    outside the knowledge root is ever read (design invariant 4).
    """
    if not path or "\0" in path or "\\" in path or PurePosixPath(path).is_absolute():
        raise KnowledgeError("path_outside", path=path)
    target = root / path
    try:
        resolved = target.resolve()
        exists = resolved.is_file()
    except (OSError, RuntimeError, ValueError) as error:
        raise KnowledgeError("no_such_document", path=path) from error
    if not resolved.is_relative_to(root):
        raise KnowledgeError("path_outside", path=path)
    if not exists:
        raise KnowledgeError("no_such_document", path=path)
    return resolved
