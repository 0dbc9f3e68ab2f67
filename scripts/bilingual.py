"""One list of words out of a Chinese-English and an English-Chinese dictionary, both ways.

Each line is a word or phrase, a tab, its meanings in the other language, the usual ones first, separated by semicolons,
a tab, and for an English word the Chinese ones whose meaning holds it beside other words («sow»: 播种 is «sow seeds»).
Lines are sorted by their bytes, so that kb.search.dictionary finds a word by halving.
"""

from __future__ import annotations

import math
import sys
from collections import defaultdict
from collections.abc import Iterable, Mapping, Sequence, Set
from dataclasses import dataclass, field, replace
from pathlib import Path

from cedict import Entry as ChineseEntry
from ecdict import UNRANKED
from ecdict import Entry as EnglishEntry

PROJECT = Path(__file__).resolve().parent.parent
sys.path.insert(0, str(PROJECT))

from kb.search.dictionary import stems  # noqa: E402

# How many words of the other language one may have in each column, and how many of them the English-Chinese dictionary
# adds to a Chinese word: common ones, rare ones only up to so many where there are none (it has many for one thing).
_MOST = 24
_MOST_ADDED = 8
_MOST_RARE = 4
# In so short a meaning every word counts.
_SHORT = 3
_SAYING_LITTLE = frozenset(
    (
        "and",
        "by",
        "for",
        "from",
        "in",
        "into",
        "of",
        "off",
        "on",
        "one",
        "or",
        "out",
        "over",
        "that",
        "the",
        "up",
        "with",
    )
)
# A Chinese word of so many characters may be one that its parts tell; each part has this many at least.
_COMPOUND, _PART = 4, 2
# The same for an English word that is written as one (beehive), and how much rarer than it is its last part counts.
_CLOSED_PART = 3
_HEAD = 2


@dataclass
class Word:
    """The words that it `means`, by their place in the list, 0 for the usual one, and those in whose meanings it stands
    beside other words: for each the place that this meaning has among those of its entry."""

    means: dict[str, float] = field(default_factory=dict)
    helps: dict[str, float] = field(default_factory=dict)


def both_ways(chinese: Iterable[ChineseEntry], english: Sequence[EnglishEntry]) -> dict[str, Word]:
    """The words of both languages. What both dictionaries say comes first, then what that of the word's own language
    says, then what the other one adds."""
    found = _turned(chinese)
    known = {name for name, word in found.items() if word.means and not name.isascii()}
    english = [replace(entry, means=_words(entry.means, known)) for entry in _in_use(english)]
    glossed = _glossed(english)
    for name, more in _added(english, glossed, known).items():
        means = found[name].means
        extra = sorted((word for word in more if word not in means), key=more.__getitem__)
        common = [word for word in extra if more[word] < math.inf]
        chosen = common[:_MOST_ADDED] or extra[: max(_MOST_RARE - len(means), 0)]
        means.update({word: len(means) + place for place, word in enumerate(chosen)})
    for name, glosses in glossed.items():
        means = found[name].means
        both = [word for word in glosses if word in means]
        own = [word for word in glosses if word not in means]
        rest = [word for word in sorted(means, key=means.__getitem__) if word not in glosses]
        found[name].means = {word: place for place, word in enumerate((*both, *own, *rest))}
    return found


def render(found: Mapping[str, Word]) -> bytes:
    """The file."""
    lines = []
    for name, word in found.items():
        helps = {other: place for other, place in word.helps.items() if other not in word.means}
        columns = (";".join(sorted(column, key=column.__getitem__)[:_MOST]) for column in (word.means, helps))
        lines.append("\t".join((name, *columns)).rstrip("\t") + "\n")
    return "".join(sorted(lines, key=str.encode)).encode()


def _in_use(english: Sequence[EnglishEntry]) -> list[EnglishEntry]:
    """Without phrases of words that are hardly used (beryllium methide)."""
    ranks = {entry.word: entry.rank for entry in english if " " not in entry.word}
    used = {entry.word for entry in english if min(entry.rank, ranks.get(entry.form_of, UNRANKED)) < UNRANKED}
    return [entry for entry in english if " " not in entry.word or used.issuperset(entry.word.split(" "))]


def _words(meanings: Iterable[str], known: Set[str]) -> tuple[str, ...]:
    """Chinese words without what only makes them adjectives or adverbs (蚕的, but 目的)."""
    return tuple(word if word in known else word.rstrip("的地") or word for word in meanings)


def _turned(chinese: Iterable[ChineseEntry]) -> defaultdict[str, Word]:
    """A Chinese-English dictionary read both ways."""
    found: defaultdict[str, Word] = defaultdict(Word)
    for entry in chinese:
        for place, meaning in enumerate(entry.means):
            found[entry.word].means.setdefault(meaning, place)
            found[meaning].means.setdefault(entry.word, place)
            parts = [part for part in meaning.split() if part not in _SAYING_LITTLE]
            if 1 < len(parts) <= _SHORT:
                for part in parts:
                    found[part].helps.setdefault(entry.word, place)
    return found


def _glossed(english: Iterable[EnglishEntry]) -> dict[str, dict[str, int]]:
    """What each English word means, by place, and after that what is said of its forms (breeding). A regular form has
    no entry of its own, since looking it up leads to its word; an irregular one means what that one does."""
    own: defaultdict[str, dict[str, int]] = defaultdict(dict)
    base: dict[str, str] = {}
    for entry in english:
        for meaning in entry.means:
            own[entry.word].setdefault(meaning, len(own[entry.word]))
        if entry.form_of and entry.form_of != entry.word:
            base[entry.word] = entry.form_of
    found = {word: dict(glosses) for word, glosses in own.items() if word not in base}
    for form, word in base.items():
        glosses = found.setdefault(word, {})
        for meaning in own.get(form, ()):
            glosses.setdefault(meaning, len(glosses))
    for form, word in base.items():
        if word not in stems(form):
            found[form] = found[word]
    return {word: glosses for word, glosses in found.items() if glosses}


def _added(
    english: Iterable[EnglishEntry], glossed: Mapping[str, Mapping[str, int]], known: Set[str]
) -> dict[str, dict[str, float]]:
    """For Chinese words the English ones that mean them, the less the commoner: those that are `known`, and others but
    for compounds, which their parts tell in more ways. A word that is written as one may be of the kind that its last
    part names (a beehive is a hive): so it is where the two share a meaning."""
    ranks: dict[str, float] = {}
    base = {entry.word for entry in english if not entry.form_of}
    for entry in english:
        rank = entry.rank if entry.rank < UNRANKED else math.inf
        ranks[entry.word] = min(rank, ranks.get(entry.word, math.inf))
    found: defaultdict[str, dict[str, float]] = defaultdict(dict)
    for word in sorted(base & glossed.keys()):
        heads = [head for head in _heads(word, glossed) if not glossed[word].keys().isdisjoint(glossed[head])]
        for meaning, place in glossed[word].items():
            if meaning in known or (len(meaning) > 1 and not _is_compound(meaning, known)):
                found[meaning].setdefault(word, ranks[word] * (1 + place))
                for head in heads:
                    found[meaning].setdefault(head, ranks.get(head, math.inf) * _HEAD)
    return found


def _heads(word: str, glossed: Mapping[str, object]) -> Iterable[str]:
    parts = ((word[:cut], word[cut:]) for cut in range(_CLOSED_PART, len(word) - _CLOSED_PART + 1))
    return [last for first, last in parts if first in glossed and last in glossed and " " not in word]


def _is_compound(word: str, known: Set[str]) -> bool:
    """Whether a Chinese word is made of two that are `known`."""
    cuts = range(_PART, len(word) - _PART + 1) if len(word) >= _COMPOUND else ()
    return any(word[:cut] in known and word[cut:] in known for cut in cuts)
