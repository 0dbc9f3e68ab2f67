"""What a follow-up takes the place of in the question before: the like of what it names.

A subject for a subject, a code for a code, an amount for one with the same unit, and else a phrase for one with the
same head: «in clay soil» for «in sandy soil», «鼓粒期» for «苗期».
"""

from __future__ import annotations

import re
from collections.abc import Iterator

from kb.answer.anchors import anchors
from kb.answer.subjects import KnownSubjects, places
from kb.search.quantities import located

Span = tuple[int, int]

_PREPOSITION = r"in|on|at|for|with|without|under|above|below|during|before|after|by|from"
_PHRASE = re.compile(rf"^(?:(?P<led>{_PREPOSITION})\s+)?(?P<rest>[a-z][\w' -]*)$", re.IGNORECASE)
# A stage, a step or a circumstance: of two in one question the later is meant. Places (in, on) may stand together.
_ONE_OF_A_KIND = frozenset(["at", "during", "before", "after", "under", "with", "without"])
_MOST_WORDS = 4
_HAN = re.compile(r"[\u4e00-\u9fff]{2,8}$")
# What a Chinese name does not begin before: particles, verbs of giving and needing, words that ask.
_NO_NAME = re.compile(
    r"[^\u4e00-\u9fff]|多少|什么|怎么样?|如何|为何|几|哪|谁|[的在时要用给和与或对从到把被让会能可应该是有追施打喷浇灌喂播需]"
)
_MOST_CHARACTERS = 3


def likes(named: str, before: str, known: KnownSubjects) -> tuple[Span, Span] | None:
    """The first thing in `named` and its like in `before`, as (start, end) each; None where there is none."""
    for mine in places(named, known.names):
        for theirs in places(before, known.names):
            if known.alike(named[slice(*mine)], before[slice(*theirs)]):
                return mine, (theirs[0], theirs[1] + len(plural(before[theirs[1] :])))
    mine_codes, their_codes = codes(named), codes(before)
    if mine_codes and their_codes:
        return mine_codes[0], their_codes[0]
    amounts = {unit: (start, end) for start, end, unit in reversed(located(before)) if unit}
    for start, end, unit in located(named):
        if unit in amounts:
            return (start, end), amounts[unit]
    theirs_too = _phrase(named, before) if named.isascii() else _han_phrase(named, before, known)
    return None if theirs_too is None else ((0, len(named)), theirs_too)


def plural(after: str) -> str:
    """The ending that makes a plural of the name that stands before `after`; '' where there is none."""
    found = re.match(r"(?:e?s)(?![a-z])", after)
    return found[0] if found else ""


def codes(text: str) -> list[Span]:
    """Where the codes and numbered things of `text` stand (R5, E-07)."""
    found = []
    for anchor in anchors(text):
        place = re.search(re.escape(anchor), text, re.IGNORECASE)
        if place:
            found.append(place.span())
    return found


def _phrase(named: str, before: str) -> Span | None:
    """The phrase of `before` that ends with the last word of `named` and is led by the same preposition, if `named` has
    one; else the last of the question, where the preposition names one of a kind («at flowering»)."""
    mine = _PHRASE.match(named)
    if mine is None:
        return None
    head = mine["rest"].split()[-1]
    led = mine["led"] or _PREPOSITION
    alike = rf"\b(?P<led>{led})\s+(?P<rest>(?:[\w'-]+\s+){{1,{_MOST_WORDS - 1}}}?{re.escape(head)})\b"
    found = _last(re.finditer(alike, before, re.IGNORECASE))
    if found is None and mine["led"] and mine["led"].lower() in _ONE_OF_A_KIND:
        at_end = rf"\b(?P<led>{led})\s+(?P<rest>[\w'-]+(?:\s+[\w'-]+){{0,{_MOST_WORDS - 1}}})(?=[?？.!\s]*$)"
        found = _last(re.finditer(at_end, before, re.IGNORECASE))
    if found is None:
        return None
    return found.span() if mine["led"] else found.span("rest")


def _last(found: Iterator[re.Match[str]]) -> re.Match[str] | None:
    return next(reversed(list(found)), None)


def _han_phrase(named: str, before: str, known: KnownSubjects) -> Span | None:
    """The Chinese name in `before` with the longest ending in common with `named`: «苗期» for «鼓粒期»."""
    if not _HAN.match(named):
        return None
    closed = [match.span() for match in _NO_NAME.finditer(before)] + places(before, known.names)
    for length in range(len(named) - 1, 0, -1):
        ending = named[-length:]
        for match in re.finditer(re.escape(ending), before):
            if any(start < match.end() and match.start() < end for start, end in closed):
                continue
            begin = max((end for _, end in closed if end <= match.start()), default=0)
            if 0 < match.start() - begin <= _MOST_CHARACTERS:
                return begin, match.end()
    return None
