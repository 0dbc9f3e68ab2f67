"""The methods of `make bench-search` that the embedder takes part in, Almanac among them, and the list of all.

As in search_peers.py, heavy packages are imported inside functions.
"""

from __future__ import annotations

import hashlib
import sqlite3
import sys
import time
from collections import defaultdict
from collections.abc import Callable, Iterable, Iterator, Mapping
from contextlib import contextmanager
from pathlib import Path
from typing import TYPE_CHECKING, Protocol
from unittest.mock import patch

from search_peers import Bm25, Cut, Method, Search, Tantivy, Trigrams, jieba_words, pages, pair_words

if TYPE_CHECKING:
    import numpy as np
    import numpy.typing as npt

    Floats = npt.NDArray[np.float32]

# Reciprocal rank fusion: the constant of Cormack, Clarke & Büttcher (2009), and how far down both lists are read.
FUSION_K = 60
FUSION_DEPTH = 50
# Texts embedded between two visits to the disk.
_ENCODE_TEXTS = 32
# Cosine from which a vector is the same one made again: the texts beside it in a batch change the last digits.
_SAME = 0.999
# Texts embedded between two lines of progress.
_SAY_EVERY = 320


class Encoder(Protocol):
    """What kb.search.embedder.Embedder offers: unit vectors, shape (dimensions,) and (texts, dimensions)."""

    dimensions: int

    def embed_query(self, question: str) -> Floats: ...

    def embed_passages(self, texts: list[str]) -> Floats: ...


class KeptVectors:
    """An encoder that keeps the vectors of passages in the database `path`, by the digest of model and text.

    `carried` is the sum of the seconds that the vectors found there took when they were made. One of them is made
    again to see that the encoder still works as it did; if not, all are forgotten.
    """

    def __init__(self, encoder: Encoder, model: str, path: Path) -> None:
        self.dimensions = encoder.dimensions
        self.embed_query = encoder.embed_query
        self.carried = 0.0
        self._encoder = encoder
        self._model = model
        path.parent.mkdir(parents=True, exist_ok=True)
        self._base = sqlite3.connect(path, timeout=600)
        self._base.execute(
            "CREATE TABLE IF NOT EXISTS vectors (digest BLOB PRIMARY KEY, vector BLOB, seconds REAL) WITHOUT ROWID"
        )
        self._made = 0
        self._trusted = False

    def embed_passages(self, texts: list[str]) -> Floats:
        """Unit vectors, shape (len(texts), dimensions). What is made here is kept at once."""
        import numpy as np

        result = np.zeros((len(texts), self.dimensions), np.float32)
        digests = [hashlib.sha256(f"{self._model}\n{text}".encode()).digest() for text in texts]
        rows = [
            self._base.execute("SELECT vector, seconds FROM vectors WHERE digest = ?", (digest,)).fetchone()
            for digest in digests
        ]
        kept = {number: np.frombuffer(row[0], np.float32) for number, row in enumerate(rows) if row is not None}
        if kept and not self._trusted:
            longest = max(kept, key=lambda number: len(texts[number]))
            if self._encoder.embed_passages([texts[longest]])[0] @ kept[longest] < _SAME:
                with self._base:
                    self._base.execute("DELETE FROM vectors")
                kept = {}
            self._trusted = True
        for number, vector in kept.items():
            result[number] = vector
            self.carried += rows[number][1]
        missing = [number for number in range(len(texts)) if number not in kept]
        if missing:
            started = time.perf_counter()
            result[missing] = self._encoder.embed_passages([texts[number] for number in missing])
            each = (time.perf_counter() - started) / len(missing)
            made = [(digests[number], result[number].tobytes(), each) for number in missing]
            with self._base:
                self._base.executemany("INSERT OR IGNORE INTO vectors VALUES (?, ?, ?)", made)
            self._made += len(missing)
            if self._made % _SAY_EVERY < len(missing):
                print(f"embedding, {self._made} texts done", file=sys.stderr, flush=True)
        return result

    def close(self) -> None:
        """Close the database; the encoder stays."""
        self._base.close()


class Embedded:
    """The embedder alone: one vector a document, of its first 512 tokens; cosine with all of them."""

    def __init__(self, encoder: Callable[[], Encoder], keep: Callable[[], KeptVectors]) -> None:
        self._encoder = encoder
        self._keep = keep

    def build(self, docs: Path, folder: Path) -> float:
        """Write vectors.npy, shape (documents, dimensions), and paths as lines."""
        import numpy as np

        found = list(pages(docs))
        vectors = self._keep()
        parts = [
            vectors.embed_passages([page.text for page in found[start : start + _ENCODE_TEXTS]])
            for start in range(0, len(found), _ENCODE_TEXTS)
        ]
        np.save(folder / "vectors.npy", np.concatenate(parts))
        (folder / "paths.txt").write_text("\n".join(page.path for page in found), "utf-8")
        vectors.close()
        return vectors.carried

    @contextmanager
    def open(self, docs: Path, folder: Path) -> Iterator[Search]:
        """Read the vectors into memory and load the model."""
        import numpy as np

        encoder = self._encoder()
        vectors = np.load(folder / "vectors.npy")
        paths = (folder / "paths.txt").read_text("utf-8").split("\n")

        def search(question: str, top: int) -> list[str]:
            cosines = vectors @ encoder.embed_query(question)
            return [paths[number] for number in np.argsort(-cosines, kind="stable")[:top].tolist()]

        yield search


class Fused:
    """Reciprocal rank fusion of two methods: the sum of 1 / (60 + rank) over both lists."""

    def __init__(self, first: Method, second: Method) -> None:
        self._parts = {"first": first, "second": second}

    def build(self, docs: Path, folder: Path) -> float:
        """Both indexes, in folders of their own."""
        for name in self._parts:
            (folder / name).mkdir()
        return sum(method.build(docs, folder / name) for name, method in self._parts.items())

    @contextmanager
    def open(self, docs: Path, folder: Path) -> Iterator[Search]:
        """Ask both for FUSION_DEPTH documents."""
        with (
            self._parts["first"].open(docs, folder / "first") as first,
            self._parts["second"].open(docs, folder / "second") as second,
        ):
            yield lambda question, top: fuse([first(question, FUSION_DEPTH), second(question, FUSION_DEPTH)])[:top]


def fuse(lists: list[list[str]]) -> list[str]:
    """Reciprocal rank fusion of ranked lists."""
    scores: defaultdict[str, float] = defaultdict(float)
    for ranked in lists:
        for rank, path in enumerate(ranked, 1):
            scores[path] += 1 / (FUSION_K + rank)
    return sorted(scores, key=lambda path: -scores[path])


class Almanac:
    """Almanac's retriever: the distinct documents of the best `sections` sections."""

    def __init__(self, keep: Callable[[], KeptVectors] | None, sections: int = 30) -> None:
        self._keep = keep
        self._sections = sections

    def build(self, docs: Path, folder: Path) -> float:
        """Almanac's index; with `keep`, vectors of its sections too, made again only if their text is new."""
        import bench_runtime

        if self._keep is None:
            bench_runtime.open_retriever(docs, folder, meaning=False).close()
            return 0.0
        vectors = self._keep()
        with patch.object(bench_runtime, "embedder", lambda: vectors):
            bench_runtime.open_retriever(docs, folder).close()
        vectors.close()
        return vectors.carried

    @contextmanager
    def open(self, docs: Path, folder: Path) -> Iterator[Search]:
        """Open the index, with the model if `keep` was given."""
        import bench_runtime

        from kb.search.snapshot import Filter

        retriever = bench_runtime.open_retriever(docs, folder, meaning=self._keep is not None)
        anything = Filter(on=None, released_only=False)

        def search(question: str, top: int) -> list[str]:
            found = retriever.find(question, self._sections, anything)
            return list(dict.fromkeys(item.path for item in found))[:top]

        yield search
        retriever.close()


class SectionTantivy(Tantivy):
    """tantivy over what Almanac ranks, the same sections in the same terms: what another engine takes for that."""

    def entries(self, docs: Path, folder: Path) -> Iterator[tuple[str, Iterable[str]]]:
        """An entry a section."""
        import bench_runtime  # noqa: F401  (finds kb)

        from kb.search.sections import document_sections
        from kb.search.tokens import terms
        from kb.tree.document import load

        for page in pages(docs):
            for section in document_sections(load(docs, page.path)):
                yield page.path, terms("\n".join((*section.trail, section.text)))

    def cut(self, folder: Path) -> Cut:
        """Almanac's terms of a question."""
        import bench_runtime  # noqa: F401  (finds kb)

        from kb.search.tokens import question_terms

        return question_terms


def methods(cache: Path) -> Mapping[str, tuple[str, Method]]:
    """Every method by its name on the command line, with its name in tables. `cache`: folder of kept vectors."""

    def encoder() -> Encoder:
        import bench_runtime

        return bench_runtime.embedder()

    def keep() -> KeptVectors:
        import bench_runtime

        return KeptVectors(encoder(), bench_runtime.model("embedder").sha256, cache / "vectors.db")

    alone = Embedded(encoder, keep)
    return {
        "jieba": ("BM25, jieba words / English stems", Bm25(jieba_words)),
        "pairs": ("BM25, characters and pairs / English stems", Bm25(pair_words)),
        "fts5": ("SQLite FTS5, trigrams", Trigrams()),
        "tantivy": ("tantivy, characters and pairs / English stems", Tantivy()),
        "embedder": ("embedder alone, a vector a document", alone),
        "fused": ("tantivy and embedder, reciprocal ranks", Fused(Tantivy(), alone)),
        "almanac-words": ("Almanac, words alone", Almanac(None)),
        "almanac": ("Almanac", Almanac(keep)),
    }
