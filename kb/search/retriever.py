"""Hybrid retrieval over one knowledge tree, always as fresh as the tree itself."""

from __future__ import annotations

import datetime
import logging
import sqlite3
import threading
import time
from collections.abc import Callable
from dataclasses import dataclass, replace
from pathlib import Path

import numpy as np

from kb.config import ProgressReport, no_progress
from kb.errors import AlmanacError, KnowledgeError
from kb.search import closer, ranking
from kb.search.confidence import NOTHING, confidence
from kb.search.embedding import ChunkVectors, EmbedPassages, EmbedQuery
from kb.search.index import Index, Report
from kb.search.listing import Listed
from kb.search.numbers import Value, asked_kinds
from kb.search.query import Query, parse_query
from kb.search.ranking import Meaning, Voices
from kb.search.reading import DocumentReader, Reading, passes
from kb.search.sections import Section
from kb.search.snapshot import Filter, Flags, Snapshot
from kb.search.tokens import question_terms
from kb.search.tokens import terms as terms_of
from kb.tree.document import Parsed, Problem, language_of
from kb.tree.taxonomy import FILE_NAME, Taxonomy, load_taxonomy
from kb.tree.walk import FileState, walk

_log = logging.getLogger(__name__)

# The tree is walked again at most this often, and never for more than a twentieth of the time.
_RECHECK_S = 1.0
_RECHECK_FACTOR = 20
_POOL = 60
_NARROW_POOL = 2_000
_ATTEMPTS = 4
# How many of the best sections are read closely.
_LOOKED_AT = 10
# How many sections are found for each document wanted; one long document can fill the first places with its own.
_SECTIONS_PER_DOCUMENT = 4
_SECTIONS_MORE = 20


@dataclass(frozen=True, slots=True)
class Found:
    """A section that may answer the question, with the document it stands in and why it was chosen.

    `value` is the quantity in it that a question for a number asks for, as it is written.
    """

    document: Parsed
    section: Section
    voices: Voices
    confidence: float
    value: Value | None = None

    @property
    def path(self) -> str:
        """The document's path below the root."""
        return self.document.facts.path


@dataclass(frozen=True, slots=True)
class Status:
    """What there is: documents, sections, how many of those have a vector, and files that could not be read."""

    documents: int
    sections: int
    embedded: int
    problems: tuple[Problem, ...]


class Retriever:
    """Search over the tree at `root` with its index in `folder`. Safe to call from several threads."""

    def __init__(self, root: Path, folder: Path) -> None:
        self.root = root
        self.folder = folder
        self._lock = threading.RLock()
        self._index: Index | None = None
        self._snapshot: Snapshot | None = None
        self._taxonomy: tuple[tuple[int, int], Taxonomy] | None = None
        self._vectors: ChunkVectors | None = None
        self._remake_vectors: Callable[[], ChunkVectors] | None = None
        self.reader = DocumentReader(root, lambda: self.index, self._lock)
        self._tree: tuple[int, str] | None = None
        self._checked = 0.0
        self._check_cost = 0.0
        self._checking = False
        self._closed = False

    def close(self) -> None:
        """Release the databases."""
        with self._lock:
            self._closed = True
            if self._index is not None:
                self._index.close()
            self._index = self._snapshot = self._vectors = None

    @property
    def taxonomy(self) -> Taxonomy:
        """The tree's taxonomy, read again when its file changes."""
        with self._lock:
            try:
                state = (self.root / FILE_NAME).stat()
                stamp = (state.st_size, state.st_mtime_ns)
            except OSError:
                stamp = (0, 0)
            if self._taxonomy is None or self._taxonomy[0] != stamp:
                self._taxonomy = (stamp, load_taxonomy(self.root))
            return self._taxonomy[1]

    @property
    def index(self) -> Index:
        """The index, opened when first needed, and made anew when its files were deleted meanwhile."""
        with self._lock:
            if self._index is not None and not self._index.in_place:
                self._forget()
            if self._index is None:
                self._index = Index.open(self.root, self.folder)
            return self._index

    def _forget(self) -> None:
        """Let go of an index whose files are gone; the next use builds it again."""
        _log.warning("the index in %s was deleted; it is built again", self.folder)
        if self._index is not None:
            self._index.close()
        self._index = self._snapshot = self._tree = None
        self._checked = 0.0
        if self._remake_vectors is not None:
            self._vectors = self._remake_vectors()

    def update(self, report: ProgressReport = no_progress) -> Report:
        """Bring the index up to date with the tree now."""
        walked, cost = self._walk()
        with self._lock:
            self._check_cost = cost
            outcome = self.index.update(self.taxonomy, report, walked)
            self._checked = time.monotonic()
            return outcome

    def _walk(self) -> tuple[list[FileState], float]:
        """All files of the tree, and the seconds that the walk took (waiting for locks is not among them).

        KnowledgeError where the tree itself is gone: a stick that was pulled out is no reason to empty the index.
        """
        if not self.root.is_dir():
            raise KnowledgeError("root_missing", path=str(self.root))
        started = time.monotonic()
        return list(walk(self.root)), time.monotonic() - started

    def snapshot(self) -> Snapshot:
        """The current state, after looking whether the tree changed (not at every call: see _RECHECK_S).

        Where walking the tree takes long, that happens beside the question: what is found is compared with its file
        in any case, and a new document is found a moment later.
        """
        with self._lock:
            index = self.index  # first: one that was made anew has to be filled
            pause = max(_RECHECK_S, _RECHECK_FACTOR * self._check_cost)
            if self._checked == 0.0 and not (index.is_built and index.is_large):
                self.update()
            elif time.monotonic() - self._checked > pause:
                self._check_beside() if index.is_large else self.update()
            if self._snapshot is None or self._snapshot.generation != self.index.generation:
                self._snapshot = Snapshot(self.index)
            return self._snapshot

    def _check_beside(self) -> None:
        """Look for changes in another thread; one at a time."""
        if not self._checking:
            self._checking = True
            threading.Thread(target=self._check, name="almanac-fresh", daemon=True).start()

    def _check(self) -> None:
        try:
            walked, cost = self._walk()
            with self._lock:
                if not self._closed:
                    self._check_cost = cost
                    self.index.update(self.taxonomy, walked=walked)
        except (AlmanacError, sqlite3.Error, OSError) as error:
            # Questions go on with the index as it is; the next one that needs the disk says what is wrong with it.
            _log.warning("the tree could not be compared with its index: %s", error)
        finally:
            with self._lock:
                self._checked = time.monotonic()
                self._checking = False

    def status(self) -> Status:
        """Counts for the status line and the doctor."""
        snapshot = self.snapshot()
        with self._lock:
            problems = tuple(self.index.problems())
            embedded = self._vectors.embedded(snapshot) if self._vectors else 0
        return Status(len(snapshot.ids), int(snapshot.alive.sum()), embedded, problems)

    def documents(self) -> list[Listed]:
        """All documents, as fresh as the tree."""
        self.snapshot()
        with self._lock:
            return self.index.documents()

    def tree_digest(self) -> str:
        """SHA-256 over the paths and contents of all readable documents: tells one state of the tree from another."""
        with self._lock:
            generation = self.index.generation
            if self._tree is None or self._tree[0] != generation:
                self._tree = (generation, self.index.digest())
            return self._tree[1]

    def use_embedder(
        self, model: str, dimensions: int, embed_query: EmbedQuery, embed: EmbedPassages | None = None
    ) -> None:
        """Let meaning take part: see `ChunkVectors`."""
        with self._lock:
            self._remake_vectors = lambda: ChunkVectors(self.folder, model, dimensions, embed_query, embed)
            self._vectors = self._remake_vectors()

    def embed_missing(
        self,
        embed: EmbedPassages,
        report: ProgressReport = no_progress,
        stop: Callable[[], bool] = lambda: False,
        batch: int = 8,
    ) -> int:
        """Embed the chunks that have no vector yet; returns how many were. `stop` ends it early, nothing lost."""
        if self._vectors is None:
            return 0
        snapshot = self.snapshot()
        return self._vectors.embed(snapshot, lambda: Reading(self.reader, snapshot), embed, report, stop, batch)

    def adopt_vectors(self, folder: Path) -> int:
        """Take over the vectors that another index made for the same words; returns how many."""
        return 0 if self._vectors is None else self._vectors.adopt(self.snapshot(), folder)

    def chunks(self) -> int:
        """How many pieces of text want a vector."""
        snapshot = self.snapshot()
        return int(snapshot.alive[snapshot.section_of_chunk].sum())

    def find(self, question: str, top: int = 10, limits: Filter | None = None) -> list[Found]:
        """The sections that may answer `question`, best first; every one is as its file is now."""
        query = parse_query(question, limits or Filter(on=datetime.date.today()))
        found: list[Found] = []
        for _ in range(_ATTEMPTS):
            snapshot = self.snapshot()
            reading = Reading(self.reader, snapshot)
            found = self._find(snapshot, reading, query, top)
            if not reading.stale and not reading.outdated:
                return found
            with self._lock:
                changed = self.index.refresh(reading.stale, self.taxonomy) if reading.stale else False
                if not changed and not reading.outdated:
                    return found
                self._snapshot = None
        return found

    def find_documents(self, question: str, top: int, limits: Filter | None = None) -> list[Found]:
        """The best section of each of the `top` best documents, without those that are not worth showing."""
        best: dict[str, Found] = {}
        for item in self.find(question, max(top, 1) * _SECTIONS_PER_DOCUMENT + _SECTIONS_MORE, limits):
            if item.confidence >= NOTHING:
                best.setdefault(item.path, item)
        return list(best.values())[: max(top, 0)]

    def _find(self, snapshot: Snapshot, reading: Reading, query: Query, top: int) -> list[Found]:
        """The sections that stand as indexed and pass the limits, after a closer look at the first ones."""
        terms = question_terms(query.text)
        if not terms:
            return []
        passed = self._passed(snapshot, query.limits)
        meaning = self.meaning(snapshot, query.text, passed)
        limits = query.limits
        # Of these limits only the text can tell: so more candidates may have to be read.
        narrow = bool(limits.tags or limits.phrases or limits.exclude_terms)
        pool = _NARROW_POOL if narrow else _POOL
        candidates = ranking.rank(snapshot, terms, passed, meaning, pool, language_of(query.text))
        known = {term: snapshot.term(term).idf for term in terms if snapshot.term(term).count}
        kinds = asked_kinds(query.text)
        found: list[Found] = []
        for candidate in candidates:
            if len(found) >= max(top, _LOOKED_AT):
                break
            read = reading.section(candidate.section)
            if read is None or not passes(*read, query.limits):
                continue
            close = closer.look(read[1], known, kinds) if len(found) < _LOOKED_AT else closer.FAR
            found.append(Found(*read, ranking.closer_voices(candidate, close), 0.0, close.value))
        found.sort(key=lambda item: -item.voices.score)
        familiar = familiarity(snapshot, terms)
        return [
            replace(item, confidence=confidence(item.voices, lead(found, item), familiar, meaning=meaning is not None))
            for item in found[: max(top, 0)]
        ]

    def _passed(self, snapshot: Snapshot, limits: Filter) -> Flags:
        """The sections that pass what the index knows of the limits: all but tags and the places of words exactly."""
        passed = snapshot.allowed(replace(limits, tags=(), phrases=(), exclude_terms=()))
        for phrase in limits.phrases:
            for term in dict.fromkeys(terms_of(" ".join(phrase.split()))):
                holding = np.zeros(len(passed), bool)
                holding[snapshot.sections_with(term)] = True
                rows = snapshot.documents_with("k", term)
                passed = passed & (holding | np.isin(snapshot.document_of, rows))
        for tag in limits.tags:
            for term in dict.fromkeys(terms_of(tag)):
                passed = passed & np.isin(snapshot.document_of, snapshot.documents_with("k", term))
        return passed

    def meaning(self, snapshot: Snapshot, text: str, passed: Flags) -> Meaning | None:
        """The embedder's voice on `text`, for sections that `passed`; None without an embedder or vectors."""
        if self._vectors is None or not text.strip():
            return None
        return self._vectors.meaning(snapshot, text, passed)

    def similarities(self, question: str) -> Callable[[list[str]], list[float]] | None:
        """A function that gives the cosines of texts with `question`; None without an embedder."""
        return None if self._vectors is None else self._vectors.similarities(question)

    def term_weights(self, terms: list[str]) -> dict[str, float]:
        """How rare each term is in the text of the tree: 0..1, 1 for a term that stands nowhere."""
        snapshot = self.snapshot()
        unknown = snapshot.idf(0)
        return {term: snapshot.term(term).idf / unknown for term in terms}


def familiarity(snapshot: Snapshot, terms: list[str]) -> float:
    """How much of a question (by idf) the tree knows at all."""
    known = [snapshot.term(term) for term in terms]
    return sum(term.idf for term in known if term.count) / max(sum(term.idf for term in known), 1e-9)


def lead(found: list[Found], item: Found) -> float:
    """How far the score of `item` lies above the best of another document."""
    others = (other.voices.score for other in found if other.path != item.path)
    return item.voices.score - max(others, default=0.0)
