"""Hybrid retrieval over one knowledge tree, always as fresh as the tree itself."""

from __future__ import annotations

import datetime
import logging
import threading
import time
from collections.abc import Callable
from dataclasses import dataclass
from pathlib import Path

import numpy as np

from kb.config import ProgressReport, no_progress
from kb.errors import AlmanacError
from kb.search import ranking
from kb.search.index import Index, Listed, Report, embedded_text
from kb.search.normalise import normalise
from kb.search.postings import Floats
from kb.search.query import parse_query
from kb.search.ranking import Candidate, Voices, Weights
from kb.search.sections import Section, sections
from kb.search.snapshot import Filter, Snapshot
from kb.search.tokens import counted, question_terms
from kb.search.vectors import VectorStore
from kb.tree import document
from kb.tree.document import Parsed, Problem
from kb.tree.taxonomy import FILE_NAME, Taxonomy, load_taxonomy

_log = logging.getLogger(__name__)

EmbedQuery = Callable[[str], Floats]
EmbedPassages = Callable[[list[str]], Floats]

# The tree is walked again at most this often, and never for more than a twentieth of the time.
_RECHECK_S = 1.0
_RECHECK_FACTOR = 20
_POOL = 60
_ATTEMPTS = 4
_CUTS_KEPT = 32


@dataclass(frozen=True, slots=True)
class Found:
    """A section that may answer the question, with the document it stands in and why it was chosen."""

    document: Parsed
    section: Section
    voices: Voices
    confidence: float

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

    def __init__(self, root: Path, folder: Path, *, weights: Weights | None = None) -> None:
        self.root = root
        self.folder = folder
        self.weights = weights or Weights()
        self._lock = threading.RLock()
        self._index: Index | None = None
        self._snapshot: Snapshot | None = None
        self._taxonomy: tuple[tuple[int, int], Taxonomy] | None = None
        self._vectors: VectorStore | None = None
        self._embed_query: EmbedQuery | None = None
        self._embed_passages: EmbedPassages | None = None
        self._query_vector: tuple[str, Floats] | None = None
        self._places: tuple[int, np.ndarray] | None = None
        self._cuts: dict[str, tuple[tuple[int, int], _Cut]] = {}
        self._checked = 0.0
        self._check_cost = 0.0

    def close(self) -> None:
        """Release the databases."""
        with self._lock:
            for store in (self._index, self._vectors):
                if store is not None:
                    store.close()
            self._index = self._snapshot = self._vectors = self._places = None

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
        """The index, opened when first needed."""
        with self._lock:
            if self._index is None:
                self._index = Index.open(self.root, self.folder)
            return self._index

    def update(self, report: ProgressReport = no_progress) -> Report:
        """Bring the index up to date with the tree now."""
        with self._lock:
            started = time.monotonic()
            outcome = self.index.update(self.taxonomy, report)
            self._checked = time.monotonic()
            self._check_cost = self._checked - started if not outcome.changed else 0.0
            return outcome

    def snapshot(self) -> Snapshot:
        """The current state, after looking whether the tree changed (not at every call: see _RECHECK_S)."""
        with self._lock:
            pause = max(_RECHECK_S, _RECHECK_FACTOR * self._check_cost)
            if self._checked == 0.0 or time.monotonic() - self._checked > pause:
                self.update()
            if self._snapshot is None or self._snapshot.generation != self.index.generation:
                self._snapshot = Snapshot(self.index)
            return self._snapshot

    def status(self) -> Status:
        """Counts for the status line and the doctor."""
        snapshot = self.snapshot()
        with self._lock:
            problems = tuple(self.index.problems())
            embedded = int((self._section_places(snapshot) >= 0).sum()) if self._vectors else 0
        return Status(len(snapshot.ids), int(snapshot.alive.sum()), embedded, problems)

    def documents(self) -> list[Listed]:
        """All documents, as fresh as the tree."""
        self.snapshot()
        with self._lock:
            return self.index.documents()

    # -- vectors ---------------------------------------------------------------------------------------------

    def use_embedder(
        self, model: str, dimensions: int, embed_query: EmbedQuery, embed: EmbedPassages | None = None
    ) -> None:
        """Let meaning take part: `model` is the embedder's digest, `embed_query` gives a normalised vector.

        With `embed`, the units of evidence are compared with the question too (`similarities`).
        """
        with self._lock:
            self._embed_passages = embed
            self._vectors = VectorStore(self.folder, model, dimensions)
            self._embed_query = embed_query
            self._places = None

    def embed_missing(
        self,
        embed: EmbedPassages,
        report: ProgressReport = no_progress,
        stop: Callable[[], bool] = lambda: False,
        batch: int = 8,
    ) -> int:
        """Embed the sections that have no vector yet; returns how many were. `stop` ends it early, nothing lost."""
        if self._vectors is None or not self._vectors.writable:
            return 0
        snapshot = self.snapshot()
        with self._lock:
            missing = np.flatnonzero((self._section_places(snapshot) < 0) & snapshot.alive)
        done = 0
        for start in range(0, len(missing), batch):
            if stop():
                break
            report("embed", start, len(missing))
            keys, texts = self._to_embed(snapshot, missing[start : start + batch])
            if keys:
                vectors = embed(texts)
                with self._lock:
                    self._vectors.append(keys, vectors)
                    self._places = None
                done += len(keys)
        report("embed", len(missing), len(missing))
        return done

    def _to_embed(self, snapshot: Snapshot, chosen: np.ndarray) -> tuple[list[str], list[str]]:
        keys: list[str] = []
        texts: list[str] = []
        reading = _Reading(self, snapshot)
        for number in chosen.tolist():
            read = reading.section(number)
            if read is not None:
                parsed, section, key = read
                keys.append(key)
                texts.append(embedded_text(parsed.facts.title, section.trail, section.text))
        return keys, texts

    def _section_places(self, snapshot: Snapshot) -> np.ndarray:
        """For each section of `snapshot` the row of its vector, -1 without one."""
        assert self._vectors is not None
        if self._places is None or self._places[0] != snapshot.generation:
            rows = self.index.connection.execute("SELECT segment, number, text_key FROM sections").fetchall()
            base_of = dict(zip(snapshot.names, snapshot.bases.tolist(), strict=False))
            places = np.full(snapshot.sections, -1, np.int64)
            found = self._vectors.places([row[2] for row in rows])
            numbers = np.array([base_of.get(row[0], -snapshot.sections - 1) + row[1] for row in rows], np.int64)
            inside = (numbers >= 0) & (numbers < snapshot.sections)
            places[numbers[inside]] = found[inside]
            self._places = (snapshot.generation, places)
        return self._places[1]

    # -- search ----------------------------------------------------------------------------------------------

    def find(self, question: str, top: int = 10, limits: Filter | None = None) -> list[Found]:
        """The sections that may answer `question`, best first; every one is as its file is now."""
        limits = limits or Filter(on=datetime.date.today())
        query = parse_query(question, limits)
        found: list[Found] = []
        for _ in range(_ATTEMPTS):
            snapshot = self.snapshot()
            candidates = self._rank(snapshot, query.text, query.limits)
            reading = _Reading(self, snapshot)
            found = reading.found(candidates, query.limits, top)
            if not reading.stale and not reading.outdated:
                return found
            with self._lock:
                changed = self.index.refresh(reading.stale, self.taxonomy) if reading.stale else False
                if not changed and not reading.outdated:
                    return found
                self._snapshot = None
        return found

    def term_weights(self, terms: list[str]) -> dict[str, float]:
        """How rare each term is in the text of the tree: 0..1, 1 for a term that stands nowhere."""
        snapshot = self.snapshot()
        unknown = snapshot.idf(0)
        return {term: snapshot.idf(len(snapshot.matches("", term)[0])) / unknown for term in terms}

    def _rank(self, snapshot: Snapshot, text: str, limits: Filter) -> list[Candidate]:
        terms = question_terms(text)
        passed = snapshot.allowed(limits)
        if not terms:
            return []
        cosines = self.cosines(snapshot, text) if self._embed_query is not None and text.strip() else None
        return ranking.rank(snapshot, terms, passed, cosines, _POOL, self.weights)

    def cosines(self, snapshot: Snapshot, text: str) -> Floats:
        """The cosine of `text` with every section of `snapshot`; 0 where there is no vector (yet)."""
        if self._embed_query is None or self._vectors is None:
            return np.zeros(snapshot.sections, np.float32)
        query = self._vector(text)
        with self._lock:
            return self._vectors.cosines(self._section_places(snapshot), query)

    def _vector(self, text: str) -> Floats:
        """The vector of a question; the last one is kept, since search and evidence both want it."""
        assert self._embed_query is not None
        kept = self._query_vector
        if kept is None or kept[0] != text:
            kept = self._query_vector = (text, self._embed_query(text))
        return kept[1]

    def similarities(self, question: str) -> Callable[[list[str]], list[float]] | None:
        """A function that gives the cosines of texts with `question`; None without an embedder."""
        embed = self._embed_passages
        if embed is None or self._embed_query is None:
            return None
        query = self._vector(question)
        return lambda texts: [float(value) for value in embed(texts) @ query]

    def confidence(self, voices: Voices) -> float:
        """How likely a section with these voices is the right one, 0..1 (logistic curve, see Weights)."""
        weights = self.weights
        value = (
            weights.curve_offset
            + weights.curve_text * (voices.text + 0.3 * voices.keywords + 0.2 * voices.path)
            + weights.curve_meaning * (voices.meaning - 0.5)
        )
        return float(1.0 / (1.0 + np.exp(-value)))

    def cut_document(self, path: str, state: tuple[int, int]) -> _Cut:
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
            row = self.index.connection.execute(
                "SELECT size, mtime_ns FROM documents WHERE path=?", (path,)
            ).fetchone()
        return (int(row[0]), int(row[1])) if row else None

    def section_row(self, snapshot: Snapshot, number: int) -> tuple[int, int, str] | None:
        """First line, last line and text key of a section; None when the index moved on meanwhile."""
        name, local = snapshot.locate(number)
        with self._lock:
            row = self.index.connection.execute(
                "SELECT start, finish, text_key FROM sections WHERE segment=? AND number=?", (name, local)
            ).fetchone()
        return (int(row[0]), int(row[1]), str(row[2])) if row else None


# A document and its sections by their first and last line.
_Cut = tuple[Parsed, dict[tuple[int, int], Section]]


class _Reading:
    """One reading of candidates' files: each file is read and cut into sections once.

    `stale` collects paths whose files are not as indexed; `outdated` says that the index moved on meanwhile.
    """

    def __init__(self, retriever: Retriever, snapshot: Snapshot) -> None:
        self.retriever = retriever
        self.snapshot = snapshot
        self.stale: list[str] = []
        self.outdated = False
        self._documents: dict[int, _Cut | None] = {}

    def found(self, candidates: list[Candidate], limits: Filter, top: int) -> list[Found]:
        """The candidates that stand as indexed and pass the limits, at most `top`."""
        found: list[Found] = []
        for candidate in candidates:
            if len(found) >= top:
                break
            read = self.section(candidate.section)
            if read is not None and _passes(read[0], read[1], limits):
                confidence = self.retriever.confidence(candidate.voices)
                found.append(Found(read[0], read[1], candidate.voices, confidence))
        return found

    def section(self, number: int) -> tuple[Parsed, Section, str] | None:
        """Document, section and text key of a section of the snapshot."""
        read = self._document(int(self.snapshot.document_of[number]))
        if read is None:
            return None
        row = self.retriever.section_row(self.snapshot, number)
        section = read[1].get(row[:2]) if row is not None else None
        if row is None or section is None:
            self.outdated = True
            return None
        return read[0], section, row[2]

    def _document(self, row: int) -> _Cut | None:
        if row not in self._documents:
            self._documents[row] = self._current(self.snapshot.paths[row])
        return self._documents[row]

    def _current(self, path: str) -> _Cut | None:
        """The document and its sections, when its file is as it was indexed."""
        root = self.retriever.root
        try:
            found = (root / path).stat()
            state = (found.st_size, found.st_mtime_ns)
            if self.retriever.state_of(path) == state:
                return self.retriever.cut_document(path, state)
        except (OSError, AlmanacError):
            pass
        self.stale.append(path)
        return None


def document_sections(parsed: Parsed) -> list[Section]:
    """The sections of a document with the file's own line numbers."""
    body = "\n" * (parsed.body_line - 1) + "\n".join(parsed.lines[parsed.body_line - 1 :])
    return sections(body, parsed.body_line, parsed.facts.title)


def _passes(parsed: Parsed, section: Section, limits: Filter) -> bool:
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
