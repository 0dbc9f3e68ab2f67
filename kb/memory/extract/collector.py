"""Gathers what is found in one document: each name becomes one entity, each record gets its id and its source."""

from __future__ import annotations

from dataclasses import dataclass, field, replace

from kb.memory.extract.document import ReadDocument
from kb.memory.names import is_generic, key_of
from kb.memory.schema import (
    Alias,
    Attribute,
    Constraint,
    ConstraintKind,
    Entity,
    EntityType,
    Event,
    Extraction,
    Finding,
    Guess,
    Relation,
    Source,
    When,
    record_id,
)

Span = tuple[int, int]


@dataclass(slots=True)
class _Growing:
    name: str
    type: EntityType
    source: Source
    aliases: dict[str, Alias] = field(default_factory=dict)
    attributes: dict[tuple[str, str, tuple[str, ...]], Attribute] = field(default_factory=dict)


class Collector:
    """What one document says, growing. Names are looked up by key, so spellings of one name are one entity."""

    def __init__(self, document: ReadDocument) -> None:
        self.document = document
        self._entities: dict[str, _Growing] = {}
        self._key_of_alias: dict[str, str] = {}
        self._relations: dict[tuple[str, str, str], Relation] = {}
        self._events: dict[str, Event] = {}
        self._constraints: dict[Span, Constraint] = {}
        self._findings: list[Finding] = []
        self._guesses: list[Guess] = []
        self._used: dict[str, int] = {}

    # -- names ---------------------------------------------------------------------------------------------------

    def entity(self, name: str, kind: EntityType, span: Span) -> str:
        """The name of the entity that `name` stands for, made when it is not known. A firmer type replaces THING."""
        key = self._key_of_alias.get(key_of(name), key_of(name))
        known = self._entities.get(key)
        if known is None:
            self._entities[key] = _Growing(name, kind, self.document.source(span))
            self._key_of_alias[key] = key
            return name
        if known.type is EntityType.THING:
            known.type = kind
        return known.name

    def known(self, name: str) -> str | None:
        """The entity that `name`, or one of its aliases, stands for."""
        key = self._key_of_alias.get(key_of(name))
        return self._entities[key].name if key is not None else None

    def alias(self, name: str, alias: str, reason: str, span: Span | None, *, local: bool = False) -> None:
        """`alias` is another name of the entity `name`; an alias that names another entity already is left alone."""
        key, other = self._key_of_alias[key_of(name)], key_of(alias)
        if not other or other == key:
            return
        taken = self._key_of_alias.get(other)
        if taken is not None and taken != key and (taken != other or not self._absorb(other)):
            return
        self._key_of_alias[other] = key
        source = self.document.source(span) if span else None
        self._entities[key].aliases.setdefault(other, Alias(alias, reason, source, local or is_generic(alias)))

    def _absorb(self, other: str) -> bool:
        """A name that stood for itself turns out to be an alias: possible while nothing was said of it."""
        if self._entities[other].attributes or self._entities[other].aliases:
            return False
        del self._entities[other]
        return True

    def names(self) -> list[tuple[str, str]]:
        """Every name and alias with the entity it stands for."""
        found = []
        for growing in self._entities.values():
            found.append((growing.name, growing.name))
            found += [(alias.name, growing.name) for alias in growing.aliases.values()]
        return found

    def typed(self, kind: EntityType) -> list[str]:
        """The names of the entities of one type."""
        return [growing.name for growing in self._entities.values() if growing.type is kind]

    def type_of(self, name: str) -> EntityType:
        """The type of an entity."""
        return self._entities[self._key_of_alias[key_of(name)]].type

    def short_name(self, name: str) -> str:
        """What the document calls an entity for short (甲方, the Supplier), else its name."""
        aliases = self._entities[self._key_of_alias[key_of(name)]].aliases.values()
        return next((alias.name for alias in aliases if alias.local), name)

    def guess(self, left: str, right: str, evidence: float, reason: str) -> None:
        """Two entities of this document may be one."""
        self._guesses.append(Guess(left, right, evidence, reason))

    # -- records -------------------------------------------------------------------------------------------------

    def _id(self, *parts: object) -> str:
        """An id that the same words give again; a second record with the same words gets a number."""
        base = record_id(self.document.doc_id, *parts)
        self._used[base] = self._used.get(base, 0) + 1
        return base if self._used[base] == 1 else record_id(base, self._used[base])

    def attribute(
        self,
        entity: str,
        name: str,
        value: str,
        unit: str,
        span: Span,
        *,
        conditions: tuple[str, ...] = (),
        confidence: float = 0.9,
    ) -> str:
        """A value of `entity`; gives its id. What was said before in the same words is not kept twice."""
        growing = self._entities[self._key_of_alias[key_of(entity)]]
        words = key_of(name), value, conditions
        if (known := growing.attributes.get(words)) is not None:
            return known.id
        made = Attribute(
            id=self._id("attribute", growing.name, key_of(name), value, *conditions),
            name=name,
            value=value,
            unit=unit,
            source=self.document.source(span),
            conditions=conditions,
            valid_from=self.document.valid_from,
            valid_to=self.document.valid_to,
            stated_on=self.document.stated_on,
            authority=self.document.authority,
            confidence=confidence,
        )
        growing.attributes[words] = made
        return made.id

    def relation(self, subject: str, predicate: str, obj: str, span: Span, confidence: float = 0.9) -> str:
        """A relation between two entities; gives its id."""
        if (known := self._relations.get((subject, predicate, obj))) is not None:
            return known.id
        made = Relation(
            self._id("relation", subject, predicate, obj),
            subject,
            predicate,
            obj,
            self.document.source(span),
            confidence,
        )
        self._relations[subject, predicate, obj] = made
        return made.id

    def event(self, time: When, kind: str, participants: tuple[str, ...], description: str, span: Span) -> str:
        """Something that happens at a time; gives its id."""
        made = Event(
            self._id("event", time.first, time.last, kind, description), time, kind, participants, description,
            self.document.source(span),
        )  # fmt: skip
        self._events[made.id] = made
        return made.id

    def constraint(self, kind: ConstraintKind, text: str, applies_to: tuple[str, ...], span: Span) -> str:
        """A limit bound to records; the same words at the same place are one constraint with more bonds."""
        if (known := self._constraints.get(span)) is not None:
            bonds = dict.fromkeys((*known.applies_to, *applies_to))
            self._constraints[span] = replace(known, applies_to=tuple(bonds))
            return known.id
        made = Constraint(
            self._id("constraint", kind.value, text),
            kind,
            text,
            tuple(dict.fromkeys(applies_to)),
            self.document.source(span),
        )
        self._constraints[span] = made
        return made.id

    def finding(self, reason: str, detail: str, span: Span) -> None:
        """Something that could not be taken as it stands."""
        self._findings.append(Finding(reason, detail, self.document.source(span)))

    def entity_id(self, name: str) -> str:
        """The record id of an entity."""
        return record_id(self.document.doc_id, "entity", key_of(name))

    def done(self) -> Extraction:
        """Everything, with constraints named in the attributes they are bound to."""
        bonds: dict[str, list[str]] = {}
        for constraint in self._constraints.values():
            for target in constraint.applies_to:
                bonds.setdefault(target, []).append(constraint.id)
        entities = tuple(
            Entity(
                id=self.entity_id(growing.name),
                name=growing.name,
                type=growing.type,
                source=growing.source,
                aliases=tuple(growing.aliases.values()),
                attributes=tuple(
                    replace(item, constraints=tuple(bonds.get(item.id, ()))) for item in growing.attributes.values()
                ),
            )
            for growing in self._entities.values()
        )
        return Extraction(
            entities=entities,
            relations=tuple(self._relations.values()),
            events=tuple(self._events.values()),
            constraints=tuple(self._constraints.values()),
            segments=self.document.segments(),
            findings=tuple(self._findings),
            guesses=tuple(self._guesses),
        )
