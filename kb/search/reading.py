"""Reading what the index points at: documents as they are on disk now, cut into sections."""

from __future__ import annotations

import json
import os
import threading
from collections.abc import Callable
from pathlib import Path

from kb.errors import AlmanacError
from kb.search.index import Index
from kb.search.listing import text_digest
from kb.search.normalise import normalise
from kb.search.sections import Section, document_sections
from kb.search.snapshot import Filter, Snapshot
from kb.search.tokens import counted
from kb.tree import document
from kb.tree.document import Parsed, Problem
from kb.tree.textfile import read_text
from kb.tree.walk import inside

_CUTS_KEPT = 64

# A document and its sections in order.
Cut = tuple[Parsed, list[Section]]
State = tuple[int, int, int, int]


class DocumentReader:
    """Documents of one tree, with what the index says of them; the last few documents are kept."""

    def __init__(self, root: Path, index: Callable[[], Index], lock: threading.RLock) -> None:
        self.root = root
        self._index = index
        self._lock = lock
        self._cuts: dict[str, tuple[State, Cut]] = {}

    def cut_document(self, path: str, found: os.stat_result) -> Cut | None:
        """The document and its sections, None when the index knows another state of it. `found` is what its file is.

        The last few are kept, since questions follow each other. A program can set back size and time of a file that it
        changes: what is kept holds only while the system saw no change, and what is read is compared by its digest.
        """
        with self._lock:
            row = (
                self._index()
                .connection.execute(
                    "SELECT metadata, problems, lang, digest FROM documents WHERE path=? AND size=? AND mtime_ns=?",
                    (path, found.st_size, found.st_mtime_ns),
                )
                .fetchone()
            )
        if row is None:
            return None
        state = (found.st_size, found.st_mtime_ns, found.st_ctime_ns, found.st_ino)
        kept = self._cuts.get(path)
        if kept is not None and kept[0] == state:
            return kept[1]
        text = read_text(self.root / path).text
        if text_digest(text) != row[3]:
            return None
        problems = [Problem(path, *entry) for entry in json.loads(row[1])]
        parsed = document.restore(path, text, json.loads(row[0]), problems, row[2])
        cut = (parsed, document_sections(parsed))
        with self._lock:
            while len(self._cuts) >= _CUTS_KEPT:
                self._cuts.pop(next(iter(self._cuts)))
            self._cuts[path] = (state, cut)
        return cut


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

    def section(self, section: int) -> tuple[Parsed, Section] | None:
        """Document and text of a section of the snapshot; None when its file is not as indexed."""
        row = int(self.snapshot.document_of[section])
        if row < 0:
            return None
        if row not in self._documents:
            self._documents[row] = self._current(self.snapshot.paths[row], int(self.snapshot.size[row]))
        read = self._documents[row]
        return None if read is None else (read[0], read[1][self.snapshot.ordinal(section)])

    def _current(self, path: str, sections: int) -> Cut | None:
        """The document and its sections, when its file is as it was indexed."""
        try:
            # A file, or a folder above it, can have become a link since it was found.
            found = inside(self.reader.root, path).stat()
            cut = self.reader.cut_document(path, found)
            if cut is not None and len(cut[1]) == sections:
                return cut
            if cut is not None:
                # It was indexed again after the snapshot was taken.
                self.outdated = True
                return None
        except (OSError, AlmanacError):
            pass
        self.stale.append(path)
        return None


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
