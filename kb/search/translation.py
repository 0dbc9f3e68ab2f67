"""A question word by word in the other language, so that its words say something of documents there.

Chinese is cut into the words of the dictionary, as few as will do; English words are looked up alone and in the phrases
that they make. All ways to say a word stand for it together, as the spellings of one word do (structured queries,
Pirkola 1998).
"""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator, Set
from dataclasses import dataclass
from itertools import groupby, pairwise

from kb.search.dictionary import Dictionary, Entry
from kb.search.normalise import normalise
from kb.search.tokens import HAN, WORD, question_phrases, stem, stop_terms, stop_words, terms

_PIECES = re.compile(f"(?P<han>[{HAN}]+)|(?P<word>{WORD})")
_LONGEST_WORD = 8
_LONGEST_PHRASE = 4
# What a character by itself costs beside a word, where a row of characters is cut.
_ALONE = 1.6
# How many ways of a word count, how much less each one weighs than the one before it (a Chinese word has its usual
# English ones in front; an English one may mean any of many Chinese ones), and what a way weighs in which the word only
# stands beside others.
_MOST_WAYS = 24
_LESS_USUAL = 0.3
_LESS_LIKELY = 0.08
_BESIDE = 0.6
# What the last word of a compound of two weighs alone.
_COMPOUND = 2
_HEAD = 0.5
# What asks, or measures what is asked for, and would be cut into words of another meaning (回事, 才能).
_ASKING = re.compile("回事|才能|就要|多久|多长|几[个天次年月只头]|一个|之内|以内|什么时候|第一次")
_ASKING_ENGLISH = frozenset(("mean", "means", "get", "one", "go", "work", "works", "need", "many", "long", "far"))
# Words of documents that are spelt in two ways; the dictionary is American.
_BRITISH = {
    "aluminum": "aluminium", "anemia": "anaemia", "center": "centre", "color": "colour",
    "diarrhea": "diarrhoea", "estrus": "oestrus", "feces": "faeces", "fertilizer": "fertiliser", "fetus": "foetus",
    "fiber": "fibre", "gray": "grey", "labor": "labour", "liter": "litre", "meter": "metre", "mold": "mould",
    "moldy": "mouldy", "odor": "odour", "plow": "plough", "sulfur": "sulphur", "tire": "tyre", "tires": "tyres",
    "ton": "tonne", "vapor": "vapour",
}  # fmt: skip
_AMERICAN = {british: american for american, british in _BRITISH.items()}
# What books call female and male animals, and what people do.
_EVERYDAY = {"雌": "母", "雄": "公"}
# Characters that only relate, ask or measure: alone they have dozens of meanings.
_SAYING_LITTLE = frozenset(
    "的地得了着过是在有为与和或及要能会可应该须需就都也还又再才只把被让给对从到向按时候后前内中里上下每各一个几多少大小高低长短"
    "深浅远近快慢久谁哪何什么样办做弄用放打施加取存看说叫住好掉开起见进出完您我你他它她们这那些种类型号量度值率数最比不无非别勿"
    "莫来去成次第以其之"
)


@dataclass(frozen=True, slots=True)
class Way:
    """One way to say a word in the other language: index terms, all of which it takes, and how usual it is, 0..1."""

    terms: tuple[str, ...]
    weight: float


@dataclass(frozen=True, slots=True)
class Word:
    """A word or phrase of a question as it is `said` (normalised), and the ways to say it in the other language; none
    where the dictionary does not know it. Such a one may be made of `parts` that are words of the question too."""

    said: str
    ways: tuple[Way, ...]
    parts: tuple[str, ...] = ()

    @property
    def is_name(self) -> bool:
        """Whether the word means so little else that a text which tells it in none of its ways speaks of other things:
        what one character with many meanings says is told in more ways than a dictionary knows."""
        return len(self.said) > 1 or len(self.ways) == 1


@dataclass(frozen=True, slots=True)
class Translation:
    """The words of a question, repeats left out, in order. A code or a name in Latin letters is its own way."""

    words: tuple[Word, ...]

    def told(self, there: Set[str]) -> frozenset[str]:
        """The words, as they are said, which a text with the terms `there` in the other language says."""
        told = {word.said for word in self.words if any(there >= {*way.terms} for way in word.ways)}
        return frozenset(told.union(word.said for word in self.words if word.parts and told.issuperset(word.parts)))

    def terms(self) -> tuple[str, ...]:
        """All index terms of all ways, once each."""
        return tuple(dict.fromkeys(term for word in self.words for way in word.ways for term in way.terms))


def translate(question: str, lang: str, dictionary: Dictionary) -> Translation:
    """`question`, which is in `lang` (zh or en), in the other language; question phrases and stop words left out."""
    plain = _ASKING.sub(" ", question_phrases(normalise(question)))
    words = _from_chinese(plain, dictionary) if lang == "zh" else _from_english(plain, dictionary)
    return Translation(tuple({word.said: word for word in words}.values()))


def _from_chinese(plain: str, dictionary: Dictionary) -> Iterator[Word]:
    for piece in _PIECES.finditer(plain):
        if piece["word"]:
            yield from _as_it_is(piece["word"])
            continue
        cut = _cut(piece["han"], dictionary)
        for word, meanings in cut:
            ways = _ways(map(_english, _spellings(meanings)), _LESS_USUAL)
            # What means nothing but stop words (我们, 五月: "may") says as little as they do.
            if word not in _SAYING_LITTLE and (ways or not meanings):
                yield Word(word, (*ways, *_heads(ways)))
        yield from (Word(name, (), tuple(name)) for name in _unknown([word for word, _ in cut]))


def _unknown(cut: Iterable[str]) -> Iterator[str]:
    """Characters that were left alone beside each other: a name that the dictionary does not know."""
    for alone, words in groupby(cut, lambda word: len(word) == 1 and word not in _SAYING_LITTLE):
        name = "".join(words)
        if alone and len(name) > 1:
            yield name


def _as_it_is(word: str) -> Iterator[Word]:
    yield from (Word(term, (Way((term,), 1.0),)) for term in terms(word) if term not in stop_terms())


def _english(meaning: str) -> tuple[str, ...]:
    return tuple(stem(word) for word in meaning.split() if word not in stop_words())


def _spellings(meanings: Iterable[str]) -> Iterator[str]:
    """Each of the meanings, and then its words in British spelling where that differs."""
    for meaning in meanings:
        yield meaning
        british = " ".join(_BRITISH.get(word, word) for word in meaning.split())
        if british != meaning:
            yield british


def _heads(ways: tuple[Way, ...]) -> Iterator[Way]:
    """What English compounds are a kind of: their last word (a milk cow is a cow). Not where one word says it as usual:
    a rare compound beside it («love apple» for tomato) may be none of that kind."""
    if ways and len(ways[0].terms) == 1:
        return
    alone = {way.terms for way in ways}
    heads = {way.terms[-1:]: way.weight * _HEAD for way in reversed(ways) if len(way.terms) == _COMPOUND}
    yield from (Way(head, weight) for head, weight in heads.items() if head not in alone)


def _in_chinese(meanings: Iterable[str]) -> Iterator[tuple[str, ...]]:
    """The terms of each of the meanings, and of its everyday name where it has one."""
    for meaning in meanings:
        yield _pairs(meaning)
        if len(meaning) > 1 and meaning[0] in _EVERYDAY:
            yield _pairs(_EVERYDAY[meaning[0]] + meaning[1:])


def _pairs(word: str) -> tuple[str, ...]:
    return tuple(first + second for first, second in pairwise(word)) or (word,)


def _ways(said: Iterable[tuple[str, ...]], less: float, weight: float = 1.0) -> tuple[Way, ...]:
    distinct = list(dict.fromkeys(filter(None, said)))[:_MOST_WAYS]
    return tuple(Way(way, weight / (1.0 + less * place)) for place, way in enumerate(distinct))


def _cut(row: str, dictionary: Dictionary) -> list[tuple[str, tuple[str, ...]]]:
    """A row of Chinese characters as the fewest words, each with its meanings; a character that is left alone too."""
    best: list[tuple[float, int, tuple[str, ...]]] = [(0.0, 0, ())]
    for end in range(1, len(row) + 1):
        choices = []
        for start in range(max(0, end - _LONGEST_WORD), end):
            entry = dictionary.look_up(row[start:end])
            if end - start == 1 or entry is not None:
                cost = best[start][0] + (_ALONE if end - start == 1 else 1.0)
                choices.append((cost, start, entry.means if entry else ()))
        best.append(min(choices, key=lambda choice: choice[:2]))
    words = []
    end = len(row)
    while end:
        _, start, meanings = best[end]
        words.append((row[start:end], meanings))
        end = start
    return words[::-1]


def _from_english(plain: str, dictionary: Dictionary) -> Iterator[Word]:
    spoken = [piece[0] for piece in _PIECES.finditer(plain)]
    inside: tuple[int, tuple[Way, ...]] = (0, ())
    for place, word in enumerate(spoken):
        phrase, size = _phrase(spoken[place : place + _LONGEST_PHRASE], dictionary)
        if size > inside[0] - place:
            inside = place + size, phrase
        # A phrase tells each of its words, which may also be told apart.
        together = inside[1] if place < inside[0] else ()
        if word in stop_words() or word in _ASKING_ENGLISH:
            continue
        if not (word.isalpha() and word.isascii()):
            yield from _as_it_is(word)
        elif ways := (*together, *_alone(word, dictionary)):
            yield Word(word, ways)
        else:
            yield Word(word, (Way((stem(word),), 1.0),))


def _phrase(spoken: list[str], dictionary: Dictionary) -> tuple[tuple[Way, ...], int]:
    """The ways to say the longest phrase of several words that `spoken` begins with, and how many these are."""
    for size in range(len(spoken), 1, -1):
        if stop_words().isdisjoint(spoken[:size]) and (entry := _entry(spoken[:size], dictionary)):
            return _ways(_in_chinese(entry.means), _LESS_LIKELY), size
    return (), 0


def _alone(word: str, dictionary: Dictionary) -> tuple[Way, ...]:
    entry = _entry([word], dictionary)
    if entry is None:
        return ()
    return (*_ways(_in_chinese(entry.means), _LESS_LIKELY), *_ways(_in_chinese(entry.helps), 0.0, _BESIDE))


def _entry(spoken: list[str], dictionary: Dictionary) -> Entry | None:
    """The entry of a word or phrase, in American spelling."""
    return dictionary.look_up_english(" ".join(_AMERICAN.get(word, word) for word in spoken))
