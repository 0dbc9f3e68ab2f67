"""The bilingual embedder: a text becomes a unit vector; near vectors mean near subjects, in either language."""

from __future__ import annotations

import ctypes
import threading

import numpy as np

from kb.config import ModelFile
from kb.errors import AlmanacError
from kb.search import engine
from kb.search.postings import Floats

# multilingual-e5 was trained with these prefixes (Wang et al. 2024, model card).
_QUERY = "query: "
_PASSAGE = "passage: "
MAX_TOKENS = 512
_BATCH_TOKENS = 512
_BATCH_TEXTS = 8


class Embedder:
    """multilingual-e5-small or another encoder as GGUF. Safe to call from several threads, one at a time.

    One thread computes: for a question that is as fast as two, and ggml's threads wait for each other in a loop,
    which on busy cores costs thirty times as much (measured: BENCHMARKS.md).
    """

    def __init__(self, source: ModelFile) -> None:
        library = engine.api()
        self._model = engine.Model(source)
        self._lock = threading.Lock()
        self._asking = 0
        self._idle = threading.Condition()
        self.dimensions = int(library.llama_model_n_embd(self._model.pointer))
        parameters = library.llama_context_default_params()
        parameters.n_ctx = _BATCH_TOKENS
        parameters.n_batch = _BATCH_TOKENS
        parameters.n_ubatch = _BATCH_TOKENS
        parameters.n_seq_max = _BATCH_TEXTS
        parameters.n_threads = parameters.n_threads_batch = 1
        parameters.embeddings = True
        parameters.pooling_type = library.LLAMA_POOLING_TYPE_MEAN
        self._context = library.llama_init_from_model(self._model.pointer, parameters)
        if not self._context:
            self._model.close()
            raise AlmanacError("model_load_failed", name=source.name, reason="memory")
        self._batch = library.llama_batch_init(_BATCH_TOKENS, 0, 1)

    def close(self) -> None:
        """Free the native memory."""
        with self._lock:
            library = engine.api()
            if self._context:
                library.llama_batch_free(self._batch)
                library.llama_free(self._context)
                self._context = None
            self._model.close()

    @property
    def has_rates(self) -> bool:
        """Whether `pieces` can be asked."""
        return self._model.has_rates

    def pieces(self, text: str) -> list[tuple[str, float]]:
        """The pieces of `text` and how common each is in the language: see `engine.Model.pieces`."""
        return self._model.pieces(text)

    def embed_query(self, question: str) -> Floats:
        """The unit vector of a question, shape (dimensions,)."""
        with self._idle:
            self._asking += 1
        try:
            with self._lock:
                vector: Floats = self._embed([self._tokens(_QUERY + question)])[0]
                return vector
        finally:
            with self._idle:
                self._asking -= 1
                self._idle.notify_all()

    def embed_passages(self, texts: list[str]) -> Floats:
        """Unit vectors of passages, shape (len(texts), dimensions); texts are cut at MAX_TOKENS tokens."""
        return self.embed_tokens([self.passage_tokens(text) for text in texts])

    def passage_tokens(self, text: str) -> list[int]:
        """The tokens of a passage, at most MAX_TOKENS, with the opening and closing ones."""
        return self._tokens(_PASSAGE + text)

    def embed_tokens(self, tokens: list[list[int]]) -> Floats:
        """Unit vectors of token sequences of at most MAX_TOKENS, shape (len(tokens), dimensions)."""
        result = np.zeros((len(tokens), self.dimensions), np.float32)
        order = sorted(range(len(tokens)), key=lambda place: len(tokens[place]))
        group: list[int] = []
        for place in order:
            used = sum(len(tokens[member]) for member in group)
            if group and (used + len(tokens[place]) > _BATCH_TOKENS or len(group) == _BATCH_TEXTS):
                result[group] = self._embed_group([tokens[member] for member in group])
                group = []
            group.append(place)
        if group:
            result[group] = self._embed_group([tokens[member] for member in group])
        return result

    def _embed_group(self, sequences: list[list[int]]) -> Floats:
        """One native call; a question that waits goes first."""
        with self._idle:
            self._idle.wait_for(lambda: self._asking == 0, timeout=5)
        with self._lock:
            return self._embed(sequences)

    def _tokens(self, text: str) -> list[int]:
        tokens = self._model.tokens(text[: MAX_TOKENS * 8])
        return tokens if len(tokens) <= MAX_TOKENS else [*tokens[: MAX_TOKENS - 1], tokens[-1]]

    def _embed(self, sequences: list[list[int]]) -> Floats:
        library = engine.api()
        batch = self._batch
        position = 0
        for sequence, tokens in enumerate(sequences):
            for place, token in enumerate(tokens):
                batch.token[position] = token
                batch.pos[position] = place
                batch.n_seq_id[position] = 1
                batch.seq_id[position][0] = sequence
                batch.logits[position] = 1
                position += 1
        batch.n_tokens = position
        if library.llama_encode(self._context, batch) != 0:
            raise RuntimeError("llama_encode failed")
        rows = np.zeros((len(sequences), self.dimensions), np.float32)
        for sequence in range(len(sequences)):
            pointer = library.llama_get_embeddings_seq(self._context, sequence)
            rows[sequence] = np.ctypeslib.as_array(
                ctypes.cast(pointer, ctypes.POINTER(ctypes.c_float)), (self.dimensions,)
            )
        lengths = np.linalg.norm(rows, axis=1, keepdims=True)
        unit: Floats = rows / np.maximum(lengths, 1e-9)
        return unit
