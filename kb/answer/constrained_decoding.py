"""Decoding under a grammar: the likeliest token that the grammar allows.

llama.cpp's grammar sampler looks at every token of the vocabulary (262,144 in Gemma). The likeliest token is usually
allowed, so that one alone is tried first, then the likeliest few hundred, then all.
"""

from __future__ import annotations

import ctypes
from typing import Any

import numpy as np

from kb.search import engine

_FEW = 512


class Constraint:
    """A grammar (GBNF, root rule `root`) that follows one completion. ValueError when the grammar is broken."""

    def __init__(self, vocab: Any, grammar: str) -> None:
        self._library = engine.api()
        self._size = self._library.llama_vocab_n_tokens(vocab)
        self._sampler = self._library.llama_sampler_init_grammar(vocab, grammar.encode(), b"root")
        if not self._sampler:
            raise ValueError("the grammar is broken")

    def pick(self, context: Any) -> int:
        """The likeliest allowed token after what `context` has read; the grammar moves on by it."""
        pointer = self._library.llama_get_logits_ith(context, -1)
        logits = np.ctypeslib.as_array(pointer, shape=(self._size,))
        for count in (1, _FEW, self._size):
            likeliest = _likeliest(logits, count)
            token = self._allowed(likeliest, logits)
            if token is not None:
                self._library.llama_sampler_accept(self._sampler, token)
                return token
        raise ValueError("the grammar allows no token")

    def _allowed(self, tokens: np.ndarray[Any, np.dtype[np.intp]], logits: Any) -> int | None:
        """The first of `tokens` (likeliest first) that the grammar allows."""
        library = self._library
        candidates = (library.llama_token_data * len(tokens))()
        for place, token in enumerate(tokens):
            candidates[place].id = int(token)
            candidates[place].logit = float(logits[token])
        array = library.llama_token_data_array(candidates, len(tokens), -1, False)
        library.llama_sampler_apply(self._sampler, ctypes.byref(array))
        best = max(range(array.size), key=lambda place: float(array.data[place].logit))
        return int(array.data[best].id) if array.data[best].logit > -np.inf else None

    def close(self) -> None:
        """Free the native memory."""
        if self._sampler:
            self._library.llama_sampler_free(self._sampler)
            self._sampler = None


def _likeliest(logits: Any, count: int) -> np.ndarray[Any, np.dtype[np.intp]]:
    if count == 1:
        return np.array([int(logits.argmax())])
    if count >= len(logits):
        return np.arange(len(logits))
    return np.argpartition(-logits, count)[:count]
