"""What is compared for adoption: clauses of a card or of a text, with their words, numbers with bounds, and denials."""

from __future__ import annotations

import re
from dataclasses import dataclass
from decimal import Decimal

from kb.search.normalise import normalise
from kb.search.quantities import located, quantities
from kb.search.tokens import stop_terms, terms

_FEWEST = 2
"""Words that two clauses share at least, where they have so many."""
_SENTENCE = re.compile(r"[^。！？；;!?\n]+?(?:[。！？；;!?\n]|\.(?=\s|$)|$)")
_CLAUSE = re.compile(r"[^，,：:（()）]+")
_ORDINAL = re.compile(r"第[零一二两三四五六七八九十百\d]+")
# Units that people write both ways; nothing is converted.
_SAME_UNIT = {
    "公斤": "kg", "千克": "kg", "克": "g", "毫克": "mg", "毫升": "ml", "升": "l", "厘米": "cm", "毫米": "mm", "米": "m",
    "公顷": "ha", "hm2": "ha", "小时": "h", "hour": "h", "hours": "h", "分钟": "min", "minutes": "min", "minute": "min",
    "秒": "s", "秒钟": "s", "seconds": "s", "second": "s", "天": "d", "日": "d", "days": "d", "day": "d", "兆帕": "mpa",
    "度": "℃", "°c": "℃", "percent": "%", "times": "次", "转": "r/min", "rpm": "r/min", "weeks": "周", "week": "周",
}  # fmt: skip
# What makes a number a bound. The negative forms deny nothing.
_AT_LEAST = r"不(?:得|应|宜|能|可|要)?(?:少|低|小|短)于|至少|以上|≥|\bat least\b|\bor more\b|\bno(?:t)? less than\b"
_ABOVE = r"(?<!不)(?<!不得)(?:超过|高于|大于|多于)|\babove\b|\bmore than\b|\bover\b"
_AT_MOST = (
    r"不(?:得|应|宜|能|可|要)?(?:超过|高于|大于|多于|晚于|迟于)|至多|最多|最迟|以内|之内|以下|≤|\bat most\b|"
    r"\bno(?:t)? more than\b|\bor less\b|\bwithin\b|\bup to\b"
)
_BELOW = r"(?<!不)(?<!不得)(?:低于|小于|少于)|\bbelow\b|\bless than\b|\bunder\b"
_LOWER, _UPPER = re.compile(f"{_AT_LEAST}|{_ABOVE}"), re.compile(f"{_AT_MOST}|{_BELOW}")
BOUND = re.compile(f"{_AT_LEAST}|{_AT_MOST}")
# A prohibition reaches over its clause; a bare denial only over the word behind it.
PROHIBITION = re.compile(
    r"不得|不能|不要|不可|不宜|不应|不准|不再|不必|不与|严禁|禁止|禁用|切勿|请勿|勿|避免|\bdo(?:es)? not\b|\bdon't\b|"
    r"\bnever\b|\bno\b|\bnot\b|\bcannot\b|\bavoid\b|\bwithout\b"
)
_DENIAL = re.compile(r"不|未|没有|没|无|非")
_PLAIN_DENIAL = re.compile(r"不(?![同过断])|未|没|别|免")
"""Denials that are no part of a name (非洲, 无机)."""
_SIGN = re.compile(r"\s?([\u03a9\u2126\u2030])")
"""Units of one sign that quantities of search do not know: ohm, per mille."""
_REACH = 2
"""Characters behind a bare denial that it speaks of."""
_NEAR = 12
"""Characters before a number in which the words stand that make it a bound; none that belong to another number."""
_BEHIND = re.compile(r"[a-z -]*.{0,4}")
"""The words behind a number that make it a bound: "25 ppm nitrate-N or more", "3 级以上"."""


@dataclass(frozen=True, slots=True)
class Number:
    """A quantity with its unit in one spelling ('' for none that is known), and the bound at it: `>`, `<` or ''."""

    values: tuple[Decimal, ...]
    unit: str
    bound: str

    def keeps(self, other: Number) -> bool:
        """Whether this number of a text agrees with the card's number `other`."""
        low, high = min(other.values), max(other.values)
        if other.bound and not self.bound:
            low, high = (low, Decimal("Infinity")) if other.bound == ">" else (Decimal("-Infinity"), high)
        return all(low <= value <= high for value in self.values)


@dataclass(frozen=True, slots=True)
class Clause:
    """A clause of the card or of the text. `denied` are the words that it forbids or denies, `around` all words of its
    sentence."""

    start: int
    end: int
    text: str
    words: frozenset[str]
    around: frozenset[str]
    denied: frozenset[str]
    numbers: tuple[Number, ...]

    def share_in(self, words: frozenset[str]) -> float:
        """How many of this clause's words are among `words`, 0..1."""
        shared = self.words & words
        return len(shared) / len(self.words) if self.words and len(shared) >= min(_FEWEST, len(self.words)) else 0.0


def clauses(written: str) -> list[Clause]:
    """The clauses of a text, in order; `around` of each are the words of its sentence."""
    found: list[Clause] = []
    for sentence in _SENTENCE.finditer(written):
        around = words_of(sentence[0])
        for clause in _CLAUSE.finditer(sentence[0]):
            text = clause[0].strip()
            if text and around:
                found.append(clause_of(text, sentence.start() + clause.start() + clause[0].index(text), around))
    return found


def sentences(written: str) -> list[Clause]:
    """The sentences of a text, each as one clause."""
    found = []
    for match in _SENTENCE.finditer(written):
        if text := match[0].strip():
            found.append(clause_of(text, match.start() + match[0].index(text), words_of(text)))
    return found


def clause_of(text: str, start: int, around: frozenset[str]) -> Clause:
    """`text`, which stands at `start`, as a clause."""
    return Clause(start, start + len(text), text, words_of(text), around, denied_in(text), _numbers(text))


def words_of(text: str) -> frozenset[str]:
    """What a text is about: pairs of characters and words, without numbers and words that carry no subject."""
    return frozenset(
        term
        for term in terms(text)
        if (len(term) > 1 or term.isascii()) and term not in stop_terms() and not re.match(r"[\d.]", term)
    )


def denied_in(text: str) -> frozenset[str]:
    """The words that a clause forbids or denies. A bound ("not more than") denies nothing."""
    plain = BOUND.sub(" ", normalise(text))
    found: set[str] = set()
    for mark in PROHIBITION.finditer(plain):
        found |= words_of(plain[mark.end() :])
    rest = PROHIBITION.sub(" ", plain)
    for mark in _DENIAL.finditer(rest):
        found |= words_of(rest[mark.end() : mark.end() + _REACH])
    return frozenset(found)


def _numbers(text: str) -> tuple[Number, ...]:
    """The numbers, each with the bound that stands right before or behind it; ordinals are none."""
    plain = _ORDINAL.sub("", text)
    found: list[Number] = []
    for start, end, _ in located(plain):
        before = re.split(r"\d", normalise(plain[max(0, start - _NEAR) : start]))[-1]
        behind = _BEHIND.match(normalise(plain[end : end + 2 * _NEAR]))
        beside = (before, behind[0] if behind else "")
        lower, upper = (any(map(mark.search, beside)) for mark in (_LOWER, _UPPER))
        bound = ">" if lower and not upper else "<" if upper and not lower else ""
        for item in quantities(plain[start:end])[:1]:
            unit = item.unit or (sign[1].lower() if (sign := _SIGN.match(plain, end)) else "")
            found.append(Number(item.values, _SAME_UNIT.get(unit, unit), bound))
    return tuple(found)


def forbidden(text: str) -> str:
    """What a clause forbids: the words behind its first prohibition; '' where it forbids nothing."""
    plain = BOUND.sub(lambda bound: " " * len(bound[0]), normalise(text))
    mark = PROHIBITION.search(plain)
    return plain[mark.end() :].strip() if mark else ""


def denies(text: str) -> bool:
    """Whether a clause forbids or denies anything."""
    plain = BOUND.sub(" ", normalise(text))
    return PROHIBITION.search(plain) is not None or _PLAIN_DENIAL.search(plain) is not None


def sets_bound(text: str) -> bool:
    """Whether a clause sets a bound: "not more than 2 minutes" forbids what "more than 2 minutes" says."""
    return BOUND.search(normalise(text)) is not None
