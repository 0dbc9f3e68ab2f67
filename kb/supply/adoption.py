"""Did what an agent wrote follow a card? True, False (it contradicts) or None (unrelated), and the words that show it.

Rules, no model. A card's conclusion and its `do` are statements, cut at commas. A clause of the text that shares enough
words with a statement speaks about it. It contradicts when it has another number of the same unit (a bound such as "at
least 7 days" is kept by what lies beyond it, but not by another bound), when it does what the statement forbids, or
forbids what the statement says; doing a `dont` contradicts too. Otherwise it follows. The same thing in quite other
words is not seen: such a text counts as unrelated, not as wrong, unless meaning sees it (`adoption_meaning`).
"""

from __future__ import annotations

from dataclasses import dataclass
from enum import StrEnum

from kb.supply.adoption_reading import Clause, Number, clause_of, clauses, sets_bound, words_of
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
_FEW_WORDS = 4


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


def judge(card: Card, written: str) -> Judgement:
    """Compare `written` with what `card` says to do and not to do."""
    pieces = clauses(written[:LONGEST_TEXT])
    statements = [clause for text in (card.conclusion, *card.do) for clause in clauses(text)]
    proofs: list[Proof] = []
    for statement in statements:
        proofs += _about(statement, statements, pieces)
    wanted = frozenset[str]().union(*(statement.words for statement in statements))
    for text in card.dont:
        proofs += _about_dont(clause_of(text, 0, words_of(text)), wanted, pieces)
    against = [proof for proof in proofs if proof.relation is not Relation.FOLLOWS]
    shown = sorted(against or proofs, key=lambda proof: (-proof.strength, proof.start))
    return Judgement(False if against else True if proofs else None, tuple(shown[:5]))


def _about(statement: Clause, others: list[Clause], pieces: list[Clause]) -> list[Proof]:
    """What the text says about one statement of the card; agreeing anywhere outweighs differing elsewhere."""
    agreeing: list[Proof] = []
    differing: list[Proof] = []
    for piece in pieces:
        relation, strength = _compared(statement, others, piece)
        if relation is not None:
            proof = Proof(piece.start, piece.end, piece.text, statement.text, relation, round(strength, 3))
            (agreeing if relation is Relation.FOLLOWS else differing).append(proof)
    return agreeing or differing


def _compared(statement: Clause, others: list[Clause], piece: Clause) -> tuple[Relation | None, float]:
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


def _by_number(statement: Clause, others: list[Clause], piece: Clause) -> tuple[Relation | None, float]:
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


def _kept(number: Number, statements: list[Clause], unit: str) -> bool:
    return any(number.keeps(mine) for statement in statements for mine in statement.numbers if mine.unit == unit)


def _about_dont(statement: Clause, wanted: frozenset[str], pieces: list[Clause]) -> list[Proof]:
    """What the text says about something that must not be done; forbidding it anywhere outweighs naming it.

    `wanted` are the words of what is to be done: a clause that shares nothing else with the statement names only its
    object, not the deed.
    """
    found: list[Proof] = []
    deed = statement.words - wanted
    for piece in pieces:
        strength = statement.share_in(piece.words)
        if strength >= _DOES and (not deed or deed & piece.words):
            forbids = bool((piece.denied - statement.denied) & statement.words) or (
                sets_bound(piece.text) and not sets_bound(statement.text)
            )
            relation = Relation.FOLLOWS if forbids else Relation.DOES_DONT
            found.append(Proof(piece.start, piece.end, piece.text, statement.text, relation, round(strength, 3)))
    return [proof for proof in found if proof.relation is Relation.FOLLOWS] or found
