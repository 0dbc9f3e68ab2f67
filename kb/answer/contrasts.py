"""Parts of a text that say alike things of different ones: «小麦播深 3 厘米，玉米播深 5 厘米».

A sentence that takes what is said from one part and of what from another is wrong, though each of its words stands in
the evidence. Where parts are told apart by what they do not share, nobody has to know what is a name and what is said.
"""

from __future__ import annotations

import re
from collections.abc import Hashable, Iterator
from dataclasses import dataclass
from functools import cached_property
from itertools import combinations

from kb.search.quantities import Quantity, folded, quantities
from kb.search.tokens import HAN, stop_terms, terms

_PART = re.compile(
    r"[。！？；，、;\n]|(?<!\d),|,(?!\d{3})|(?<=[.!?])\s|(?<=[a-z0-9%)]) (?:and|but|while|whereas) |而|但"
)
_IN_TURN = re.compile(r"分别|依次|\brespectively\b")
_THEN = re.compile(r"再|然后|接着|随后|最后|\bthen\b|\bfinally\b|\bafterwards\b")
# Words that stand in every text, and yet say how a part is built («in dry years A, in wet years B»).
_BUILDING = frozenset(("for", "in", "on", "at", "by", "from", "to", "with", "before", "after"))
_HAN = re.compile(f"[{HAN}]")

Thing = Hashable


@dataclass(frozen=True)
class _Part:
    """One part: its words, Chinese characters and quantities."""

    text: str

    @cached_property
    def measured(self) -> frozenset[Quantity]:
        return frozenset(quantities(self.text))

    @cached_property
    def words(self) -> frozenset[str]:
        found = (term for term in terms(self.text) if not re.search(r"\d", term) or re.search(r"[a-z].*\d", term))
        return frozenset(found) - (stop_terms() - _BUILDING)

    @cached_property
    def units(self) -> frozenset[str]:
        return frozenset(quantity.unit for quantity in self.measured if quantity.unit)

    @cached_property
    def touching(self) -> frozenset[Thing]:
        """What shows that a sentence speaks of this part: words, pairs of Chinese characters, quantities."""
        return frozenset((*(word for word in self.words if len(word) > 1), *self.measured))

    @cached_property
    def whole(self) -> frozenset[Thing]:
        """What all of the part is made of: words, single Chinese characters, quantities."""
        own = (word for word in self.words if len(word) == 1 or not _HAN.search(word))
        return frozenset((*own, *self.measured))

    def like(self, other: _Part) -> bool:
        """Whether both are built alike: a word, a Chinese character, or the unit of a quantity, stands in both."""
        return bool(self.words & other.words or self.units & other.units)


def _parts(text: str) -> list[_Part]:
    return [_Part(piece) for piece in _PART.split(folded(text)) if piece.strip()]


def mixes(sentence: str, evidence: str) -> bool:
    """Whether `sentence` joins what different parts of `evidence` say of different things."""
    given = _parts(evidence)
    said = _Part(folded(sentence))
    clauses = _parts(sentence)
    for one, other in combinations(given, 2):
        if not one.like(other):
            continue
        left = [clause for clause in clauses if not _covers(clause, one, other) and not _covers(clause, other, one)]
        # Who tells of both says of each what is its own; else what is left may be one statement in two parts.
        told_both = _covers(said, one, other) and _covers(said, other, one)
        for clause in left if told_both else [_Part(", ".join(part.text for part in left))]:
            if _crosses(clause, one, other) and not any(_holds(part, clause, one, other) for part in given):
                return True
    return _out_of_turn(sentence, evidence)


def beside(sentence: str, evidence: str) -> Iterator[tuple[str, list[str]]]:
    """Each part of `sentence` that speaks of something in `evidence`, with the parts there that share most with it."""
    given = _parts(evidence)
    for clause in _parts(sentence):
        shared = [len(clause.touching & part.touching) for part in given]
        nearest = [part.text for part, count in zip(given, shared, strict=True) if count and count == max(shared)]
        if nearest:
            yield clause.text, nearest


def _crosses(clause: _Part, one: _Part, other: _Part) -> bool:
    """Whether a clause takes something of each of two parts, and neither whole."""
    pairs = ((one, other), (other, one))
    return all(
        clause.touching & mine.touching - theirs.touching and not _covers(clause, mine, theirs)
        for mine, theirs in pairs
    )


def _covers(clause: _Part, mine: _Part, theirs: _Part) -> bool:
    """Whether a clause says all that tells `mine` from `theirs`."""
    return mine.whole - theirs.whole <= clause.whole


def _holds(part: _Part, clause: _Part, one: _Part, other: _Part) -> bool:
    """Whether a third part says what the clause takes of both."""
    taken = clause.touching & (one.touching ^ other.touching)
    return part is not one and part is not other and taken <= part.touching


def _out_of_turn(sentence: str, evidence: str) -> bool:
    """Whether a sentence changes the order of numbers that `evidence` tells in turn, or takes one of those which it
    gives «分别» or "respectively", in other words."""
    plain, mine = folded(evidence), quantities(sentence)
    order = list(dict.fromkeys(quantity for quantity in quantities(evidence) if quantity in mine))
    if order != list(dict.fromkeys(mine)) and (_IN_TURN.search(plain) or _THEN.search(plain)):
        return True
    return bool(order and _IN_TURN.search(plain) and not _IN_TURN.search(folded(sentence)))
