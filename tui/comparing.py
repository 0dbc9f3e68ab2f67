"""Two versions of a document, line beside line, and the numbers that differ."""

from __future__ import annotations

import difflib
from dataclasses import dataclass
from enum import StrEnum

from kb.versions.sentences import NumberReader, Sentence, SentenceChange, number_changes

_AROUND = 2
# Lines that are alike to this degree are one line that was changed; others were removed and added.
_ALIKE = 0.45
_MOST_LINES = 20_000


class Kind(StrEnum):
    """How a row differs."""

    SAME = "same"
    CHANGED = "changed"
    REMOVED = "removed"
    ADDED = "added"
    GAP = "gap"


@dataclass(frozen=True, slots=True)
class Row:
    """A line of the older version beside its line of the newer; for a gap, `count` equal lines are left out."""

    kind: Kind
    old: str = ""
    new: str = ""
    count: int = 0


@dataclass(frozen=True, slots=True)
class Number:
    """A number that differs: what stood there, what stands there now (either may be empty), and the newer line."""

    old: str
    new: str
    where: str


def compare(old: str, new: str) -> tuple[Row, ...]:
    """The rows that differ, each with two equal lines around it."""
    before, after = (text.replace("\r\n", "\n").split("\n")[:_MOST_LINES] for text in (old, new))
    rows: list[Row] = []
    for tag, i, j, k, m in difflib.SequenceMatcher(None, before, after, autojunk=False).get_opcodes():
        if tag == "equal":
            rows += [Row(Kind.SAME, line, line) for line in before[i:j]]
        else:
            rows += _paired(before[i:j], after[k:m])
    return tuple(_folded(rows))


def _paired(old: list[str], new: list[str]) -> list[Row]:
    """Lines that were replaced: those that are alike beside each other, in order."""
    rows: list[Row] = []
    start = 0
    for line in old:
        alike = (place for place in range(start, len(new)) if _alike(line, new[place]))
        found = next(alike, None)
        if found is None:
            rows.append(Row(Kind.REMOVED, line))
            continue
        rows += [Row(Kind.ADDED, "", added) for added in new[start:found]]
        rows.append(Row(Kind.CHANGED, line, new[found]))
        start = found + 1
    return rows + [Row(Kind.ADDED, "", added) for added in new[start:]]


def _alike(old: str, new: str) -> bool:
    matcher = difflib.SequenceMatcher(None, old, new, autojunk=False)
    return matcher.quick_ratio() >= _ALIKE and matcher.ratio() >= _ALIKE


def _folded(rows: list[Row]) -> list[Row]:
    """Long stretches of equal lines become gaps."""
    near = {
        place + step
        for place, row in enumerate(rows)
        if row.kind is not Kind.SAME
        for step in range(-_AROUND, _AROUND + 1)
    }
    kept: list[Row] = []
    for place, row in enumerate(rows):
        if place in near:
            kept.append(row)
        elif kept and kept[-1].kind is Kind.GAP:
            kept[-1] = Row(Kind.GAP, count=kept[-1].count + 1)
        else:
            kept.append(Row(Kind.GAP, count=1))
    return kept if near else []


def numbers(rows: tuple[Row, ...], read_numbers: NumberReader) -> tuple[Number, ...]:
    """The numbers that differ, in the order of the document: what must be looked at first."""
    found: list[Number] = []
    for row in rows:
        if row.kind not in (Kind.SAME, Kind.GAP):
            sides = [Sentence(text, 0) if text else None for text in (row.old, row.new)]
            for number in number_changes(SentenceChange(*sides), read_numbers):
                found.append(Number(number.old, number.new, row.new or row.old))
    return tuple(found)
