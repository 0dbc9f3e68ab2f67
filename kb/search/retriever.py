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
from kb.search import ranking
from kb.search.building import embedded_text
from kb.search.index import Index, Listed, Report
from kb.search.postings import Floats, Ints
from kb.search.query import parse_query
from kb.search.ranking import Candidate, Meaning, Voices, Weights
from kb.search.reading import DocumentReader, Reading, passes
from kb.search.sections import Section
from kb.search.snapshot import Filter, Flags, Snapshot
from kb.search.tokens import question_terms
from kb.search.vectors import VectorStore
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
        self._places: tuple[int, Ints] | None = None
        self._reader = DocumentReader(root, lambda: self.index, self._lock)
        self._checked = 0.0
        self._check_cost = 0.0

    def close(self) -> None:
        """Release the databases."""
        with self._lock:
            if self._index is not None:
                self._index.close()
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
        """Embed the sections that have no vector yet; returns how many were. `stop` ends it early, nothing lost.

        The first sections of all documents come first, so that half the work already helps every document.
        """
        if self._vectors is None or not self._vectors.writable:
            return 0
        snapshot = self.snapshot()
        with self._lock:
            missing = np.flatnonzero((self._section_places(snapshot) < 0) & snapshot.alive)
        missing = missing[np.argsort(missing - snapshot.first[snapshot.document_of[missing]], kind="stable")]
        digests = snapshot.text_keys()
        done = 0
        for start in range(0, len(missing), batch):
            if stop():
                break
            report("embed", start, len(missing))
            numbers, texts = self._to_embed(snapshot, missing[start : start + batch])
            if numbers:
                vectors = embed(texts)
                with self._lock:
                    self._vectors.append(digests[numbers], vectors)
                    self._places = None
                done += len(numbers)
        report("embed", len(missing), len(missing))
        return done

    def _to_embed(self, snapshot: Snapshot, chosen: Ints) -> tuple[list[int], list[str]]:
        """Those of the `chosen` sections whose files are as indexed, and what the embedder reads for each."""
        numbers: list[int] = []
        texts: list[str] = []
        reading = Reading(self._reader, snapshot)
        for number in chosen.tolist():
            read = reading.section(number)
            if read is not None:
                parsed, section = read
                numbers.append(number)
                texts.append(embedded_text(parsed.facts.title, section.trail, section.text))
        return numbers, texts

    def _section_places(self, snapshot: Snapshot) -> Ints:
        """For each section of `snapshot` the row of its vector, -1 without one."""
        assert self._vectors is not None
        if self._places is None or self._places[0] != snapshot.generation:
            self._places = (snapshot.generation, self._vectors.places(snapshot.text_keys()))
            self._vectors.prepare()
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
            reading = Reading(self._reader, snapshot)
            found = self._found(reading, candidates, query.limits, top)
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
        return {term: snapshot.term(term).idf / unknown for term in terms}

    def _rank(self, snapshot: Snapshot, text: str, limits: Filter) -> list[Candidate]:
        terms = question_terms(text)
        passed = snapshot.allowed(limits)
        if not terms:
            return []
        return ranking.rank(snapshot, terms, passed, self.meaning(snapshot, text, passed), _POOL, self.weights)

    def meaning(self, snapshot: Snapshot, text: str, passed: Flags) -> Meaning | None:
        """The embedder's voice on `text`, for sections that `passed`; None without an embedder."""
        vectors = self._vectors
        if self._embed_query is None or vectors is None or not text.strip():
            return None
        query = self._vector(text)
        with self._lock:
            places = self._section_places(snapshot)
        allowed = np.where(passed, places, -1)
        return Meaning(
            lambda count: vectors.nearest(allowed, query, count),
            lambda sections: vectors.cosines(places[sections], query),
        )

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

    def _found(self, reading: Reading, candidates: list[Candidate], limits: Filter, top: int) -> list[Found]:
        """The candidates that stand as indexed and pass the limits, at most `top`."""
        found: list[Found] = []
        for candidate in candidates:
            if len(found) >= top:
                break
            read = reading.section(candidate.section)
            if read is not None and passes(read[0], read[1], limits):
                found.append(Found(read[0], read[1], candidate.voices, self.confidence(candidate.voices)))
        return found

    def confidence(self, voices: Voices) -> float:
        """How likely a section with these voices is the right one, 0..1 (logistic curve, see Weights)."""
        weights = self.weights
        value = (
            weights.curve_offset
            + weights.curve_text * (voices.text + 0.3 * voices.keywords + 0.2 * voices.path)
            + weights.curve_meaning * (voices.meaning - 0.5)
        )
        return float(1.0 / (1.0 + np.exp(-value)))
