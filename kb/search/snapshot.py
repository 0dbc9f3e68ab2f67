"""The index as arrays in memory: what one query works on, from one committed state."""

from __future__ import annotations

import datetime
from dataclasses import dataclass

import numpy as np
import numpy.typing as npt

from kb.search.index import Index
from kb.search.keys import fact_key, term_key
from kb.search.postings import Floats, Ints, Posted, Segment

Flags = npt.NDArray[np.bool_]


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


@dataclass(frozen=True, slots=True)
class Term:
    """A term of the question in this snapshot: how many sections hold it, its idf, and where (by segment)."""

    count: int
    idf: float
    posted: tuple[tuple[int, Posted], ...]

    def at(self, wanted: Ints) -> Floats:
        """The term's BM25 weight (0..1, idf left out) in each of the `wanted` sections, which must rise."""
        result = np.zeros(len(wanted), np.float32)
        for base, posted in self.posted:
            low, high = np.searchsorted(wanted, (base, base + posted.span))
            result[low:high] = posted.at(wanted[low:high] - base)
        return result


class Snapshot:
    """Segments and columns of one index generation.

    Sections are numbered 0..n-1 across the segments; `document_of[s]` is the row of a section's document in the
    columns `ids`, `paths`, `valid_from`, `valid_to`, `released`, ...; -1 marks a section that no longer counts.
    A document's sections are `first[row]` .. `first[row] + size[row] - 1`; a section's chunks, numbered likewise, are
    `first_chunk[s]` .. `first_chunk[s] + chunks_of[s] - 1`.
    """

    def __init__(self, index: Index) -> None:
        connection = index.connection
        connection.execute("BEGIN")
        try:
            self._read(index)
        finally:
            if connection.in_transaction:
                connection.execute("COMMIT")

    def _read(self, index: Index) -> None:
        """Read all columns in one transaction, so that another process's commit cannot mix two states."""
        self.generation = index.generation
        rows = index.connection.execute(
            "SELECT id, path, valid_from, valid_to, updated, segment, ordinal, status, lang, type FROM documents"
        ).fetchall()
        columns = list(zip(*rows, strict=True)) if rows else [()] * 10
        self.ids, self.valid_from, self.valid_to, self.updated, owner, ordinal = (
            np.array(columns[place], np.int64) for place in (0, 2, 3, 4, 5, 6)
        )
        self.paths: list[str] = list(columns[1])
        self.released = np.array([status == "released" for status in columns[7]], bool)
        self.langs = np.array(columns[8], object)
        self.types = np.array(columns[9], object)
        named = index.connection.execute("SELECT id, name FROM segments ORDER BY id").fetchall()
        self.segments = [Segment.open(index.folder / name) for _, name in named]
        self.bases = np.cumsum([0, *(segment.sections for segment in self.segments)]).tolist()
        self.document_of = np.full(self.bases[-1], -1, np.int32)
        self.first = np.zeros(len(rows), np.int64)
        self.size = np.zeros(len(rows), np.int64)
        self._rows_of: list[Ints] = []
        for (identifier, _), base, segment in zip(named, self.bases, self.segments, strict=False):
            mine = np.flatnonzero(owner == identifier)
            row_of = np.full(segment.documents, -1, np.int64)
            row_of[ordinal[mine]] = mine
            starts = segment.first.astype(np.int64)
            sizes = segment.sizes
            self.document_of[base : base + segment.sections] = np.repeat(row_of, sizes)
            self.first[mine] = starts[ordinal[mine]] + base
            self.size[mine] = sizes[ordinal[mine]]
            self._rows_of.append(row_of)
        spans = [segment.first_chunks[1:] - segment.first_chunks[:-1] for segment in self.segments]
        self.chunks_of = np.concatenate([np.zeros(0, np.int64), *spans]).astype(np.int64)
        self.first_chunk = np.cumsum(self.chunks_of) - self.chunks_of
        self.section_of_chunk = np.repeat(np.arange(self.sections, dtype=np.int32), self.chunks_of)
        self.alive: Flags = self.document_of >= 0
        self.living = max(int(self.alive.sum()), 1)
        self._terms: dict[str, Term] = {}
        self._allowed: dict[Filter, Flags] = {}

    @property
    def sections(self) -> int:
        """Number of sections, dropped ones included: the length of every score array."""
        return len(self.document_of)

    def ordinal(self, section: int) -> int:
        """Which section of its document it is, from 0."""
        return section - int(self.first[self.document_of[section]])

    def chunk_keys(self) -> npt.NDArray[np.uint64]:
        """The digest of each chunk's words, shape (chunks, 2)."""
        if not self.segments:
            return np.zeros((0, 2), np.uint64)
        return np.concatenate([segment.chunk_keys.reshape(-1, 2) for segment in self.segments])

    def term(self, term: str) -> Term:
        """Where `term` stands in the text of sections."""
        known = self._terms.get(term)
        if known is None:
            key = term_key(term)
            held = tuple(
                (base, posted)
                for base, segment in zip(self.bases, self.segments, strict=False)
                if (posted := segment.posted(key)).count
            )
            count = sum(posted.count for _, posted in held)
            if len(self._terms) > 4096:
                self._terms.clear()
            known = self._terms[term] = Term(count, self.idf(count), held)
        return known

    def sections_with(self, term: str) -> Ints:
        """The living sections whose text holds `term`."""
        listed = [posted.listed()[0] + base for base, posted in self.term(term).posted]
        found = np.concatenate(listed) if listed else np.zeros(0, np.int64)
        return found[self.alive[found]]

    def documents_with(self, field: str, term: str) -> Ints:
        """The rows of living documents whose own words of `field` (k or p) include `term`."""
        key = fact_key(field, term)
        found: list[Ints] = []
        for row_of, segment in zip(self._rows_of, self.segments, strict=True):
            rows = row_of[segment.holding(key)]
            found.append(rows[rows >= 0])
        return np.concatenate(found) if found else np.zeros(0, np.int64)

    def idf(self, holders: int) -> float:
        """Inverse document frequency with the +1 inside the logarithm (never negative)."""
        count = min(holders, self.living)
        return float(np.log(1.0 + (self.living - count + 0.5) / (count + 0.5)))

    def documents_allowed(self, limits: Filter) -> Flags:
        """For each document whether it passes the hard limits."""
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
        return documents

    def allowed(self, limits: Filter) -> Flags:
        """For each section whether its document passes the hard limits. The last answers are kept."""
        known = self._allowed.get(limits)
        if known is None:
            if len(self._allowed) > 8:
                self._allowed.clear()
            passed = self.documents_allowed(limits)[self.document_of] if len(self.ids) else self.alive
            known = self._allowed[limits] = passed & self.alive
        return known


def _path_passes(path: str, limits: Filter) -> bool:
    if limits.domain and path.split("/", 1)[0] != limits.domain:
        return False
    return all(word.lower() in path.lower() for word in limits.path_words)
