"""The index of a knowledge tree: a cache in its own folder, rebuilt or mended whenever the tree differs.

`index.db` lists documents and sections; segment files hold the postings. A segment is written and synced before
the transaction that names it, and files that no row names are swept later: after `kill -9` the old index stands
or the new one, never half of each.
"""

from __future__ import annotations

import contextlib
import datetime
import hashlib
import json
import os
import sqlite3
import time
from collections import Counter
from collections.abc import Iterable
from dataclasses import dataclass
from pathlib import Path

from kb import db, fsio
from kb.config import ProgressReport, no_progress
from kb.errors import AlmanacError
from kb.search import sections as sectioning
from kb.search import tokens
from kb.search.postings import Segment, SegmentBuilder, SegmentError
from kb.tree import document
from kb.tree.document import Facts, Parsed, Problem
from kb.tree.taxonomy import Taxonomy
from kb.tree.walk import FileState, walk

FINGERPRINT = f"2-{tokens.VERSION}-{sectioning.VERSION}"
_POSTINGS_PER_SEGMENT = 6_000_000

_SCHEMA = """
CREATE TABLE meta (key TEXT PRIMARY KEY, value TEXT NOT NULL) WITHOUT ROWID;
CREATE TABLE segments (name TEXT PRIMARY KEY, number INTEGER NOT NULL);
CREATE TABLE documents (
  id INTEGER PRIMARY KEY, path TEXT NOT NULL UNIQUE, size INTEGER NOT NULL, mtime_ns INTEGER NOT NULL,
  sha256 TEXT NOT NULL, title TEXT NOT NULL, version TEXT NOT NULL, lang TEXT NOT NULL, status TEXT NOT NULL,
  type TEXT NOT NULL, valid_from INTEGER NOT NULL, valid_to INTEGER NOT NULL, updated INTEGER NOT NULL,
  body_line INTEGER NOT NULL, metadata TEXT NOT NULL, problems TEXT NOT NULL);
CREATE TABLE sections (
  segment TEXT NOT NULL, number INTEGER NOT NULL, document INTEGER NOT NULL, start INTEGER NOT NULL,
  finish INTEGER NOT NULL, trail TEXT NOT NULL, text_key TEXT NOT NULL, PRIMARY KEY (segment, number)
) WITHOUT ROWID;
CREATE INDEX sections_by_document ON sections (document);
CREATE TABLE unreadable (
  path TEXT PRIMARY KEY, size INTEGER NOT NULL, mtime_ns INTEGER NOT NULL, reason TEXT NOT NULL, detail TEXT NOT NULL
) WITHOUT ROWID;
"""
FOREVER = 10_000_000


@dataclass(frozen=True, slots=True)
class Report:
    """What an update did: files read anew, dropped, and how many there are."""

    changed: int
    removed: int
    total: int


@dataclass(frozen=True, slots=True)
class Listed:
    """A document in a list. `headings` in order; dates None where the document sets no limit."""

    path: str
    title: str
    version: str
    lang: str
    status: str
    valid_from: datetime.date | None
    valid_to: datetime.date | None
    headings: tuple[str, ...]

    def mark(self, day: datetime.date) -> str:
        """Why it does not answer on `day`: its status, `expired` or `future`; '' when it does."""
        if self.status != document.RELEASED:
            return self.status
        if self.valid_to is not None and self.valid_to < day:
            return "expired"
        return "future" if self.valid_from is not None and day < self.valid_from else ""


def _distinct(names: list[str] | None) -> tuple[str, ...]:
    return tuple(dict.fromkeys(names or ()))


def _day(ordinal: int) -> datetime.date | None:
    """The date of a column; 0 and FOREVER stand for no limit."""
    return datetime.date.fromordinal(ordinal) if 0 < ordinal < FOREVER else None


class Index:
    """The index of `root` in `folder`. Use `Index.open`, then `update` when the tree may have changed."""

    def __init__(self, root: Path, folder: Path, connection: sqlite3.Connection, writable: bool) -> None:
        self.root = root
        self.folder = folder
        self.connection = connection
        self.writable = writable

    @classmethod
    def open(cls, root: Path, folder: Path) -> Index:
        """Open or create. A foreign, damaged or older index is dropped and made anew; read-only ones are used."""
        path = folder / "index.db"
        if not fsio.is_writable(folder):
            if not path.exists():
                raise AlmanacError("index_unwritable", path=str(folder))
            return cls(root, folder, db.open_read_only(path), False)
        with fsio.locked(folder / "lock"):
            connection = _usable(path)
            if connection is None:
                for leftover in folder.glob("index.db*"):
                    leftover.unlink(missing_ok=True)
                connection = db.open_cache(path)
                connection.executescript(f"BEGIN; {_SCHEMA} COMMIT;")
                connection.execute("INSERT INTO meta VALUES ('fingerprint', ?)", (FINGERPRINT,))
        return cls(root, folder, connection, True)

    def close(self) -> None:
        """Close the database."""
        self.connection.close()

    @property
    def generation(self) -> int:
        """Rises with every committed change, also by another process."""
        row = self.connection.execute("SELECT value FROM meta WHERE key='generation'").fetchone()
        return int(row[0]) if row else 0

    def documents(self) -> list[Listed]:
        """Every readable document in path order, without reading any file."""
        headings: dict[int, list[str]] = {}
        sections = self.connection.execute("SELECT document, trail FROM sections ORDER BY document, start")
        for identifier, trail in sections:
            names = json.loads(trail)
            if names:
                headings.setdefault(identifier, []).append(names[-1])
        rows = self.connection.execute(
            "SELECT id, path, title, version, lang, status, valid_from, valid_to FROM documents ORDER BY path"
        )
        return [
            Listed(path, title, version, lang, status, _day(start), _day(end), _distinct(headings.get(identifier)))
            for identifier, path, title, version, lang, status, start, end in rows.fetchall()
        ]

    def update(self, taxonomy: Taxonomy, report: ProgressReport = no_progress) -> Report:
        """Bring the index up to date with the tree; only changed files are read."""
        found = {state.path: state for state in walk(self.root)}
        known = {
            path: (size, mtime)
            for path, size, mtime in self.connection.execute(
                "SELECT path, size, mtime_ns FROM documents UNION ALL SELECT path, size, mtime_ns FROM unreadable"
            )
        }
        changed = [state for path, state in found.items() if known.get(path) != (state.size, state.mtime_ns)]
        if self._taxonomy_changed(taxonomy):
            changed = list(found.values())
        gone = [path for path in known if path not in found]
        if not self.writable or not (changed or gone):
            return Report(0, 0, len(known))
        with fsio.locked(self.folder / "lock"):
            self._apply(sorted(changed, key=lambda state: state.path), gone, taxonomy, report)
            self.connection.execute("INSERT OR REPLACE INTO meta VALUES ('taxonomy', ?)", (taxonomy.digest,))
        self._sweep()
        return Report(len(changed), len(gone), len(found))

    def _taxonomy_changed(self, taxonomy: Taxonomy) -> bool:
        """Whether the path words of documents were indexed with other names."""
        row = self.connection.execute("SELECT value FROM meta WHERE key='taxonomy'").fetchone()
        return row is not None and row[0] != taxonomy.digest

    def refresh(self, paths: Iterable[str], taxonomy: Taxonomy) -> bool:
        """Re-index single files that were seen to differ; True when anything changed."""
        if not self.writable:
            return False
        states: list[FileState] = []
        gone: list[str] = []
        for path in paths:
            try:
                found = (self.root / path).stat()
                states.append(FileState(path, found.st_size, found.st_mtime_ns))
            except OSError:
                gone.append(path)
        if not (states or gone):
            return False
        with fsio.locked(self.folder / "lock"):
            self._apply(states, gone, taxonomy, no_progress)
        return True

    def problems(self) -> list[Problem]:
        """Files that could not be read, and what is wrong in the front matter of those that could."""
        found = [
            Problem(path, 0, reason, detail)
            for path, reason, detail in self.connection.execute(
                "SELECT path, reason, detail FROM unreadable ORDER BY path"
            )
        ]
        for path, problems in self.connection.execute(
            "SELECT path, problems FROM documents WHERE problems != '[]' ORDER BY path"
        ):
            found.extend(Problem(path, *entry) for entry in json.loads(problems))
        return found

    def _apply(self, changed: list[FileState], gone: list[str], taxonomy: Taxonomy, report: ProgressReport) -> None:
        batch = _Batch()
        self.connection.execute("BEGIN IMMEDIATE")
        try:
            for path in gone:
                self._drop(path)
            for number, state in enumerate(changed):
                report("index", number, len(changed))
                self._drop(state.path)
                try:
                    parsed = document.load(self.root, state.path)
                except AlmanacError as error:
                    self.connection.execute(
                        "INSERT INTO unreadable VALUES (?,?,?,?,?)",
                        (state.path, state.size, state.mtime_ns, error.key, str(error)),
                    )
                    continue
                self._add(state, parsed, taxonomy, batch)
                if batch.builder.postings > _POSTINGS_PER_SEGMENT:
                    self._flush(batch)
                    batch = _Batch()
            self._flush(batch)
            self._merge_small()
            self.connection.execute(
                "INSERT OR REPLACE INTO meta VALUES ('generation', ?)", (str(self.generation + 1),)
            )
            self.connection.execute("COMMIT")
        except BaseException:
            self.connection.execute("ROLLBACK")
            raise
        report("index", len(changed), len(changed))

    def _drop(self, path: str) -> None:
        self.connection.execute("DELETE FROM unreadable WHERE path=?", (path,))
        for (identifier,) in self.connection.execute("SELECT id FROM documents WHERE path=?", (path,)).fetchall():
            self.connection.execute("DELETE FROM sections WHERE document=?", (identifier,))
            self.connection.execute("DELETE FROM documents WHERE id=?", (identifier,))

    def _add(self, state: FileState, parsed: Parsed, taxonomy: Taxonomy, batch: _Batch) -> None:
        facts = parsed.facts
        cursor = self.connection.execute(
            "INSERT INTO documents VALUES (NULL,?,?,?,?,?,?,?,?,?,?,?,?,?,?,?)",
            (state.path, state.size, state.mtime_ns, hashlib.sha256(parsed.text.encode()).hexdigest(),
             facts.title, facts.version, facts.lang, facts.status, facts.type,
             facts.valid_from.toordinal() if facts.valid_from else 0,
             facts.valid_to.toordinal() if facts.valid_to else FOREVER,
             facts.date_updated.toordinal() if facts.date_updated else 0,
             parsed.body_line, json.dumps(facts.metadata, ensure_ascii=False),
             json.dumps([[p.line, p.reason, p.detail] for p in facts.problems], ensure_ascii=False)),
        )  # fmt: skip
        identifier = cursor.lastrowid
        for fields, section in _section_terms(parsed, taxonomy):
            number = batch.builder.add(fields)
            batch.rows.append(
                (batch.name, number, identifier, section.start, section.end,
                 json.dumps(section.trail, ensure_ascii=False), text_key(facts, section))
            )  # fmt: skip

    def _flush(self, batch: _Batch) -> None:
        if not batch.builder.sections:
            return
        batch.builder.write(self.folder / batch.name)
        self.connection.execute("INSERT INTO segments VALUES (?, ?)", (batch.name, batch.builder.sections))
        self.connection.executemany("INSERT INTO sections VALUES (?,?,?,?,?,?,?)", batch.rows)

    def _merge_small(self) -> None:
        """Join the small segments that updates leave once there are more than eight of them."""
        small = self.connection.execute(
            "SELECT name, number FROM segments WHERE number < 4000 ORDER BY rowid"
        ).fetchall()
        if len(small) <= 8:
            return
        from kb.search.merging import merge_segments

        merge_segments(self.connection, self.folder, [name for name, _ in small], _segment_name())

    def _sweep(self) -> None:
        """Remove segment files that no committed row names, and temporaries of killed processes."""
        named = {row[0] for row in self.connection.execute("SELECT name FROM segments")}
        now = time.time()
        fsio.sweep_temporaries(self.folder, 3600, now)
        for file in self.folder.glob("*.seg"):
            with contextlib.suppress(OSError):
                if file.name not in named and now - file.stat().st_mtime > 60:
                    file.unlink()


class _Batch:
    """The segment that is being collected."""

    def __init__(self) -> None:
        self.builder = SegmentBuilder()
        self.name = _segment_name()
        self.rows: list[tuple[object, ...]] = []


def _segment_name() -> str:
    return f"{time.time_ns():x}-{os.getpid():x}.seg"


def _usable(path: Path) -> sqlite3.Connection | None:
    """A connection to a whole index of this version, else None."""
    if not path.exists():
        return None
    connection: sqlite3.Connection | None = None
    try:
        connection = db.open_cache(path)
        row = connection.execute("SELECT value FROM meta WHERE key='fingerprint'").fetchone()
        names = [entry[0] for entry in connection.execute("SELECT name FROM segments")]
        if row and row[0] == FINGERPRINT:
            for name in names:
                Segment.open(path.parent / name)
            return connection
    except (sqlite3.DatabaseError, SegmentError, OSError):
        pass
    if connection is not None:
        connection.close()
    return None


def text_key(facts: Facts, section: sectioning.Section) -> str:
    """The digest of what is embedded for a section: the same words need one vector, in every version."""
    return hashlib.sha256(embedded_text(facts.title, section.trail, section.text).encode()).hexdigest()[:32]


def embedded_text(title: str, trail: tuple[str, ...], text: str) -> str:
    """What the embedder reads for a section: title and headings first, then the text."""
    heads = list(dict.fromkeys((title, *trail)))
    return " › ".join(head for head in heads if head) + "\n" + text


def _section_terms(
    parsed: Parsed, taxonomy: Taxonomy
) -> Iterable[tuple[dict[str, Counter[str]], sectioning.Section]]:
    """Each section with its term counts by field; title, keywords and path count with every section.

    Fields: '' text with its headings, `k` title, keywords and tags, `p` path and taxonomy words.
    """
    facts = parsed.facts
    keywords = tokens.counted("\n".join((facts.title, *facts.keywords, *facts.tags)))
    path = tokens.counted("\n".join(taxonomy.words(facts.path)))
    body = "\n".join(parsed.text.split("\n")[parsed.body_line - 1 :])
    for section in sectioning.sections(body, 1, facts.title):
        shifted = _shift(section, parsed.body_line - 1)
        words = tokens.counted("\n".join((*section.trail, section.text)))
        yield {"": words, "k": keywords, "p": path}, shifted


def _shift(section: sectioning.Section, lines: int) -> sectioning.Section:
    blocks = tuple(
        sectioning.Block(block.kind, block.start + lines, block.end + lines, block.text)
        for block in section.blocks
    )
    return sectioning.Section(section.trail, section.start + lines, section.end + lines, blocks)
