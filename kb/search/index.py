"""The index of a knowledge tree: a cache in its own folder, rebuilt or mended whenever the tree differs.

`index.db` lists documents; segment files hold the postings of their sections. A segment is written and synced before
the transaction that names it, and files that no row names are swept later: after `kill -9` the old index stands
or the new one, never half of each. Listing needs no numpy, so that opening a large tree stays cheap.
"""

from __future__ import annotations

import contextlib
import hashlib
import json
import os
import sqlite3
import time
from collections.abc import Iterable
from dataclasses import dataclass
from pathlib import Path
from typing import TYPE_CHECKING

from kb import db, fsio
from kb.config import ProgressReport, no_progress
from kb.errors import AlmanacError, KnowledgeError
from kb.search import chunks, tokens
from kb.search import sections as sectioning
from kb.search.layout import SegmentError, read_counts
from kb.search.listing import Listed, day_of
from kb.tree import document
from kb.tree.document import Problem
from kb.tree.taxonomy import Taxonomy
from kb.tree.walk import FileState, inside, walk

if TYPE_CHECKING:
    from kb.search.building import Outcome, Plain
    from kb.tree.frontmatter import Value

FINGERPRINT = f"6-{tokens.VERSION}-{sectioning.VERSION}-{chunks.VERSION}"
# Reading fewer documents than this takes less than starting a helper is worth.
_WORTH_HELP = 300
# Segments below this many sections are joined when there are too many of them; above it, only a build of many.
_SMALL = 4000
_MANY = 8

_SCHEMA = """
CREATE TABLE meta (key TEXT PRIMARY KEY, value TEXT NOT NULL) WITHOUT ROWID;
CREATE TABLE segments (id INTEGER PRIMARY KEY, name TEXT NOT NULL UNIQUE, sections INTEGER NOT NULL);
CREATE TABLE documents (
  id INTEGER PRIMARY KEY, path TEXT NOT NULL UNIQUE, size INTEGER NOT NULL, mtime_ns INTEGER NOT NULL,
  digest BLOB NOT NULL, title TEXT NOT NULL, version TEXT NOT NULL, lang TEXT NOT NULL, status TEXT NOT NULL,
  type TEXT NOT NULL, valid_from INTEGER NOT NULL, valid_to INTEGER NOT NULL, updated INTEGER NOT NULL,
  metadata TEXT NOT NULL, problems TEXT NOT NULL, headings TEXT NOT NULL,
  segment INTEGER NOT NULL, ordinal INTEGER NOT NULL);
CREATE INDEX documents_by_segment ON documents (segment);
CREATE TABLE unreadable (
  path TEXT PRIMARY KEY, size INTEGER NOT NULL, mtime_ns INTEGER NOT NULL, reason TEXT NOT NULL, detail TEXT NOT NULL
) WITHOUT ROWID;
"""
# A walk over this many documents takes some 30 ms.
LARGE = 1000


@dataclass(frozen=True, slots=True)
class Report:
    """What an update did: files read anew, dropped, and how many there are."""

    changed: int
    removed: int
    total: int


class Index:
    """The index of `root` in `folder`. Use `Index.open`, then `update` when the tree may have changed."""

    def __init__(self, root: Path, folder: Path, connection: sqlite3.Connection, writable: bool) -> None:
        self.root = root
        self.folder = folder
        self.connection = connection
        self.writable = writable
        self._file = db.identity(folder / "index.db")

    @classmethod
    def open(cls, root: Path, folder: Path) -> Index:
        """Open or create. A foreign, damaged or older index is dropped and made anew; read-only ones are used."""
        path = folder / "index.db"
        if not fsio.is_writable(folder):
            if not path.exists():
                raise AlmanacError("index_unwritable", path=str(folder))
            read_only = db.open_read_only(path)
            if not _is_ours(read_only):
                read_only.close()
                raise AlmanacError("index_unwritable", path=str(folder))
            return cls(root, folder, read_only, False)
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
    def in_place(self) -> bool:
        """Whether the database still lies where it was opened: somebody may have deleted it under a running program."""
        return self._file is not None and db.identity(self.folder / "index.db") == self._file

    @property
    def generation(self) -> int:
        """Rises with every committed change, also by another process."""
        row = self.connection.execute("SELECT value FROM meta WHERE key='generation'").fetchone()
        return int(row[0]) if row else 0

    @property
    def is_built(self) -> bool:
        """Whether the tree was ever read whole."""
        return self.generation > 0

    @property
    def is_large(self) -> bool:
        """Whether walking the tree takes long enough to be felt in a question."""
        return bool(self.connection.execute("SELECT 1 FROM documents LIMIT 1 OFFSET ?", (LARGE,)).fetchone())

    def documents(self) -> list[Listed]:
        """Every readable document in path order, without reading any file."""
        rows = self.connection.execute(
            "SELECT path, title, version, lang, status, valid_from, valid_to, headings FROM documents ORDER BY path"
        )
        return [
            Listed(path, title, version, lang, status, day_of(start), day_of(end), tuple(json.loads(headings)))
            for path, title, version, lang, status, start, end, headings in rows
        ]

    def front_matter(self) -> dict[str, dict[str, Value]]:
        """The front matter of every readable document by path, as it was written, without reading any file."""
        rows = self.connection.execute("SELECT path, metadata FROM documents ORDER BY path")
        return {path: json.loads(metadata) for path, metadata in rows}

    def digest(self) -> str:
        """SHA-256 over path and content digest of every readable document, in path order."""
        whole = hashlib.sha256()
        for path, digest in self.connection.execute("SELECT path, digest FROM documents ORDER BY path"):
            whole.update(f"{path}\0".encode("utf-8", "surrogatepass") + digest)
        return whole.hexdigest()

    def update(
        self, taxonomy: Taxonomy, report: ProgressReport = no_progress, walked: Iterable[FileState] | None = None
    ) -> Report:
        """Bring the index up to date with the tree; only changed files are read.

        `walked` is what a walk over the tree has just found, where the caller did that already.
        """
        found = {state.path: state for state in (walk(self.root) if walked is None else walked)}
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
            anew = 0 < len(known) <= len(changed)
            wanted = list(found.values()) if anew else changed
            self._apply(sorted(wanted, key=lambda state: state.path), gone, taxonomy, report, anew=anew)
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
                # A file can have become a link since it was found.
                found = inside(self.root, path).stat()
                states.append(FileState(path, found.st_size, found.st_mtime_ns))
            except (OSError, KnowledgeError):
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

    def _apply(
        self,
        changed: list[FileState],
        gone: list[str],
        taxonomy: Taxonomy,
        report: ProgressReport,
        *,
        anew: bool = False,
    ) -> None:
        """Bring all changes in at once. With `anew` the index begins again: terms are weighed with the mean section
        length of the first build, and what that was of a single note is no measure for a library."""
        self.connection.execute("BEGIN IMMEDIATE")
        try:
            if anew:
                for table in ("documents", "segments", "unreadable"):
                    self.connection.execute(f"DELETE FROM {table}")
                self.connection.execute("DELETE FROM meta WHERE key='mean_length'")
            for path in gone:
                self._drop(path)
            known = {row[0] for row in self.connection.execute("SELECT path FROM documents")}
            new = [state for state in changed if state.path not in known]
            self._read_again([state for state in changed if state.path in known], taxonomy)
            self._read_new(new, taxonomy, report)
            self._merge()
            self._set("taxonomy", taxonomy.digest)
            self._set("generation", str(self.generation + 1))
            self.connection.execute("COMMIT")
        except BaseException:
            # On a full disk SQLite has rolled back by itself.
            if self.connection.in_transaction:
                self.connection.execute("ROLLBACK")
            raise
        report("index", len(changed), len(changed))

    def _read_new(self, states: list[FileState], taxonomy: Taxonomy, report: ProgressReport) -> None:
        """Index files that the index does not know yet; of many, a helper on another core reads a half."""
        from kb.search.building import Outcome, build, warm_up
        from kb.search.helper import Helper

        helper: Helper[Plain] | None = None
        mine, others = states, states[:0]
        if len(states) >= _WORTH_HELP:
            # Large files are shared out evenly.
            by_size = sorted(states, key=lambda state: state.size)
            mine, others = by_size[0::2], by_size[1::2]
            warm_up()
            length = self._mean_length()
            helper = Helper.start(lambda check: build(self.root, self.folder, others, taxonomy, length, check).plain())
        done = 0

        def tick() -> None:
            nonlocal done
            report("index", done * len(states) // max(len(mine), 1), len(states))
            done += 1

        try:
            self._keep(build(self.root, self.folder, mine, taxonomy, self._mean_length(), tick))
        except BaseException:
            if helper is not None:
                helper.stop()
            raise
        if others:
            plain = helper.wait() if helper is not None else None
            done = 0
            if plain is not None:
                self._keep(Outcome.of(plain))
            else:
                self._keep(build(self.root, self.folder, others, taxonomy, self._mean_length(), tick))

    def _read_again(self, states: list[FileState], taxonomy: Taxonomy) -> None:
        """Index files that changed; one whose text is the same as before only gets its new time."""
        from kb.search.building import Batch, Outcome

        batch = Batch(self._mean_length(), taxonomy)
        unreadable: list[tuple[object, ...]] = []
        for state in states:
            try:
                parsed = document.load(self.root, state.path)
            except AlmanacError as error:
                self._drop(state.path)
                unreadable.append((state.path, state.size, state.mtime_ns, error.key, str(error)))
                continue
            digest = batch.digest(parsed)
            same = self.connection.execute(
                "UPDATE documents SET size=?, mtime_ns=? WHERE path=? AND digest=?",
                (state.size, state.mtime_ns, state.path, digest),
            )
            if not same.rowcount:
                self._drop(state.path)
                batch.add(state, parsed, digest)
            if batch.is_full:
                self._keep(Outcome([batch.write(self.folder)], []))
                batch = Batch(self._mean_length(), taxonomy)
        built = [batch.write(self.folder)] if batch.builder.documents else []
        self._keep(Outcome(built, unreadable))

    def _keep(self, outcome: Outcome) -> None:
        """Name what was built."""
        for row in outcome.unreadable:
            self.connection.execute("INSERT OR REPLACE INTO unreadable VALUES (?,?,?,?,?)", row)
        for built in outcome.built:
            if self._mean_length() is None:
                self._set("mean_length", repr(built.mean_length))
            cursor = self.connection.execute("INSERT INTO segments VALUES (NULL, ?, ?)", (built.name, built.sections))
            paths = [(row[0],) for row in built.rows]
            self.connection.executemany("DELETE FROM unreadable WHERE path=?", paths)
            self.connection.executemany(
                f"INSERT INTO documents VALUES (NULL{',?' * 15},{cursor.lastrowid},?)", built.rows
            )

    def _set(self, key: str, value: str) -> None:
        self.connection.execute("INSERT OR REPLACE INTO meta VALUES (?, ?)", (key, value))

    def _mean_length(self) -> float | None:
        """The mean section length that the weights of existing segments were made with."""
        row = self.connection.execute("SELECT value FROM meta WHERE key='mean_length'").fetchone()
        return float(row[0]) if row else None

    def _drop(self, path: str) -> None:
        self.connection.execute("DELETE FROM unreadable WHERE path=?", (path,))
        self.connection.execute("DELETE FROM documents WHERE path=?", (path,))

    def _merge(self) -> None:
        """Join segments: the small ones that updates leave once they are many, all of them after a large build."""
        rows = self.connection.execute("SELECT id, sections FROM segments ORDER BY id").fetchall()
        small = [identifier for identifier, sections in rows if sections < _SMALL]
        chosen = [identifier for identifier, _ in rows] if len(rows) - len(small) > 1 else small
        if len(chosen) > (_MANY if chosen == small else 1):
            from kb.search.merging import merge_segments

            merge_segments(self.connection, self.folder, chosen, segment_name())

    def _sweep(self) -> None:
        """Remove segment files that no committed row names, and temporaries of killed processes."""
        named = {row[0] for row in self.connection.execute("SELECT name FROM segments")}
        now = time.time()
        fsio.sweep_temporaries(self.folder, 3600, now)
        for file in self.folder.glob("*.seg"):
            with contextlib.suppress(OSError):
                if file.name not in named and now - file.stat().st_mtime > 60:
                    file.unlink()


def segment_name() -> str:
    """A name that no other process or time makes."""
    return f"{time.time_ns():x}-{os.getpid():x}.seg"


def _is_ours(connection: sqlite3.Connection) -> bool:
    """Whether this is an index of this version."""
    try:
        row = connection.execute("SELECT value FROM meta WHERE key='fingerprint'").fetchone()
    except sqlite3.DatabaseError:
        return False
    return row is not None and row[0] == FINGERPRINT


def _usable(path: Path) -> sqlite3.Connection | None:
    """A connection to a whole index of this version, else None."""
    if not path.exists():
        return None
    connection: sqlite3.Connection | None = None
    try:
        connection = db.open_cache(path)
        names = [entry[0] for entry in connection.execute("SELECT name FROM segments")]
        if _is_ours(connection):
            for name in names:
                read_counts(path.parent / name)
            return connection
    except (sqlite3.DatabaseError, SegmentError, OSError):
        pass
    if connection is not None:
        connection.close()
    return None
