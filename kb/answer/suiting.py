"""Whether a unit can be what is asked for at all: factors that its score is cut by where it is about another thing."""

from __future__ import annotations

from kb.answer.anchors import anchors, is_letter, shape, stands_in
from kb.answer.asked import Asked
from kb.answer.opposites import says_the_contrary
from kb.answer.place import Place
from kb.answer.units import Unit, has_bare_number, naming
from kb.search.quantities import folded

# What a score is cut to: by another subject or case; by a demand or a name that is not met; by a name that only the
# section says.
OTHER_SUBJECT = 0.25
_LACKS = 0.1
_NEARBY = 0.7


def suited(asked: Asked, unit: Unit, place: Place) -> float:
    """How far the unit can be what is asked for at all: 1, or less where it is about another subject or lacks the
    values, or the kind of quantity, that the question demands; these must be the unit's own."""
    if asked.subjects.differ_from(place.found.path, f"{folded(unit.text)} {place.heading}"):
        return OTHER_SUBJECT
    if unit.kind == "table" and asked.subjects.row_differs(unit.text):
        return OTHER_SUBJECT
    if says_the_contrary(asked.question, unit.text):
        return OTHER_SUBJECT
    around = f"{folded(unit.context)} {place.heading}"
    beside = "" if unit.kind in ("table", "item") else place.around
    if asked.alternatives.differ_from(folded(unit.text), around, beside):
        return OTHER_SUBJECT
    bare = unit.kind == "table" and bool(asked.demands.kinds) and has_bare_number(unit)
    met = asked.demands.met_by(folded(unit.text), around, place.under, bare=bare)
    return 1.0 if met else _LACKS


def anchored(asked: Asked, unit: Unit, place: Place) -> float:
    """How far the unit has the names of the question: 1 all, else the factor its score is cut by."""
    if not asked.anchors or not names_lacked(asked, unit, place, nearby=False):
        return 1.0
    return _LACKS if names_lacked(asked, unit, place, nearby=True) else _NEARBY


def names_lacked(asked: Asked, unit: Unit, place: Place, *, nearby: bool) -> list[str]:
    """The names of the question that stand neither in the unit nor in the headings above it; with `nearby`, for prose,
    nor in its section. A row or an item speaks of what it names alone, and so does prose that names a thing of the same
    kind («LM39» is not what is said of KD71)."""
    own = folded(unit.text)
    where = f"{own} {place.heading} {folded(naming(unit))}"
    lacked = [anchor for anchor in asked.anchors if not stands_in(anchor, where)]
    if not lacked or not nearby or unit.kind in ("table", "item"):
        return lacked
    said = {shape(name) for name in anchors(own)}
    return [
        anchor for anchor in lacked if is_letter(anchor) or shape(anchor) in said or not stands_in(anchor, place.around)
    ]
