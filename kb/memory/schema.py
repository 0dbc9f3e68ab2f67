"""What memory is made of: entities, attributes, relations, events, constraints, each with its place in a document."""

from __future__ import annotations

import datetime
import hashlib
from dataclasses import dataclass
from enum import StrEnum

from kb.search.normalise import normalise


class EntityType(StrEnum):
    """What kind of thing a name stands for."""

    ORGANISATION = "organisation"
    PERSON = "person"
    PRODUCT = "product"
    STANDARD = "standard"
    DOCUMENT = "document"
    TERM = "term"
    THING = "thing"


class ConstraintKind(StrEnum):
    """How a constraint limits what it is bound to."""

    ONLY = "only"
    EXCEPT = "except"
    IF = "if"
    UNLESS = "unless"
    NOT = "not"


class Precision(StrEnum):
    """How exactly a date is known."""

    DAY = "day"
    MONTH = "month"
    QUARTER = "quarter"
    YEAR = "year"


class Authority:
    """How much a document's word counts when two disagree; higher wins."""

    NOTE = 0
    DRAFT = 1
    REVIEWING = 2
    RELEASED = 3


@dataclass(frozen=True, slots=True)
class Source:
    """Where a record stands: `start` and `end` are character places in the document's text, lines count from 1.

    `page` counts from 1, 0 where there are no pages; `digest` is that of the document's text; `quote` is exactly
    the text from `start` to `end`.
    """

    doc_id: str
    path: str
    page: int
    lines: tuple[int, int]
    start: int
    end: int
    digest: str
    quote: str


@dataclass(frozen=True, slots=True)
class Attribute:
    """One stated value of an entity: `value` as the document writes it, without its `unit` where that stands apart.

    `conditions` say when it holds ("动物: 猪", "低于 -10 ℃ 时"); `constraints` are the ids of constraints bound to it.
    `authority` is one of Authority; `stated_on` is the document's own date.
    """

    id: str
    name: str
    value: str
    unit: str
    source: Source
    conditions: tuple[str, ...] = ()
    constraints: tuple[str, ...] = ()
    valid_from: datetime.date | None = None
    valid_to: datetime.date | None = None
    stated_on: datetime.date | None = None
    authority: int = Authority.RELEASED
    confidence: float = 0.9

    @property
    def written(self) -> str:
        """Value and unit as one would write them."""
        return with_unit(self.value, self.unit)


@dataclass(frozen=True, slots=True)
class Alias:
    """Another name of an entity. One that only means something inside its document (甲方, the Supplier) is `local`."""

    name: str
    reason: str
    source: Source | None = None
    local: bool = False


@dataclass(frozen=True, slots=True)
class Entity:
    """A thing that a document speaks of, with what it says of it."""

    id: str
    name: str
    type: EntityType
    source: Source
    aliases: tuple[Alias, ...] = ()
    attributes: tuple[Attribute, ...] = ()


@dataclass(frozen=True, slots=True)
class Relation:
    """`subject` and `object` are names of entities of the same document; `confidence` is 0..1."""

    id: str
    subject: str
    predicate: str
    object: str
    source: Source
    confidence: float = 0.9


@dataclass(frozen=True, slots=True)
class When:
    """A point or stretch of time, both ends included, and how it is written."""

    first: datetime.date
    last: datetime.date
    precision: Precision
    written: str


@dataclass(frozen=True, slots=True)
class Event:
    """Something that happens at a time; `participants` are names of entities of the same document."""

    id: str
    time: When
    type: str
    participants: tuple[str, ...]
    description: str
    source: Source
    confidence: float = 0.9


@dataclass(frozen=True, slots=True)
class Constraint:
    """A limit in the document's own words, bound to the records (attribute, event, relation, entity ids) it limits."""

    id: str
    kind: ConstraintKind
    text: str
    applies_to: tuple[str, ...]
    source: Source


@dataclass(frozen=True, slots=True)
class Finding:
    """Something in a document that could not be taken as it stands; `reason` is a key of kb.texts."""

    reason: str
    detail: str
    source: Source


@dataclass(frozen=True, slots=True)
class Guess:
    """Two entities of one document may be the same; `evidence` is how surely (0..1), `reason` a key of kb.texts."""

    left: str
    right: str
    evidence: float
    reason: str


@dataclass(frozen=True, slots=True)
class Segment:
    """A piece of a document's text that records point into; `trail` are the headings above it."""

    start: int
    text: str
    lines: tuple[int, int]
    trail: tuple[str, ...] = ()
    page: int = 0


@dataclass(frozen=True, slots=True)
class Extraction:
    """All that was read out of one document."""

    entities: tuple[Entity, ...] = ()
    relations: tuple[Relation, ...] = ()
    events: tuple[Event, ...] = ()
    constraints: tuple[Constraint, ...] = ()
    segments: tuple[Segment, ...] = ()
    findings: tuple[Finding, ...] = ()
    guesses: tuple[Guess, ...] = ()


def with_unit(value: str, unit: str) -> str:
    """Value and unit as one would write them; a value that holds its unit already stays."""
    if not unit or unit in value or normalise(unit) in normalise(value):
        return value
    space = "" if unit in ("%", "‰", "°") or "\u4e00" <= unit[0] <= "\u9fff" else " "
    return f"{value}{space}{unit}"


def said(entity: str, name: str, written: str, conditions: tuple[str, ...]) -> str:
    """An attribute in a line."""
    return f"{entity} · {name}: {written}" + (f" [{'; '.join(conditions)}]" if conditions else "")


def record_id(*parts: object) -> str:
    """The id of a record: the same words of the same document give the same id, whenever it is read."""
    return hashlib.blake2b("\0".join(map(str, parts)).encode("utf-8", "replace"), digest_size=9).hexdigest()


def text_digest(text: str) -> str:
    """The digest that tells states of a document apart."""
    return hashlib.sha256(text.encode("utf-8", "replace")).hexdigest()
