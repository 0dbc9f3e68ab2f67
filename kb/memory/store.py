"""Memory on disk: one transaction a document, so that a killed process leaves the earlier memory as it was."""

from __future__ import annotations

import bisect
import contextlib
import json
import sqlite3
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from pathlib import Path

from kb.db import utc_text
from kb.errors import AlmanacError, ExitCode, KnowledgeError
from kb.memory import align
from kb.memory.extract.document import ReadDocument
from kb.memory.schema import (
    Constraint,
    Entity,
    Event,
    Extraction,
    Finding,
    Guess,
    Relation,
    Segment,
    Source,
    text_digest,
)
from kb.memory.store_rows import DocumentFacts, IndexPolicy, RecordWriter, day_text
from kb.memory.store_tables import open_memory, source_text


@dataclass(frozen=True, slots=True)
class Ingested:
    """What an ingest did: `changed` is False when the same text was there already."""

    doc_id: str
    changed: bool
    entities: int = 0
    attributes: int = 0
    relations: int = 0
    events: int = 0
    constraints: int = 0
    findings: int = 0
    beside: str = ""
    """The id that the document would have, were it not that of a document from another place."""


@dataclass(frozen=True, slots=True)
class StoredDocument:
    """A document of the memory."""

    doc_id: str
    path: str
    title: str
    digest: str
    ingested_at: str
    records: int


class MemoryStore:
    """The memory of one home. Close it, or use it in a `with`."""

    def __init__(self, home: Path) -> None:
        self.connection = open_memory(home)

    def __enter__(self) -> MemoryStore:
        return self

    def __exit__(self, *_: object) -> None:
        self.close()

    def close(self) -> None:
        """Close the database."""
        self.connection.close()

    @contextlib.contextmanager
    def writing(self) -> Iterator[sqlite3.Connection]:
        """One transaction: all of it or nothing. AlmanacError `memory_busy` when another process writes too long."""
        connection = self.connection
        try:
            connection.execute("BEGIN IMMEDIATE")
        except sqlite3.OperationalError as error:
            raise AlmanacError("memory_busy") from error
        try:
            yield connection
            connection.execute("COMMIT")
        except sqlite3.Error as error:
            _roll_back(connection)
            raise _explained(error) from error
        except BaseException:
            _roll_back(connection)
            raise

    # -- documents -----------------------------------------------------------------------------------------------

    def take(self, document: ReadDocument, extraction: Extraction) -> Ingested:
        """Ingest what was read out of a document."""
        facts = DocumentFacts(
            document.path,
            document.title,
            document.digest,
            document.stated_on,
            document.valid_from,
            document.valid_to,
            document.authority,
        )
        return self.ingest(
            document.doc_id,
            extraction.entities,
            extraction.relations,
            extraction.events,
            extraction.segments,
            constraints=extraction.constraints,
            findings=extraction.findings,
            guesses=extraction.guesses,
            facts=facts,
        )

    def ingest(
        self,
        doc_id: str,
        entities: Sequence[Entity],
        relations: Sequence[Relation],
        events: Sequence[Event],
        source_segments: Sequence[Segment],
        index_policy: IndexPolicy | None = None,
        *,
        constraints: Sequence[Constraint] = (),
        findings: Sequence[Finding] = (),
        guesses: Sequence[Guess] = (),
        facts: DocumentFacts | None = None,
    ) -> Ingested:
        """Take what a document says into memory, in place of what it said before.

        The same text again changes nothing. KnowledgeError `memory_same_id` when another path has this `doc_id`,
        `memory_no_quote` when a record's quote does not stand in `source_segments`: nothing is stored then.
        """
        if not doc_id.strip():
            raise KnowledgeError("memory_no_id")
        facts = facts or DocumentFacts(path=doc_id)
        policy = index_policy or IndexPolicy()
        digest = facts.digest or text_digest("\0".join(segment.text for segment in source_segments))
        _check_quotes(doc_id, entities, relations, events, constraints, source_segments)
        with self.writing() as connection:
            row = connection.execute(
                "SELECT path, digest, policy, stated_on, valid_from, valid_to, authority FROM documents WHERE doc_id=?",
                (doc_id,),
            ).fetchone()
            if row is not None and row[0] != facts.path:
                raise KnowledgeError("memory_same_id", doc_id=doc_id, first=row[0], second=facts.path)
            kept = (
                facts.path,
                digest,
                policy.identity,
                *map(day_text, (facts.stated_on, facts.valid_from, facts.valid_to)),
                facts.authority,
            )
            if row == kept:
                return Ingested(doc_id, False)
            _remove(connection, doc_id)
            now = utc_text()
            connection.execute(
                "INSERT INTO documents VALUES(?,?,?,?,?,?,?,?,?,?)",
                (doc_id, facts.path, facts.title, *kept[1:], now),
            )
            connection.executemany(
                "INSERT OR IGNORE INTO segments VALUES(?,?,?,?,?,?,?)",
                [
                    (doc_id, item.start, item.text, *item.lines, item.page, json.dumps(item.trail, ensure_ascii=False))
                    for item in source_segments
                ],
            )
            align.align(connection, entities, guesses, doc_id, now)
            RecordWriter(connection, doc_id, facts, entities, source_segments, policy).write(
                relations, events, constraints
            )
            connection.executemany(
                "INSERT INTO findings VALUES(?,?,?,?)",
                [(doc_id, item.reason, item.detail, source_text(item.source)) for item in findings],
            )
            align.tidy_nodes(connection)
        return Ingested(
            doc_id,
            True,
            len(entities),
            sum(len(entity.attributes) for entity in entities),
            len(relations),
            len(events),
            len(constraints),
            len(findings),
        )

    def delete(self, doc_id: str) -> None:
        """Forget a document and all it said; what people wrote, decided, judged stays. KnowledgeError when unknown."""
        with self.writing() as connection:
            if connection.execute("SELECT 1 FROM documents WHERE doc_id=?", (doc_id,)).fetchone() is None:
                raise KnowledgeError("memory_no_document", doc_id=doc_id)
            _remove(connection, doc_id)
            align.tidy_nodes(connection)

    def holds(self, document: ReadDocument, policy: IndexPolicy | None = None) -> bool:
        """Whether memory was made from this very text by these very rules."""
        row = self.connection.execute(
            "SELECT path, digest, policy FROM documents WHERE doc_id=?", (document.doc_id,)
        ).fetchone()
        return bool(row == (document.path, document.digest, (policy or IndexPolicy()).identity))

    def id_at(self, path: str) -> str | None:
        """The id of the document that was read from `path`, None when there is none."""
        row = self.connection.execute("SELECT doc_id FROM documents WHERE path=?", (path,)).fetchone()
        return None if row is None else str(row[0])

    def path_of(self, doc_id: str) -> str | None:
        """Where the document of this id was read from, None when there is none."""
        row = self.connection.execute("SELECT path FROM documents WHERE doc_id=?", (doc_id,)).fetchone()
        return None if row is None else str(row[0])

    def documents(self) -> list[StoredDocument]:
        """All documents, by id."""
        rows = self.connection.execute(
            "SELECT d.doc_id, d.path, d.title, d.digest, d.ingested_at, (SELECT count(*) FROM records r WHERE "
            "r.doc_id=d.doc_id) "
            "FROM documents d ORDER BY d.doc_id"
        )
        return [StoredDocument(*row) for row in rows]

    def findings(self, doc_id: str) -> list[tuple[str, str]]:
        """Reason (a key of kb.texts) and detail of what could not be taken as it stands in a document."""
        return self.connection.execute("SELECT reason, detail FROM findings WHERE doc_id=?", (doc_id,)).fetchall()

    # -- merges --------------------------------------------------------------------------------------------------

    def merges(self, *, undone: bool = False, across: bool = True) -> list[align.Merge]:
        """The merges in force, newest first."""
        return align.merges(self.connection, undone=undone, across=across)

    def undo_merge(self, number: int, author: str = "") -> align.Merge:
        """Take a merge back, for good."""
        with self.writing() as connection:
            return align.undo(connection, number, author, utc_text())


def _roll_back(connection: sqlite3.Connection) -> None:
    with contextlib.suppress(sqlite3.Error):
        if connection.in_transaction:
            connection.execute("ROLLBACK")


def _explained(error: sqlite3.Error) -> Exception:
    """The message for a failed write."""
    if isinstance(error, sqlite3.OperationalError):
        said = str(error)
        if "full" in said:
            return AlmanacError("memory_disk_full")
        if "readonly" in said or "unable to open" in said:
            return AlmanacError("memory_read_only")
        if "locked" in said:
            return AlmanacError("memory_busy")
    return AlmanacError("memory_write_failed", ExitCode.ENVIRONMENT, reason=str(error))


def _remove(connection: sqlite3.Connection, doc_id: str) -> None:
    """Everything that a document said. The caller drops nodes that nothing speaks of any more."""
    numbers = "SELECT number FROM records WHERE doc_id=?"
    connection.execute(f"DELETE FROM words WHERE rowid IN ({numbers})", (doc_id,))
    records = "SELECT id FROM records WHERE doc_id=?"
    connection.execute(f"DELETE FROM participants WHERE record IN ({records})", (doc_id,))
    connection.execute(f"DELETE FROM bonds WHERE record IN ({records})", (doc_id,))
    entities = "SELECT id FROM entities WHERE doc_id=?"
    connection.execute(f"DELETE FROM names WHERE entity IN ({entities})", (doc_id,))
    connection.execute(f"DELETE FROM blocks WHERE entity IN ({entities})", (doc_id,))
    for table in ("records", "entities", "segments", "findings", "documents"):
        connection.execute(f"DELETE FROM {table} WHERE doc_id=?", (doc_id,))
    connection.execute("DELETE FROM merges WHERE doc_id=? AND author=? AND undone_at IS NULL", (doc_id, align.RULES))
    connection.execute("DELETE FROM reviews WHERE doc_id=? AND state='open' AND kind='merge'", (doc_id,))


def _check_quotes(
    doc_id: str,
    entities: Sequence[Entity],
    relations: Sequence[Relation],
    events: Sequence[Event],
    constraints: Sequence[Constraint],
    segments: Sequence[Segment],
) -> None:
    """Refuse records that do not stand in the document: nothing is invented."""
    ordered = sorted(segments, key=lambda segment: segment.start)
    starts = [segment.start for segment in ordered]

    def stands(source: Source) -> bool:
        place = bisect.bisect_right(starts, source.start) - 1
        if source.doc_id != doc_id or place < 0 or source.end - source.start != len(source.quote):
            return False
        segment = ordered[place]
        inside = source.start - segment.start
        return bool(source.quote) and segment.text[inside : inside + len(source.quote)] == source.quote

    sources = [item.source for group in (relations, events, constraints) for item in group]
    sources += [attribute.source for entity in entities for attribute in entity.attributes]
    for source in sources:
        if not stands(source):
            raise KnowledgeError("memory_no_quote", path=source.path, line=source.lines[0], quote=source.quote[:60])
