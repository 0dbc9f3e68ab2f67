"""The rows of one document's records, and the words under which they are found."""

from __future__ import annotations

import bisect
import datetime
import json
import sqlite3
from collections.abc import Sequence
from dataclasses import dataclass

from kb.memory.names import key_of
from kb.memory.schema import (
    Attribute,
    Constraint,
    Entity,
    Event,
    Relation,
    Segment,
    Source,
    said,
    text_digest,
    with_unit,
)
from kb.memory.store_tables import fts_text, source_text

# Raise it when the rules find other records: documents are then read again.
RULES_VERSION = 2


@dataclass(frozen=True, slots=True)
class IndexPolicy:
    """What is indexed of a document: `graph` its relations, `words` the words of its records."""

    graph: bool = True
    words: bool = True

    @property
    def identity(self) -> str:
        """What a document must be read again for when it changes."""
        return f"{RULES_VERSION} graph={self.graph:d} words={self.words:d}"


@dataclass(frozen=True, slots=True)
class DocumentFacts:
    """What is known of a document as a whole; `digest` is that of its text."""

    path: str
    title: str = ""
    digest: str = ""
    stated_on: datetime.date | None = None
    valid_from: datetime.date | None = None
    valid_to: datetime.date | None = None
    authority: int = 3


def day_text(day: datetime.date | None) -> str | None:
    """A day as it is kept."""
    return day.isoformat() if day else None


def insert_record(connection: sqlite3.Connection, **columns: str | float | None) -> int:
    """A row of `records` with these columns; gives its number."""
    names, marks = ", ".join(columns), ", ".join("?" * len(columns))
    return int(
        connection.execute(f"INSERT INTO records({names}) VALUES({marks})", tuple(columns.values())).lastrowid or 0
    )


class RecordWriter:
    """Writes the records of one document."""

    def __init__(
        self,
        connection: sqlite3.Connection,
        doc_id: str,
        facts: DocumentFacts,
        entities: Sequence[Entity],
        segments: Sequence[Segment],
        policy: IndexPolicy,
    ) -> None:
        self.connection = connection
        self.doc_id = doc_id
        self.facts = facts
        self.entities = entities
        self.policy = policy
        self.ids = {entity.name: entity.id for entity in entities}
        self.segments = sorted(segments, key=lambda segment: segment.start)
        self.starts = [segment.start for segment in self.segments]
        self.names = {
            entity.name: " ".join((entity.name, *(alias.name for alias in entity.aliases))) for entity in entities
        }
        self.rejected = {
            row[0] for row in connection.execute("SELECT record FROM judgements WHERE doc_id=? AND right=0", (doc_id,))
        }

    def write(self, relations: Sequence[Relation], events: Sequence[Event], constraints: Sequence[Constraint]) -> None:
        """All records, their participants and bonds, and the words they are found under."""
        for entity in self.entities:
            for item in entity.attributes:
                self._attribute(entity, item)
        for relation in relations if self.policy.graph else ():
            self._row(
                relation.id,
                "relation",
                relation.source,
                relation.confidence,
                entity=self.ids.get(relation.subject),
                other=self.ids.get(relation.object),
                name=relation.predicate,
                value=relation.object,
                words=(self.names.get(relation.subject, relation.subject), self.names.get(relation.object, "")),
            )
        for event in events:
            self._row(
                event.id,
                "event",
                event.source,
                event.confidence,
                name=event.type,
                value=event.description,
                first=event.time.first,
                last=event.time.last,
                precision=event.time.precision.value,
                words=(event.time.written, *event.participants),
            )
            pairs = [(event.id, self.ids[name]) for name in event.participants if name in self.ids]
            self.connection.executemany("INSERT OR IGNORE INTO participants VALUES(?,?)", pairs)
        for constraint in constraints:
            self._row(
                constraint.id, "constraint", constraint.source, 0.9, name=constraint.kind.value, value=constraint.text
            )
            bonds = [(target, constraint.id) for target in constraint.applies_to]
            self.connection.executemany("INSERT OR IGNORE INTO bonds VALUES(?,?)", bonds)

    def _attribute(self, entity: Entity, item: Attribute) -> None:
        self._row(
            item.id,
            "attribute",
            item.source,
            item.confidence,
            entity=entity.id,
            name=item.name,
            value=item.value,
            unit=item.unit,
            conditions=item.conditions,
            words=(entity.name, self.names[entity.name]),
            valid_from=item.valid_from,
            valid_to=item.valid_to,
            stated_on=item.stated_on,
            authority=item.authority,
        )

    def _trail(self, source: Source) -> tuple[str, ...]:
        place = bisect.bisect_right(self.starts, source.start) - 1
        return self.segments[place].trail if place >= 0 else ()

    def _row(
        self,
        record: str,
        kind: str,
        source: Source,
        confidence: float,
        *,
        name: str,
        value: str,
        entity: str | None = None,
        other: str | None = None,
        unit: str = "",
        conditions: tuple[str, ...] = (),
        words: tuple[str, ...] = (),
        first: datetime.date | None = None,
        last: datetime.date | None = None,
        precision: str | None = None,
        valid_from: datetime.date | None = None,
        valid_to: datetime.date | None = None,
        stated_on: datetime.date | None = None,
        authority: int | None = None,
    ) -> None:
        facts, trail = self.facts, self._trail(source)
        number = insert_record(
            self.connection,
            id=record,
            doc_id=self.doc_id,
            kind=kind,
            entity=entity,
            other=other,
            name=name,
            name_key=key_of(name),
            value=value,
            unit=unit,
            conditions=json.dumps(conditions, ensure_ascii=False),
            first=day_text(first),
            last=day_text(last),
            precision=precision,
            valid_from=day_text(valid_from or facts.valid_from),
            valid_to=day_text(valid_to or facts.valid_to),
            stated_on=day_text(stated_on or facts.stated_on),
            authority=facts.authority if authority is None else authority,
            confidence=confidence,
            source=source_text(source),
            trail=json.dumps(trail, ensure_ascii=False),
            rejected=int(record in self.rejected),
        )
        if self.policy.words:
            text = "\n".join((facts.title, *trail, *words, name, value, unit, *conditions, source.quote))
            self.connection.execute("INSERT INTO words(rowid, terms) VALUES(?, ?)", (number, fts_text(text)))
            told = {source.quote, value}
            if kind == "attribute" and words:
                told.add(said(words[0], name, with_unit(value, unit), conditions))
            digests = [(text_digest(key_of(words_said)),) for words_said in told if len(words_said) >= 8]
            self.connection.executemany("INSERT OR IGNORE INTO given VALUES(?)", digests)
