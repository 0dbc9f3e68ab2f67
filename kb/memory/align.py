"""Which entities of different documents, or of one, are the same thing: merged, asked about, or kept apart.

A merge is made at MERGE_AT, a person is asked from ASK_AT on, below that things stay apart (kb.memory.names). What a
person decided about two names holds for good, whatever is read again. Every merge keeps its parts and can be undone.
"""

from __future__ import annotations

import json
import sqlite3
from collections.abc import Iterable
from dataclasses import dataclass

from kb.errors import AlmanacError, ExitCode
from kb.memory.names import ASK_AT, MERGE_AT, Likeness, blocks, key_of, likeness
from kb.memory.schema import Entity, EntityType, Guess
from kb.memory.store_tables import source_text

_MOST_CANDIDATES = 60
RULES = "rules"


@dataclass(frozen=True, slots=True)
class Merge:
    """Two names that are held to be one thing; `parts` are the components of the `score`."""

    id: int
    kept: str
    left: str
    right: str
    score: float
    parts: dict[str, float]
    reason: str
    author: str
    made_at: str
    undone_at: str | None


def align(
    connection: sqlite3.Connection, entities: Iterable[Entity], guesses: Iterable[Guess], doc_id: str, now: str
) -> None:
    """Give each entity its node and write its rows; inside the caller's transaction."""
    named: dict[str, int] = {}
    for entity in entities:
        named[entity.name] = _place(connection, entity, doc_id, now)
    for guess in guesses:
        left, right = named.get(guess.left), named.get(guess.right)
        if left is None or right is None or left == right:
            continue
        verdict = _decided(connection, guess.left, guess.right)
        found = likeness(guess.left, guess.right, EntityType.PERSON, EntityType.PERSON, guess.evidence)
        if verdict is True or (verdict is None and found.total >= MERGE_AT):
            join(connection, right, left, guess.right, guess.left, found, guess.reason, RULES, now, doc_id)
        elif verdict is None and max(found.total, guess.evidence) >= ASK_AT:
            _ask(connection, guess.left, guess.right, found, guess.reason, doc_id, now)


def _place(connection: sqlite3.Connection, entity: Entity, doc_id: str, now: str) -> int:
    node, reason, best, name = _best_node(connection, entity, doc_id, now)
    if node is None:
        node = int(
            connection.execute("INSERT INTO nodes(name, type) VALUES(?, ?)", (entity.name, entity.type.value)).lastrowid
            or 0
        )
    elif best is not None:
        _record_merge(connection, node, [entity.id], name, entity.name, best, reason, RULES, now, doc_id)
        connection.execute(
            "UPDATE nodes SET type=? WHERE id=? AND type=?", (entity.type.value, node, EntityType.THING.value)
        )
    write_entity(connection, entity, node, doc_id)
    return node


def write_entity(connection: sqlite3.Connection, entity: Entity, node: int, doc_id: str) -> None:
    """The rows of an entity: itself, its names, the blocks under which names like it are looked for."""
    source = source_text(entity.source)
    connection.execute(
        "INSERT INTO entities(id, doc_id, node, name, type, source) VALUES(?,?,?,?,?,?)",
        (entity.id, doc_id, node, entity.name, entity.type.value, source),
    )
    rows: list[tuple[str, str, str, str, int, str | None]] = [
        (key_of(entity.name), entity.id, entity.name, "", 0, source)
    ]
    for alias in entity.aliases:
        rows.append(
            (
                key_of(alias.name),
                entity.id,
                alias.name,
                alias.reason,
                int(alias.local),
                source_text(alias.source) if alias.source else None,
            )
        )
    connection.executemany("INSERT INTO names(key, entity, name, reason, local, source) VALUES(?,?,?,?,?,?)", rows)
    if entity.type is not EntityType.THING:
        found = {block for row in rows if not row[4] for block in blocks(row[2])}
        connection.executemany("INSERT OR IGNORE INTO blocks VALUES(?,?)", [(block, entity.id) for block in found])


def _best_node(
    connection: sqlite3.Connection, entity: Entity, doc_id: str, now: str
) -> tuple[int | None, str, Likeness | None, str]:
    """The node that `entity` belongs to, with the reason; asks about near ones on the way."""
    own = [entity.name, *(alias.name for alias in entity.aliases if not alias.local)]
    best: tuple[float, int, str, Likeness, str] | None = None
    asked: list[tuple[str, Likeness]] = []
    for node, name, kind in _candidates(connection, entity, own):
        found = max((likeness(mine, name, entity.type, EntityType(kind)) for mine in own), key=lambda like: like.total)
        verdict = _decided(connection, entity.name, name)
        if verdict is False:
            continue
        score = 1.0 if verdict is True else found.total
        if verdict is True:
            found = likeness(entity.name, name, entity.type, EntityType(kind), 1.0)
        if score >= MERGE_AT and (best is None or score > best[0]):
            reason = "memory_merge_decided" if verdict is True else _reason(found)
            best = (score, node, reason, found, name)
        elif ASK_AT <= score < MERGE_AT and entity.type is not EntityType.THING:
            asked.append((name, found))
    if best is not None:
        return best[1], best[2], best[3], best[4]
    for name, found in sorted(asked, key=lambda pair: -pair[1].total)[:3]:
        _ask(connection, name, entity.name, found, "memory_ask_alike", doc_id, now)
    return None, "", None, ""


def _reason(found: Likeness) -> str:
    if found.name == 1.0:
        return "memory_merge_name"
    return "memory_merge_core" if found.core == 1.0 else "memory_merge_alike"


def _candidates(connection: sqlite3.Connection, entity: Entity, own: list[str]) -> list[tuple[int, str, str]]:
    """Nodes whose names are near: same key first, then the same blocks, then names that a person decided about."""
    keys = list(dict.fromkeys(key_of(name) for name in own))
    marks = ",".join("?" * len(keys))
    found = connection.execute(
        f"SELECT DISTINCT e.node, n.name, e.type FROM names n JOIN entities e ON e.id=n.entity "
        f"WHERE n.key IN ({marks}) AND n.local=0 LIMIT {_MOST_CANDIDATES}",
        keys,
    ).fetchall()
    if entity.type is not EntityType.THING:
        pieces = sorted({block for name in own for block in blocks(name)})
        marks = ",".join("?" * len(pieces))
        found += connection.execute(
            f"SELECT DISTINCT e.node, n.name, e.type FROM blocks b JOIN entities e ON e.id=b.entity "
            f"JOIN names n ON n.entity=e.id AND n.local=0 WHERE b.block IN ({marks}) LIMIT {_MOST_CANDIDATES}",
            pieces,
        ).fetchall()
    decided = connection.execute(
        "SELECT left_key, right_key FROM decisions WHERE same=1 AND (left_key=? OR right_key=?)", (keys[0], keys[0])
    ).fetchall()
    for left, right in decided:
        found += connection.execute(
            "SELECT DISTINCT e.node, n.name, e.type FROM names n JOIN entities e ON e.id=n.entity WHERE n.key=?",
            (right if left == keys[0] else left,),
        ).fetchall()
    return list(dict.fromkeys((int(node), str(name), str(kind)) for node, name, kind in found))


def _decided(connection: sqlite3.Connection, a: str, b: str) -> bool | None:
    """What a person said of two names: same, different, or nothing."""
    left, right = sorted((key_of(a), key_of(b)))
    row = connection.execute("SELECT same FROM decisions WHERE left_key=? AND right_key=?", (left, right)).fetchone()
    return None if row is None else bool(row[0])


def decide(connection: sqlite3.Connection, a: str, b: str, same: bool, author: str, now: str) -> None:
    """Remember for good what a person says of two names."""
    left, right = sorted((key_of(a), key_of(b)))
    connection.execute(
        "INSERT INTO decisions VALUES(?,?,?,?,?) ON CONFLICT(left_key, right_key) DO UPDATE SET same=excluded.same, "
        "author=excluded.author, made_at=excluded.made_at",
        (left, right, int(same), author, now),
    )


def _ask(
    connection: sqlite3.Connection, left: str, right: str, found: Likeness, reason: str, doc_id: str, now: str
) -> None:
    key = "merge\0" + "\0".join(sorted((key_of(left), key_of(right))))
    body = {"left": left, "right": right, "score": found.total, "parts": found.as_dict(), "reason": reason}
    connection.execute(
        "INSERT OR IGNORE INTO reviews(kind, key, body, doc_id, made_at) VALUES('merge', ?, ?, ?, ?)",
        (key, json.dumps(body, ensure_ascii=False), doc_id, now),
    )


def join(
    connection: sqlite3.Connection,
    kept: int,
    lost: int,
    left: str,
    right: str,
    found: Likeness,
    reason: str,
    author: str,
    now: str,
    doc_id: str | None = None,
) -> None:
    """All entities of the node `lost` become ones of `kept`."""
    moved = [row[0] for row in connection.execute("SELECT id FROM entities WHERE node=?", (lost,))]
    connection.execute("UPDATE entities SET node=? WHERE node=?", (kept, lost))
    connection.execute("DELETE FROM nodes WHERE id=?", (lost,))
    connection.execute("UPDATE merges SET kept=? WHERE kept=?", (kept, lost))
    _record_merge(connection, kept, moved, left, right, found, reason, author, now, doc_id)


def _record_merge(
    connection: sqlite3.Connection,
    kept: int,
    moved: list[str],
    left: str,
    right: str,
    found: Likeness,
    reason: str,
    author: str,
    now: str,
    doc_id: str | None,
) -> None:
    """The row of a merge: the entities `moved` belong to the node `kept` since `left` and `right` are one thing."""
    connection.execute(
        "INSERT INTO merges(kept, entities, doc_id, left_name, right_name, score, parts, reason, author, made_at) "
        "VALUES(?,?,?,?,?,?,?,?,?,?)",
        (kept, json.dumps(moved), doc_id, left, right, found.total, json.dumps(found.as_dict()), reason, author, now),
    )


def merges(connection: sqlite3.Connection, *, undone: bool = False, across: bool = True) -> list[Merge]:
    """The merges in force, newest first; with `undone` the undone ones too. Same names are left out unless `across`."""
    rows = connection.execute(
        "SELECT m.id, n.name, m.left_name, m.right_name, m.score, m.parts, m.reason, m.author, m.made_at, m.undone_at "
        "FROM merges m LEFT JOIN nodes n ON n.id=m.kept WHERE (? OR m.undone_at IS NULL) "
        "AND (? OR m.reason<>'memory_merge_name') ORDER BY m.id DESC",
        (undone, across),
    )
    return [Merge(row[0], row[1] or "", row[2], row[3], row[4], json.loads(row[5]), *row[6:]) for row in rows]


def undo(connection: sqlite3.Connection, number: int, author: str, now: str) -> Merge:
    """Take a merge back: its entities get a node of their own, and the two names stay apart from now on.

    AlmanacError `memory_no_merge` when there is no such merge in force.
    """
    row = connection.execute(
        "SELECT kept, entities, left_name, right_name FROM merges WHERE id=? AND undone_at IS NULL", (number,)
    ).fetchone()
    if row is None:
        raise AlmanacError("memory_no_merge", ExitCode.USAGE, number=number)
    kept, moved, left, right = row[0], json.loads(row[1]), row[2], row[3]
    marks = ",".join("?" * len(moved))
    there = connection.execute(
        f"SELECT id, name, type FROM entities WHERE id IN ({marks}) AND node=?", (*moved, kept)
    ).fetchall()
    if there:
        node = connection.execute("INSERT INTO nodes(name, type) VALUES(?, ?)", there[0][1:]).lastrowid
        connection.executemany("UPDATE entities SET node=? WHERE id=?", [(node, entity) for entity, _, _ in there])
    tidy_nodes(connection)
    decide(connection, left, right, False, author, now)
    connection.execute("UPDATE merges SET undone_at=? WHERE id=?", (now, number))
    return next(merge for merge in merges(connection, undone=True) if merge.id == number)


def tidy_nodes(connection: sqlite3.Connection) -> None:
    """Nodes that no entity has any more go; a kept name that its entities no longer bear is renewed."""
    connection.execute("DELETE FROM nodes WHERE NOT EXISTS(SELECT 1 FROM entities e WHERE e.node=nodes.id)")
    connection.execute(
        "UPDATE nodes SET name=(SELECT e.name FROM entities e WHERE e.node=nodes.id ORDER BY length(e.name) DESC "
        "LIMIT 1) "
        "WHERE NOT EXISTS(SELECT 1 FROM entities e WHERE e.node=nodes.id AND e.name=nodes.name)"
    )
