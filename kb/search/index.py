"""The index of a knowledge tree: a cache in its own folder, rebuilt or mended whenever the tree differs.

`index.db` lists documents; segment files hold the postings of their sections (`updating` says how both change).
Listing needs no numpy, so that opening a large tree stays cheap.
"""

from __future__ import annotations

import json
import logging
import sqlite3
from collections.abc import Iterable
from dataclasses import dataclass
from pathlib import Path
from typing import TYPE_CHECKING

from kb import db, fsio
from kb.config import ProgressReport, no_progress
from kb.errors import AlmanacError, KnowledgeError
from kb.hashing import sha256
from kb.search import chunks, tokens, updating
from kb.search import sections as sectioning
from kb.search.layout import SegmentError, is_sound, read_counts
from kb.search.listing import Listed, day_of, text_digest
from kb.tree.document import Problem
from kb.tree.taxonomy import Taxonomy
from kb.tree.textfile import read_text
from kb.tree.walk import FileState, inside, walk

if TYPE_CHECKING:
    from kb.tree.frontmatter import Value

_log = logging.getLogger(__name__)

FINGERPRINT = f"9-{tokens.VERSION}-{sectioning.VERSION}-{chunks.VERSION}"
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
    """What an update did: files read anew, dropped, and how many there are; `renewed` says that what lay there was no
    index of this version, or damaged, and was made anew."""

    changed: int
    removed: int
    total: int
    renewed: bool = False


@dataclass(frozen=True, slots=True)
class Changes:
    """How a tree differs from its index: files to read, paths that are gone, and whether to read all of them anew."""

    changed: list[FileState]
    gone: list[str]
    anew: bool
    total: int

    @property
    def count(self) -> int:
        """How many files are to be read or forgotten."""
        return len(self.changed) + len(self.gone)


class Index:
    """The index of `root` in `folder`. Use `Index.open`, then `update` when the tree may have changed."""

    def __init__(
        self, root: Path, folder: Path, connection: sqlite3.Connection, writable: bool, *, renewed: bool = False
    ) -> None:
        self.root = root
        self.folder = folder
        self.connection = connection
        self.writable = writable
        self._renewed = renewed
        self._file = db.identity(folder / "index.db")

    @classmethod
    def open(cls, root: Path, folder: Path) -> Index:
        """Open or create. A foreign, damaged or older index is dropped and made anew; read-only ones are used.

        A whole index is opened without waiting for a process that is changing it.
        """
        path = folder / "index.db"
        if not fsio.is_writable(folder):
            read_only = db.open_read_only(path) if path.exists() else None
            if read_only is None or not _is_whole(read_only, folder):
                if read_only is not None:
                    read_only.close()
                raise AlmanacError("index_unwritable", path=str(folder))
            return cls(root, folder, read_only, False)
        connection = _usable(path)
        if connection is not None:
            return cls(root, folder, connection, True)
        with fsio.locked(folder / "lock"):
            connection = _usable(path)
            renewed = connection is None and path.exists()
            if connection is None:
                if renewed:
                    _log.warning("the index in %s is damaged or of another version; it is made anew", folder)
                _clear(folder)
                connection = db.open_cache(path)
                connection.executescript(f"BEGIN; {_SCHEMA} COMMIT;")
                connection.execute("INSERT INTO meta VALUES ('fingerprint', ?)", (FINGERPRINT,))
        return cls(root, folder, connection, True, renewed=renewed)

    def close(self) -> None:
        """Close the database."""
        self.connection.close()

    @property
    def in_place(self) -> bool:
        """Whether the database still lies where it was opened: somebody may have deleted it under a running program."""
        return self._file is not None and db.identity(self.folder / "index.db") == self._file

    @property
    def is_whole(self) -> bool:
        """Whether database and segments still lie where they were written, and are what they were."""
        return self.in_place and _is_whole(self.connection, self.folder)

    @property
    def is_sound(self) -> bool:
        """Whether every byte of the segments is as it was written and the whole database can be read. Takes a while."""
        try:
            (verdict,) = self.connection.execute("PRAGMA quick_check(1)").fetchone()
            for texts in self.connection.execute("SELECT metadata, problems, headings, path FROM documents"):
                for text in texts[:3]:
                    json.loads(text)
            names = [row[0] for row in self.connection.execute("SELECT name FROM segments").fetchall()]
            return verdict == "ok" and all(is_sound(self.folder / name) for name in names)
        except (sqlite3.DatabaseError, ValueError, OSError):
            return False

    def discard(self) -> None:
        """Close a damaged index and take its files away: who opens it next makes it anew."""
        with fsio.locked(self.folder / "lock"):
            in_place = self.in_place
            self.connection.close()
            if in_place:
                _clear(self.folder)

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
        whole = sha256()
        for path, digest in self.connection.execute("SELECT path, digest FROM documents ORDER BY path"):
            whole.update(f"{path}\0".encode("utf-8", "surrogatepass") + digest)
        return whole.hexdigest()

    def changes(self, taxonomy: Taxonomy, walked: Iterable[FileState], since_ns: int | None = None) -> Changes:
        """What in the tree is not as indexed. `walked` is what a walk over it found.

        Of files with size and time as known, those that the system saw change after `since_ns` are compared by content:
        a program can set a file's time back.
        """
        found = {state.path: state for state in walked}
        known = {
            path: (size, mtime)
            for path, size, mtime in self.connection.execute(
                "SELECT path, size, mtime_ns FROM documents UNION ALL SELECT path, size, mtime_ns FROM unreadable"
            )
        }
        changed = [
            state
            for path, state in found.items()
            if known.get(path) != (state.size, state.mtime_ns)
            or (since_ns is not None and state.changed_ns >= since_ns and not self._is_current(path))
        ]
        renamed = self._taxonomy_changed(taxonomy)
        if renamed:
            changed = list(found.values())
        gone = [path for path in known if path not in found]
        # Names are kept with the words of documents.
        anew = bool(changed) and (len(known) <= len(changed) or renamed)
        return Changes(list(found.values()) if anew else changed, gone, anew, len(found))

    def _is_current(self, path: str) -> bool:
        """Whether the file's text is the one that was indexed."""
        row = self.connection.execute("SELECT digest FROM documents WHERE path=?", (path,)).fetchone()
        try:
            return row is not None and text_digest(read_text(self.root / path).text) == row[0]
        except AlmanacError:
            return row is None

    def update(
        self,
        taxonomy: Taxonomy,
        report: ProgressReport = no_progress,
        walked: Iterable[FileState] | None = None,
        since_ns: int | None = None,
        *,
        wait: bool = True,
    ) -> Report:
        """Bring the index up to date with the tree; only changed files are read.

        `walked` is what a walk has just found, where the caller did that already; `since_ns` as in `changes`.
        Without `wait` nothing is done while another process is at it.
        """
        generation = self.generation
        states = list(walk(self.root) if walked is None else walked)
        changes = self.changes(taxonomy, states, since_ns)
        if not self.writable or not (changes.count or not self.is_built):
            return Report(0, 0, changes.total)
        with fsio.locked(self.folder / "lock", wait=wait) as mine:
            if not mine:
                return Report(0, 0, changes.total)
            # Another process may have done it meanwhile.
            if self.generation != generation:
                changes = self.changes(taxonomy, states, since_ns)
            if changes.count or not self.is_built:
                updating.update(self, changes.changed, changes.gone, taxonomy, report, anew=changes.anew)
        renewed, self._renewed = self._renewed, False
        return Report(len(changes.changed), len(changes.gone), changes.total, renewed)

    def _taxonomy_changed(self, taxonomy: Taxonomy) -> bool:
        """Whether the path words of documents were indexed with other names."""
        row = self.connection.execute("SELECT value FROM meta WHERE key='taxonomy'").fetchone()
        return row is not None and row[0] != taxonomy.digest

    def refresh(self, paths: Iterable[str], taxonomy: Taxonomy) -> bool:
        """Re-index single files that were seen to differ; True when anything changed.

        False at once while another process or thread changes the index.
        """
        if not self.writable:
            return False
        states: list[FileState] = []
        gone: list[str] = []
        for path in paths:
            try:
                # A file can have become a link since it was found.
                states.append(FileState.of(path, inside(self.root, path).stat()))
            except (OSError, KnowledgeError):
                gone.append(path)
        if not (states or gone):
            return False
        with fsio.locked(self.folder / "lock", wait=False) as mine:
            if mine:
                updating.refresh(self, states, gone, taxonomy)
        return mine

    def set_meta(self, key: str, value: str) -> None:
        """Keep a fact about the index, inside the caller's transaction."""
        self.connection.execute("INSERT OR REPLACE INTO meta VALUES (?, ?)", (key, value))

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


def _is_whole(connection: sqlite3.Connection, folder: Path) -> bool:
    """Whether this is an index of this version, with all its segments."""
    try:
        row = connection.execute("SELECT value FROM meta WHERE key='fingerprint'").fetchone()
        if row is None or row[0] != FINGERPRINT:
            return False
        for (name,) in connection.execute("SELECT name FROM segments").fetchall():
            read_counts(folder / name)
    except (sqlite3.DatabaseError, SegmentError, OSError):
        return False
    return True


def _clear(folder: Path) -> None:
    """Remove the files of an index, or what stands in their place: somebody may have made a folder there."""
    for leftover in (*folder.glob("index.db*"), *folder.glob("*.seg")):
        if leftover.is_dir() and not leftover.is_symlink():
            fsio.remove_tree(leftover)
        else:
            leftover.unlink(missing_ok=True)


def _usable(path: Path) -> sqlite3.Connection | None:
    """A connection to a whole index of this version, else None."""
    if not path.exists():
        return None
    connection: sqlite3.Connection | None = None
    try:
        connection = db.open_cache(path)
        if _is_whole(connection, path.parent):
            return connection
    except sqlite3.DatabaseError:
        pass
    if connection is not None:
        connection.close()
    return None
