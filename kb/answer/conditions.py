"""The condition that a question names by its value («粮温 18 ℃», "at 60 %"), and whether a table row or list item is
about it.

A row for 15-20 ℃ is about 18 ℃, a row «below -30» about -35; a row for 20-25 ℃ is not. The unit stands in the cell or
in the column's name.
"""

from __future__ import annotations

import re
from collections.abc import Iterator
from dataclasses import dataclass
from decimal import Decimal

from kb.answer.units import LABEL, Unit, cells
from kb.search.quantities import Quantity, folded, quantities

_FROM = re.compile(r"以上|高于|大于|超过|不低于|不小于|[>≥＞]|above|over|more than|at least|and later|or more")
_TO = re.compile(r"以下|低于|小于|不超过|不高于|[<≤＜]|below|under|less than|up to|at most|or less")
_IN_NAME = re.compile(r"[（(]([^（()）]+)[）)]")
# Spellings of one unit; all others are compared as they are.
_ONE_UNIT = {
    "℃": "°c",
    "度": "°c",
    "天": "day",
    "日": "day",
    "日龄": "day",
    "days": "day",
    "周龄": "周",
    "weeks": "week",
}


@dataclass(frozen=True, slots=True)
class Span:
    """Values from `low` to `high` (None: without end), in `unit` as `_one` spells it."""

    low: Decimal | None
    high: Decimal | None
    unit: str

    def holds(self, value: Decimal) -> bool:
        """Whether `value` lies within, its ends included."""
        return (self.low is None or self.low <= value) and (self.high is None or value <= self.high)


def named_values(question: str) -> tuple[tuple[Decimal, str], ...]:
    """The single values with a unit that `question` names, once each."""
    found = [(item.values[0], _one(item.unit)) for item in quantities(question) if item.unit and not item.join]
    return tuple(dict.fromkeys(found))


def about(values: tuple[tuple[Decimal, str], ...], unit: Unit) -> float:
    """How far `unit` is about the `values`: 1 all, -1 none, 0 where it says nothing of their units.

    A table row says it in its cells, a list item in its label or in those of the items above it.
    """
    if not values or unit.kind not in ("table", "item"):
        return 0.0
    spans = list(_spans(unit))
    found = []
    for value, name in values:
        alike = [span for span in spans if span.unit == name]
        found.append(0.0 if not alike else 1.0 if any(span.holds(value) for span in alike) else -1.0)
    return sum(found) / len(found)


def _spans(unit: Unit) -> Iterator[Span]:
    """What the cells of a row say, each with its own unit or its column's; what the labels of an item say."""
    if unit.kind == "item":
        labels = [found[1] for line in (*unit.context.split("\n"), unit.text) if (found := LABEL.match(line))]
        for label in labels:
            for quantity in quantities(label):
                if quantity.unit:
                    yield _span(quantity, folded(label), _one(quantity.unit))
        return
    values = cells(unit.text)
    names = cells(unit.context.split("\n")[-1]) if unit.context else []
    for place, cell in enumerate(values):
        name = folded(names[place]) if len(names) == len(values) else ""
        columns = {_one(part.strip()) for part in _IN_NAME.findall(name)}
        for quantity in quantities(cell):
            for one in {_one(quantity.unit)} if quantity.unit else columns:
                yield _span(quantity, folded(cell), one)


def _span(quantity: Quantity, cell: str, unit: str) -> Span:
    low, high = min(quantity.values), max(quantity.values)
    if quantity.join == "-":
        return Span(low, high, unit)
    if _TO.search(cell):
        return Span(None, high, unit)
    return Span(low, None if _FROM.search(cell) else high, unit)


def _one(unit: str) -> str:
    return _ONE_UNIT.get(unit, unit)
