"""The tables of `<home>/people/memory.db`, and the terms under which its records are found."""

from __future__ import annotations

import json
import re
import sqlite3
from pathlib import Path

from kb.db import PeopleData, open_people
from kb.errors import AlmanacError
from kb.memory.schema import Source
from kb.search.tokens import terms

VERSION = 1
_TABLES = """
CREATE TABLE documents(
    doc_id TEXT PRIMARY KEY, path TEXT NOT NULL, title TEXT NOT NULL, digest TEXT NOT NULL, policy TEXT NOT NULL,
    stated_on TEXT, valid_from TEXT, valid_to TEXT, authority INTEGER NOT NULL, ingested_at TEXT NOT NULL);
CREATE TABLE segments(
    doc_id TEXT NOT NULL, start INTEGER NOT NULL, text TEXT NOT NULL, line1 INTEGER, line2 INTEGER, page INTEGER,
    trail TEXT NOT NULL,
    PRIMARY KEY(doc_id, start)) WITHOUT ROWID;
CREATE TABLE nodes(id INTEGER PRIMARY KEY, name TEXT NOT NULL, type TEXT NOT NULL);
CREATE TABLE entities(
    id TEXT PRIMARY KEY, doc_id TEXT NOT NULL, node INTEGER NOT NULL, name TEXT NOT NULL, type TEXT NOT NULL,
    source TEXT NOT NULL);
CREATE INDEX entities_node ON entities(node);
CREATE INDEX entities_doc ON entities(doc_id);
CREATE TABLE names(key TEXT NOT NULL, entity TEXT NOT NULL, name TEXT NOT NULL, reason TEXT NOT NULL,
    local INTEGER NOT NULL, source TEXT);
CREATE INDEX names_key ON names(key);
CREATE INDEX names_entity ON names(entity);
CREATE TABLE blocks(block TEXT NOT NULL, entity TEXT NOT NULL, PRIMARY KEY(block, entity)) WITHOUT ROWID;
CREATE INDEX blocks_entity ON blocks(entity);
CREATE TABLE records(
    number INTEGER PRIMARY KEY, id TEXT NOT NULL UNIQUE, doc_id TEXT NOT NULL, kind TEXT NOT NULL, entity TEXT,
    other TEXT,
    name TEXT NOT NULL, name_key TEXT NOT NULL, value TEXT NOT NULL, unit TEXT NOT NULL, conditions TEXT NOT NULL,
    first TEXT, last TEXT, precision TEXT, valid_from TEXT, valid_to TEXT, stated_on TEXT,
    authority INTEGER NOT NULL, confidence REAL NOT NULL, source TEXT NOT NULL, trail TEXT NOT NULL,
    rejected INTEGER NOT NULL DEFAULT 0);
CREATE INDEX records_entity ON records(entity);
CREATE INDEX records_other ON records(other);
CREATE INDEX records_doc ON records(doc_id);
CREATE INDEX records_time ON records(first, last) WHERE first IS NOT NULL;
CREATE TABLE participants(record TEXT NOT NULL, entity TEXT NOT NULL, PRIMARY KEY(record, entity)) WITHOUT ROWID;
CREATE INDEX participants_entity ON participants(entity);
CREATE TABLE bonds(target TEXT NOT NULL, record TEXT NOT NULL, PRIMARY KEY(target, record)) WITHOUT ROWID;
CREATE INDEX bonds_record ON bonds(record);
CREATE TABLE findings(doc_id TEXT NOT NULL, reason TEXT NOT NULL, detail TEXT NOT NULL, source TEXT NOT NULL);
CREATE INDEX findings_doc ON findings(doc_id);
CREATE TABLE merges(
    id INTEGER PRIMARY KEY AUTOINCREMENT, kept INTEGER NOT NULL, entities TEXT NOT NULL, doc_id TEXT,
    left_name TEXT NOT NULL, right_name TEXT NOT NULL,
    score REAL NOT NULL, parts TEXT NOT NULL, reason TEXT NOT NULL, author TEXT NOT NULL, made_at TEXT NOT NULL,
    undone_at TEXT);
CREATE INDEX merges_doc ON merges(doc_id);
CREATE TABLE decisions(left_key TEXT NOT NULL, right_key TEXT NOT NULL, same INTEGER NOT NULL,
    author TEXT NOT NULL, made_at TEXT NOT NULL,
    PRIMARY KEY(left_key, right_key)) WITHOUT ROWID;
CREATE TABLE reviews(
    id INTEGER PRIMARY KEY AUTOINCREMENT, kind TEXT NOT NULL, key TEXT NOT NULL UNIQUE, body TEXT NOT NULL,
    doc_id TEXT, made_at TEXT NOT NULL,
    state TEXT NOT NULL DEFAULT 'open', author TEXT NOT NULL DEFAULT '', decided_at TEXT);
CREATE INDEX reviews_state ON reviews(state);
CREATE TABLE notes(
    id TEXT PRIMARY KEY, text TEXT NOT NULL, source TEXT NOT NULL, confidence REAL NOT NULL, author TEXT NOT NULL,
    made_at TEXT NOT NULL,
    expires_on TEXT, version INTEGER NOT NULL);
CREATE TABLE given(digest TEXT PRIMARY KEY) WITHOUT ROWID;
CREATE TABLE judgements(record TEXT PRIMARY KEY, doc_id TEXT NOT NULL, said TEXT NOT NULL, quote TEXT NOT NULL,
    right INTEGER NOT NULL,
    author TEXT NOT NULL, made_at TEXT NOT NULL, remark TEXT NOT NULL) WITHOUT ROWID;
CREATE VIRTUAL TABLE words USING fts5(terms, tokenize="unicode61 remove_diacritics 0");
CREATE VIRTUAL TABLE frequencies USING fts5vocab(words, 'row');
"""


def open_memory(home: Path) -> sqlite3.Connection:
    """The memory of `home`, its tables made when they are not there yet.

    AlmanacError `memory_damaged` when the file is no database, `memory_newer` when a later Almanac wrote it.
    """
    try:
        connection = open_people(home, PeopleData.MEMORY)
        _prepare(connection)
    except sqlite3.DatabaseError as error:
        if isinstance(error, sqlite3.OperationalError) and "locked" in str(error):
            raise AlmanacError("memory_busy") from error
        raise AlmanacError(
            "memory_damaged", path=str(home / "people" / PeopleData.MEMORY.value), reason=str(error)
        ) from error
    return connection


def _prepare(connection: sqlite3.Connection) -> None:
    version = connection.execute("PRAGMA user_version").fetchone()[0]
    if version == VERSION:
        return
    if version > VERSION:
        raise AlmanacError("memory_newer")
    connection.execute("BEGIN IMMEDIATE")
    try:
        # Another process can have made them while this one waited.
        if connection.execute("PRAGMA user_version").fetchone()[0] == 0:
            for statement in _TABLES.split(";"):
                if statement.strip():
                    connection.execute(statement)
            connection.execute(f"PRAGMA user_version={VERSION}")
        connection.execute("COMMIT")
    except BaseException:
        connection.execute("ROLLBACK")
        raise


def source_text(source: Source) -> str:
    """A source as it is kept: places without the document, which the row names anyway."""
    kept = [source.page, *source.lines, source.start, source.end, source.quote]
    return json.dumps(kept, ensure_ascii=False)


def found_under(text: str) -> list[str]:
    """The terms under which a text is found: Chinese pairs, Latin stems, codes; lone characters by themselves."""
    found = list(dict.fromkeys(terms(text)))
    pairs = {char for term in found if len(term) == 2 and not term.isascii() for char in term}
    return [term for term in found if not (len(term) == 1 and term in pairs)]


def fts_text(text: str) -> str:
    """What the word index keeps of a text."""
    return " ".join(found_under(text))


def fts_any(wanted: list[str]) -> str:
    """An FTS5 query for any of the terms; each is quoted, so that nothing in it is syntax."""
    return " OR ".join(f'"{term}"' for term in (re.sub('["\0]', " ", term).strip() for term in wanted) if term)
