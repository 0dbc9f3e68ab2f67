"""Reading what the index points at: documents as they are on disk now, cut into sections."""

from __future__ import annotations

import threading
from collections.abc import Callable
from pathlib import Path

from kb.errors import AlmanacError
from kb.search.index import Index
from kb.search.normalise import normalise
from kb.search.sections import Section, sections
from kb.search.snapshot import Filter, Snapshot
from kb.search.tokens import counted
from kb.tree import document
from kb.tree.document import Parsed

_CUTS_KEPT = 32

# A document and its sections by their first and last line.
Cut = tuple[Parsed, dict[tuple[int, int], Section]]


class DocumentReader:
    """Documents of one tree, with what the index says of them; the last few documents are kept."""

    def __init__(self, root: Path, index: Callable[[], Index], lock: threading.RLock) -> None:
        self.root = root
        self._index = index
        self._lock = lock
        self._cuts: dict[str, tuple[tuple[int, int], Cut]] = {}

    def cut_document(self, path: str, state: tuple[int, int]) -> Cut:
        """The document in this state and its sections; the last few are kept, since questions follow each other."""
        kept = self._cuts.get(path)
        if kept is not None and kept[0] == state:
            return kept[1]
        parsed = document.load(self.root, path)
        cut = {(section.start, section.end): section for section in document_sections(parsed)}
        with self._lock:
            while len(self._cuts) >= _CUTS_KEPT:
                self._cuts.pop(next(iter(self._cuts)))
            self._cuts[path] = (state, (parsed, cut))
        return parsed, cut

    def state_of(self, path: str) -> tuple[int, int] | None:
        """Size and time of the file as it was indexed."""
        with self._lock:
            row = self._index().connection.execute(
                "SELECT size, mtime_ns FROM documents WHERE path=?", (path,)
            ).fetchone()
        return (int(row[0]), int(row[1])) if row else None

    def section_row(self, snapshot: Snapshot, number: int) -> tuple[int, int, str] | None:
        """First line, last line and text key of a section; None when the index moved on meanwhile."""
        name, local = snapshot.locate(number)
        with self._lock:
            row = self._index().connection.execute(
                "SELECT start, finish, text_key FROM sections WHERE segment=? AND number=?", (name, local)
            ).fetchone()
        return (int(row[0]), int(row[1]), str(row[2])) if row else None


class Reading:
    """One reading of candidates' files: each file is read and cut into sections once.

    `stale` collects paths whose files are not as indexed; `outdated` says that the index moved on meanwhile.
    """

    def __init__(self, reader: DocumentReader, snapshot: Snapshot) -> None:
        self.reader = reader
        self.snapshot = snapshot
        self.stale: list[str] = []
        self.outdated = False
        self._documents: dict[int, Cut | None] = {}

    def section(self, number: int) -> tuple[Parsed, Section, str] | None:
        """Document, section and text key of a section of the snapshot."""
        read = self._document(int(self.snapshot.document_of[number]))
        if read is None:
            return None
        row = self.reader.section_row(self.snapshot, number)
        section = read[1].get(row[:2]) if row is not None else None
        if row is None or section is None:
            self.outdated = True
            return None
        return read[0], section, row[2]

    def _document(self, row: int) -> Cut | None:
        if row not in self._documents:
            self._documents[row] = self._current(self.snapshot.paths[row])
        return self._documents[row]

    def _current(self, path: str) -> Cut | None:
        """The document and its sections, when its file is as it was indexed."""
        root = self.reader.root
        try:
            found = (root / path).stat()
            state = (found.st_size, found.st_mtime_ns)
            if self.reader.state_of(path) == state:
                return self.reader.cut_document(path, state)
        except (OSError, AlmanacError):
            pass
        self.stale.append(path)
        return None


def document_sections(parsed: Parsed) -> list[Section]:
    """The sections of a document with the file's own line numbers."""
    body = "\n" * (parsed.body_line - 1) + "\n".join(parsed.lines[parsed.body_line - 1 :])
    return sections(body, parsed.body_line, parsed.facts.title)


def passes(parsed: Parsed, section: Section, limits: Filter) -> bool:
    """The limits that need the text: phrases, exclusions, tags."""
    if limits.tags:
        tags = {normalise(tag) for tag in (*parsed.facts.tags, *parsed.facts.keywords)}
        if not all(normalise(tag) in tags for tag in limits.tags):
            return False
    if not (limits.phrases or limits.exclude_terms):
        return True
    text = normalise("\n".join((parsed.facts.title, *section.trail, section.text)))
    if not all(normalise(phrase) in text for phrase in limits.phrases):
        return False
    present = counted(text)
    for excluded in limits.exclude_terms:
        wanted = list(counted(excluded))
        if wanted and all(term in present for term in wanted):
            return False
    return True
