"""From text to index terms.

Chinese: single characters and pairs, which ranks as well as a dictionary's words and needs none. Latin: words
stemmed by Snowball's English stemmer. Codes and part numbers (`E-07`, `ERR_TIMEOUT`, `10MPa`, `ESP32-C3`) whole, in
the pieces between their joints, and in runs of letters and of digits, so that every spelling finds them.
"""

from __future__ import annotations

import functools
import re
from collections import Counter
from collections.abc import Iterable, Iterator, Mapping
from itertools import pairwise

import Stemmer

from kb.search.normalise import normalise

# Part of the index fingerprint: raise it when terms change.
VERSION = "5"

_LONGEST_WORD = 100
# What a code as a whole and a run in one of its pieces count in a question beside the pieces, since together they say
# little more (measured on the open halves: hit@1 of the words alone on device-faq en .555 -> .589).
_WHOLE_CODE = 0.25
_RUN = 0.5
HAN = "\u3005\u3007\u3400-\u4dbf\u4e00-\u9fff\uf900-\ufaff"
WORD_CHARACTERS = r"a-z0-9\u00c0-\u024f\u0370-\u03ff"
WORD_JOINTS = r"\-._/+:'"
WORD = rf"[{WORD_CHARACTERS}]+(?:[-._/+:][a-z0-9]+)*(?:'[a-z]+)?"
_PIECES = re.compile(rf"(?P<han>[{HAN}]+)|(?P<word>{WORD})")
# Between joints a code has pieces (esp32-c3: esp32, c3), and a piece has runs of letters and numbers (esp, 32).
_BETWEEN_JOINTS = re.compile(rf"\d+\.\d+[{WORD_CHARACTERS}]*|[{WORD_CHARACTERS}]+")
_PIECE = re.compile(rf"[{WORD_CHARACTERS}]+")
_RUNS = re.compile(r"[a-z\u00c0-\u024f\u0370-\u03ff]+|\d+(?:\.\d+)?")
_CAMEL_HINT = re.compile("[a-z][A-Z]")
_CAMEL_WORD = re.compile(r"\b[A-Za-z]*[a-z][A-Z][A-Za-z]*\b")
_CAMEL_PART = re.compile(r"[A-Z]?[a-z]+|[A-Z]+(?![a-z])")

# Words that only say that this is a question; without them the rare words decide (measured on the open halves).
_ASKING = re.compile(
    "请问|请教|一下|是什么意思|指的是什么|是什么|什么是|为什么|为何|怎么办|怎么样|怎样|怎么|如何|多少|哪些|哪个|哪种|哪一|"
    "有没有|是否|能否|可否|能不能|可不可以|可以|吗|呢|简述|试述|论述|说明|谈谈|叙述|阐述|简要|分别|什么|几种|主要"
)
_STOP_WORDS = (
    "a an the of to in on at for from by with and or is are was were be been being do does did has have had it its "
    "this that these those there here what which who whom whose when where why how much many can could should "
    "would will may might must shall i you we they he she my your our their me us them about into as if than then "
    "so not no any some please tell"
)


@functools.lru_cache(maxsize=65536)
def stem(word: str) -> str:
    """The Snowball stem of a lower-case English word."""
    # A stemmer must not be shared by threads; a new one costs 3 microseconds, and words repeat.
    return str(Stemmer.Stemmer("english").stemWord(word))


@functools.cache
def stop_words() -> frozenset[str]:
    """English words that carry no subject, as they are written."""
    return frozenset(_STOP_WORDS.split())


@functools.cache
def stop_terms() -> frozenset[str]:
    """The terms of words that carry no subject."""
    return frozenset(term for word in _STOP_WORDS.split() for term in (word, stem(word)))


def word_terms(word: str) -> Iterable[str]:
    """The terms of one Latin piece. Runs that nobody types (pictures written into a document) have none."""
    return _word_weights(word)


def _word_weights(word: str) -> Mapping[str, float]:
    return _weights_of(word) if len(word) <= _LONGEST_WORD else {}


@functools.lru_cache(maxsize=65536)
def _weights_of(word: str) -> Mapping[str, float]:
    """The terms of one Latin piece and what each counts in a question: a stemmed word, or a code whole, in pieces and
    in runs."""
    word = word.partition("'")[0]
    if word.isalpha():
        return {stem(word): 1.0}
    pieces = _BETWEEN_JOINTS.findall(word)
    found = {word: 1.0 if len(pieces) == 1 else _WHOLE_CODE}
    for piece in pieces:
        if piece.isalpha():
            found[stem(piece)] = 1.0
            continue
        found[piece] = 1.0
        for run in _RUNS.findall(piece):
            found.setdefault(stem(run), _RUN)
    return found


def terms(text: str) -> Iterator[str]:
    """The index terms of `text` in reading order, repeats included."""
    yield from (term for term, _ in _weighed(normalise(text)))
    for word in camel_words(text):
        yield from word_terms(word)


def _weighed(plain: str) -> Iterator[tuple[str, float]]:
    """The terms of normalised text in reading order, each with what it counts in a question."""
    for found in _PIECES.finditer(plain):
        han = found["han"]
        if han is None:
            yield from _word_weights(found["word"]).items()
            continue
        yield from ((char, 1.0) for char in han)
        yield from ((first + second, 1.0) for first, second in pairwise(han))


def may_hold_camel(text: str) -> bool:
    """Whether `camel_words` could find any."""
    return _CAMEL_HINT.search(text) is not None


def camel_words(text: str) -> list[str]:
    """The words inside joined ones, in lower case: `DeepSleepMode` -> deep, sleep, mode."""
    if not may_hold_camel(text):
        return []
    return [part.lower() for joined in _CAMEL_WORD.findall(text) for part in _CAMEL_PART.findall(joined)]


def counted(text: str) -> Counter[str]:
    """How often each term occurs in `text`."""
    return Counter(terms(text))


def question_phrases(plain: str) -> str:
    """Normalised text without what only says that it is a question."""
    return _ASKING.sub(" ", plain)


def question_terms(question: str) -> dict[str, float]:
    """The distinct terms that a question is about, in order, and what each counts (0..1); question phrases and stop
    words are left out.

    When nothing would be left, the question as it stands is used.
    """
    plain = normalise(question)
    kept = _heaviest(_weighed(question_phrases(plain)))
    return {term: weight for term, weight in kept.items() if term not in stop_terms()} or _heaviest(_weighed(plain))


def _heaviest(weighed: Iterable[tuple[str, float]]) -> dict[str, float]:
    found: dict[str, float] = {}
    for term, weight in weighed:
        found[term] = max(weight, found.get(term, 0.0))
    return found


def latin_words(text: str) -> list[str]:
    """The stems of Latin words and the pieces of codes in reading order, repeats included."""
    return [stem(piece) if piece.isalpha() else piece for piece in _PIECE.findall(normalise(text))]


def words(text: str) -> list[str]:
    """The distinct pieces of `text` that a person would call words: Chinese runs and Latin words, normalised."""
    return list(dict.fromkeys(found[0] for found in _PIECES.finditer(normalise(text))))
