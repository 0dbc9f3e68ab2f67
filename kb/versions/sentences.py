"""Two states of a text, sentence by sentence: what was added, removed, reworded, and which numbers became others."""

from __future__ import annotations

import difflib
import re
from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass
from itertools import zip_longest

_END = re.compile(r"(?<=[。！？；])|(?<=[.!?;])\s+")
# Two sentences that share this much of their characters are one that was reworded.
_ALIKE = 0.5
# Above this many sentences difflib may treat frequent ones as noise, or it takes minutes.
_MANY = 4_000


@dataclass(frozen=True, slots=True)
class Sentence:
    """A sentence, list item or table row, and its line in the file (from 1)."""

    text: str
    line: int


@dataclass(frozen=True, slots=True)
class SentenceChange:
    """A sentence before and after; None on one side for one that is new or gone."""

    old: Sentence | None
    new: Sentence | None


@dataclass(frozen=True, slots=True)
class Number:
    """A number in a text: `text` as written with its unit, `key` equal for equal values and units."""

    text: str
    key: str
    unit: str


_NONE = Number("", "", "")
NumberReader = Callable[[str], Sequence[Number]]
"""Gives the numbers of a text in their order."""


@dataclass(frozen=True, slots=True)
class NumberChange:
    """A number that became another: `old` and `new` as written with unit ('' where there is none on that side)."""

    old: str
    new: str
    unit: str
    sentence: SentenceChange


def sentences(lines: Sequence[str], first_line: int) -> list[Sentence]:
    """The sentences of `lines`, whose first one is line `first_line` of its file."""
    found: list[Sentence] = []
    for number, line in enumerate(lines, start=first_line):
        stripped = line.strip()
        pieces = [stripped] if stripped.startswith("|") else _END.split(stripped)
        found.extend(Sentence(piece.strip(), number) for piece in pieces if piece.strip())
    return found


def changes(old: Sequence[Sentence], new: Sequence[Sentence]) -> list[SentenceChange]:
    """The sentences that differ, in the order of the newer text."""
    matcher = difflib.SequenceMatcher(
        None, [item.text for item in old], [item.text for item in new], autojunk=max(len(old), len(new)) > _MANY
    )
    found: list[SentenceChange] = []
    for kind, low, high, low_new, high_new in matcher.get_opcodes():
        if kind != "equal":
            found.extend(_paired(old[low:high], new[low_new:high_new]))
    return found


def _paired(old: Sequence[Sentence], new: Sequence[Sentence]) -> Iterator[SentenceChange]:
    """Each new sentence with the old one that it rewords, in order; what has no counterpart stands alone."""
    start = 0
    for sentence in new:
        best, place = _ALIKE, -1
        for number in range(start, min(len(old), start + 20)):
            ratio = likeness(old[number].text, sentence.text)
            if ratio > best:
                best, place = ratio, number
        if place < 0:
            yield SentenceChange(None, sentence)
            continue
        yield from (SentenceChange(gone, None) for gone in old[start:place])
        yield SentenceChange(old[place], sentence)
        start = place + 1
    yield from (SentenceChange(gone, None) for gone in old[start:])


def likeness(first: str, second: str) -> float:
    """How much of their characters two texts share in order, 0..1."""
    matcher = difflib.SequenceMatcher(None, first, second, autojunk=False)
    if matcher.real_quick_ratio() < _ALIKE or matcher.quick_ratio() < _ALIKE:
        return 0.0
    return matcher.ratio()


def number_changes(change: SentenceChange, read: NumberReader) -> list[NumberChange]:
    """The numbers that differ between the two sides of a reworded sentence, or that came and went with it."""
    old = list(read(change.old.text)) if change.old is not None else []
    new = list(read(change.new.text)) if change.new is not None else []
    matcher = difflib.SequenceMatcher(None, [item.key for item in old], [item.key for item in new], autojunk=False)
    found: list[NumberChange] = []
    for kind, low, high, low_new, high_new in matcher.get_opcodes():
        if kind == "equal":
            continue
        for before, after in zip_longest(old[low:high], new[low_new:high_new], fillvalue=_NONE):
            found.append(NumberChange(before.text, after.text, (before if after is _NONE else after).unit, change))
    return found
