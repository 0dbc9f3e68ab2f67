"""Values of a sentence with the words of their clauses: what naming them starts from."""

from __future__ import annotations

import re
from collections.abc import Sequence
from dataclasses import dataclass, replace

from kb.memory.extract import changes
from kb.memory.extract.constraints import Limit
from kb.memory.extract.values import Measure, measures

Span = tuple[int, int]
# What ends a clause; not inside 1,500 m and 6:00.
_MARK = re.compile(r"[;；。：!?]|[,，](?!\d{3})|:(?!\d)")
# What ends the words behind a value: also the next item of a list.
_BEHIND = re.compile(rf"{_MARK.pattern}|、")
_BRACKET = re.compile(r"[(（][^()（）]*[)）]")
_CODE_VALUE = re.compile(
    r"(?<![A-Za-z])IP[X\d]\d[A-Z]?(?![A-Za-z0-9])|(?<![A-Za-z])(?:DN|PN|[ΦφØø])\s?\d+(?:[.×x*]\d+)*|"
    r"(?<![\w])(?:class|grade|level) [A-HIV\d]{1,3}\b|"
    r"(?:[一二三四五ⅠⅡⅢⅣ]|(?<![A-Za-z])[A-H]\s?)级(?=[,，。;；]|$)",
    re.IGNORECASE,
)
_OR = re.compile(r"\s?(?:或者?|和|及|以及|or|and)\s?", re.IGNORECASE)
# A second verb of the sentence's subject: is charged with 6.5 kg of R290 and draws 11.8 kW.
_AND_VERB = re.compile(
    r"\band (?:also |then )?(?P<rest>(?:[a-z]{3,}s|is|are|has|have|must|shall|should|may|can|will|was|were)\b.*)$"
)
_SAYS_VALUE = re.compile(
    r"(?:[为是达]|[:：=]|等于|pH(?:\s?值)?|数量|编号|系数|比例?|总数|is|are|was|were|of|equals|between|ratio|to|score|"
    r"index)\s?$",
    re.IGNORECASE,
)


@dataclass(frozen=True, slots=True)
class Candidate:
    """A value, where the words of its clause begin, and those before (`lead`) and behind it (`follow`); `before` are
    the words of the sentence in front of its clause.

    Conditions are no part of the words; `conditions` are those that the value stands under. `old` is a value that
    another one takes the place of.
    """

    value: Measure
    begin: int
    lead: str
    follow: str
    before: str
    conditions: tuple[Limit, ...] = ()
    old: bool = False


def is_alternative(words: str) -> bool:
    """Whether words only join two values: 2500 头次或者 6 个月."""
    return _OR.fullmatch(words) is not None


def candidates(
    text: str, first: int, last: int, conditions: Sequence[Limit], blocked: Sequence[Span]
) -> list[Candidate]:
    """The values between `first` and `last` in order, but for those in conditions and in `blocked` spans."""
    taken = [*((limit.start, limit.end) for limit in conditions), *blocked]
    values = [item for item in measures(text, taken) if item.start >= first and item.end <= last]
    codes = [Measure(m.start(), m.end(), m[0], "", "code") for m in _CODE_VALUE.finditer(text, first, last)]
    ordered = sorted([*changes.split_changes(text, values), *codes], key=lambda item: item.start)
    brackets = [found.span() for found in _BRACKET.finditer(text, first, last)]
    ends: list[int] = []
    found: list[Candidate] = []
    for number, value in enumerate(ordered):
        begin, lead = _lead(text, first, value.start, conditions, brackets, ends)
        old = changes.is_old(text, value)
        lead = changes.without_change(lead) if old else lead
        follow = _follow(text, ordered[number:], last, conditions)
        if value.kind or re.fullmatch(r"\d+\s?[:：]\s?\d+", value.text) or _states_bare(lead, follow):
            ends.append(value.end)
            found.append(Candidate(value, begin, lead, follow, _without(text, first, begin, conditions), old=old))
    places = [item.value.start for item in found]
    return [replace(item, conditions=_governing(text, item.value.start, places, conditions)) for item in found]


def _lead(
    text: str, first: int, start: int, conditions: Sequence[Limit], brackets: Sequence[Span], ends: Sequence[int]
) -> tuple[int, str]:
    """Where the words before a value begin, and those words. What stands in a bracket before it does not cut them."""
    aside = [(a, b) for a, b in brackets if b <= start]
    bounds = [mark.end() for mark in _MARK.finditer(text, first, start)] + list(ends)
    begin = max((place for place in bounds if not any(a < place < b for a, b in aside)), default=first)
    cut = [(a, b) for a, b in aside if any(a < place < b for place in bounds)]
    lead = _without(text, begin, start, conditions, cut).strip(" ,，")
    if begin in ends and (second := _AND_VERB.search(lead)):
        lead = second["rest"]
    return begin, lead


def _without(text: str, first: int, last: int, conditions: Sequence[Limit], cut: Sequence[Span] = ()) -> str:
    """The text from `first` to `last` without the conditions in it and the spans to be `cut`."""
    away = [*cut, *((limit.start, limit.end) for limit in conditions)]
    return "".join(text[place] for place in range(first, last) if not any(a <= place < b for a, b in away))


def _governing(text: str, place: int, places: Sequence[int], conditions: Sequence[Limit]) -> tuple[Limit, ...]:
    """The conditions that the value at `place` stands under; `places` are those of all values.

    A condition behind a value of its clause belongs to it (5 ml when dipping); one that a clause begins with holds for
    what follows, up to the next such one; where nothing follows, for what stands before. None reaches over a semicolon.
    """
    first = max(text.rfind(mark, 0, place) for mark in ";；。")
    last = min((at for mark in ";；。" if (at := text.find(mark, place)) >= 0), default=len(text))
    near = [limit for limit in conditions if first < limit.start < last]
    values = [at for at in places if first < at < last]
    found = []
    for limit in near:
        others = [other for other in near if other is not limit]
        bounds = [mark.end() for mark in _MARK.finditer(text, first + 1, limit.start)]
        clause = max([first, *bounds, *(other.end for other in others if other.end <= limit.start)])
        trails = any(clause <= at < limit.start for at in values)
        if not trails and any(at >= limit.end for at in values):
            between = [other for other in others if limit.end <= other.start <= place]
            apart = any(limit.end <= at < other.start for other in between for at in values)
            holds = place >= limit.end and not apart
        else:
            goes_on = re.search(r"\w{2}", text[limit.end : last]) is not None
            holds = clause <= place < limit.start if trails else place < limit.start and not goes_on
        if holds:
            found.append(limit)
    return tuple(found)


def _follow(text: str, values: Sequence[Measure], last: int, conditions: Sequence[Limit]) -> str:
    """The words behind the first of `values`; alternatives (50 hours or 6 months) share them."""
    behind = values[0].end
    for other in values[1:]:
        if not is_alternative(text[behind : other.start]):
            break
        behind = other.end
    ends = [mark.start() for mark in _BEHIND.finditer(text, behind, last)]
    ends += [limit.start for limit in conditions if limit.start >= behind]
    return text[behind : min(ends, default=last)].strip(" .")


def _states_bare(lead: str, follow: str) -> bool:
    """Whether a number without a unit is a value: the words before it say so (pH 6.5, 数量为 3, ratio of 1:500)."""
    return _SAYS_VALUE.search(lead) is not None and not re.match(r"(?!per )[A-Za-z]", follow)
