"""Which knowledge tree a path on the command line belongs to."""

from __future__ import annotations

from collections.abc import Iterable
from pathlib import Path

from kb.errors import KnowledgeError
from kb.tree.contract.files import is_knowledge
from kb.tree.walk import resolve_root, walk

# Files that stand at the top of a knowledge tree.
MARKS = ("knowledge.yaml", "taxonomy.yaml", "manifest.json", "_index.yaml")


def find_root(path: Path) -> Path:
    """The top of the tree that holds `path`: the nearest folder with one of MARKS, else with a `.git`, else its own.

    In a repository whose documents lie in `docs`, that folder, also for the top of the repository itself.
    """
    start = path.resolve()
    folder = start if start.is_dir() else start.parent
    for candidate in (folder, *folder.parents):
        if any((candidate / mark).is_file() for mark in MARKS):
            return candidate
        if (candidate / ".git").exists():
            docs = candidate / "docs"
            marked = any((docs / mark).is_file() for mark in MARKS)
            return docs if start.is_relative_to(docs) or (start == candidate and marked) else candidate
    return folder


def select(root: Path | None, named: Iterable[str]) -> dict[Path, list[str] | None]:
    """The documents to check, by tree: each of `named` from here or below `root`, a folder meaning all in it.

    None stands for the whole tree. What lies outside `root` belongs to the tree that holds it, as everything does
    when `root` is None. Raises KnowledgeError when there is no such file.
    """
    chosen: dict[Path, list[str] | None] = {}
    for name in named:
        path = _existing(root or Path(), name)
        tree = root if root is not None and path.is_relative_to(root) else find_root(path)
        if not path.is_relative_to(tree) or path == tree:
            # The tree itself, or the repository around it.
            chosen[tree] = None
            continue
        inner = path.relative_to(tree).as_posix()
        paths = _below(tree, inner) if path.is_dir() else [inner]
        known = chosen.setdefault(tree, [])
        if known is not None:
            known.extend(one for one in paths if one not in known)
    return chosen or {resolve_root(find_root(Path()) if root is None else root): None}


def _existing(root: Path, name: str) -> Path:
    for path in (Path(name).expanduser(), root / name):
        if path.exists():
            return path.resolve()
    raise KnowledgeError("no_such_document", path=name)


def _below(tree: Path, folder: str) -> list[str]:
    prefix = f"{folder}/"
    return sorted(state.path for state in walk(tree) if state.path.startswith(prefix) and is_knowledge(state.path))
