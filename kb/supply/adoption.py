"""Did what an agent wrote follow a card? True, False (it contradicts) or None (unrelated), and the words that show it.

Rules, no model. A card's conclusion and its `do` are statements, cut at commas. A clause of the text that shares enough
words with a statement speaks about it. It contradicts when it has another number of the same unit (a bound such as "at
least 7 days" is kept by what lies beyond it, but not by another bound), when it does what the statement forbids, or
forbids what the statement says; doing a `dont` contradicts too. Otherwise it follows. The same thing in quite other
words is not seen: such a text counts as unrelated, not as wrong.
"""

from __future__ import annotations

import re
from dataclasses import dataclass
from decimal import Decimal
from enum import StrEnum

from kb.search.normalise import normalise
from kb.search.quantities import located, quantities
from kb.search.tokens import stop_terms, terms
from kb.supply.card import Card

LONGEST_TEXT = 200_000
"""Characters of a text that are judged."""
_SPEAKS = 0.34
"""Share of a statement's words that a clause must hold to speak about it, where numbers decide."""
_DIFFERS = 0.25
"""The same for the clause itself, where its sentence speaks about the statement and its number is another."""
_SAYS = 0.5
"""The same where words alone decide; a statement of fewer than _FEW_WORDS words says too little for that."""
_DOES = 0.6
"""The same for doing a `dont`."""
_SAME_CLAUSE = 0.75
"""The same where the unit is one that Almanac does not know: only nearly the same clause is compared then."""
_FEWEST = 2
_FEW_WORDS = 4
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
_BOUND = re.compile(f"{_AT_LEAST}|{_AT_MOST}")
# A prohibition reaches over its clause; a bare denial only over the word behind it.
_PROHIBITION = re.compile(
    r"不得|不能|不要|不可|不宜|不应|不准|不再|不必|不与|严禁|禁止|禁用|切勿|请勿|勿|避免|\bdo(?:es)? not\b|\bdon't\b|"
    r"\bnever\b|\bno\b|\bnot\b|\bcannot\b|\bavoid\b|\bwithout\b"
)
_DENIAL = re.compile(r"不|未|没有|没|无|非")
_REACH = 2
"""Characters behind a bare denial that it speaks of."""
_NEAR = 12
"""Characters before a number in which the words stand that make it a bound; none that belong to another number."""
_BEHIND = re.compile(r"[a-z -]*.{0,4}")
"""The words behind a number that make it a bound: "25 ppm nitrate-N or more", "3 级以上"."""


class Relation(StrEnum):
    """How a clause of the text stands to a statement of the card."""

    FOLLOWS = "follows"
    OTHER_NUMBER = "other_number"
    DENIES = "denies"
    DOES_DONT = "does_dont"


@dataclass(frozen=True, slots=True)
class Proof:
    """The characters `start` to `end` of the text, what they say, and the words of the card they are about."""

    start: int
    end: int
    text: str
    statement: str
    relation: Relation
    strength: float


@dataclass(frozen=True, slots=True)
class Judgement:
    """The verdict, and the clauses that show it, the strongest first; none for an unrelated text."""

    adopted: bool | None
    proofs: tuple[Proof, ...] = ()


@dataclass(frozen=True, slots=True)
class _Number:
    """A quantity with its unit in one spelling ('' for none that is known), and the bound at it: `>`, `<` or ''."""

    values: tuple[Decimal, ...]
    unit: str
    bound: str

    def keeps(self, other: _Number) -> bool:
        """Whether this number of a text agrees with the card's number `other`."""
        low, high = min(other.values), max(other.values)
        if other.bound and not self.bound:
            low, high = (low, Decimal("Infinity")) if other.bound == ">" else (Decimal("-Infinity"), high)
        return all(low <= value <= high for value in self.values)


@dataclass(frozen=True, slots=True)
class _Clause:
    """A clause of the card or of the text. `denied` are the words that it forbids or denies, `around` all words of its
    sentence."""

    start: int
    end: int
    text: str
    words: frozenset[str]
    around: frozenset[str]
    denied: frozenset[str]
    numbers: tuple[_Number, ...]

    def share_in(self, words: frozenset[str]) -> float:
        """How many of this clause's words are among `words`, 0..1."""
        shared = self.words & words
        return len(shared) / len(self.words) if self.words and len(shared) >= min(_FEWEST, len(self.words)) else 0.0


def judge(card: Card, written: str) -> Judgement:
    """Compare `written` with what `card` says to do and not to do."""
    pieces = _clauses(written[:LONGEST_TEXT])
    statements = [clause for text in (card.conclusion, *card.do) for clause in _clauses(text)]
    proofs: list[Proof] = []
    for statement in statements:
        proofs += _about(statement, statements, pieces)
    for text in card.dont:
        proofs += _about_dont(_clause(text, 0, _words(text)), pieces)
    against = [proof for proof in proofs if proof.relation is not Relation.FOLLOWS]
    shown = sorted(against or proofs, key=lambda proof: (-proof.strength, proof.start))
    return Judgement(False if against else True if proofs else None, tuple(shown[:5]))


def _clauses(written: str) -> list[_Clause]:
    found: list[_Clause] = []
    for sentence in _SENTENCE.finditer(written):
        around = _words(sentence[0])
        for clause in _CLAUSE.finditer(sentence[0]):
            text = clause[0].strip()
            if text and around:
                found.append(_clause(text, sentence.start() + clause.start() + clause[0].index(text), around))
    return found


def _clause(text: str, start: int, around: frozenset[str]) -> _Clause:
    return _Clause(start, start + len(text), text, _words(text), around, _denied(text), _numbers(text))


def _words(text: str) -> frozenset[str]:
    """What a text is about: pairs of characters and words, without numbers and words that carry no subject."""
    return frozenset(
        term
        for term in terms(text)
        if (len(term) > 1 or term.isascii()) and term not in stop_terms() and not re.match(r"[\d.]", term)
    )


def _denied(text: str) -> frozenset[str]:
    """The words that a clause forbids or denies. A bound ("not more than") denies nothing."""
    plain = _BOUND.sub(" ", normalise(text))
    found: set[str] = set()
    for mark in _PROHIBITION.finditer(plain):
        found |= _words(plain[mark.end() :])
    rest = _PROHIBITION.sub(" ", plain)
    for mark in _DENIAL.finditer(rest):
        found |= _words(rest[mark.end() : mark.end() + _REACH])
    return frozenset(found)


def _numbers(text: str) -> tuple[_Number, ...]:
    """The numbers, each with the bound that stands right before or behind it; ordinals are none."""
    plain = _ORDINAL.sub("", text)
    found: list[_Number] = []
    for start, end, _ in located(plain):
        before = re.split(r"\d", normalise(plain[max(0, start - _NEAR) : start]))[-1]
        behind = _BEHIND.match(normalise(plain[end : end + 2 * _NEAR]))
        beside = (before, behind[0] if behind else "")
        lower, upper = (any(map(mark.search, beside)) for mark in (_LOWER, _UPPER))
        bound = ">" if lower and not upper else "<" if upper and not lower else ""
        for item in quantities(plain[start:end])[:1]:
            found.append(_Number(item.values, _SAME_UNIT.get(item.unit, item.unit), bound))
    return tuple(found)


def _about(statement: _Clause, others: list[_Clause], pieces: list[_Clause]) -> list[Proof]:
    """What the text says about one statement of the card; agreeing anywhere outweighs differing elsewhere."""
    agreeing: list[Proof] = []
    differing: list[Proof] = []
    for piece in pieces:
        relation, strength = _compared(statement, others, piece)
        if relation is not None:
            proof = Proof(piece.start, piece.end, piece.text, statement.text, relation, round(strength, 3))
            (agreeing if relation is Relation.FOLLOWS else differing).append(proof)
    return agreeing or differing


def _compared(statement: _Clause, others: list[_Clause], piece: _Clause) -> tuple[Relation | None, float]:
    """How a clause of the text stands to a statement, and how sure that is (0..1)."""
    share = statement.share_in(piece.words)
    if statement.denied and (len(statement.denied & piece.words) / len(statement.denied)) >= _SAYS:
        # It speaks of what is forbidden: it has to forbid it too.
        if statement.share_in(piece.around) >= _SPEAKS:
            if not statement.denied & piece.denied:
                return Relation.DENIES, max(share, _SAYS)
            counted = _by_number(statement, others, piece) if statement.numbers else (None, 0.0)
            return counted if counted[0] is not None else (Relation.FOLLOWS, max(share, _SAYS))
    elif share >= _SAYS and piece.denied and len(piece.denied & statement.words) / len(piece.denied) >= _SAYS:
        return Relation.DENIES, share
    if statement.numbers:
        return _by_number(statement, others, piece)
    if share >= _SAYS and len(statement.words) >= _FEW_WORDS and not statement.denied:
        return Relation.FOLLOWS, share
    return None, 0.0


def _by_number(statement: _Clause, others: list[_Clause], piece: _Clause) -> tuple[Relation | None, float]:
    """By numbers of the same unit: the clause speaks of the statement that it shares most words with."""
    share = statement.share_in(piece.words)
    strength = max(share, 0.9 * statement.share_in(piece.around))
    if strength < _SPEAKS or any(other.numbers and other.share_in(piece.words) > share for other in others):
        return None, 0.0
    told = [number for number in piece.numbers if number.unit or share >= _SAME_CLAUSE]
    units = {mine.unit for mine in statement.numbers} & {theirs.unit for theirs in told}
    if not units:
        # Nearly the same clause with numbers of other units: seconds for minutes.
        return (Relation.OTHER_NUMBER if told and share >= _SAME_CLAUSE else None), strength
    for unit in units:
        theirs = [number for number in told if number.unit == unit]
        if not any(_kept(number, [statement], unit) for number in theirs):
            elsewhere = any(_kept(number, others, unit) for number in theirs)
            return (None if elsewhere or share < _DIFFERS else Relation.OTHER_NUMBER), strength
    return Relation.FOLLOWS, strength


def _kept(number: _Number, statements: list[_Clause], unit: str) -> bool:
    return any(number.keeps(mine) for statement in statements for mine in statement.numbers if mine.unit == unit)


def _bounds(text: str) -> bool:
    """Whether a clause sets a bound: "not more than 2 minutes" forbids what "more than 2 minutes" says."""
    return _BOUND.search(normalise(text)) is not None


def _about_dont(statement: _Clause, pieces: list[_Clause]) -> list[Proof]:
    """What the text says about something that must not be done; forbidding it anywhere outweighs naming it."""
    found: list[Proof] = []
    for piece in pieces:
        strength = statement.share_in(piece.words)
        if strength >= _DOES:
            forbids = bool((piece.denied - statement.denied) & statement.words) or (
                _bounds(piece.text) and not _bounds(statement.text)
            )
            relation = Relation.FOLLOWS if forbids else Relation.DOES_DONT
            found.append(Proof(piece.start, piece.end, piece.text, statement.text, relation, round(strength, 3)))
    return [proof for proof in found if proof.relation is Relation.FOLLOWS] or found
