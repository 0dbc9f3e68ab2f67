"""Hybrid retrieval over one knowledge tree, always as fresh as the tree itself."""

from __future__ import annotations

import datetime
import logging
import re
import threading
from collections.abc import Callable, Iterable, Sequence
from dataclasses import dataclass, replace
from pathlib import Path

import numpy as np

from kb.config import ProgressReport, no_progress
from kb.search import closer, confidence, ranking
from kb.search.abroad import Abroad, rarity
from kb.search.dictionary import Dictionary
from kb.search.embedding import ChunkVectors, EmbedPassages, EmbedQuery
from kb.search.index import Report
from kb.search.keyness import Keyness, Pieces, keyness, question_words
from kb.search.listing import Listed
from kb.search.live import LiveIndex
from kb.search.numbers import Value
from kb.search.query import Query, parse_query
from kb.search.ranking import Meaning, Question, Voices
from kb.search.reading import DocumentReader, Reading, passes
from kb.search.sections import Section
from kb.search.snapshot import Filter, Flags, Snapshot
from kb.search.synonyms import synonyms
from kb.search.tokens import question_terms
from kb.search.tokens import terms as terms_of
from kb.search.translation import Translation, translate
from kb.tree.document import Parsed, Problem, language_of
from kb.tree.taxonomy import Taxonomy

_log = logging.getLogger(__name__)

_POOL = 60
_NARROW_POOL = 2_000
_ATTEMPTS = 4
# How many of the best sections are read closely.
_LOOKED_AT = 10
# How many sections are found for each document wanted; one long document can fill the first places with its own.
_SECTIONS_PER_DOCUMENT = 4
_SECTIONS_MORE = 20
_NO_WORD = re.compile(r"[\W_]+")


@dataclass(frozen=True, slots=True)
class Found:
    """A section that may answer the question, with the document it stands in and why it was chosen.

    `value` is the quantity in it that a question for a number asks for, as it is written; `passage` the sentence that
    holds most of the question, a table row below its header ('' where nobody looked); `foreign` says that the section
    was weighed as one in the other language than the question.
    """

    document: Parsed
    section: Section
    voices: Voices
    confidence: float
    value: Value | None = None
    passage: str = ""
    foreign: bool = False

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
        self._live = LiveIndex(root, folder, self._lock, self._renew_vectors)
        self._vectors: ChunkVectors | None = None
        self._remake_vectors: Callable[[], ChunkVectors] | None = None
        self._dictionary: Dictionary | None = None
        self._pieces: Pieces | None = None
        self.reader = DocumentReader(root, lambda: self._live.index, self._lock)
        self._tree: tuple[int, str] | None = None

    def close(self) -> None:
        """Release the databases."""
        self._live.close()
        self._vectors = None

    @property
    def taxonomy(self) -> Taxonomy:
        """The tree's taxonomy, read again when its file changes."""
        return self._live.taxonomy

    def _renew_vectors(self) -> None:
        """Begin again with the vectors of an index that was made anew."""
        self._tree = None
        if self._remake_vectors is not None:
            self._vectors = self._remake_vectors()

    def update(self, report: ProgressReport = no_progress) -> Report:
        """Bring the index up to date with the tree now; questions of other threads go on meanwhile."""
        return self._live.whole(lambda: self._live.update(report))

    def snapshot(self) -> Snapshot:
        """The current state of the index: see `LiveIndex.snapshot`."""
        return self._live.whole(self._live.snapshot)

    def status(self) -> Status:
        """Counts for the status line and the doctor."""
        return self._live.whole(self._status)

    def _status(self) -> Status:
        snapshot = self.snapshot()
        with self._lock:
            problems = tuple(self._live.index.problems())
            embedded = self._vectors.embedded(snapshot) if self._vectors else 0
        return Status(len(snapshot.ids), int(snapshot.alive.sum()), embedded, problems)

    def documents(self) -> list[Listed]:
        """All documents, as fresh as the tree."""

        def listed() -> list[Listed]:
            self.snapshot()
            with self._lock:
                return self._live.index.documents()

        return self._live.whole(listed)

    def tree_digest(self) -> str:
        """SHA-256 over the paths and contents of all readable documents: tells one state of the tree from another."""
        with self._lock:
            generation = self._live.index.generation
            if self._tree is None or self._tree[0] != generation:
                self._tree = (generation, self._live.index.digest())
            return self._tree[1]

    def use_dictionary(self, dictionary: Dictionary) -> None:
        """Let the words of a question find documents in the other language."""
        self._dictionary = dictionary

    def use_vocabulary(self, pieces: Pieces) -> None:
        """Let `keyness` tell how common the words of a question are in the language."""
        self._pieces = pieces

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

        def made() -> int:
            if self._vectors is None:
                return 0
            snapshot = self.snapshot()
            return self._vectors.embed(snapshot, lambda: Reading(self.reader, snapshot), embed, report, stop, batch)

        return self._live.whole(made)

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
        return self._fresh(lambda snapshot, reading: self._find(snapshot, reading, query, top))

    def find_documents(self, question: str, top: int, limits: Filter | None = None) -> list[Found]:
        """The best section of each of the `top` best documents, without those that are not worth showing.

        Where `question` sets limits and says nothing else (`path:pump`), the documents that pass them, by path.
        """
        given = limits or Filter(on=datetime.date.today())
        query = parse_query(question, given)
        if not query.text and query.limits != given:
            return self._fresh(lambda snapshot, reading: self._passing(snapshot, reading, query.limits, top))
        best: dict[str, Found] = {}
        for item in self.find(question, max(top, 1) * _SECTIONS_PER_DOCUMENT + _SECTIONS_MORE, given):
            if item.confidence >= confidence.NOTHING:
                best.setdefault(item.path, item)
        return list(best.values())[: max(top, 0)]

    def _fresh(self, search: Callable[[Snapshot, Reading], list[Found]]) -> list[Found]:
        """What `search` finds, in a whole index in which every file that it read is as indexed."""
        return self._live.whole(lambda: self._fresh_now(search))

    def _fresh_now(self, search: Callable[[Snapshot, Reading], list[Found]]) -> list[Found]:
        found: list[Found] = []
        for _ in range(_ATTEMPTS):
            snapshot = self.snapshot()
            reading = Reading(self.reader, snapshot)
            found = search(snapshot, reading)
            if not reading.stale and not reading.outdated:
                return found
            if not reading.outdated and not self._live.mend(reading.stale):
                return found
        return found

    def _passing(self, snapshot: Snapshot, reading: Reading, limits: Filter, top: int) -> list[Found]:
        """The beginnings of the documents that pass `limits`, by path."""
        passed = self._passed(snapshot, limits)
        rows = [row for row in np.flatnonzero(snapshot.size).tolist() if passed[snapshot.first[row]]]
        found: list[Found] = []
        for row in sorted(rows, key=snapshot.paths.__getitem__)[:_NARROW_POOL]:
            if len(found) >= top:
                break
            read = reading.section(int(snapshot.first[row]))
            if read is not None and passes(*read, limits):
                found.append(Found(*read, ranking.SILENT, 1.0))
        return found

    def _find(self, snapshot: Snapshot, reading: Reading, query: Query, top: int) -> list[Found]:
        """The sections that stand as indexed and pass the limits, after a closer look at the first ones."""
        question = self.question(snapshot, query.text)
        if not question.known:
            return []
        passed = self._passed(snapshot, query.limits)
        meaning = self.meaning(snapshot, query.text, passed)
        limits = query.limits
        # Of these limits only the text can tell: so more candidates may have to be read.
        narrow = bool(limits.tags or limits.phrases or limits.exclude_terms)
        pool = _NARROW_POOL if narrow else _POOL
        candidates = ranking.rank(snapshot, question, passed, meaning, pool)
        wanted = closer.Wanted.of(query.text, question.known)
        abroad = question.abroad and wanted.translated(question.abroad.translation, question.abroad.known)
        found: list[Found] = []
        for candidate in candidates:
            if len(found) >= max(top, _LOOKED_AT):
                break
            read = reading.section(candidate.section)
            if read is None or not passes(*read, query.limits):
                continue
            close = closer.FAR
            if len(found) < _LOOKED_AT:
                close = closer.look(read[0].facts.title, read[1], abroad if abroad and candidate.foreign else wanted)
            voices = ranking.closer_voices(candidate, close)
            found.append(Found(*read, voices, 0.0, close.value, close.passage, candidate.foreign))
        found.sort(key=lambda item: -item.voices.score)
        curves = {foreign: confidence.CURVES[meaning is not None, foreign] for foreign in (False, True)}
        familiar = familiarity(question)
        inputs = [(item, confidence.inputs(item.voices, lead(found, item), familiar)) for item in found[: max(top, 0)]]
        return [replace(item, confidence=curves[item.foreign].chance(row)) for item, row in inputs]

    def question(self, snapshot: Snapshot, text: str) -> Question:
        """`text` before `snapshot`: its terms and, where there is a dictionary, its words in the other language."""
        lang, known = language_of(text), snapshot.known(question_terms(text))
        if self._dictionary is None or snapshot.spoken(lang).all():
            return Question(lang, known)
        return Question(lang, known, Abroad(snapshot, translate(text, lang, self._dictionary)))

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

    def saying(self, quotes: Sequence[tuple[str, str]], limits: Filter) -> list[bool]:
        """For each path with words whether the tree has that document, it passes `limits`, and says these words now.

        Letters and digits are compared alone, since words are quoted without their markup.
        """
        snapshot = self.snapshot()
        wanted = {path for path, _ in quotes}
        rows = {path: row for row, path in enumerate(snapshot.paths) if path in wanted}
        allowed = snapshot.documents_allowed(limits)
        reading = Reading(self.reader, snapshot)
        texts = {}
        for path, row in rows.items():
            if allowed[row] and snapshot.size[row]:
                read = reading.section(int(snapshot.first[row]))
                texts[path] = _NO_WORD.sub("", read[0].text) if read else ""
        return [_NO_WORD.sub("", words) in texts.get(path, "") for path, words in quotes]

    def meaning(self, snapshot: Snapshot, text: str, passed: Flags) -> Meaning | None:
        """The embedder's voice on `text`, for sections that `passed`; None without an embedder or vectors."""
        if self._vectors is None or not text.strip():
            return None
        return self._vectors.meaning(snapshot, text, passed)

    def similarities(self, question: str) -> Callable[[list[str]], list[float]] | None:
        """A function that gives the cosines of texts with `question`; None without an embedder."""
        return None if self._vectors is None else self._vectors.similarities(question)

    def translated(self, question: str) -> tuple[Translation, dict[str, float]] | None:
        """`question` in the other language, and how rare each of its words is there, 0..1, 1 for one that no section
        tells; None without a dictionary, or where all documents are in the question's language."""
        snapshot = self.snapshot()
        abroad = self.question(snapshot, question).abroad
        if abroad is None:
            return None
        unknown = snapshot.idf(0)
        words = abroad.translation.words
        rare = {word.said: rarity(word, abroad.known) / unknown if word.ways else 1.0 for word in words}
        return abroad.translation, rare

    def synonyms(self, question: str) -> dict[str, frozenset[str]]:
        """The words of `question` with others that mean the same; none without a dictionary."""
        return synonyms(question, language_of(question), self._dictionary) if self._dictionary is not None else {}

    def keyness(self, question: str) -> Keyness | None:
        """How much more the words of `question` are used in the documents of its language than in the language; None
        without a vocabulary, or where no document is in that language."""
        if self._pieces is None:
            return None
        snapshot = self.snapshot()
        sections = snapshot.sections_in(language_of(question))
        if not sections:
            return None
        return keyness(question_words(question, self._pieces), lambda term: snapshot.term(term).count, sections)

    def term_weights(self, terms: Iterable[str]) -> dict[str, float]:
        """How rare each term is in the text of the tree: 0..1, 1 for a term that stands nowhere."""
        snapshot = self.snapshot()
        unknown = snapshot.idf(0)
        return {term: snapshot.term(term).idf / unknown for term in terms}


def familiarity(question: Question) -> float:
    """How much of a question (by idf) the tree knows at all, in the one language or the other."""
    terms = question.known.values()
    own = sum(term.idf for term in terms if term.count) / max(sum(term.idf for term in terms), 1e-9)
    return max(own, question.abroad.familiar if question.abroad else 0.0)


def lead(found: list[Found], item: Found) -> float:
    """How far the score of `item` lies above the best of another document."""
    others = (other.voices.score for other in found if other.path != item.path)
    return item.voices.score - max(others, default=0.0)
