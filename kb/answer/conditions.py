"""The condition that a question names by its value («粮温 18 ℃», "at 60 %", "in week 4") or by a cell of a table, and
whether a unit of evidence is about it.

A row for 15-20 ℃ is about 18 ℃, a row «below -30» about -35; a row for 20-25 ℃ is not. The unit stands behind the
value, before it («pH 5.8») or in the column's name.
"""

from __future__ import annotations

import re
from collections.abc import Iterator, Mapping, Sequence
from collections.abc import Set as AbstractSet
from dataclasses import dataclass
from decimal import Decimal

from kb.answer.anchors import shape
from kb.answer.bounds import claims, spelled
from kb.answer.measures import one_spelling
from kb.answer.units import CLAUSE, LABEL, SAYS, Unit, cells
from kb.search.quantities import Quantity, folded, quantities

# What is counted from one on stands before its number, and so does what has no unit.
_BEFORE = re.compile(
    r"(?:(?P<after>after|from|since)\s)?\b(?P<unit>ph|weeks?|days?|months?|years?)\s?[值:：为是]?\s?[^\w\s]?\s?"
    r"(?:[高低大小]于|不?超过|above|below)?\s?(?P<low>\d+(?:\.\d+)?)(?:\s?(?:-|–|~|至|到|to)\s?(?P<high>\d+(?:\.\d+)?))?"
    r"(?!\d|\.\d|\s?[%℃]|[a-z])"
)
_FIRST_YEAR = 1000
# What a sentence counts for that holds a value: it may tell it instead of being about it.
SAID = 0.2
# «哪一年», «第一个» name no value, and «一天», «一亩» is each of them; how often something is done is no condition.
_NO_NUMBER = re.compile(
    r"[哪每同某]一\w|第?一个|(?<![第十百千万零])一(?!\w?龄)[天日周年月季亩斤头只株群箱]|"
    r"(?<!第)[一两二三四五六七八九十\d]+\s?[次遍]"
)
# «a 3-year battery».
_HYPHEN = re.compile(r"(?<=\d)-(?=[a-z]{3})")
_IN_NAME = re.compile(r"[（(]([^（()）]+)[）)]")
# What a cell names its row by, beside others of the same shape.
_CODE = re.compile(r"(?<![\w.])[a-z]{1,3}-?\d{1,4}(?![\w.])")
_Bounds = Mapping[Decimal, AbstractSet[str]]


@dataclass(frozen=True, slots=True)
class Interval:
    """Values from `low` to `high` (None: without end), in `unit` as `one_spelling` gives it."""

    low: Decimal | None
    high: Decimal | None
    unit: str

    @property
    def width(self) -> Decimal:
        """How far apart its ends are; 1 where it has none."""
        return Decimal(1) if self.low is None or self.high is None else self.high - self.low

    def holds(self, value: Decimal) -> bool:
        """Whether `value` lies within, its ends included."""
        return (self.low is None or self.low <= value) and (self.high is None or value <= self.high)


def named_values(question: str) -> tuple[tuple[Decimal, str], ...]:
    """The single values with a unit that `question` names, once each; a year is a date."""
    found = [
        (item.values[0], one_spelling(item.unit))
        for item in quantities(_HYPHEN.sub(" ", _NO_NUMBER.sub(" ", question)))
        if item.unit and not item.join and not (item.unit == "年" and item.values[0] >= _FIRST_YEAR)
    ]
    found += [(one.low, one.unit) for one in _counted(folded(question), {}) if one.low is not None and not one.width]
    return tuple(dict.fromkeys(found))


def about(values: tuple[tuple[Decimal, str], ...], unit: Unit) -> float:
    """How far `unit` is about the `values`: 1 all, -1 for one unit none, 0 where it says nothing of their units.

    A table row says it in its cells and the names of its columns, a list item in its label or in those of the items
    above it; a sentence anywhere, but for SAID only.
    """
    if not values:
        return 0.0
    intervals = list(_intervals(unit))
    held = 1.0 if unit.kind in ("table", "item") else SAID
    found: dict[str, list[float]] = {}
    for value, name in values:
        alike = [one for one in intervals if name in (one.unit, one.unit.partition("/")[0])]
        about_it = 0.0 if not alike else held if any(one.holds(value) for one in alike) else -1.0
        found.setdefault(name, []).append(about_it)
    means = [sum(of_unit) / len(of_unit) for of_unit in found.values()]
    return min(means) if min(means) < 0.0 else sum(means) / len(means)


def _intervals(unit: Unit) -> Iterator[Interval]:
    """What the cells of a row say, each with its own unit or its column's; what the labels of an item say, or the
    clauses of a sentence."""
    if unit.kind != "table":
        yield from (one for text in _saying(unit) for one in _of_text(folded(text)))
        return
    values = cells(unit.text)
    names = cells(unit.context.split("\n")[-1]) if unit.context else []
    for place, cell in enumerate(values):
        name = _HYPHEN.sub(" ", folded(names[place])) if len(names) == len(values) else ""
        yield from _of_text(name)
        columns = {one_spelling(part.strip()) for part in (*_IN_NAME.findall(name), name)}
        bounds = _bounds(folded(cell))
        yield from _counted(folded(cell), bounds)
        for quantity in quantities(cell):
            for one in {one_spelling(quantity.unit)} if quantity.unit else columns:
                yield _interval(quantity, bounds, one)


def other_cases(question: str, rows: Sequence[Unit]) -> set[int]:
    """The places, among the `rows` of one table, of those that are not about what `question` (folded) names: another
    row's cell in one of their columns, or a code like those of a column («P5» beside P1 to P4), or a column in which
    they say nothing."""
    table = [[folded(cell) for cell in cells(row.text)] for row in rows]
    heads = [folded(name) for name in cells(rows[0].context.rpartition("\n")[2])]
    found: set[int] = set()
    asked_codes = set(_CODE.findall(question))
    for column, name in enumerate(heads):
        values = [row[column] if len(row) == len(heads) else "" for row in table]
        named = {value for value in values if _names(question, value)}
        codes = {value for value in values if _CODE.fullmatch(value)}
        shapes = set(map(shape, codes))
        named |= {code for code in asked_codes if shape(code) in shapes}
        is_asked = _names(question, _IN_NAME.sub("", name).strip())
        for place, value in enumerate(values):
            if (named and not any(other in value for other in named)) or (is_asked and not SAYS.search(value)):
                found.add(place)
    return found


def _names(question: str, name: str) -> bool:
    """Whether `question` holds `name`, which has letters, as a word; one of them may be a plural."""
    return re.search(r"[^\W\d_]{2}", name) is not None and (
        re.search(rf"(?<![a-z0-9]){re.escape(name.removesuffix('s'))}s?(?![a-z0-9])", question) is not None
    )


def _saying(unit: Unit) -> list[str]:
    """The pieces of an item or sentence that say what it is about."""
    if unit.kind == "item":
        return [found[1] for line in (*unit.context.split("\n"), unit.text) if (found := LABEL.match(line))]
    return CLAUSE.split(unit.text) if unit.kind in ("paragraph", "quote") else []


def _of_text(text: str) -> Iterator[Interval]:
    bounds = _bounds(text)
    yield from _counted(text, bounds)
    stated = (quantity for quantity in quantities(text) if quantity.unit)
    yield from (_interval(quantity, bounds, one_spelling(quantity.unit)) for quantity in stated)


def _bounds(text: str) -> _Bounds:
    """The comparisons (≤, ≥, <, >) that `text` (folded) says of each of its numbers."""
    found: dict[Decimal, set[str]] = {}
    for bound, quantity in claims(spelled(text)):
        found.setdefault(min(quantity.values), set()).update(bound)
    return found


def _counted(text: str, bounds: _Bounds) -> Iterator[Interval]:
    """The values whose unit stands before them: «week 4», «pH 5.5-6.0», «after week 8»."""
    for match in _BEFORE.finditer(text):
        low = Decimal(match["low"])
        high = Decimal(match["high"]) if match["high"] else low
        unit = one_spelling(match["unit"])
        if match["after"]:
            yield Interval(low, None, unit)
        elif high != low:
            yield Interval(low, high, unit)
        else:
            yield _bounded(low, bounds, unit)


def _interval(quantity: Quantity, bounds: _Bounds, unit: str) -> Interval:
    if quantity.join == "-":
        return Interval(min(quantity.values), max(quantity.values), unit)
    return _bounded(min(quantity.values), bounds, unit)


def _bounded(value: Decimal, bounds: _Bounds, unit: str) -> Interval:
    """From or up to `value` where its text says one of both, else that alone."""
    said = bounds.get(value, frozenset())
    up_to, from_on = bool(said) and said <= {"≤", "<"}, bool(said) and said <= {"≥", ">"}
    return Interval(None if up_to else value, None if from_on else value, unit)
