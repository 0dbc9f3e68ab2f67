"""Index terms as 40-bit numbers, made a whole text at a time.

A key is the head of a 64-bit hash: Chinese characters and pairs are hashed from their code points by numpy, Latin
terms by BLAKE2b. `section_keys` gives exactly the keys of `tokens.terms`, some ten times faster, which is what makes
indexing quick. Two of a million terms share a 40-bit key about every second index; that costs a little rank, no more.
"""

from __future__ import annotations

import functools
import re
import unicodedata
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from itertools import chain

import numpy as np
import numpy.typing as npt

from kb.hashing import blake2b
from kb.search import tokens
from kb.search.normalise import may_hold_formula, normalise, plain_formulas, simplified

KEY_BITS = 40
Keys = npt.NDArray[np.uint64]
Points = npt.NDArray[np.uint32]

_SHIFT = np.uint64(64 - KEY_BITS)
# SplitMix64 finaliser (Steele, Lea, Flood 2014): every input bit reaches every output bit.
_MIX_1 = np.uint64(0xBF58476D1CE4E5B9)
_MIX_2 = np.uint64(0x94D049BB133111EB)
_PAIR = np.uint64(21)
_LATIN = re.compile(tokens.WORD)
# What Latin terms are made of: `tokens.WORD` reaches over nothing else.
_LATIN_PARTS = re.compile(rf"[{tokens.WORD_CHARACTERS}{tokens.WORD_JOINTS}]")
_LONG_RUN = 64
_MOST_RUNS = 50_000
_HAN_ONLY = re.compile(rf"[{tokens.HAN}]{{1,2}}")
# The code points of the basic multilingual plane.
_PLANE = 0x10000
# Ideographs that compatibility folding leaves alone, and the blocks whose other characters are worth a place in the
# table (Latin to Cyrillic, punctuation to dingbats, radicals, CJK symbols, compatibility and full-width forms); the
# rest is rare.
_UNIFIED = ((0x3400, 0x4DC0), (0x4E00, 0xA000))
_LOOKED_UP = (
    (0x80, 0x500),
    (0x2000, 0x2700),
    (0x2E80, 0x2FE0),
    (0x3000, 0x3100),
    (0x3200, 0x3400),
    (0xF900, 0xFB00),
    (0xFE30, 0xFFF0),
)
# Stands between texts that are folded together; no pattern reaches over it.
_BETWEEN = "\0"


def mixed(values: Keys) -> Keys:
    """Hash 64-bit numbers, keep the upper KEY_BITS bits."""
    values = (values ^ (values >> np.uint64(30))) * _MIX_1
    values = (values ^ (values >> np.uint64(27))) * _MIX_2
    kept: Keys = (values ^ (values >> np.uint64(31))) >> _SHIFT
    return kept


def term_keys(terms: Sequence[str]) -> Keys:
    """The key of each term."""
    chinese = [_HAN_ONLY.fullmatch(term) is not None for term in terms]
    values = [_han_value(term) if han else _digest(term) for term, han in zip(terms, chinese, strict=True)]
    kept = np.array(values, np.uint64)
    return np.where(chinese, mixed(kept), kept)


@functools.lru_cache(maxsize=50_000)
def term_key(term: str) -> int:
    """The key of one term."""
    return int(term_keys((term,))[0])


def fact_keys(field: str, terms: Keys) -> Keys:
    """The keys of terms (by their own keys) among a document's own words: `field` is k (title, keywords, tags) or p
    (path)."""
    return mixed(terms | np.uint64(ord(field) << KEY_BITS))


def _han_value(term: str) -> int:
    """A Chinese character or pair as a number."""
    first = ord(term[0])
    return first if len(term) == 1 else (first << int(_PAIR)) | ord(term[1])


def _digest(text: str) -> int:
    return int.from_bytes(blake2b(text.encode(), digest_size=8).digest(), "big") >> (64 - KEY_BITS)


class _Runs(dict[str, tuple[int, ...]]):
    """The keys of the Latin terms in a run of characters that such terms are made of, worked out when first met."""

    def __missing__(self, run: str) -> tuple[int, ...]:
        words = _LATIN.findall(run)
        keys = tuple(term_key(term) for word in words for term in tokens.word_terms(word))
        # A long run is not worth a place.
        if len(run) < _LONG_RUN:
            if len(self) > _MOST_RUNS:
                self.clear()
            self[run] = keys
        return keys


_RUNS = _Runs()


@dataclass(frozen=True, slots=True)
class Folding:
    """`normalise`, one code point of the basic plane at a time: `points` gives the folded one, `chinese` says whether
    that is a Chinese character, `latin` whether it may stand in a Latin term. Where a character folds to several, joins
    with its neighbours, or lies outside the plane, `alone` is False; what it folds to may then stand in `several`, else
    the text has to go through `normalise` itself.
    """

    points: npt.NDArray[np.uint32]
    chinese: npt.NDArray[np.bool_]
    latin: npt.NDArray[np.bool_]
    alone: npt.NDArray[np.bool_]
    several: Mapping[str, str]


@functools.cache
def _folding() -> Folding:
    points = np.arange(_PLANE, dtype=np.uint32)
    alone = np.zeros(_PLANE, bool)
    alone[:0x80] = True
    points[ord("A") : ord("Z") + 1] += 32
    several: dict[str, str] = {}
    for first, last in _LOOKED_UP:
        for point in range(first, last):
            char = chr(point)
            folded = normalise(char)
            if len(folded) > 1 and not any(map(_joins, char + folded)):
                several[char] = folded
            elif len(folded) == 1 and ord(folded) < _PLANE - 1 and not _joins(char) and not _joins(folded):
                points[point] = ord(folded)
                alone[point] = True
    for first, last in _UNIFIED:
        alone[first:last] = True
    for traditional, plain in simplified().items():
        if traditional < _PLANE and len(plain) == 1 and ord(plain) < _PLANE - 1:
            points[traditional] = ord(plain)
        elif traditional < _PLANE:
            alone[traditional] = False
    # These could make a formula of what stood around them.
    for char in "＄＾":
        alone[ord(char)] = False
    plane = "".join(map(chr, range(_PLANE)))
    chinese, latin = np.zeros(_PLANE, bool), np.zeros(_PLANE, bool)
    for found in re.findall(f"[{tokens.HAN}]+", plane):
        chinese[ord(found[0]) : ord(found[-1]) + 1] = True
    latin[list(map(ord, _LATIN_PARTS.findall(plane)))] = True
    settled = alone & (points == np.arange(_PLANE))
    several = {char: folded for char, folded in several.items() if settled[list(map(ord, folded))].all()}
    return Folding(points, chinese, latin, alone, several)


@functools.cache
def _blanks() -> dict[int, int]:
    """ASCII characters that stand in no Latin term as blanks; what stands between texts stays."""
    return {point: ord(" ") for point in range(1, 0x80) if not _LATIN_PARTS.match(chr(point))}


def _joins(char: str) -> bool:
    """Whether folding looks at the neighbours: combining marks, Hangul letters, the Greek sigma at a word's end."""
    return bool(unicodedata.combining(char)) or unicodedata.name(char, "").startswith("HANGUL") or char in "Σσς"


def section_keys(texts: list[str]) -> tuple[Keys, npt.NDArray[np.int64]]:
    """The keys of `tokens.terms` of each text, repeats included, in no particular order; and the text of each key.

    The texts (sections of one document) are folded together: numpy's cost is then paid once a document.
    """
    if not texts:
        return np.zeros(0, np.uint64), np.zeros(0, np.int64)
    joined = _BETWEEN.join(text.replace(_BETWEEN, " ") for text in texts)
    whole, points = _folded(joined)
    latin: list[int] = []
    sizes: list[int] = []
    camel = tokens.may_hold_camel(joined)
    for text, runs in zip(texts, _latin_runs(whole, points), strict=True):
        before = len(latin)
        latin.extend(chain.from_iterable(map(_RUNS.__getitem__, runs.split())))
        if camel:
            latin.extend(chain.from_iterable(map(_RUNS.__getitem__, tokens.camel_words(text))))
        sizes.append(len(latin) - before)
    words, owner = np.array(latin, np.uint64), np.repeat(np.arange(len(texts)), sizes)
    if points is None:
        return words, owner
    chinese, owner_of_chinese = _han_keys(points)
    return np.concatenate((words, chinese)), np.concatenate((owner, owner_of_chinese))


def _latin_runs(whole: str, points: Points | None) -> list[str]:
    """For each text the runs of characters that Latin terms are made of, blanks between them."""
    if points is None:
        return whole.translate(_blanks()).split(_BETWEEN)
    kept = _folding().latin[np.minimum(points, _PLANE - 1)] | (points == ord(_BETWEEN))
    # Of what stands between two runs one blank is left.
    shown = kept.copy()
    shown[1:] |= kept[:-1]
    left: bytes = np.where(kept, points, np.uint32(ord(" ")))[shown].tobytes()
    return left.decode("utf-32-le").split(_BETWEEN)


def _folded(text: str) -> tuple[str, Points | None]:
    """`normalise(text)`, and its code points unless it is plain ASCII."""
    if may_hold_formula(text):
        text = plain_formulas(plain_formulas(text))
    if text.isascii():
        return text.lower(), None
    # What is left of a formula's marks could be one after folding.
    if "$" not in text and "^" not in text:
        folding = _folding()
        points = _points(text)
        strange = np.unique(points[~folding.alone[points]])
        if len(strange):
            for char in map(chr, strange.tolist()):
                text = text.replace(char, folding.several.get(char, char))
            points = _points(text)
        if not len(strange) or folding.alone[points].all():
            points = folding.points[points]
            return points.tobytes().decode("utf-32-le"), points
    text = normalise(text)
    return text, np.frombuffer(text.encode("utf-32-le", "replace"), np.uint32)


def _points(text: str) -> Points:
    """Code points; all that lie outside the basic plane as its last one."""
    return np.minimum(np.frombuffer(text.encode("utf-32-le", "replace"), np.uint32), np.uint32(_PLANE - 1))


def _han_keys(points: Points) -> tuple[Keys, npt.NDArray[np.int64]]:
    """The keys of Chinese characters and of the pairs that stand together, and their texts."""
    owners = np.cumsum(points == ord(_BETWEEN))
    places = np.flatnonzero(_folding().chinese[np.minimum(points, _PLANE - 1)])
    wide = points[places].astype(np.uint64)
    beside = np.flatnonzero(places[1:] - places[:-1] == 1)
    joined = (wide[beside] << _PAIR) | wide[beside + 1]
    keys = mixed(np.concatenate((wide, joined)))
    return keys, np.concatenate((owners[places], owners[places[beside]]))
