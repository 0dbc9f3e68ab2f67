"""The memory API: ask by meaning, by entity, by time; write with care. Command line and MCP call it alike."""

from __future__ import annotations

import datetime
from collections.abc import Sequence
from dataclasses import replace

from kb.memory import client_records as records
from kb.memory import client_search, review
from kb.memory.client_records import ConstraintNote, EntityView, MemoryRecord, NameGiven
from kb.memory.meaning import Meaning
from kb.memory.names import key_of
from kb.memory.review import Written
from kb.memory.store import MemoryStore
from kb.search.tokens import question_terms, terms

TOP_K = 8
MOST_NOTES = 6
_LONGEST_SENTENCE = 240
# What a superseded or expired record loses.
_OLD = -0.3


Day = datetime.date | str | None
"""A day, also as it is written (2025-03-01)."""


def _written(day: Day) -> str | None:
    """A day as records keep it. ValueError when a written one does not exist."""
    if not day:
        return None
    if isinstance(day, str):
        day = datetime.date.fromisoformat(day)
    return (day.date() if isinstance(day, datetime.datetime) else day).isoformat()


class MemoryClient:
    """Questions to one memory. `today` decides what is valid and current; with `meaning` searches go by that too."""

    def __init__(self, store: MemoryStore, today: datetime.date | None = None, meaning: Meaning | None = None) -> None:
        self.store = store
        self._meaning = meaning
        self._today = today

    @property
    def today(self) -> datetime.date:
        """The day on which is asked."""
        return self._today or datetime.date.today()

    def search_memory(
        self,
        query: str,
        entities: Sequence[str] | None = None,
        time_range: tuple[Day, Day] | None = None,
        top_k: int = TOP_K,
    ) -> list[MemoryRecord]:
        """The `top_k` records that answer `query` best, current ones before those they replaced.

        `entities` limits to those named; `time_range` to events in it and to what was valid in it.
        """
        connection = self.store.connection
        where = "1"
        parameters: list[object] = []
        nodes = [node for node, _, _ in client_search.named(connection, query)]
        if entities:
            chosen = [node for name in entities for node in self._nodes(name)]
            if not chosen:
                return []
            own = records.of_nodes(len(chosen), "r.entity", "r.other")
            where = f"({own} OR {records.taking_part(len(chosen))})"
            parameters += [*chosen, *chosen, *chosen]
            nodes = list(dict.fromkeys((*chosen, *nodes)))
        if time_range is not None:
            first, last = map(_written, time_range)
            where = (
                f"({where}) AND CASE WHEN r.kind='event' THEN (? IS NULL OR r.last>=?) AND (? IS NULL OR r.first<=?) "
                "ELSE "
                "(? IS NULL OR r.valid_to IS NULL OR r.valid_to>=?) AND (? IS NULL OR coalesce(r.valid_from, "
                "r.stated_on) IS NULL OR coalesce(r.valid_from, r.stated_on)<=?) END"
            )
            parameters += [first, first, last, last] * 2
        found = client_search.find(connection, query, nodes, where, parameters, self._meaning)
        best = self._ranked_by_version(found)[: max(top_k, 0)]
        return [self._with_constraints(record) for record in records.with_participants(connection, best)]

    def get_entity(self, name: str) -> EntityView | None:
        """Everything about the entity that `name`, or an alias of it, stands for; None when there is none."""
        nodes = self._nodes(name)
        if not nodes:
            return None
        node, connection = nodes[0], self.store.connection
        known_as, kind = connection.execute("SELECT name, type FROM nodes WHERE id=?", (node,)).fetchone()
        own, either = records.of_nodes(1, "r.entity"), records.of_nodes(1, "r.entity", "r.other")
        ids = [row[0] for row in connection.execute("SELECT id FROM entities WHERE node=?", (node,))]
        attributes = records.versions(records.read(connection, f"{own} AND r.kind='attribute'", (node,)), self.today)
        relations = records.read(connection, f"{either} AND r.kind='relation'", (node, node))
        events = records.read(connection, f"{records.taking_part(1)} AND r.kind='event'", (node,))
        attributes = [
            replace(item, constraints=tuple(records.bound_to(connection, [item.id], known_as))) for item in attributes
        ]
        return EntityView(
            name=known_as,
            type=kind,
            names=self._names(node),
            attributes=tuple(item for item in attributes if not item.superseded),
            superseded=tuple(item for item in attributes if item.superseded),
            relations=tuple(relations),
            events=tuple(sorted(records.with_participants(connection, events), key=lambda item: item.first or "")),
            constraints=tuple(records.bound_to(connection, [*ids, *(item.id for item in attributes)], known_as)),
            notes=tuple(records.read(connection, f"{own} AND r.kind='note'", (node,))),
        )

    def query_events(self, start: Day = None, end: Day = None, limit: int = 200) -> list[MemoryRecord]:
        """What happened from `start` to `end`, both included, in order of time; None leaves a side open."""
        first, last = _written(start), _written(end)
        connection = self.store.connection
        found = records.read(
            connection,
            "r.kind='event' AND (? IS NULL OR r.last>=?) AND (? IS NULL OR r.first<=?)",
            (first, first, last, last),
            limit,
            "r.first, r.last, r.number",
        )
        return records.with_participants(connection, found)

    def write_memory(
        self,
        fact: str,
        source: str,
        confidence: float,
        *,
        author: str = "",
        expires_on: datetime.date | None = None,
    ) -> Written:
        """Write down a fact: kept at once, sent to review, or known already (see review.write)."""
        return review.write(
            self.store, fact, source, confidence, author=author, expires_on=expires_on, today=self.today
        )

    def constraints_for(self, question: str, most: int = MOST_NOTES) -> tuple[ConstraintNote, ...]:
        """The limits that the entities named in a question bring along, nearest to the question's words first.

        A limit that is part of a sentence («Below -10 °C») is told with it, unless that is long.
        """
        connection = self.store.connection
        wanted = set(question_terms(question))
        found: list[tuple[int, ConstraintNote]] = []
        for node, _, name in client_search.named(connection, question):
            rows = connection.execute(
                "SELECT id FROM entities WHERE node=? UNION SELECT r.id FROM records r JOIN entities e ON "
                "e.id=r.entity WHERE e.node=? LIMIT 2000",
                (node, node),
            )
            for note in records.bound_to(connection, [row[0] for row in rows], name, 200):
                if 0 < len(note.sentence) <= _LONGEST_SENTENCE:
                    note = replace(note, text=note.sentence)
                said = set(terms(" ".join((note.text, note.place.quote, *note.place.trail[1:]))))
                shared = sum(len(term) > 1 for term in wanted & said)
                found.append((shared, note))
        found.sort(key=lambda pair: -pair[0])
        distinct: dict[tuple[str, str, str], ConstraintNote] = {}
        for _, note in found:
            distinct.setdefault((note.kind, note.entity, note.text.rstrip(" .。;；")), note)
        return tuple(distinct.values())[:most]

    def entities(self, prefix: str = "", limit: int = 200) -> list[tuple[str, str, int]]:
        """Name, type and number of records of entities, the most spoken of first; `prefix` limits to names with it."""
        key = key_of(prefix)
        rows = self.store.connection.execute(
            "SELECT d.name, d.type, (SELECT count(*) FROM records r JOIN entities e ON e.id=r.entity WHERE "
            "e.node=d.id) AS held "
            "FROM nodes d WHERE ?='' OR d.id IN (SELECT e.node FROM names n JOIN entities e ON e.id=n.entity WHERE "
            "instr(n.key, ?)>0) "
            "ORDER BY held DESC, d.name LIMIT ?",
            (key, key, limit),
        )
        return [(row[0], row[1], row[2]) for row in rows]

    def _nodes(self, name: str) -> list[int]:
        """The nodes that bear a name, those by their own name before aliases, the most spoken of first."""
        rows = self.store.connection.execute(
            "SELECT e.node, min(n.local), max(n.reason='') FROM names n JOIN entities e ON e.id=n.entity WHERE n.key=? "
            "GROUP BY e.node ORDER BY 2, 3 DESC, count(*) DESC",
            (key_of(name),),
        ).fetchall()
        return [row[0] for row in rows]

    def _names(self, node: int) -> tuple[NameGiven, ...]:
        rows = self.store.connection.execute(
            "SELECT n.name, n.reason, n.local, e.doc_id FROM names n JOIN entities e ON e.id=n.entity WHERE e.node=? "
            "ORDER BY n.local, n.name",
            (node,),
        )
        return tuple(dict.fromkeys(NameGiven(row[0], row[1], bool(row[2]), row[3]) for row in rows))

    def _ranked_by_version(self, found: list[MemoryRecord]) -> list[MemoryRecord]:
        """Scores lowered for what is superseded: among all versions of the values found, not only the found ones."""
        nodes = list(dict.fromkeys(record.node for record in found[:60] if record.kind == "attribute" and record.node))
        rivals: list[MemoryRecord] = []
        if nodes:
            keys = list(dict.fromkeys(record.name_key for record in found[:60] if record.kind == "attribute"))
            rivals = records.read(
                self.store.connection,
                f"{records.of_nodes(len(nodes), 'r.entity')} AND r.kind='attribute' AND r.name_key IN "
                f"({','.join('?' * len(keys))})",
                (*nodes, *keys),
            )
        known = {record.id: record for record in records.versions(rivals, self.today)}
        told = []
        day = self.today.isoformat()
        for record in found:
            state = known.get(record.id)
            expired = bool(record.valid_to and record.valid_to < day)
            superseded = state.superseded if state else False
            lower = _OLD if superseded or expired else 0.0
            told.append(replace(record, superseded=superseded, expired=expired, score=round(record.score + lower, 4)))
        newest = sorted(told, key=lambda record: record.stated_on or "", reverse=True)
        return sorted(newest, key=lambda record: (-record.score, -record.authority))

    def _with_constraints(self, record: MemoryRecord) -> MemoryRecord:
        return replace(
            record, constraints=tuple(records.bound_to(self.store.connection, [record.id], record.entity, 8))
        )
