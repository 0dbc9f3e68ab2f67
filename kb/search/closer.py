"""A closer look at the few best sections: what only their text tells, sentence by sentence."""

from __future__ import annotations

import re
from collections.abc import Mapping
from dataclasses import dataclass
from itertools import chain, pairwise

from kb.search.normalise import normalise
from kb.search.numbers import Value, best_value
from kb.search.sections import Section, split_sentences
from kb.search.tokens import HAN, WORD, word_terms

_HAN = re.compile(f"[{HAN}]")
_LATIN = re.compile(WORD)
# Sentences of a section that are looked at: a table of thousands of rows is judged by its first ones.
_MOST_SENTENCES = 400


@dataclass(frozen=True, slots=True)
class Closeness:
    """How much of what the question names stands in one sentence and in two together (0..1 by weight), and the value
    that the question asks for."""

    sentence: float
    pair: float
    value: Value | None


FAR = Closeness(0.0, 0.0, None)


def look(section: Section, wanted: Mapping[str, float], kinds: frozenset[str]) -> Closeness:
    """Look at `section` for the `wanted` terms (with weights) and a quantity of one of these `kinds`."""
    total = sum(wanted.values())
    if not total:
        return FAR
    held: list[dict[str, float]] = []
    for sentence, _ in split_sentences(section.text)[:_MOST_SENTENCES]:
        plain = normalise(sentence)
        words = set(chain.from_iterable(map(word_terms, _LATIN.findall(plain))))
        held.append(
            {term: weight for term, weight in wanted.items() if (term in plain if _HAN.match(term) else term in words)}
        )
    best = max((sum(terms.values()) for terms in held), default=0.0)
    pair = max((sum((first | second).values()) for first, second in pairwise(held)), default=best)
    return Closeness(best / total, pair / total, best_value(section, kinds, wanted))
