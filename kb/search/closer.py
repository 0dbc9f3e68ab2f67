"""A closer look at the few best sections: what only their text tells, sentence by sentence."""

from __future__ import annotations

import math
import re
from collections.abc import Collection, Iterator, Mapping
from dataclasses import dataclass, field, replace
from itertools import pairwise
from typing import TypeVar

from kb.search.abroad import rarity
from kb.search.normalise import normalise
from kb.search.numbers import Value, asked_kinds, best_value
from kb.search.sections import Section, split_sentences
from kb.search.snapshot import Term
from kb.search.tokens import HAN, WORD, latin_words, stop_terms, word_terms
from kb.search.translation import Translation

Key = TypeVar("Key")

_HAN = re.compile(f"[{HAN}]")
_LATIN = re.compile(WORD)
# Sentences of a section that are looked at: a table of thousands of rows is judged by its first ones.
_MOST_SENTENCES = 400
# Characters in which words and neighbours are looked for.
_MOST_CHARACTERS = 20_000
# Stands between sentences that are folded together; no pattern reaches over it.
_BETWEEN = "\0"
# A section of so many characters is not brief at all.
_LONG = 8_000


@dataclass(frozen=True, slots=True)
class Wanted:
    """What a question looks for in the text of a section.

    `terms`: those that the tree knows; `words`: its Latin words and pieces of codes; `neighbours`: pairs of such words
    that stand side by side, all with weights; `kinds` of quantity that it asks for. In the other language `terms` are
    all that its words may be told in, and `told` weighs the words.
    """

    terms: Mapping[str, float]
    words: Mapping[str, float]
    neighbours: Mapping[tuple[str, str], float]
    kinds: frozenset[str]
    translation: Translation | None = None
    told: Mapping[str, float] = field(default_factory=dict)

    @classmethod
    def of(cls, question: str, known: Mapping[str, Term]) -> Wanted:
        """What `question`, with the terms `known`, looks for. A word that is none of its terms weighs as the rarest."""
        rarest = max((term.idf for term in known.values()), default=0.0)
        spoken = latin_words(question)
        words = {word: known[word].idf if word in known else rarest for word in spoken if word not in stop_terms()}
        beside = [pair for pair in pairwise(spoken) if words.keys() >= {*pair}]
        return cls(
            {term: found.idf for term, found in known.items() if found.count},
            words,
            {(first, second): words[first] + words[second] for first, second in beside},
            asked_kinds(question),
        )

    def translated(self, translation: Translation, known: Mapping[str, Term]) -> Wanted:
        """The same in the other language; `known` are the terms of the `translation`."""
        told = {word.said: rarity(word, known) for word in translation.words if word.ways}
        terms = {term: found.idf for term, found in known.items() if found.count}
        return replace(self, terms=terms, translation=translation, told=told)

    def weighed(self, held: Collection[str]) -> dict[str, float]:
        """What a piece of text that holds these of `terms` says of the question, with weights, in order."""
        if self.translation is None:
            return {term: weight for term, weight in self.terms.items() if term in held}
        told = self.translation.told(frozenset(held))
        return {word: weight for word, weight in self.told.items() if word in told}

    @property
    def total(self) -> float:
        """The weights of all that the question looks for."""
        return sum((self.terms if self.translation is None else self.told).values())


@dataclass(frozen=True, slots=True)
class Closeness:
    """How much of what the question names stands in one `sentence`; how many of its Latin words stand here or in the
    title (`held`) and how many of their pairs side by side (`joined`), all 0..1 by weight; how `brief` the section is
    (1 for nothing, 0 for a long one); the `value` that the question asks for; and that sentence as it is written
    (`passage`), a table row below its header; '' where none holds anything."""

    sentence: float
    held: float
    joined: float
    brief: float
    value: Value | None
    passage: str = ""


FAR = Closeness(0.0, 0.0, 0.0, 0.0, None)


def look(title: str, section: Section, wanted: Wanted) -> Closeness:
    """Look at `section` of the document called `title`."""
    total = wanted.total
    if not total:
        return FAR
    best = fullest = 0.0
    passage = ""
    headers, said = _headers(section), dict[str, Collection[str]]()
    for sentence, held in _held(section, wanted.terms):
        best = max(best, sum(wanted.weighed(held).values()))
        line = shown = sentence.strip()
        if header := headers.get(line):
            shown = f"{header}\n{line}"
            held = {*held, *said.get(header, ())}
        said[line] = held
        full = sum(wanted.weighed(held).values())
        if full > fullest:
            fullest, passage = full, shown
    spoken = latin_words(f"{title}\n{section.text[:_MOST_CHARACTERS]}") if wanted.words else []
    return Closeness(
        best / total,
        _share(wanted.words, set(spoken)),
        _share(wanted.neighbours, set(pairwise(spoken))),
        max(0.0, 1.0 - math.log1p(len(section.text)) / math.log1p(_LONG)),
        best_value(section, wanted.kinds, wanted.terms),
        passage,
    )


def _headers(section: Section) -> dict[str, str]:
    """The header of each table row in `section`, by the row's own line."""
    tables = [block.text.split("\n") for block in section.blocks if block.kind == "table"]
    return {row.strip(): header.strip() for header, _, *rows in tables for row in rows}


def _held(section: Section, terms: Mapping[str, float]) -> Iterator[tuple[str, Collection[str]]]:
    """The sentences of `section` that hold any of the `terms`, each with those."""
    parts = [sentence.replace(_BETWEEN, " ") for sentence, _ in split_sentences(section.text)[:_MOST_SENTENCES]]
    if not parts:
        return
    # Folded together, and each word looked at once: most words say nothing to the question.
    sentences = normalise(_BETWEEN.join(parts)).split(_BETWEEN)
    words = [frozenset(_LATIN.findall(sentence)) for sentence in sentences]
    hits = {word: found for word in frozenset().union(*words) if (found := terms.keys() & word_terms(word))}
    han = [term for term in terms if _HAN.match(term)]
    for part, sentence, spoken in zip(parts, sentences, words, strict=True):
        here = {term for term in han if term in sentence}.union(*(hits[word] for word in hits.keys() & spoken))
        if here:
            yield part, here


def _share(weights: Mapping[Key, float], there: set[Key]) -> float:
    """Which part of the `weights` is of things that are `there`; 0 when nothing is wanted."""
    total = sum(weights.values())
    return sum(weight for key, weight in weights.items() if key in there) / total if total else 0.0
