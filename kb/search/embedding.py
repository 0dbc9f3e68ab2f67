"""The vectors of a tree's chunks: making those that are missing, asking those that are there."""

from __future__ import annotations

import functools
import threading
import time
from collections.abc import Callable
from dataclasses import dataclass
from pathlib import Path

import numpy as np

from kb.config import ProgressReport
from kb.search.chunks import chunk_key, chunks
from kb.search.parallel import PAIRS
from kb.search.postings import Floats, Ints
from kb.search.ranking import Meaning, Sense
from kb.search.reading import Reading
from kb.search.signs import Signs
from kb.search.snapshot import Flags, Snapshot
from kb.search.vectors import Digests, VectorStore, products, restored

EmbedQuery = Callable[[str], Floats]
EmbedPassages = Callable[[list[str]], Floats]
# Up to so many vectors are all compared with a question.
EXACT = 8_192
# While vectors are being made, the new ones are looked up at once where that is quick, else for at most a twentieth of
# the time.
_QUICK_S = 0.01
_PAUSE_FACTOR = 20
# How much of the mean of all chunks is taken away from a question that looks into the other language.
_MEAN_TAKEN = 0.7


@dataclass(frozen=True, slots=True)
class Known:
    """The vectors that one generation of the index has: for each chunk its row, -1 without one, in `rows`; `signs` of
    the sections' wholes, None where there are too few for them to pay. `language` is the unit vector from what is said
    in English to the same in Chinese, None while the sentences that tell have no vectors. `size` is the store's,
    `cost_s` what it took."""

    generation: int
    size: int
    rows: Ints
    signs: Signs | None
    language: Floats | None
    at: float
    cost_s: float


class ChunkVectors:
    """The vectors of one embedder for one index. `model` is the embedder's digest, `embed_query` gives a unit vector.

    With `embed_passages`, other texts can be compared with a question too (`similarities`).
    """

    def __init__(
        self, folder: Path, model: str, dimensions: int, embed_query: EmbedQuery, embed_passages: EmbedPassages | None
    ) -> None:
        self._store = VectorStore(folder, model, dimensions)
        self._model = model
        self._embed_query = embed_query
        self._embed_passages = embed_passages
        self._lock = threading.Lock()
        self._known: Known | None = None
        self._last: tuple[str, Floats] | None = None

    def known(self, snapshot: Snapshot) -> Known:
        """The vectors of `snapshot`, a moment ago at the earliest."""
        with self._lock:
            known, size, now = self._known, self._store.size, time.monotonic()
            if known is not None and known.generation == snapshot.generation:
                soon = known.cost_s > _QUICK_S and now - known.at < known.cost_s * _PAUSE_FACTOR
                if known.size == size or (soon and known.size < size):
                    return known
            rows = self._store.rows_of(snapshot.chunk_keys())
            self._store.prepare()
            wholes = rows[snapshot.first_chunk]
            signs = Signs.of(self._store.table(), wholes) if int((wholes >= 0).sum()) > EXACT else None
            ended = time.monotonic()
            self._known = known = Known(
                snapshot.generation, size, rows, signs, self._language_direction(), ended, ended - now
            )
            return known

    def rows(self, snapshot: Snapshot) -> Ints:
        """For each chunk of `snapshot` the row of its vector, -1 without one."""
        return self.known(snapshot).rows

    def embedded(self, snapshot: Snapshot) -> int:
        """How many living sections have all their vectors."""
        without = snapshot.section_of_chunk[self.rows(snapshot) < 0]
        return int((snapshot.alive & (np.bincount(without, minlength=snapshot.sections) == 0)).sum())

    def missing(self, snapshot: Snapshot) -> Ints:
        """The living chunks without a vector: first what every document begins with, then the other sections, then
        their pieces, so that a part of the work already helps every document."""
        chunk = np.flatnonzero((self.rows(snapshot) < 0) & snapshot.alive[snapshot.section_of_chunk])
        section = snapshot.section_of_chunk[chunk]
        piece = chunk - snapshot.first_chunk[section]
        place = section - snapshot.first[snapshot.document_of[section]]
        order: Ints = np.lexsort((chunk, place, piece > 0))
        return chunk[order]

    def embed(
        self,
        snapshot: Snapshot,
        reading: Callable[[], Reading],
        embed: EmbedPassages,
        report: ProgressReport,
        stop: Callable[[], bool],
        batch: int,
    ) -> int:
        """Make the missing vectors, `batch` at a time; returns how many were made. What is made is kept at once."""
        if not self._store.writable:
            return 0
        missing = self.missing(snapshot)
        digests = snapshot.chunk_keys()
        if len(digests):
            self._embed_pairs()
        done = 0
        for start in range(0, len(missing), batch):
            if stop():
                return done
            report("embed", start, len(missing))
            found, texts = _texts(snapshot, reading(), missing[start : start + batch], digests)
            if found:
                self._store.append(digests[found], embed(texts))
                done += len(found)
        # From here on nothing waits for a pause.
        self._known = None
        report("embed", len(missing), len(missing))
        return done

    def _embed_pairs(self) -> None:
        """Make the vectors of the parallel sentences, where they are missing: read as questions."""
        texts = [text for pair in PAIRS for text in pair]
        missing = np.flatnonzero(self._store.rows_of(_pair_digests()) < 0).tolist()
        if missing:
            vectors = np.stack([self._embed_query(texts[place]) for place in missing])
            self._store.append(_pair_digests()[missing], vectors)

    def _language_direction(self) -> Floats | None:
        """The unit vector from what is said in English to the same in Chinese; None while the sentences that tell have
        no vectors."""
        rows = self._store.rows_of(_pair_digests())
        if (rows < 0).any():
            return None
        vectors = restored(self._store.table()[rows])
        difference = vectors[0::2].mean(axis=0) - vectors[1::2].mean(axis=0)
        direction: Floats = difference / np.float32(max(float(np.linalg.norm(difference)), 1e-9))
        return direction

    def adopt(self, snapshot: Snapshot, folder: Path) -> int:
        """Take over what the same embedder made for the same words in the index `folder`; returns how many vectors."""
        other = VectorStore(folder, self._model, self._store.dimensions)
        living = snapshot.chunk_keys()[snapshot.alive[snapshot.section_of_chunk]]
        self._store.adopt(other, _pair_digests())
        adopted = self._store.adopt(other, living)
        self._known = None
        return adopted

    def question(self, text: str) -> Floats:
        """The vector of a question; the last one is kept, since search and evidence both want it."""
        kept = self._last
        if kept is None or kept[0] != text:
            kept = self._last = (text, self._embed_query(text))
        return kept[1]

    def meaning(self, snapshot: Snapshot, text: str, passed: Flags) -> Meaning | None:
        """The embedder's voice on `text`, for sections that `passed`; None while no chunk has a vector."""
        known = self.known(snapshot)
        if not (known.rows >= 0).any():
            return None
        query = self.question(text)
        own, other = (self._sense(snapshot, known, vector, passed) for vector in (query, self._abroad(known, query)))
        return Meaning(own, other)

    def _sense(self, snapshot: Snapshot, known: Known, query: Floats, passed: Flags) -> Sense:
        """What the vector `query` says of the sections that `passed`."""
        rows, signs = known.rows, known.signs

        def nearest(count: int) -> Ints:
            # Wholes name the candidates: there are fewer of them, and the pieces of what they name are compared below.
            if signs is not None:
                return signs.nearest(query, passed, count)
            wholes = rows[snapshot.first_chunk]
            present = np.flatnonzero(passed & (wholes >= 0))
            if len(present) <= count:
                return present
            near = self._store.cosines(wholes[present], query)
            return present[np.argpartition(-near, count)[:count]]

        def cosines(sections: Ints) -> tuple[Floats, Floats]:
            sizes = snapshot.chunks_of[sections]
            starts = np.cumsum(sizes) - sizes
            every = np.repeat(snapshot.first_chunk[sections] - starts, sizes) + np.arange(int(sizes.sum()))
            found = self._store.cosines(rows[every], query)
            return found[starts], np.maximum.reduceat(found, starts)

        return Sense(nearest, cosines, *self._store.spread(query))

    def _abroad(self, known: Known, query: Floats) -> Floats:
        """The vector of a question for documents in the other language.

        To this kind of embedder a text is first of all Chinese or English, then of its field: nearest to a Chinese
        question are the English documents that hold some Chinese, whatever they say. So the direction in which the
        languages differ, and most of what all chunks have in common, is taken away (Yang et al. 2021, «A Simple and
        Effective Method To Eliminate the Self Language Bias in Multilingual Representations»).
        """
        bare: Floats = query - np.float32(_MEAN_TAKEN) * self._store.centre
        if known.language is not None:
            bare = bare - np.float32(bare @ known.language) * known.language
        unit: Floats = bare / np.float32(max(float(np.linalg.norm(bare)), 1e-9))
        return unit

    def similarities(self, question: str) -> Callable[[list[str]], list[float]] | None:
        """A function that gives the cosines of texts with `question`; None where texts cannot be embedded."""
        embed = self._embed_passages
        if embed is None:
            return None
        query = self.question(question)
        return lambda texts: products(embed(texts), query).tolist()


@functools.cache
def _pair_digests() -> Digests:
    """The digest of each parallel sentence as a question, shape (2 * pairs, 2): Chinese and English by turns."""
    digests = [chunk_key(f"\0{text}") for pair in PAIRS for text in pair]
    return np.frombuffer(b"".join(digests), np.uint64).reshape(-1, 2)


def _texts(snapshot: Snapshot, reading: Reading, chosen: Ints, digests: Digests) -> tuple[list[int], list[str]]:
    """Those of the `chosen` chunks whose words are as indexed, and what the embedder reads for each.

    A long run works on the snapshot it began with: meanwhile a file may have other words in as many sections.
    """
    found: list[int] = []
    texts: list[str] = []
    for chunk in chosen.tolist():
        section = int(snapshot.section_of_chunk[chunk])
        read = reading.section(section)
        if read is None:
            continue
        piece = chunk - int(snapshot.first_chunk[section])
        made = chunks(read[0].facts.title, read[1])
        if piece < len(made) and chunk_key(made[piece]) == digests[chunk].tobytes():
            found.append(chunk)
            texts.append(made[piece])
    return found, texts
