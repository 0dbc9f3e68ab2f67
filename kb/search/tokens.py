"""From text to index terms.

Chinese: single characters and pairs, which ranks as well as a dictionary's words and needs none. Latin: words
stemmed by Snowball's English stemmer. Codes and part numbers (`E-07`, `ERR_TIMEOUT`, `10MPa`, `ESP32-C3`) whole
and in their parts, so that either spelling finds them.
"""

from __future__ import annotations

import functools
import re
from collections import Counter
from collections.abc import Iterator
from itertools import pairwise

import Stemmer

from kb.search.normalise import normalise

# Part of the index fingerprint: raise it when terms change.
VERSION = "4"

_LONGEST_WORD = 100
HAN = "\u3005\u3007\u3400-\u4dbf\u4e00-\u9fff\uf900-\ufaff"
WORD_CHARACTERS = r"a-z0-9\u00c0-\u024f\u0370-\u03ff"
WORD_JOINTS = r"\-._/+:'"
WORD = rf"[{WORD_CHARACTERS}]+(?:[-._/+:][a-z0-9]+)*(?:'[a-z]+)?"
_PIECES = re.compile(rf"(?P<han>[{HAN}]+)|(?P<word>{WORD})")
_PARTS = re.compile(r"[a-z\u00c0-\u024f\u0370-\u03ff]+|\d+(?:\.\d+)?")
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
def stop_terms() -> frozenset[str]:
    """The terms of words that carry no subject."""
    return frozenset(term for word in _STOP_WORDS.split() for term in (word, stem(word)))


def word_terms(word: str) -> tuple[str, ...]:
    """The terms of one Latin piece. Runs that nobody types (pictures written into a document) have none."""
    return _word_terms(word) if len(word) <= _LONGEST_WORD else ()


@functools.lru_cache(maxsize=65536)
def _word_terms(word: str) -> tuple[str, ...]:
    """The terms of one Latin piece: a stemmed word, or a code whole and in parts."""
    word = word.partition("'")[0]
    if word.isalpha():
        return (stem(word),)
    parts = _PARTS.findall(word)
    if len(parts) <= 1:
        return (word,)
    return (word, *(stem(part) for part in parts))


def terms(text: str) -> Iterator[str]:
    """The index terms of `text` in reading order, repeats included."""
    for found in _PIECES.finditer(normalise(text)):
        han = found["han"]
        if han is None:
            yield from word_terms(found["word"])
            continue
        yield from han
        for first, second in pairwise(han):
            yield first + second
    for word in camel_words(text):
        yield from word_terms(word)


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


def question_terms(question: str) -> list[str]:
    """The distinct terms that a question is about, in order; question phrases and stop words are left out.

    When nothing would be left, the question as it stands is used.
    """
    bare = _ASKING.sub(" ", normalise(question))
    kept = [term for term in dict.fromkeys(terms(bare)) if term not in stop_terms()]
    return kept or list(dict.fromkeys(terms(question)))


def words(text: str) -> list[str]:
    """The distinct pieces of `text` that a person would call words: Chinese runs and Latin words, normalised."""
    return list(dict.fromkeys(found[0] for found in _PIECES.finditer(normalise(text))))
