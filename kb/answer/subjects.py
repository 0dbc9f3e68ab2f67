"""The subject of a question, known from the taxonomy: what is said of soybean is no answer about maize.

Folders beside each other are parallel subjects when they hold documents (crop/soybean, crop/maize) or folders of the
same names (pig/disease, cattle/disease). A document under a parallel subject that the question does not name speaks
of something else, unless its own words name the subject of the question. A taxonomy word that no path holds (peanut)
is a subject without a document: only words that name it can answer.
"""

from __future__ import annotations

import functools
import re
from collections.abc import Iterable, Mapping
from dataclasses import dataclass, field

from kb.search.normalise import normalise
from kb.tree.taxonomy import Taxonomy, path_word


class Names(dict[str, str]):
    """The taxonomy word that each name stands for."""

    @functools.cached_property
    def lengths(self) -> Mapping[str, tuple[int, ...]]:
        """How long the names are that begin with a character, the longest first: at most places of a text none does."""
        found: dict[str, set[int]] = {}
        for name in self:
            found.setdefault(name[0], set()).add(len(name))
        return {first: tuple(sorted(lengths, reverse=True)) for first, lengths in found.items()}


@dataclass(frozen=True, slots=True)
class Subjects:
    """What a question names: `folders` of parallel subjects, the taxonomy `words` that an answer must speak of, and the
    words of the `others` beside them, which it may not speak of alone."""

    folders: frozenset[str] = frozenset()
    words: frozenset[str] = frozenset()
    names: Names = field(default_factory=Names)
    others: frozenset[str] = frozenset()

    def row_differs(self, text: str) -> bool:
        """Whether a table row, in any document, names subjects beside the question's (`others`) and none of its own."""
        if not self.others:
            return False
        said = mentioned(text, self.names)
        return bool(said & self.others) and not said & self.words

    def left_of(self, question: str, path: str, text: str) -> str:
        """`question` (folded) without the names of what the document at `path` is about, or `text` speaks of, by
        whatever name."""
        found = _matches(question, self.names)
        if not found:
            return question
        known = {path_word(part) for part in path.split("/")} | mentioned(text, self.names)
        for start, end, word in reversed(found):
            if word in known:
                question = f"{question[:start]} {question[end:]}"
        return question

    def differ_from(self, path: str, text: str) -> bool:
        """Whether the document at `path` is about another subject and `text` names none of the question's."""
        if not self.words:
            return False
        parts = path.split("/")[:-1]
        own = {"/".join(parts[: depth + 1]) for depth in range(len(parts))}
        if own & self.folders:
            return False
        parents = {folder.rpartition("/")[0] for folder in self.folders}
        beside = any(folder.rpartition("/")[0] in parents for folder in own if "/" in folder)
        return (beside or not self.folders) and not (self.words & mentioned(text, self.names))


@dataclass(frozen=True, slots=True)
class KnownSubjects:
    """What a tree's paths and taxonomy say of subjects: found once for a state of the tree, asked by every question."""

    names: Names
    folders: frozenset[str]
    placed: frozenset[str]

    @classmethod
    def of(cls, paths: Iterable[str], taxonomy: Taxonomy) -> KnownSubjects:
        """Read `paths` and `taxonomy`."""
        known = list(paths)
        return cls(
            Names(
                (normalise(name), word)
                for word in taxonomy.names
                for name in (*taxonomy.names_of(word), word)
                if name.strip()
            ),
            parallel_folders(known),
            frozenset(path_word(part) for path in known for part in path.split("/")),
        )

    def alike(self, one: str, other: str) -> bool:
        """Whether two names stand for subjects of one kind: folders beside each other, or one that no path holds."""
        words = mentioned(one, self.names), mentioned(other, self.names)
        parents = [
            {folder.rpartition("/")[0] for folder in self.folders if folder.rpartition("/")[2] in found}
            for found in words
        ]
        if words[0] & words[1] or not (parents[0] or parents[1]):
            return False
        if parents[0] and parents[1]:
            return bool(parents[0] & parents[1])
        return not (words[0] if not parents[0] else words[1]) & self.placed

    def named(self, question: str) -> Subjects:
        """The parallel subjects among the folders, or the ones without a path, that `question` names."""
        found = mentioned(question, self.names)
        folders = frozenset(folder for folder in self.folders if folder.rpartition("/")[2] in found)
        if folders:
            words = frozenset(folder.rpartition("/")[2] for folder in folders)
            parents = {folder.rpartition("/")[0] for folder in folders}
            beside = {folder.rpartition("/")[2] for folder in self.folders if folder.rpartition("/")[0] in parents}
            return Subjects(folders, words, self.names, frozenset(beside - found))
        return Subjects(frozenset(), frozenset(found - self.placed), self.names)


def mentioned(text: str, names: Names) -> set[str]:
    """The taxonomy words whose names stand in `text`; the longest name counts (花生 is not in 棉花生育期)."""
    return {word for _, _, word in _matches(normalise(text), names)}


def places(text: str, names: Names) -> list[tuple[int, int]]:
    """Where those names stand in `text`, from left to right: (start, end)."""
    aligned = "".join(one if len(one := normalise(char)) == 1 else char for char in text)
    return [(start, end) for start, end, _ in _matches(aligned, names)]


def _matches(plain: str, names: Names) -> list[tuple[int, int, str]]:
    found: list[tuple[int, int, str]] = []
    place = 0
    while place < len(plain):
        for length in names.lengths.get(plain[place], ()):
            piece = plain[place : place + length]
            if piece in names and _whole(plain, place, length):
                found.append((place, place + length, names[piece]))
                place += length
                break
        else:
            place += 1
    return found


def _whole(text: str, place: int, length: int) -> bool:
    """Whether a Latin name stands there as a word (a plural s may follow); Chinese may stand anywhere."""
    if not re.match(r"[a-z0-9]", text[place]):
        return True
    before = text[place - 1] if place else " "
    after = re.match(r"(?:e?s)?(?![a-z0-9])", text[place + length :])
    return not re.match(r"[a-z0-9]", before) and after is not None


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
