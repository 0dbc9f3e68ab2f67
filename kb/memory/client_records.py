"""What memory gives out: records with their sources, as plain data."""

from __future__ import annotations

import dataclasses
import datetime
import json
import sqlite3
from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from typing import Any

from kb.memory.names import key_of
from kb.memory.schema import said, with_unit

_COLUMNS = (
    "r.id, r.doc_id, r.kind, r.entity, r.other, r.name, r.name_key, r.value, r.unit, r.conditions, r.first, r.last, "
    "r.precision, "
    "r.valid_from, r.valid_to, r.stated_on, r.authority, r.confidence, r.source, r.trail, d.path, d.title, r.number, "
    "n.id, n.name, o.name, n.type"
)
_JOINS = (
    "FROM records r LEFT JOIN documents d ON d.doc_id=r.doc_id LEFT JOIN entities e ON e.id=r.entity LEFT JOIN nodes "
    "n ON n.id=e.node "
    "LEFT JOIN entities oe ON oe.id=r.other LEFT JOIN nodes o ON o.id=oe.node"
)


@dataclass(frozen=True, slots=True)
class Place:
    """Where a record stands: `lines` from 1, `page` from 1 (0 without pages), `start` and `end` in characters."""

    doc_id: str
    path: str
    title: str
    trail: tuple[str, ...]
    page: int
    lines: tuple[int, int]
    start: int
    end: int
    quote: str


@dataclass(frozen=True, slots=True)
class ConstraintNote:
    """A limit in the document's words: `kind` is only, except, if, unless or not; `entity` is what it is about;
    `sentence` is the one that it limits, where `text` is a part of it (not for the row of a table)."""

    kind: str
    text: str
    entity: str
    place: Place
    sentence: str = ""

    def to_json(self) -> dict[str, Any]:
        """Plain data for JSON."""
        return dataclasses.asdict(self)


@dataclass(frozen=True, slots=True)
class MemoryRecord:
    """One record: `kind` is attribute, relation, event, note; `text` says it in a line.

    Of an attribute `name` and `value` with `unit` and `conditions`; of a relation `name` is the predicate and
    `value` the object; of an event `name` is its type and `first` to `last` its days. `superseded` when a newer or more
    authoritative document says otherwise, `expired` when its document is no longer valid. `score` is 0 outside
    searches.
    """

    id: str
    kind: str
    entity: str
    name: str
    value: str
    unit: str
    conditions: tuple[str, ...]
    first: str | None
    last: str | None
    valid_from: str | None
    valid_to: str | None
    stated_on: str | None
    authority: int
    confidence: float
    place: Place
    participants: tuple[str, ...] = ()
    constraints: tuple[ConstraintNote, ...] = ()
    superseded: bool = False
    expired: bool = False
    score: float = 0.0
    node: int = 0
    name_key: str = ""

    @property
    def written(self) -> str:
        """Value and unit as one would write them."""
        return with_unit(self.value, self.unit)

    @property
    def inferred_from(self) -> str:
        """The heading that says what a value is of, where its own sentence does not; else ''."""
        key = key_of(self.entity)
        if self.kind != "attribute" or not key or key in key_of(self.place.quote):
            return ""
        return next((heading for heading in reversed(self.place.trail[1:]) if key in key_of(heading)), "")

    @property
    def text(self) -> str:
        """The record in a line."""
        if self.kind == "attribute":
            return said(self.entity, self.name, self.written, self.conditions)
        if self.kind == "relation":
            return f"{self.entity} · {self.name} · {self.value}"
        if self.kind == "event":
            days = self.first if self.first == self.last else f"{self.first} – {self.last}"
            return f"{days}  {self.value}"
        return self.value

    def to_json(self) -> dict[str, Any]:
        """Plain data for JSON, `text` and `inferred_from` included."""
        plain = dataclasses.asdict(self)
        del plain["node"], plain["name_key"]
        return {**plain, "written": self.written, "text": self.text, "inferred_from": self.inferred_from}


@dataclass(frozen=True, slots=True)
class NameGiven:
    """A name of an entity and why it counts as one; `local` when only its document uses it so."""

    name: str
    reason: str
    local: bool
    doc_id: str


@dataclass(frozen=True, slots=True)
class Neighbour:
    """An entity one step away: `outward` when the first entity is the relation's subject."""

    name: str
    predicate: str
    outward: bool


@dataclass(frozen=True, slots=True)
class EntityView:
    """All that is known of an entity: current values first, what they replaced under `superseded`."""

    name: str
    type: str
    names: tuple[NameGiven, ...]
    attributes: tuple[MemoryRecord, ...]
    superseded: tuple[MemoryRecord, ...]
    relations: tuple[MemoryRecord, ...]
    events: tuple[MemoryRecord, ...]
    constraints: tuple[ConstraintNote, ...]
    notes: tuple[MemoryRecord, ...] = ()

    def neighbours(self) -> list[Neighbour]:
        """The entities that relations connect with this one, each relation once."""
        found: dict[Neighbour, None] = {}
        for relation in self.relations:
            outward = relation.entity == self.name
            other = relation.value if outward else relation.entity
            if other and other != self.name:
                found.setdefault(Neighbour(other, relation.name, outward))
        return list(found)

    def to_json(self) -> dict[str, Any]:
        """Plain data for JSON."""
        return {
            "name": self.name,
            "type": self.type,
            "names": [dataclasses.asdict(name) for name in self.names],
            "constraints": [note.to_json() for note in self.constraints],
            **{
                part: [record.to_json() for record in getattr(self, part)]
                for part in ("attributes", "superseded", "relations", "events", "notes")
            },
        }


def of_nodes(count: int, *columns: str) -> str:
    """A condition: one of the columns (r.entity, r.other) is an entity of one of `count` nodes, named for each column.

    By the nodes' few entities, so that the indexes of `records` serve.
    """
    marks = ",".join("?" * count)
    return "(" + " OR ".join(f"{name} IN (SELECT id FROM entities WHERE node IN ({marks}))" for name in columns) + ")"


def taking_part(count: int) -> str:
    """A condition: an entity of one of `count` nodes takes part in the event."""
    marks = ",".join("?" * count)
    return (
        f"r.id IN (SELECT p.record FROM participants p JOIN entities pe ON pe.id=p.entity WHERE pe.node IN ({marks}))"
    )


def read(
    connection: sqlite3.Connection,
    where: str,
    parameters: Sequence[object],
    limit: int | None = None,
    order: str = "+r.number",
) -> list[MemoryRecord]:
    """The records that `where` (over r, the record, and e, o as its entities) chooses, rejected ones left out."""
    bound = f" LIMIT {limit}" if limit is not None else ""
    rows = connection.execute(
        f"SELECT {_COLUMNS} {_JOINS} WHERE r.rejected=0 AND ({where}) ORDER BY {order}{bound}", tuple(parameters)
    ).fetchall()
    return [_record(row) for row in rows]


def read_any(connection: sqlite3.Connection, record: str) -> MemoryRecord | None:
    """The record with an id, rejected or not."""
    row = connection.execute(f"SELECT {_COLUMNS} {_JOINS} WHERE r.id=?", (record,)).fetchone()
    return _record(row) if row else None


def _record(row: tuple[Any, ...]) -> MemoryRecord:
    place = place_of(row[1], row[20] or "", row[21] or "", row[19], row[18])
    return MemoryRecord(
        id=row[0],
        kind=row[2],
        entity=row[24] or "",
        name=row[5],
        value=(row[25] or row[7]) if row[2] == "relation" else row[7],
        unit=row[8],
        conditions=tuple(json.loads(row[9])),
        first=row[10],
        last=row[11],
        valid_from=row[13],
        valid_to=row[14],
        stated_on=row[15],
        authority=row[16],
        confidence=row[17],
        place=place,
        node=row[23] or 0,
        name_key=row[6],
    )


def place_of(doc_id: str, path: str, title: str, trail: str, source: str) -> Place:
    """A place from what is kept of it."""
    page, first, last, start, end, quote = json.loads(source)
    return Place(doc_id, path, title, tuple(json.loads(trail)), page, (first, last), start, end, quote)


def with_participants(connection: sqlite3.Connection, records: Iterable[MemoryRecord]) -> list[MemoryRecord]:
    """Events with the names of those that take part."""
    found = []
    for record in records:
        if record.kind == "event":
            rows = connection.execute(
                "SELECT DISTINCT n.name FROM participants p JOIN entities e ON e.id=p.entity JOIN nodes n ON "
                "n.id=e.node "
                "WHERE p.record=?",
                (record.id,),
            )
            record = dataclasses.replace(record, participants=tuple(row[0] for row in rows))
        found.append(record)
    return found


def bound_to(
    connection: sqlite3.Connection, targets: Sequence[str], entity: str = "", limit: int = 40
) -> list[ConstraintNote]:
    """The constraints bound to any of the records or entities `targets`."""
    found: dict[str, ConstraintNote] = {}
    for first in range(0, len(targets), 400):
        part = targets[first : first + 400]
        rows = connection.execute(
            "SELECT r.id, r.name, r.value, r.doc_id, d.path, d.title, r.trail, r.source, t.source FROM bonds b "
            "JOIN records r ON r.id=b.record LEFT JOIN records t ON t.id=b.target "
            f"LEFT JOIN documents d ON d.doc_id=r.doc_id WHERE b.target IN ({','.join('?' * len(part))}) AND "
            "r.rejected=0 "
            f"ORDER BY r.number LIMIT {limit}",
            part,
        )
        for row in rows:
            place = place_of(row[3], row[4] or "", row[5] or "", row[6], row[7])
            limited = json.loads(row[8])[-1] if row[8] else ""
            told = place.quote in limited and limited != place.quote and not limited.startswith("|")
            sentence = limited if told else ""
            if row[0] not in found or (sentence and not found[row[0]].sentence):
                found[row[0]] = ConstraintNote(row[1], row[2], entity, place, sentence)
    return list(found.values())[:limit]


def versions(records: Sequence[MemoryRecord], today: datetime.date) -> list[MemoryRecord]:
    """Attributes with `superseded` and `expired` told.

    Values of one entity's attribute under the same conditions from different documents compete: valid today counts
    first, then authority, then the document's own date. Several values in one document stand side by side.
    """
    day = today.isoformat()

    def expired(record: MemoryRecord) -> bool:
        return bool((record.valid_to and record.valid_to < day) or (record.valid_from and record.valid_from > day))

    groups: dict[tuple[int, str, tuple[str, ...]], list[MemoryRecord]] = {}
    for record in records:
        if record.kind == "attribute" and record.node:
            groups.setdefault((record.node, record.name_key, record.conditions), []).append(record)
    best: dict[tuple[int, str, tuple[str, ...]], MemoryRecord] = {}
    for key, group in groups.items():
        best[key] = max(
            group, key=lambda item: (not expired(item), item.authority, item.stated_on or "", item.valid_from or "")
        )
    found = []
    for record in records:
        winner = best.get((record.node, record.name_key, record.conditions)) if record.kind == "attribute" else None
        loses = winner is not None and winner.place.doc_id != record.place.doc_id and _same(winner) != _same(record)
        found.append(dataclasses.replace(record, superseded=loses, expired=expired(record)))
    return found


def _same(record: MemoryRecord) -> str:
    return record.written.replace(" ", "").lower()
