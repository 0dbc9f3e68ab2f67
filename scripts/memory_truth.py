"""Documents with marked facts (tests/data/memory): reading them, and telling whether memory holds what is marked.

A file holds documents one after the other: `=== NAME.md`, the text, then parts that begin with `--- ` and the part's
name. `facts`: entity | attribute | value | question. `relations`: subject | predicate | object. `events`: day | type
(any: no type is asked). `constraints`: words that must stand in a constraint.
"""

from __future__ import annotations

import re
from collections.abc import Callable
from dataclasses import dataclass, field
from pathlib import Path

from kb.memory.client_records import MemoryRecord
from kb.memory.names import core_of, key_of
from kb.search.normalise import normalise
from kb.search.tokens import terms


@dataclass
class Truth:
    """A document and what is marked in it; each mark is a tuple of its columns."""

    name: str
    text: str
    marks: dict[str, list[tuple[str, ...]]] = field(default_factory=dict)

    def of(self, part: str) -> list[tuple[str, ...]]:
        """The marks of one part."""
        return self.marks.get(part, [])


def read_truth(path: Path) -> list[Truth]:
    """All documents of a file."""
    found = []
    for piece in re.split(r"^=== ", path.read_text("utf-8"), flags=re.MULTILINE)[1:]:
        name, _, rest = piece.partition("\n")
        text, *parts = re.split(r"^--- ", rest, flags=re.MULTILINE)
        truth = Truth(name.strip(), text)
        for part in parts:
            title, _, lines = part.partition("\n")
            rows = [tuple(column.strip() for column in line.split("|")) for line in lines.splitlines() if line.strip()]
            truth.marks[title.strip()] = rows
        found.append(truth)
    return found


def bare(text: str) -> str:
    """One spelling of a value: normalised, without white space."""
    return re.sub(r"\s", "", normalise(text))


def says(record: MemoryRecord, value: str) -> bool:
    """Whether a record's own value is, or holds, the marked one."""
    wanted = bare(value)
    for written in (record.written, f"{record.value}{record.unit}"):
        found = bare(written)
        place = found.find(wanted)
        while place >= 0:
            before, after = found[place - 1 : place], found[place + len(wanted) :][:1]
            cut = (before.isdigit() and wanted[0].isdigit()) or (after.isdigit() and wanted[-1].isdigit())
            if not cut and before not in ("-", ".", "~"):
                return True
            place = found.find(wanted, place + 1)
    return False


def same_name(a: str, b: str) -> bool:
    """Whether two names are the same but for spelling and legal form."""
    return key_of(a) == key_of(b) or core_of(a)[0] == core_of(b)[0]


Names = Callable[[str], set[str]]
"""Gives all names of the entity that bears a name."""


def about(record: MemoryRecord, entity: str, attribute: str, names: Names) -> bool:
    """Whether an attribute record is of the marked entity and attribute.

    Half of the attribute's words in what the record says are enough; an entity may stand in the name when the document
    gives it no records of its own.
    """
    name = " ".join((record.name, *record.conditions))
    wanted = set(terms(attribute))
    covered = len(wanted & set(terms(f"{record.entity} {name} {record.value}"))) / max(len(wanted), 1)
    owner = any(same_name(name, entity) for name in names(record.entity)) or key_of(entity) in key_of(
        f"{record.entity} {name}"
    )
    return owner and covered >= 0.5


def holds_fact(records: list[MemoryRecord], mark: tuple[str, ...], names: Names) -> bool:
    """Whether one of the attribute records states a marked fact."""
    entity, attribute, value = mark[:3]
    return any(
        record.kind == "attribute" and says(record, value) and about(record, entity, attribute, names)
        for record in records
    )


def holds_relation(records: list[MemoryRecord], mark: tuple[str, ...], names: Names) -> bool:
    """Whether one of the relation records is the marked one."""
    return any(is_relation(record, mark, names) for record in records)


def is_relation(record: MemoryRecord, mark: tuple[str, ...], names: Names) -> bool:
    """Whether a record is the marked relation."""
    subject, predicate, other = mark
    wanted = set(terms(predicate))
    return (
        record.kind == "relation"
        and any(same_name(name, subject) for name in names(record.entity))
        and any(same_name(name, other) for name in names(record.value))
        and len(wanted & set(terms(record.name))) * 2 >= len(wanted)
    )


def holds_event(records: list[MemoryRecord], mark: tuple[str, ...], names: Names) -> bool:
    """Whether one of the event records is on the marked day, and of the marked type."""
    day, kind = mark
    return any(
        record.kind == "event" and record.first is not None and record.first <= day <= (record.last or "")
        and kind in ("any", record.name)
        for record in records
    )  # fmt: skip
