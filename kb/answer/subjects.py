"""The subject of a question, known from the taxonomy: what is said of soybean is no answer about maize.

Folders beside each other are parallel subjects when they hold documents (crop/soybean, crop/maize) or folders of the
same names (pig/disease, cattle/disease). A document under a parallel subject that the question does not name speaks
of something else, unless its own words name the subject of the question.
"""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass

from kb.search.tokens import contains_any
from kb.tree.taxonomy import Taxonomy


@dataclass(frozen=True, slots=True)
class Subjects:
    """The subjects that a question names: folder paths, and all their names in either language."""

    folders: frozenset[str] = frozenset()
    names: tuple[str, ...] = ()

    def differ_from(self, path: str, words: str) -> bool:
        """Whether the document at `path` is about a parallel subject and `words` name none of the question's."""
        if not self.folders:
            return False
        parts = path.split("/")[:-1]
        own = {"/".join(parts[: depth + 1]) for depth in range(len(parts))}
        if own & self.folders:
            return False
        parents = {folder.rpartition("/")[0] for folder in self.folders}
        beside = any(folder.rpartition("/")[0] in parents for folder in own if "/" in folder)
        return beside and not contains_any(words, self.names)


def named_subjects(question: str, paths: Iterable[str], taxonomy: Taxonomy) -> Subjects:
    """The parallel subjects among the folders of `paths` that `question` names."""
    folders: list[str] = []
    names: list[str] = []
    for folder in parallel_folders(paths):
        called = [folder.rpartition("/")[2], *taxonomy.names_of(folder.rpartition("/")[2])]
        if contains_any(question, called):
            folders.append(folder)
            names.extend(called)
    return Subjects(frozenset(folders), tuple(dict.fromkeys(names)))


def parallel_folders(paths: Iterable[str]) -> frozenset[str]:
    """Folders that stand beside others of their kind."""
    inside: dict[str, set[str]] = {}
    documents: set[str] = set()
    for path in paths:
        parts = path.split("/")[:-1]
        for depth in range(len(parts)):
            folder = "/".join(parts[: depth + 1])
            inside.setdefault(folder, set())
            if depth + 1 < len(parts):
                inside[folder].add(parts[depth + 1])
        documents.add("/".join(parts))
    found: set[str] = set()
    for folder, children in inside.items():
        if "/" not in folder:
            continue
        parent = folder.rpartition("/")[0]
        for name in inside[parent]:
            other = f"{parent}/{name}"
            alike = bool(children & inside[other]) or (folder in documents and other in documents)
            if other != folder and alike:
                found.add(folder)
    return frozenset(found)
