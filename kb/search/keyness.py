"""Keyness: how much more the words of a question are used in these documents than in the language at large.

Corpus linguistics calls a word key when it is commoner in a body of texts than in a reference corpus (Dunning 1993).
Of a question about another field most words are not, even those that happen to stand in the documents («screen»,
«settings»). How common a word is in the language is told by the embedder's vocabulary: its pieces come with the
log-probabilities of a unigram language model (Kudo 2018).
"""

from __future__ import annotations

import math
import re
from collections.abc import Callable, Sequence
from dataclasses import dataclass
from itertools import pairwise

from kb.search.normalise import normalise
from kb.search.tokens import HAN, question_phrases, stop_words, word_terms, words

# The pieces of a text, in order, with their natural log-probabilities.
Pieces = Callable[[str], Sequence[tuple[str, float]]]
# How many words a section has in the reference: about a paragraph.
_SECTION_WORDS = 100
# Documents of a field do not say all of its words: so much of the reference is mixed into their rates (Jelinek-Mercer).
_MIXED_IN = 0.1
# Nothing is commoner: a word that half of the reference's sections hold says nothing anyway.
_COMMONEST = 0.95
_CHINESE = re.compile(f"[{HAN}]+")


@dataclass(frozen=True, slots=True)
class Keyness:
    """The sum of log(rate in the documents / rate in the language) over a question's `words`, in `nats`, known from
    so many `sections`."""

    nats: float
    words: int
    sections: int


@dataclass(frozen=True, slots=True)
class Word:
    """A word of a question: its index `terms`, all of which stand where it does, and the natural logarithm of its
    `rate` in the language."""

    terms: tuple[str, ...]
    rate: float

    @property
    def expected(self) -> float:
        """The chance that a section of the reference holds the word at all."""
        once = min(math.exp(self.rate), _COMMONEST)
        # expm1 and log1p, since most are tiny.
        return min(_COMMONEST, -math.expm1(_SECTION_WORDS * math.log1p(-once)))


def question_words(question: str, pieces: Pieces) -> tuple[Word, ...]:
    """The distinct words of `question` that say something. Chinese is cut as the vocabulary cuts it."""
    found: dict[str, Word] = {}
    for run in words(question_phrases(normalise(question))):
        if _CHINESE.fullmatch(run):
            for piece, rate in pieces(run):
                if piece:
                    found[piece] = Word(tuple(map("".join, pairwise(piece))) or (piece,), rate)
        elif run not in stop_words() and (own := tuple(word_terms(run))):
            found[run] = Word(own[:1], sum(rate for _, rate in pieces(run)))
    return tuple(found.values())


def keyness(asked: Sequence[Word], held: Callable[[str], int], sections: int) -> Keyness:
    """The keyness of the words that are `asked`; `held` tells how many of the `sections` (at least 1) hold a term."""
    nats = 0.0
    for word in asked:
        share = min(sections, *map(held, word.terms)) / sections
        nats += math.log((1.0 - _MIXED_IN) * share / word.expected + _MIXED_IN)
    return Keyness(nats, len(asked), sections)
