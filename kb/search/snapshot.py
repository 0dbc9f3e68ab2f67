"""The index as arrays in memory: what one query works on, from one committed state."""

from __future__ import annotations

import datetime
from dataclasses import dataclass

import numpy as np
import numpy.typing as npt

from kb.search.index import Index
from kb.search.postings import Floats, Segment, term_hash

Ints = npt.NDArray[np.int64]
Flags = npt.NDArray[np.bool_]

# BM25 parameters as in Robertson & Zaragoza (2009), section 3.5, the usual defaults.
K1 = 1.2
B = 0.75


@dataclass(frozen=True, slots=True)
class Filter:
    """Hard limits on what may be found. `on` is the day of validity; None takes expired and future ones too."""

    on: datetime.date | None
    domain: str | None = None
    lang: str | None = None
    type: str | None = None
    released_only: bool = True
    exclude_terms: tuple[str, ...] = ()
    path_words: tuple[str, ...] = ()
    tags: tuple[str, ...] = ()
    before: datetime.date | None = None
    phrases: tuple[str, ...] = ()


class Snapshot:
    """Segments and columns of one index generation.

    Sections are numbered 0..n-1 across the segments; `document_of[s]` is the row of a section's document in the
    columns `ids`, `paths`, `valid_from`, `valid_to`, `released`, ...; -1 marks a section that no longer counts.
    """

    def __init__(self, index: Index) -> None:
        connection = index.connection
        connection.execute("BEGIN")
        try:
            self._read(index)
        finally:
            connection.execute("COMMIT")

    def _read(self, index: Index) -> None:
        """Read all columns in one transaction, so that another process's commit cannot mix two states."""
        connection = index.connection
        self.generation = index.generation
        rows = connection.execute(
            "SELECT id, path, valid_from, valid_to, status, lang, type, updated FROM documents ORDER BY id"
        ).fetchall()
        self.ids = np.array([row[0] for row in rows], np.int64)
        self.paths = [str(row[1]) for row in rows]
        self.valid_from = np.array([row[2] for row in rows], np.int64)
        self.valid_to = np.array([row[3] for row in rows], np.int64)
        self.released = np.array([row[4] == "released" for row in rows], bool)
        self.langs = np.array([row[5] for row in rows], object)
        self.types = np.array([row[6] for row in rows], object)
        self.updated = np.array([row[7] for row in rows], np.int64)
        names = connection.execute("SELECT name, number FROM segments ORDER BY rowid").fetchall()
        self.names = [str(row[0]) for row in names]
        self.bases = np.concatenate(([0], np.cumsum([row[1] for row in names]))).astype(np.int64)
        self.segments = [Segment.open(index.folder / name) for name in self.names]
        count = int(self.bases[-1])
        self.document_of = np.full(count, -1, np.int64)
        base_of = dict(zip(self.names, self.bases.tolist(), strict=False))
        entries = connection.execute("SELECT segment, number, document FROM sections").fetchall()
        places = np.array([base_of[name] + number for name, number, _ in entries], np.int64)
        owners = np.array([document for _, _, document in entries], np.int64)
        if len(entries):
            self.document_of[places] = np.searchsorted(self.ids, owners)
        self.alive: Flags = self.document_of >= 0
        lengths = (
            np.concatenate([segment.lengths for segment in self.segments])
            if self.segments
            else np.zeros(0, np.uint32)
        )
        mean = float(lengths[self.alive].mean()) if self.alive.any() else 1.0
        self.norms: Floats = (K1 * (1 - B + B * lengths / max(mean, 1.0))).astype(np.float32)
        self.living = max(int(self.alive.sum()), 1)

    @property
    def sections(self) -> int:
        """Number of sections, dropped ones included: the length of every score array."""
        return len(self.document_of)

    def locate(self, section: int) -> tuple[str, int]:
        """The segment name and number there of a section."""
        segment = int(np.searchsorted(self.bases, section, side="right")) - 1
        return self.names[segment], section - int(self.bases[segment])

    def matches(self, field: str, term: str) -> tuple[Ints, Floats]:
        """The living sections that hold `term` in `field`, with its frequency in each."""
        key = term_hash(field, term)
        found: list[Ints] = []
        counts: list[Floats] = []
        for base, segment in zip(self.bases.tolist(), self.segments, strict=False):
            sections, frequencies = segment.lookup(key)
            if len(sections):
                found.append(sections.astype(np.int64) + base)
                counts.append(frequencies.astype(np.float32))
        if not found:
            return np.zeros(0, np.int64), np.zeros(0, np.float32)
        places, frequency = np.concatenate(found), np.concatenate(counts)
        living = self.alive[places]
        return places[living], frequency[living]

    def idf(self, holders: int) -> float:
        """Inverse document frequency with the +1 inside the logarithm (never negative)."""
        return float(np.log(1.0 + (self.living - holders + 0.5) / (holders + 0.5)))

    def allowed(self, limits: Filter) -> Flags:
        """For each section whether its document passes the hard limits."""
        documents = np.ones(len(self.ids), bool)
        if limits.released_only:
            documents &= self.released
        if limits.on is not None:
            day = limits.on.toordinal()
            documents &= (self.valid_from <= day) & (day <= self.valid_to)
        if limits.lang:
            documents &= self.langs == limits.lang
        if limits.type:
            documents &= self.types == limits.type
        if limits.before:
            documents &= (self.updated > 0) & (self.updated < limits.before.toordinal())
        if limits.domain or limits.path_words:
            documents &= np.array([_path_passes(path, limits) for path in self.paths], bool)
        if not len(documents):
            return np.zeros(self.sections, bool)
        passed: Flags = self.alive & documents[self.document_of]
        return passed


def _path_passes(path: str, limits: Filter) -> bool:
    if limits.domain and path.split("/", 1)[0] != limits.domain:
        return False
    return all(word.lower() in path.lower() for word in limits.path_words)
