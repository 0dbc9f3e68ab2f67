"""Engine and retrievers for benchmarks: real models from the cache, indexes kept in build/bench."""

from __future__ import annotations

import functools
import json
import sys
from pathlib import Path

PROJECT = Path(__file__).resolve().parent.parent
sys.path.insert(0, str(PROJECT))

from kb import native  # noqa: E402
from kb.config import ModelFile  # noqa: E402
from kb.paths import dictionary_file, model_file, self_command  # noqa: E402
from kb.search import engine  # noqa: E402
from kb.search.dictionary import Dictionary  # noqa: E402
from kb.search.embedder import Embedder  # noqa: E402
from kb.search.retriever import Retriever  # noqa: E402


@functools.cache
def assets() -> dict[str, str]:
    """What scripts/bootstrap.py wrote."""
    return dict(json.loads((PROJECT / "build" / "assets.json").read_text("utf-8")))


def model(kind: str) -> ModelFile:
    """`answer_model` or `embedder`."""
    return model_file(Path(assets()[kind]), assets()[f"{kind.split('_')[0]}_sha256"])


@functools.cache
def dictionary() -> Dictionary:
    """The dictionary, mapped once."""
    return Dictionary(dictionary_file(Path(assets()["dictionary"])))


@functools.cache
def load_engine() -> Path:
    """Load llama.cpp's best variant into this process; returns its library."""
    libraries = Path(assets()["llama_lib"])
    probe = native.child_probe(self_command(), libraries)
    variant = native.choose(libraries, PROJECT / "build" / "native.json", probe)
    engine.load_backend(libraries, variant)
    return variant


@functools.cache
def embedder() -> Embedder:
    """The embedder, loaded once."""
    load_engine()
    return Embedder(model("embedder"))


def _say(phase: str, done: int, total: int) -> None:
    if total > 200 and done % 400 == 0:
        print(f"  {phase} {done}/{total}", flush=True)


def open_retriever(docs: Path, folder: Path, *, meaning: bool = True) -> Retriever:
    """A retriever over `docs` with its index in `folder`, up to date, all vectors made when `meaning`."""
    retriever = Retriever(docs.resolve(), folder)
    prepare(retriever, meaning=meaning)
    return retriever


def prepare(retriever: Retriever, *, meaning: bool = True) -> None:
    """Bring the index up to date, with all vectors when `meaning`; the dictionary takes part."""
    retriever.update(_say)
    retriever.use_dictionary(dictionary())
    if meaning:
        found = embedder()
        retriever.use_embedder(model("embedder").sha256, found.dimensions, found.embed_query, found.embed_passages)
        # Search is also measured with vectors kept by a stand-in, which has no vocabulary and needs none.
        if isinstance(found, Embedder):
            retriever.use_vocabulary(found.pieces)
        retriever.embed_missing(found.embed_passages, _say)
