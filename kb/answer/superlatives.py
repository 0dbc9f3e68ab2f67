"""Which of several has the most of something: «哪个喷头射程最远», "Which pump is the heaviest?".

No row of a table says that of itself; it is told by comparing the column's numbers.
"""

from __future__ import annotations

import re
from collections.abc import Sequence
from dataclasses import dataclass
from decimal import Decimal

from kb.answer.units import Unit, cells
from kb.search.quantities import folded, quantities
from kb.search.tokens import latin_words, stem

_WHICH = re.compile(r"哪|(?:是|叫)(?:什么|谁)|\bwh(?:ich|at|o)\b")
_MOST_HAN = "大高长重多远贵快宽厚深强久热"
_LEAST_HAN = "小低短轻少近便慢窄薄浅弱冷"
_HAN = re.compile(rf"最(?P<word>[{_MOST_HAN}{_LEAST_HAN}])(?!后|终)")
_LATIN = re.compile(
    r"\b(?:(?P<most>most|highest|largest|biggest|longest|heaviest|greatest|farthest|furthest|deepest|widest|thickest|"
    r"strongest|fastest|oldest|hottest|tallest|dearest)|(?P<least>least|lowest|smallest|shortest|lightest|fewest|"
    r"shallowest|narrowest|thinnest|weakest|slowest|cheapest|coldest|youngest|nearest))\b(?: (?P<of>[a-z]+))?"
)
# What a superlative is measured by, where its own letters do not name the column.
_MEASURED = {
    "贵": "价费钱租",
    "便": "价费钱租",
    "快": "速",
    "慢": "速",
    "热": "温",
    "冷": "温",
    "轻": "重",
    "远": "距",
    "近": "距",
    "heaviest": "weight mass",
    "lightest": "weight mass",
    "cheapest": "price cost rent fee eur",
    "dearest": "price cost rent fee eur",
    "expensive": "price cost rent fee eur",
    "longest": "length",
    "shortest": "length",
    "deepest": "depth",
    "widest": "width",
    "fastest": "speed",
    "slowest": "speed",
    "tallest": "height",
    "hottest": "temperature",
    "coldest": "temperature",
}
_IN_BRACKETS = re.compile(r"[（(][^（()）]*[)）]")
_STEM = 4


@dataclass(frozen=True, slots=True)
class Superlative:
    """The `word` for what a question (folded) wants the most of, or with `least` the least."""

    question: str
    word: str
    least: bool

    @classmethod
    def of(cls, question: str) -> Superlative | None:
        """The superlative of a question for one of several things; None where it asks for no such."""
        plain = folded(question)
        if not _WHICH.search(plain):
            return None
        if found := _HAN.search(plain):
            return cls(plain, found["word"], found["word"] in _LEAST_HAN)
        if found := _LATIN.search(plain):
            word = found["most"] or found["least"]
            return cls(plain, found["of"] or word if word in ("most", "least") else word, bool(found["least"]))
        return None

    @staticmethod
    def left_of(question: str) -> str:
        """`question` (folded) without its superlative, which no row says of itself."""
        return _LATIN.sub(lambda found: found["of"] or " ", _HAN.sub(" ", question))

    def said_in(self, text: str) -> bool:
        """Whether `text` (folded) itself says which is the most."""
        return "最" in text or _LATIN.search(text) is not None

    def others(self, rows: Sequence[Unit]) -> set[int]:
        """The places of those `rows` of one table that do not have the most; all, where no column tells."""
        everyone = set(range(len(rows)))
        column = self._column(cells(folded(rows[0].context.rpartition("\n")[2])))
        if column is None:
            return everyone
        found: dict[int, Decimal] = {}
        units: set[str] = set()
        for place, row in enumerate(rows):
            values = cells(row.text)
            given = quantities(values[column])[:1] if column < len(values) else []
            for quantity in given:
                found[place] = (min if self.least else max)(quantity.values)
                units.add(quantity.unit)
        if not found or len(units) > 1:
            return everyone
        best = (min if self.least else max)(found.values())
        return {place for place in everyone if found.get(place) != best}

    def _column(self, names: list[str]) -> int | None:
        """The column that the question names, or else that its superlative is measured by."""
        asked = {stem(word) for word in latin_words(self.question)}
        for place, name in enumerate(names):
            bare = _IN_BRACKETS.sub("", name).strip()
            words = latin_words(bare)
            if place and bare and (bare in self.question if not words else all(word in asked for word in words)):
                return place
        signs = _MEASURED.get(self.word, "")
        for place, name in enumerate(names):
            words = latin_words(name)
            if place and (
                any(sign in name for sign in (self.word, *signs))
                if not self.word.isascii()
                else any(word[:_STEM] == self.word[:_STEM] or word in map(stem, signs.split()) for word in words)
            ):
                return place
        return None
