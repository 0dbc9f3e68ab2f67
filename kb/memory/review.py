"""Writing with care: what is kept at once, what a person must see first, what memory has said itself."""

from __future__ import annotations

import datetime
import json
import re
import sqlite3
from dataclasses import dataclass
from typing import Any

from kb.db import utc_text
from kb.errors import AlmanacError, ExitCode
from kb.memory import align
from kb.memory.extract.document import Passage, assemble
from kb.memory.extract.reading import extract
from kb.memory.extract.written import squeeze, written
from kb.memory.names import key_of, likeness
from kb.memory.schema import Authority, EntityType, record_id, text_digest
from kb.memory.store import MemoryStore
from kb.memory.store_rows import insert_record
from kb.memory.store_tables import fts_text

KEEP_AT = 0.70
MAX_FACT = 2_000
NOTES = "notes"
_HEARSAY = re.compile(
    r"应该是|应该吧|吧[。.!！?？]?$|听说|据说|好像|可能是|大概|也许|或许|似乎|估计|貌似|印象中|记得好像|不太确定|"
    r"不确定|没准|传闻|据传|我猜|我觉得|有人说|"
    r"\b(?:maybe|perhaps|probably|possibly|i think|i guess|i believe|i suppose|reportedly|allegedly|apparently|"
    r"supposedly|it seems|seems to|"
    r"might be|could be|not sure|as far as i know|i heard|someone said|they say|rumou?r|if i remember|should be fine|"
    r"presumably)\b|[?？]\s*$",
    re.IGNORECASE,
)


@dataclass(frozen=True, slots=True)
class Written:
    """What became of a fact: `state` is kept, review or known; `reason` a key of kb.texts; `id` the note or review."""

    state: str
    reason: str
    id: str


@dataclass(frozen=True, slots=True)
class Review:
    """Something a person has to decide: `kind` is fact or merge; `body` holds what is to be judged."""

    id: int
    kind: str
    body: dict[str, Any]
    state: str
    made_at: str
    author: str = ""
    decided_at: str | None = None


def is_hearsay(fact: str) -> bool:
    """Whether a sentence says itself that it is not sure."""
    return _HEARSAY.search(fact.strip()) is not None


def write(
    store: MemoryStore,
    fact: str,
    source: str,
    confidence: float,
    *,
    author: str = "",
    expires_on: datetime.date | None = None,
    today: datetime.date | None = None,
) -> Written:
    """Write down a fact from `source`, held true with `confidence` (0..1).

    Known already (a document's words, or what memory gave out) is not learned again. Below KEEP_AT, hearsay, and what a
    person rejected before waits for a person. AlmanacError for an empty or too long fact, no source, or a confidence
    outside 0..1.
    """
    plain = squeeze(fact)
    if not plain or not source.strip():
        raise AlmanacError("memory_fact_empty", ExitCode.USAGE)
    if len(plain) > MAX_FACT:
        raise AlmanacError("memory_fact_long", ExitCode.USAGE, limit=MAX_FACT)
    if not 0.0 <= confidence <= 1.0:
        raise AlmanacError("memory_confidence", ExitCode.USAGE)
    with store.writing() as connection:
        if (known := _known(connection, plain)) is not None:
            return Written("known", "memory_known", known)
        body = {
            "fact": plain, "source": squeeze(source), "confidence": confidence, "author": author,
            "expires_on": expires_on.isoformat() if expires_on else None,
        }  # fmt: skip
        if reason := _doubt(connection, plain, confidence):
            return Written("review", reason, str(_wait(connection, {**body, "reason": reason})))
        return Written("kept", "memory_kept", _keep(connection, body, author, today))


def _doubt(connection: sqlite3.Connection, fact: str, confidence: float) -> str:
    """Why a person must see a fact first (a key of kb.texts); '' when it may be kept."""
    row = connection.execute("SELECT state FROM reviews WHERE key=?", (_key(fact),)).fetchone()
    if row is not None and row[0] == "rejected":
        return "memory_rejected_before"
    if confidence < KEEP_AT:
        return "memory_low_confidence"
    return "memory_hearsay" if is_hearsay(fact) else ""


def _key(fact: str) -> str:
    return f"fact\0{key_of(fact)}"


def _wait(connection: sqlite3.Connection, body: dict[str, Any]) -> int:
    """The number under which a fact waits: that of the same fact where it waits already, opened again where a person
    has decided about it before."""
    row = connection.execute(
        "INSERT INTO reviews(kind, key, body, made_at) VALUES('fact', ?, ?, ?) ON CONFLICT(key) DO UPDATE SET "
        "body=CASE state WHEN 'open' THEN body ELSE excluded.body END, state='open', author='', decided_at=NULL "
        "RETURNING id",
        (_key(str(body["fact"])), json.dumps(body, ensure_ascii=False), utc_text()),
    ).fetchone()
    return int(row[0])


def _known(connection: sqlite3.Connection, fact: str) -> str | None:
    """The digest of words that memory holds or has given out: as said in a document, or as a record's line."""
    digest = text_digest(key_of(fact))
    if connection.execute("SELECT 1 FROM given WHERE digest=?", (digest,)).fetchone():
        return digest
    sentences = [piece for piece in re.split(r"(?<=[。.!！;；])\s*", fact) if len(key_of(piece)) >= 8]
    if sentences and all(
        connection.execute("SELECT 1 FROM given WHERE digest=?", (text_digest(key_of(piece)),)).fetchone()
        for piece in sentences
    ):
        return digest
    return None


def _keep(connection: sqlite3.Connection, body: dict[str, Any], author: str, today: datetime.date | None) -> str:
    """A fact becomes a note: found by its words, by the entity it is about, and of the lowest authority."""
    now, fact = utc_text(), str(body["fact"])
    note = record_id("note", key_of(fact))
    version = connection.execute("SELECT version FROM notes WHERE id=?", (note,)).fetchone()
    connection.execute(
        "INSERT INTO notes VALUES(?,?,?,?,?,?,?,?) ON CONFLICT(id) DO UPDATE SET source=excluded.source, "
        "confidence=excluded.confidence, "
        "author=excluded.author, made_at=excluded.made_at, expires_on=excluded.expires_on, version=excluded.version",
        (
            note,
            fact,
            body["source"],
            body["confidence"],
            author,
            now,
            body["expires_on"],
            (version[0] if version else 0) + 1,
        ),
    )
    connection.execute("DELETE FROM words WHERE rowid IN (SELECT number FROM records WHERE id=?)", (note,))
    connection.execute("DELETE FROM records WHERE id=?", (note,))
    entity = _entity_of(connection, fact, now)
    source = json.dumps([0, 0, 0, 0, len(fact), fact], ensure_ascii=False)
    number = insert_record(
        connection,
        id=note,
        doc_id=NOTES,
        kind="note",
        entity=entity,
        name=str(body["source"]),
        name_key="",
        value=fact,
        unit="",
        conditions="[]",
        valid_to=body["expires_on"],
        stated_on=(today or datetime.date.today()).isoformat(),
        authority=Authority.NOTE,
        confidence=body["confidence"],
        source=source,
        trail="[]",
    )
    connection.execute("INSERT INTO words(rowid, terms) VALUES(?, ?)", (number, fts_text(fact)))
    connection.execute("INSERT OR IGNORE INTO given VALUES(?)", (text_digest(key_of(fact)),))
    return note


def _entity_of(connection: sqlite3.Connection, fact: str, now: str) -> str | None:
    """The entity that a fact is about: a known one that it names, else the first that the rules find in it."""
    from kb.memory.client_search import named

    known = named(connection, fact)
    if known:
        row = connection.execute(
            "SELECT id FROM entities WHERE node=? ORDER BY doc_id=? LIMIT 1", (known[0][0], NOTES)
        ).fetchone()
        return str(row[0])
    passage = Passage("paragraph", 0, fact, written(fact, 0), ())
    found = extract(assemble(NOTES, NOTES, "", fact, (passage,)))
    chosen = next(
        (entity for entity in found.entities if entity.name != NOTES and entity.type is not EntityType.DOCUMENT), None
    )
    if chosen is None:
        return None
    if connection.execute("SELECT 1 FROM entities WHERE id=?", (chosen.id,)).fetchone() is None:
        align.align(connection, (chosen,), (), NOTES, now)
    return chosen.id


def reviews(store: MemoryStore, state: str = "open") -> list[Review]:
    """What waits for a person, oldest first; `state` open, accepted or rejected."""
    rows = store.connection.execute(
        "SELECT id, kind, body, state, made_at, author, decided_at FROM reviews WHERE state=? ORDER BY id", (state,)
    )
    return [Review(row[0], row[1], json.loads(row[2]), *row[3:]) for row in rows]


def accept(store: MemoryStore, number: int, author: str, expires_on: datetime.date | None = None) -> Review:
    """Keep a fact, or merge two names. AlmanacError when there is no such open review."""
    with store.writing() as connection:
        review = _open(connection, number)
        if review.kind == "fact":
            body = dict(review.body)
            if expires_on:
                body["expires_on"] = expires_on.isoformat()
            _keep(connection, body, author, None)
        else:
            _merge(connection, review, author)
        return _close(connection, review, "accepted", author)


def reject(store: MemoryStore, number: int, author: str) -> Review:
    """Drop a fact, or keep two names apart for good. AlmanacError when there is no such open review."""
    with store.writing() as connection:
        review = _open(connection, number)
        if review.kind == "merge":
            align.decide(connection, review.body["left"], review.body["right"], False, author, utc_text())
        return _close(connection, review, "rejected", author)


def _open(connection: sqlite3.Connection, number: int) -> Review:
    row = connection.execute(
        "SELECT id, kind, body, state, made_at FROM reviews WHERE id=? AND state='open'", (number,)
    ).fetchone()
    if row is None:
        raise AlmanacError("memory_no_review", ExitCode.USAGE, number=number)
    return Review(row[0], row[1], json.loads(row[2]), *row[3:])


def _close(connection: sqlite3.Connection, review: Review, state: str, author: str) -> Review:
    now = utc_text()
    connection.execute("UPDATE reviews SET state=?, author=?, decided_at=? WHERE id=?", (state, author, now, review.id))
    return Review(review.id, review.kind, review.body, state, review.made_at, author, now)


def _merge(connection: sqlite3.Connection, review: Review, author: str) -> None:
    left, right = str(review.body["left"]), str(review.body["right"])
    now = utc_text()
    align.decide(connection, left, right, True, author, now)
    nodes = [
        connection.execute(
            "SELECT e.node, e.type FROM names n JOIN entities e ON e.id=n.entity WHERE n.key=? LIMIT 1", (key_of(name),)
        ).fetchone()
        for name in (left, right)
    ]
    if None in nodes or nodes[0][0] == nodes[1][0]:
        return
    found = likeness(left, right, EntityType(nodes[0][1]), EntityType(nodes[1][1]), 1.0)
    align.join(connection, nodes[0][0], nodes[1][0], left, right, found, "memory_merge_decided", author, now)
