"""The index as arrays in memory: what one query works on, from one committed state."""

from __future__ import annotations

import datetime
import functools
import math
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, replace

import numpy as np
import numpy.typing as npt

from kb.search.index import Index
from kb.search.keys import Keys, fact_keys, term_keys
from kb.search.postings import Ints, Posted, Segment, lengths_of

Flags = npt.NDArray[np.bool_]
_COLUMNS = np.dtype(
    [(name, np.int64) for name in ("id", "valid_from", "valid_to", "updated")]
    + [(name, np.int32) for name in ("segment", "ordinal", "released", "lang", "type")]
)
# Terms of earlier questions that are kept.
_TERMS_KEPT = 4096


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
    """A term of the question in this snapshot: its key, how many sections hold it, its idf, and where (by segment)."""

    key: int
    count: int
    idf: float
    posted: tuple[tuple[int, Posted], ...]


class _Codes(dict[str, int]):
    """A number for each name, in the order in which they are met."""

    def __missing__(self, name: str) -> int:
        return self.setdefault(name, len(self))


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
        self.paths: list[str] = []
        self._lang_codes, self._type_codes = _Codes(), _Codes()
        # Row by row into arrays: as Python objects the columns of many documents would be most of an open index.
        columns = np.fromiter(self._rows(index), _COLUMNS)
        self.ids, self.valid_from, self.valid_to, self.updated = (
            np.ascontiguousarray(columns[name]) for name in ("id", "valid_from", "valid_to", "updated")
        )
        self.released = columns["released"].astype(bool)
        self._langs, self._types = columns["lang"].copy(), columns["type"].copy()
        owner, ordinal = columns["segment"], columns["ordinal"]
        named = index.connection.execute("SELECT id, name FROM segments ORDER BY id").fetchall()
        self.segments = [Segment.open(index.folder / name) for _, name in named]
        self.bases: list[int] = np.cumsum([0, *(segment.sections for segment in self.segments)]).tolist()
        self.document_of = np.full(self.bases[-1], -1, np.int32)
        self.first = np.zeros(len(columns), np.int64)
        self.size = np.zeros(len(columns), np.int64)
        self._rows_of: list[npt.NDArray[np.int32]] = []
        for (identifier, _), base, segment in zip(named, self.bases, self.segments, strict=False):
            mine = np.flatnonzero(owner == identifier)
            row_of = np.full(segment.documents, -1, np.int32)
            row_of[ordinal[mine]] = mine
            starts = segment.first.astype(np.int64)
            sizes = segment.sizes
            self.document_of[base : base + segment.sections] = np.repeat(row_of, sizes)
            self.first[mine] = starts[ordinal[mine]] + base
            self.size[mine] = sizes[ordinal[mine]]
            self._rows_of.append(row_of)
        self.alive: Flags = self.document_of >= 0
        self.living = max(int(self.alive.sum()), 1)
        self._terms: dict[str, Term] = {}
        self._allowed: dict[Filter, Flags] = {}

    def _rows(self, index: Index) -> Iterator[tuple[int, ...]]:
        """The columns of each document; paths are kept on the way, languages and types are counted through."""
        keep, langs, types = self.paths.append, self._lang_codes, self._type_codes
        for path, lang, kind, identifier, start, end, updated, segment, ordinal, released in index.connection.execute(
            "SELECT path, lang, type, id, valid_from, valid_to, updated, segment, ordinal, status='released'"
            " FROM documents"
        ):
            keep(path)
            yield identifier, start, end, updated, segment, ordinal, released, langs[lang], types[kind]

    @functools.cached_property
    def chunks_of(self) -> Ints:
        """How many chunks each section has."""
        counts = [lengths_of(segment.first_chunks) for segment in self.segments]
        return np.concatenate([np.zeros(0, np.int64), *counts])

    @functools.cached_property
    def first_chunk(self) -> Ints:
        """The first chunk of each section."""
        return np.cumsum(self.chunks_of) - self.chunks_of

    @functools.cached_property
    def section_of_chunk(self) -> npt.NDArray[np.int32]:
        """The section that each chunk belongs to."""
        return np.repeat(np.arange(self.sections, dtype=np.int32), self.chunks_of)

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

    def terms(self, wanted: Sequence[str]) -> list[Term]:
        """Where each of the `wanted` terms stands in the text of sections."""
        if len(self._terms) > _TERMS_KEPT:
            self._terms.clear()
        missing = [term for term in dict.fromkeys(wanted) if term not in self._terms]
        held: list[list[tuple[int, Posted]]] = [[] for _ in missing]
        keys = term_keys(missing)
        for base, segment in zip(self.bases, self.segments, strict=False):
            for number, posted in segment.posted(keys):
                held[number].append((base, posted))
        for term, key, found in zip(missing, keys.tolist(), held, strict=True):
            count = sum(self._held(base, posted) for base, posted in found)
            self._terms[term] = Term(key, count, self.idf(count), tuple(found))
        return [self._terms[term] for term in wanted]

    def _held(self, base: int, posted: Posted) -> int:
        """How many living sections hold a term in the segment from `base` on: an edit must not make words commoner."""
        alive = self.alive[base : base + posted.size]
        if alive.all():
            return posted.count
        holding = posted.impacts > 0 if posted.sections is None else posted.sections
        return int(np.count_nonzero(alive[holding]))

    def term(self, term: str) -> Term:
        """Where `term` stands in the text of sections."""
        return self.terms((term,))[0]

    def known(self, asked: Mapping[str, float]) -> dict[str, Term]:
        """The terms of a question, each idf times what the term counts in it."""
        found = zip(asked.items(), self.terms(list(asked)), strict=True)
        return {
            term: known if weight == 1.0 else replace(known, idf=known.idf * weight) for (term, weight), known in found
        }

    def sections_with(self, term: str) -> Ints:
        """The living sections whose text holds `term`."""
        return self.standing(self.term(term))

    def standing(self, term: Term) -> Ints:
        """The living sections in which `term` stands."""
        listed = [posted.listed()[0] + base for base, posted in term.posted]
        found = np.concatenate(listed) if listed else np.zeros(0, np.int64)
        return found[self.alive[found]]

    def holders(self, keys: Keys) -> tuple[Ints, Ints]:
        """The rows of living documents whose own words include one of these (fact keys), and before them which."""
        places, rows = [np.zeros(0, np.int64)], [np.zeros(0, np.int32)]
        for row_of, segment in zip(self._rows_of, self.segments, strict=True):
            found, holders = segment.holding(keys)
            places.append(found)
            rows.append(row_of[holders])
        which, living = np.concatenate(places), np.concatenate(rows)
        kept = living >= 0
        return which[kept], living[kept].astype(np.int64)

    def documents_with(self, field: str, term: str) -> Ints:
        """The rows of living documents whose own words of `field` (k or p) include `term`."""
        return self.holders(fact_keys(field, term_keys((term,))))[1]

    def spoken(self, lang: str) -> Flags:
        """For each document whether it is in the language `lang`."""
        same: Flags = self._langs == self._lang_codes.get(lang, -1)
        return same

    def sections_in(self, lang: str) -> int:
        """How many living sections are of documents in the language `lang`."""
        return int(np.count_nonzero(self.spoken(lang)[self.document_of[self.alive]]))

    def idf(self, holders: int) -> float:
        """Inverse document frequency with the +1 inside the logarithm (never negative)."""
        count = min(holders, self.living)
        return math.log(1.0 + (self.living - count + 0.5) / (count + 0.5))

    def documents_allowed(self, limits: Filter) -> Flags:
        """For each document whether it passes the hard limits."""
        documents = np.ones(len(self.ids), bool)
        if limits.released_only:
            documents &= self.released
        if limits.on is not None:
            day = limits.on.toordinal()
            documents &= (self.valid_from <= day) & (day <= self.valid_to)
        if limits.lang:
            documents &= self.spoken(limits.lang)
        if limits.type:
            documents &= self._types == self._type_codes.get(limits.type, -1)
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
