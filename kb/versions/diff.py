"""What differs between two versions of the knowledge, the way somebody who answers for it wants to know it.

Numbers that became others come first: a dose or a deadline that changed is what does harm.
"""

from __future__ import annotations

import json
from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass, field
from pathlib import PurePosixPath
from typing import Literal

from kb.errors import KnowledgeError
from kb.tree import document
from kb.tree.document import Parsed
from kb.tree.frontmatter import Value
from kb.tree.taxonomy import path_word
from kb.tree.textfile import decode
from kb.versions import sentences
from kb.versions.manifest import DocumentEntry, Manifest
from kb.versions.sentences import NumberChange, NumberReader, SentenceChange

Kind = Literal["added", "removed", "changed", "moved"]


@dataclass(frozen=True, slots=True)
class Side:
    """One of the two states: `read` gives the bytes of several of its files, in order."""

    label: str
    manifest: Manifest
    read: Callable[[Sequence[str]], Iterator[bytes]]


@dataclass(frozen=True, slots=True)
class FieldChange:
    """A field of the front matter before and after, lists and mappings as JSON; '' where it is not there."""

    name: str
    old: str
    new: str


@dataclass(frozen=True, slots=True)
class DocumentChange:
    """A document that differs. `old_path` is where it was; `agents` are those that either state names."""

    kind: Kind
    path: str
    old_path: str
    title: str
    old_version: str
    version: str
    agents: tuple[str, ...]
    fields: tuple[FieldChange, ...] = ()
    sentences: tuple[SentenceChange, ...] = ()
    numbers: tuple[NumberChange, ...] = ()


@dataclass(frozen=True, slots=True)
class FileChange:
    """Another file that differs."""

    kind: Kind
    path: str


@dataclass(frozen=True, slots=True)
class Difference:
    """All that differs between the states `old` and `new`; documents in path order."""

    old: str
    new: str
    documents: tuple[DocumentChange, ...] = ()
    files: tuple[FileChange, ...] = field(default=())

    def __bool__(self) -> bool:
        return bool(self.documents or self.files)

    def of_kind(self, kind: Kind) -> list[DocumentChange]:
        """The documents that were added, removed, changed or moved."""
        return [change for change in self.documents if change.kind == kind]

    @property
    def numbers(self) -> list[tuple[DocumentChange, NumberChange]]:
        """Numbers of documents that stayed and became others, with their document."""
        return [(change, number) for change in self.documents for number in change.numbers]


def compare(old: Side, new: Side, read_numbers: NumberReader) -> Difference:
    """What differs. A document that cannot be decoded is listed as changed, without sentences."""
    before = {entry.path: entry for entry in old.manifest.documents}
    after = {entry.path: entry for entry in new.manifest.documents}
    pairs = [
        (before[path], entry) for path, entry in after.items() if path in before and before[path].sha256 != entry.sha256
    ]
    gone = [entry for path, entry in before.items() if path not in after]
    come = [entry for path, entry in after.items() if path not in before]
    moved = _moved(gone, come)
    pairs += moved
    lost, found = {entry.path for entry, _ in moved}, {entry.path for _, entry in moved}
    changes = [
        _changed(first, second, *texts, read_numbers)
        for (first, second), texts in zip(
            pairs,
            zip(
                old.read([first.path for first, _ in pairs]),
                new.read([second.path for _, second in pairs]),
                strict=True,
            ),
            strict=True,
        )
    ]
    changes += [_alone("removed", entry) for entry in gone if entry.path not in lost]
    changes += [_alone("added", entry) for entry in come if entry.path not in found]
    return Difference(
        old.label, new.label, tuple(sorted(changes, key=lambda change: change.path)), tuple(_files(old, new))
    )


def _moved(gone: list[DocumentEntry], come: list[DocumentEntry]) -> list[tuple[DocumentEntry, DocumentEntry]]:
    """Documents that went on elsewhere: the same bytes, the same id, or another edition in the same folder."""
    pairs: list[tuple[DocumentEntry, DocumentEntry]] = []
    left, found = list(gone), list(come)
    for key in (lambda entry: entry.sha256, lambda entry: entry.id, _edition):
        known: dict[str, DocumentEntry] = {}
        for entry in left:
            if key(entry):
                known.setdefault(key(entry), entry)
        for entry in list(found):
            match = known.pop(key(entry), None)
            if match is not None:
                pairs.append((match, entry))
                left.remove(match)
                found.remove(entry)
    return pairs


def _edition(entry: DocumentEntry) -> str:
    path = PurePosixPath(entry.path)
    return f"{path.parent}/{path_word(path.name)}/{entry.title if path.parent == PurePosixPath() else ''}"


def _alone(kind: Kind, entry: DocumentEntry) -> DocumentChange:
    gone = kind == "removed"
    return DocumentChange(
        kind, entry.path, entry.path, entry.title, entry.version if gone else "", "" if gone else entry.version,
        entry.affected_agents,
    )  # fmt: skip


def _changed(
    old: DocumentEntry, new: DocumentEntry, before: bytes, after: bytes, read_numbers: NumberReader
) -> DocumentChange:
    first, second = _parsed(old.path, before), _parsed(new.path, after)
    fields: tuple[FieldChange, ...] = ()
    changed: list[SentenceChange] = []
    if first is not None and second is not None:
        fields = tuple(_fields(first.facts.metadata, second.facts.metadata))
        changed = sentences.changes(_sentences(first), _sentences(second))
    return DocumentChange(
        kind="changed" if old.path == new.path else "moved",
        path=new.path,
        old_path=old.path,
        title=new.title,
        old_version=old.version,
        version=new.version,
        agents=tuple(sorted({*old.affected_agents, *new.affected_agents})),
        fields=fields,
        sentences=tuple(changed),
        numbers=tuple(number for change in changed for number in sentences.number_changes(change, read_numbers)),
    )


def _parsed(path: str, data: bytes) -> Parsed | None:
    try:
        return document.parse(path, decode(data, path).text)
    except KnowledgeError:
        return None


def _sentences(parsed: Parsed) -> list[sentences.Sentence]:
    return sentences.sentences(parsed.lines[parsed.body_line - 1 :], parsed.body_line)


def _fields(old: dict[str, Value] | object, new: dict[str, Value] | object) -> Iterator[FieldChange]:
    before = dict(old) if isinstance(old, dict) else {}
    after = dict(new) if isinstance(new, dict) else {}
    for name in [*after, *(name for name in before if name not in after)]:
        first, second = _written(before.get(name)), _written(after.get(name))
        if first != second:
            yield FieldChange(name, first, second)


def _written(value: Value | None) -> str:
    if value is None or isinstance(value, str):
        return value or ""
    if isinstance(value, list) and all(isinstance(item, str) for item in value):
        return ", ".join(str(item) for item in value)
    return json.dumps(value, ensure_ascii=False)


def _files(old: Side, new: Side) -> Iterator[FileChange]:
    before = {entry.path: entry.sha256 for entry in old.manifest.files}
    after = {entry.path: entry.sha256 for entry in new.manifest.files}
    for path in sorted(before.keys() | after.keys()):
        if path not in after:
            yield FileChange("removed", path)
        elif path not in before:
            yield FileChange("added", path)
        elif before[path] != after[path]:
            yield FileChange("changed", path)
