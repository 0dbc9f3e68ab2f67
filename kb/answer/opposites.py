"""Which way a sentence points: what stands before and after a comparison or a sequence, and words with an opposite.

«A 比 B 早熟» is neither «B 比 A 早熟» nor «A 比 B 晚熟», "close the valve, then stop the pump" not the other way round:
all words of the wrong sentence stand in the evidence.
"""

from __future__ import annotations

import re
from collections.abc import Iterator

from kb.answer.units import CLAUSE
from kb.search.quantities import folded
from kb.search.tokens import stem, stop_terms, terms, words

# Between two things: which is more, which comes first. The second group is often only a part of a word.
_BETWEEN = re.compile(
    r"(?P<strict>\bthan\b|\bthen\b|\bbefore\b|\bafter\b|\buntil\b|\bexceeds?\b|(?<!对)比(?![例较重值率])|不如|"
    r"[优劣高低大小多少快慢早晚强弱先后]于|再)|(?P<loose>[前后])"
)
_PAIRS = """
早晚 高低 多少 大小 上下 增减 升降 快慢 长短 深浅 厚薄 开关 左右 内外 先后 冷热
前后 干湿 松紧 重轻 好差 强弱 涨跌 宽窄 粗细 疏密
"""
_LATIN_PAIRS = """
more less, higher lower, high low, earlier later, early late, increase decrease, raise lower, open close, opened
closed, on off, left right, upper lower, up down, faster slower, longer shorter, deeper shallower, larger smaller,
bigger smaller, warmer colder, hot cold, wet dry, wetter drier, tighten loosen, clockwise counterclockwise, before
after, above below, inside outside, maximum minimum, most least, better worse, best worst, stronger weaker, start
stop, rise fall, gain loss
"""

# What has to be done, what may be, what need not be.
_DUTIES = {
    "spared": re.compile(r"\bneed(?:s)? not\b|needn't|\b(?:not|n't) (?:have to|need|required|necessary)|\bno need\b|"
                         r"\boptional\b|[无不]需要?|无须|不必|不用(?=[\u4e00-\u9fff])"),
    "bound": re.compile(r"\bmust\b|\b(?:has|have) to\b|\brequired?\b|\bneeds? to\b|\bnecessary\b|\bshall\b|"
                        r"\bshould\b|必须|务必|应当|应该|须|需要|应(?![用急答])"),
    "free": re.compile(r"\bmay\b|\bcan\b|\bcould\b|\ballowed\b|\bpermitted\b|可以|允许|(?<!不)可(?![能湿溶燃靠见])"),
}  # fmt: skip

_DENIED = re.compile(r"[未非]([\u4e00-\u9fff]{2})")

Sides = tuple[frozenset[str], frozenset[str]]


def _opposites() -> dict[str, set[str]]:
    found: dict[str, set[str]] = {}
    pairs = [(pair[0], pair[1]) for pair in _PAIRS.split()]
    pairs += [(stem(one), stem(other)) for one, other in (pair.split() for pair in _LATIN_PAIRS.split(","))]
    for one, other in pairs:
        found.setdefault(one, set()).add(other)
        found.setdefault(other, set()).add(one)
    return found


_OPPOSITES = _opposites()


def keeps_direction(sentence: str, evidence: str, around: str) -> bool:
    """Whether everything in `sentence` that stands before or after a word of comparison or sequence stands on that side
    of the same word in a clause of `evidence`; words that stand only in `around` may be added on both."""
    given = list(_sides(evidence))
    added = frozenset(terms(around)) - frozenset(terms(evidence))
    for word, strict, mine in _sides(sentence):
        theirs = [sides for other, _, sides in given if other == word]
        if not theirs and strict:
            return False
        mine = (mine[0] - added, mine[1] - added)
        if theirs and not any(_agree(mine, sides) for sides in theirs):
            return False
    return True


def turns_round(sentence: str, used: str) -> bool:
    """Whether `sentence` says the opposite of a word in `used`, the part of the evidence that it rests on."""
    said, given = _polar(sentence), _polar(used)
    return any(word not in given and _OPPOSITES[word] & given for word in said)


def changes_duty(part: str, other: str) -> bool:
    """Whether `part` of a sentence makes a duty of what the `other` only allows or spares, or the other way round. What
    is simply said, or ordered, may be told as a duty or as allowed."""
    said, given = _duties(part), _duties(other)
    return bool(given) and not said <= given


def _duties(text: str) -> set[str]:
    rest = folded(text)
    found: set[str] = set()
    for name, pattern in _DUTIES.items():
        found |= {name} if pattern.search(rest) else set()
        rest = pattern.sub(" ", rest)
    return found


def says_the_contrary(question: str, text: str) -> bool:
    """Whether one of the two names a thing only with a 未 or 非 before it, the other without: «拆封» and «未拆封»."""
    denied = {*_DENIED.findall(question), *_DENIED.findall(text)}
    return any(_plainly(word, question) != _plainly(word, text) for word in denied if word in question and word in text)


def _plainly(word: str, text: str) -> bool:
    """Whether `word` also stands in `text` without a denial before it."""
    return re.search(rf"(?<![未非]){word}", text) is not None


def _polar(text: str) -> set[str]:
    plain = folded(text)
    return {item for item in (*plain, *map(stem, words(plain))) if item in _OPPOSITES}


def _sides(text: str) -> Iterator[tuple[str, bool, Sides]]:
    """Each word between two things, whether it is always one, and the terms on its sides."""
    common = stop_terms()
    for clause in CLAUSE.split(folded(text)):
        for match in _BETWEEN.finditer(clause):
            before, after = clause[: match.start()], clause[match.end() :]
            sides = frozenset(terms(before)) - common, frozenset(terms(after)) - common
            yield match[0], match["strict"] is not None, sides


def _agree(mine: Sides, theirs: Sides) -> bool:
    """Whether both sides hold what theirs do, as far as theirs hold anything."""
    for own, same, other in ((mine[0], *theirs), (mine[1], *reversed(theirs))):
        if (own & other) - same:
            return False
        if own and same and len(own & same) * 2 < len(own):
            return False
    return True
