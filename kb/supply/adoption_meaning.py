"""Adoption where other words say the same: sentences and clauses of the text beside what the card says, by meaning.

Rules come first (`adoption`); only a text that they call unrelated is looked at here. Each piece of the text is
compared with what the card wants done (conclusion, `do`, their clauses) and with what it forbids (`dont`, the words
behind a prohibition). Meaning alone cannot tell a thing from its denial, so a piece counts only where direction is
plain: the same numbers or none, and as denying or as affirming as the card; a piece that is clearly nearer to what is
forbidden contradicts, unless it forbids it too. Where nothing is plain, the text stays unrelated.
"""

from __future__ import annotations

import re
from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np

from kb.search.postings import Floats
from kb.search.tokens import HAN
from kb.supply.adoption import LONGEST_TEXT, Judgement, Proof, Relation, judge
from kb.supply.adoption_reading import Clause, clause_of, clauses, denies, forbidden, sentences, words_of
from kb.supply.card import Card
from kb.supply.duplicates import EmbedTexts

# Cosines of multilingual-e5, fitted on the open pairs of tests/data/supply: 0.92 is the most that unrelated Chinese
# sentences of these subjects reach. English ones lie lower.
_PLAIN = 0.95
_ENGLISH = 0.04
_NEARER = 0.01
"""How much nearer to what is forbidden than to what is wanted a piece must be to count as doing it."""
_PIECES = 400
"""Pieces of a text that are looked at, the first ones: each costs some ten milliseconds."""
_FEW_WORDS = 2
_HAN = re.compile(f"[{HAN}]")


@dataclass(frozen=True, slots=True)
class _Statement:
    clause: Clause
    ban: bool


class Meaning:
    """Judges adoption with an embedder."""

    def __init__(self, embed: EmbedTexts) -> None:
        self._embed = embed
        self._last: tuple[str, Sequence[Clause], Floats] | None = None

    def judge(self, card: Card, written: str) -> Judgement:
        """As `adoption.judge`, which goes first."""
        ruled = judge(card, written)
        if ruled.adopted is not None:
            return ruled
        pieces, vectors = self._pieces(written)
        if not pieces:
            return ruled
        statements = _statements(card)
        cosines = vectors @ self._embed([one.clause.text for one in statements]).T
        proofs = [
            proof
            for piece, row in zip(pieces, cosines, strict=True)
            if (proof := _proof(piece, statements, row)) is not None
        ]
        best = max(proofs, key=lambda proof: proof.strength, default=None)
        if best is None:
            return ruled
        same = [
            proof for proof in proofs if (proof.relation is Relation.FOLLOWS) is (best.relation is Relation.FOLLOWS)
        ]
        shown = sorted(same, key=lambda proof: (-proof.strength, proof.start))
        return Judgement(best.relation is Relation.FOLLOWS, tuple(shown[:5]))

    def _pieces(self, written: str) -> tuple[Sequence[Clause], Floats]:
        """The pieces of a text and their vectors; a task is judged by several cards, so the last ones are kept."""
        if self._last is None or self._last[0] != written:
            text = written[:LONGEST_TEXT]
            found = {
                piece.text: piece for piece in (*clauses(text), *sentences(text)) if len(piece.words) >= _FEW_WORDS
            }
            pieces = sorted(found.values(), key=lambda piece: piece.start)[:_PIECES]
            vectors = self._embed([piece.text for piece in pieces]) if pieces else np.zeros((0, 0), np.float32)
            self._last = (written, pieces, vectors)
        return self._last[1], self._last[2]


def _statements(card: Card) -> list[_Statement]:
    found: dict[str, _Statement] = {}
    for text in (card.conclusion, *card.do):
        parts = clauses(text)
        for clause in (*sentences(text), *parts):
            banned = forbidden(clause.text)
            if not banned:
                found.setdefault(clause.text, _Statement(clause, False))
            elif clause in parts and len(words_of(banned)) >= _FEW_WORDS:
                found[banned] = _Statement(clause_of(banned, 0, words_of(banned)), True)
    for text in card.dont:
        found[text] = _Statement(clause_of(text, 0, words_of(text)), True)
    return list(found.values())


def _proof(piece: Clause, statements: Sequence[_Statement], cosines: Floats) -> Proof | None:
    """What a piece shows about the statement that is nearest to it; None where that is nothing plain."""
    wanted = [number for number, one in enumerate(statements) if not one.ban]
    banned = [number for number, one in enumerate(statements) if one.ban]
    nearest = max(wanted, key=lambda number: float(cosines[number]), default=None)
    worst = max(banned, key=lambda number: float(cosines[number]), default=None)
    if worst is not None and (nearest is None or cosines[worst] > cosines[nearest] + _NEARER):
        nearest = worst
    if nearest is None:
        return None
    relation = _relation(piece, statements[nearest])
    strength = float(cosines[nearest]) + (0.0 if _HAN.search(piece.text) else _ENGLISH)
    if relation is None or strength < _PLAIN:
        return None
    said = statements[nearest].clause.text
    return Proof(piece.start, piece.end, piece.text, said, relation, round(min(1.0, strength), 3))


def _relation(piece: Clause, statement: _Statement) -> Relation | None:
    same_sense = denies(piece.text) is denies(statement.clause.text)
    if statement.ban:
        return Relation.DOES_DONT if same_sense else Relation.FOLLOWS
    mine = statement.clause.numbers
    units = {number.unit for number in mine} & {number.unit for number in piece.numbers} - {""}
    for number in piece.numbers:
        if number.unit in units and not any(number.keeps(one) for one in mine if one.unit == number.unit):
            return Relation.OTHER_NUMBER
    return Relation.FOLLOWS if same_sense else None
