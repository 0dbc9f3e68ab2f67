"""What a follow-up takes the place of in the question before: the like of what it names.

A subject for a subject, a code for a code, an amount for one with the same unit, and else a phrase for one with the
same head: «in clay soil» for «in sandy soil», «鼓粒期» for «苗期».
"""

from __future__ import annotations

import re
from collections.abc import Iterator

from kb.answer.anchors import anchors
from kb.answer.subjects import KnownSubjects, Names, places
from kb.search.quantities import located

Span = tuple[int, int]

_PREPOSITION = r"in|on|at|for|with|without|under|above|below|during|before|after|by|from"
_PHRASE = re.compile(rf"^(?:(?P<led>{_PREPOSITION})\s+)?(?P<rest>[a-z][\w' -]*)$", re.IGNORECASE)
# A stage, a step or a circumstance: of two in one question the later is meant. Places (in, on) may stand together.
_ONE_OF_A_KIND = frozenset(["at", "for", "during", "before", "after", "under", "with", "without"])
_MOST_WORDS = 4
_HAN = re.compile(r"[\u4e00-\u9fff]{2,8}$")
# What a Chinese name does not begin before: particles, verbs of giving and needing, words that ask.
_NO_NAME = re.compile(
    r"[^\u4e00-\u9fff]|播种|[追施]肥|[喷打]药|[浇灌]水|灌溉|多少|什么|怎么样?|如何|为何|几|哪|谁|[的在时要用给和与或对从到把被让会能可应该是有追施打喷浇灌喂播需]"
)
# How long the part of a Chinese name is that two do not share (苗 and 鼓粒 before 期).
_MOST_CHARACTERS = 3
# What the word for something measured ends with: two characters, of which the first tells what.
_MEASURED = frozenset("度量率值比数力速压温重价距")
# A medicine or pesticide, by the form that its name ends with.
_PREPARATION = re.compile(
    r"(?:(?![的给用与和或])[\u4e00-\u9fff]){2,8}?"
    r"(?:注射液|口服液|溶液|片|胶囊|预混剂|可湿性粉剂|悬浮剂|水剂|乳油|颗粒剂?|粉剂?|散|疫苗)"
)
_SAYS = re.compile(r"[^\W_]")
# Prefixes and words that make the contrary of the word behind them.
_DENIALS = ("未", "不", "无", "没有", "没", "非", "un", "non-", "not ")
_ORDINAL = re.compile(
    r"\b(?:first|second|third|fourth|fifth|sixth|seventh|eighth|ninth|tenth|last|\d+(?:st|nd|rd|th))\b", re.IGNORECASE
)
# Words in capitals, as signal words and states are written (DANGER, RUN).
_CAPITALS = re.compile(r"(?<![A-Za-z0-9])[A-Z]{2,}(?![A-Za-z0-9])")


def counterpart(named: str, before: str, known: KnownSubjects) -> tuple[Span, Span] | None:
    """The first thing in `named` and its like in `before`, as (start, end) each; None where there is none."""
    for mine in places(named, known.names):
        name = named[slice(*mine)]
        # Also one that stands inside a longer name: 小麦 in 小麦赤霉病.
        alike = Names((other, word) for other, word in known.names.items() if known.alike(name, other))
        for start, end in places(before, alike):
            return mine, (start, end + len(plural(before[end:])))
    mine_codes, their_codes = codes(named), codes(before)
    if mine_codes and their_codes:
        return mine_codes[0], their_codes[0]
    amounts = {unit: (start, end) for start, end, unit in reversed(located(before)) if unit}
    for start, end, unit in located(named):
        if unit in amounts:
            return (start, end), amounts[unit]
    if numbers := _ordinals(named, before) or _bare_numbers(named, before):
        return numbers
    phrase = _phrase(named, before) if named.isascii() else _han_phrase(named, before, known)
    theirs_too = _opposite(named, before) or _in_capitals(named, before) or phrase
    return None if theirs_too is None else ((0, len(named)), theirs_too)


def _ordinals(named: str, before: str) -> tuple[Span, Span] | None:
    mine, theirs = _ORDINAL.search(named), _ORDINAL.search(before)
    return (mine.span(), theirs.span()) if mine and theirs else None


def _bare_numbers(named: str, before: str) -> tuple[Span, Span] | None:
    """A number that is all that is named, and the only one without a unit in `before`: «那456呢» of order 123."""
    mine = [(start, end) for start, end, unit in located(named) if not unit]
    theirs = [(start, end) for start, end, unit in located(before) if not unit]
    if len(mine) == len(theirs) == 1 and not _SAYS.search(named[: mine[0][0]] + named[mine[0][1] :]):
        return mine[0], theirs[0]
    return None


def _opposite(named: str, before: str) -> Span | None:
    """What `before` denies of what is named, or the other way round: «拆封的» of «未拆封», "opened" of "unopened"."""
    word = named.removesuffix("的")
    for denied in _DENIALS:
        if (place := before.lower().find(denied + word.lower())) >= 0:
            return place, place + len(denied + word)
        affirmed = word.lower().removeprefix(denied)
        if affirmed != word.lower() and (place := before.lower().find(affirmed)) >= 0:
            return place, place + len(affirmed)
    return None


def _in_capitals(named: str, before: str) -> Span | None:
    """The last word in capitals of `before`, where what is named is one: DANGER of WARNING."""
    found = _last(_CAPITALS.finditer(before)) if _CAPITALS.fullmatch(named) else None
    return found.span() if found else None


def led_by(text: str, start: int) -> int:
    """Where the Chinese name begins that goes on at `start` and begins with `text` or a clause: 种薯贮藏 of 贮藏."""
    lead = re.search(r"(?:^|(?<=[^\u4e00-\u9fff]))[\u4e00-\u9fff]{1,4}$", text[:start])
    return lead.start() if lead and not _NO_NAME.search(lead[0]) else start


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
    if found is None and mine["led"] and " " not in mine["rest"]:
        # «in meat» for «in milk»; a month («in June») is of another kind.
        at_end = rf"\b(?P<led>{led})\s+(?P<rest>[\w'-]+)(?=[?？.!\s]*$)"
        found = _last(re.finditer(at_end, before, re.IGNORECASE))
        found = found if found and found["rest"][0].isupper() == head[0].isupper() else None
    if found is None:
        return None
    return found.span() if mine["led"] else found.span("rest")


def _last(found: Iterator[re.Match[str]]) -> re.Match[str] | None:
    return next(reversed(list(found)), None)


def _han_phrase(named: str, before: str, known: KnownSubjects) -> Span | None:
    """The Chinese name in `before` with the longest ending in common with `named`: «苗期» for «鼓粒期»; else, of two
    preparations, whatever their form, one for the other."""
    if not _HAN.match(named):
        return None
    closed = [match.span() for match in _NO_NAME.finditer(before)] + places(before, known.names)
    for length in range(len(named) - 1, 0, -1):
        ending = named[-length:]
        for match in re.finditer(re.escape(ending), before):
            # What both say belongs to the name, whatever it is elsewhere (喷 in 喷头).
            begin = max((end for _, end in closed if end <= match.start()), default=0)
            if 0 < match.start() - begin <= _MOST_CHARACTERS:
                return begin, match.end()
            # 速度 for 高度, however long the words before it are.
            if len(named) == 2 and ending in _MEASURED and match.start() > begin:
                return match.start() - 1, match.end()
    given = _PREPARATION.search(before) if _PREPARATION.fullmatch(named) else None
    return given.span() if given else None


def leading(before: str) -> Span | None:
    """The Chinese name that `before` begins with, up to the first word that is no part of one."""
    found = _NO_NAME.search(before)
    return (0, found.start()) if found and found.start() > 1 else None
