"""Documents that say other values of the same: shown together, the newest first."""

from __future__ import annotations

import datetime
import re
from collections.abc import Sequence

from kb.answer.asked import Asked
from kb.answer.evidence import Ranked
from kb.answer.units import Unit, cells
from kb.search.quantities import MONTHS, Quantity, folded, quantities
from kb.search.tokens import terms

_LOOKED_AT = 12
# Shares of the words (numbers left out) that two units have in common: alike, and the same but for their numbers.
_ALIKE = 0.5
_SAME = 0.8
# How good beside the best unit one that contradicts it must be to answer in its place.
_AS_GOOD = 0.5
_NUMBER = re.compile(r"\d+(?:\.\d+)?")
_MONTH = re.compile(rf"\b({'|'.join(MONTHS)})\b(?! not\b)")

Values = dict[str, set[Quantity | str]]


def conflicts(asked: Asked, ranked: Sequence[Ranked], threshold: float) -> list[Ranked]:
    """Units of other documents that answer as well but say other values, newest first.

    As well: in the same words but for the numbers, or in words that are alike with a score of at least `threshold`.
    Empty when the best unit stands alone or the question wants no value. Includes the best unit itself where there is
    a conflict.
    """
    if not ranked or not (asked.wants_value or asked.kinds["when"]):
        return []
    best = ranked[0]
    words, own = _words(best), _values(best)
    differing = []
    for other in ranked[1:_LOOKED_AT]:
        if other.found.path == best.found.path or other.factor < best.factor or _other_row(best.unit, other.unit):
            continue
        shared = len(words & _words(other)) / max(len(words), 1)
        same = shared >= _SAME
        if same or (shared >= _ALIKE and other.score >= threshold):
            differing += [other] if _differ(asked, own, _values(other), same=same) else []
    return sorted((best, *differing), key=_day, reverse=True) if differing else []


def _other_row(one: Unit, other: Unit) -> bool:
    """Whether both are rows of tables, about what their first cells name: another code, another stage."""
    return one.kind == other.kind == "table" and folded(cells(one.text)[0]) != folded(cells(other.text)[0])


def may_answer(newest: Ranked, best: Ranked) -> bool:
    """Whether `newest` may answer for `best`, which it contradicts: hardly weaker, or the same but for numbers."""
    return newest.score >= _AS_GOOD * best.score or _but_for_numbers(newest) == _but_for_numbers(best)


def _but_for_numbers(item: Ranked) -> list[str]:
    return _NUMBER.sub("", folded(f"{item.unit.context} {item.unit.text}")).split()


def _day(item: Ranked) -> datetime.date:
    return item.found.document.facts.date_updated or datetime.date.min


def _words(item: Ranked) -> set[str]:
    return set(terms(_NUMBER.sub("", f"{item.unit.context} {item.unit.text}")))


def _values(item: Ranked) -> Values:
    """The values of a unit by what they are measured in."""
    found: Values = {}
    for quantity in quantities(item.unit.text):
        found.setdefault(quantity.unit, set()).add(quantity)
    months = set(_MONTH.findall(folded(item.unit.text)))
    return {**found, "month's name": {*months}} if months else found


def _differ(asked: Asked, own: Values, theirs: Values, *, same: bool) -> bool:
    """Whether what both give of one measure differs: wholly, or at all where the words are the `same`.

    Where the question tells the kind of quantity that it wants, others do not count (a dose of other days). Bare
    numbers are compared only where the words are the same: else they may count other things.
    """
    shared = {unit for unit in own.keys() & theirs.keys() if unit or same}
    wanted = {unit for unit in shared if any(kind.units.match(unit) for kind in asked.demands.kinds)}
    return any(own[unit] != theirs[unit] if same else own[unit].isdisjoint(theirs[unit]) for unit in (wanted or shared))
