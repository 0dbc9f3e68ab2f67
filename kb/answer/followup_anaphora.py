"""Whether a question leans on what was asked before: by a pronoun, or by naming no thing of its own.

By the form of the words alone, in both languages. Words that only look like pronouns point to nothing: «it is safe to
mix urea with lime», «the disease that spreads», «this year».
"""

from __future__ import annotations

import functools
import re

from kb.answer.subjects import KnownSubjects, mentioned, places
from kb.search.tokens import stop_terms

_AUXILIARY = r"(?:is|are|was|were|do|does|did|can|could|should|may|might|must|will|would)(?:n't)?"
_VERB = rf"(?:{_AUXILIARY}|be|been|have|has|had|happens?|means?|works?|helps?)"
_JOINT = r"(?:in|on|at|for|with|without|of|by|to|from|into|after|before|during|about|than|like|and|or|if|when)"
_ASKS = re.compile(
    r"为什么|什么|多少|多[久长大深高远宽快重厚]|几[^乎]|怎[么样]|如何|为何|哪|谁|何时|是否|吗[？?]?$|能不能|会不会|要不要|可不可以|"
    rf"\b(?:what|which|who|whom|whose|why|how)\b|\b(?:when|where)(?= +{_AUXILIARY}\b|[?]?$)|"
    rf"(?:^|[,;] ?){_AUXILIARY}\b",
    re.IGNORECASE,
)
# A thing by a word that stands for it; a circumstance likewise, for which the whole question before has to be said.
_THING = re.compile(
    r"它们?|[这那][个种些](?:[病虫药机泵肥][害剂子器料]?|东西|作物|动物|设备|故障)?|该(?:药|病|机|期|品种)|\b(?:it|its|they|them|their)\b|"
    rf"\b(?:this|these)\b(?= *(?:$|[?.!,;]|{_VERB}\b|{_JOINT}\b|[a-z]+ed\b))|"
    rf"\b(?:that|those)\b(?= *(?:[?.!,;]|{_JOINT}\b))|"
    rf"(?:(?<=^)|(?<=\b(?:do|is|of|by|in|at|on) )|(?<=\b(?:does|with|than|like) )|(?<=\b(?:for|are|was|use) ))"
    rf"\b(?:that|those)\b(?= *(?:$|[?.!,;]|{_VERB}\b|{_JOINT}\b|[a-z]+ed\b))",
    re.IGNORECASE,
)
_CIRCUMSTANCE = re.compile(
    r"此时|这时|那时|其中|这样|那样|(?:[低高大小多少]于|超过|不[到足])(?:它|此|这个|那个)|"
    r"\b(?:in|at) (?:this|that|these|those) (?:case|time|moment)s?\b|"
    r"\b(?:below|above|over|under|than) (?:this|that|it)\b",
    re.IGNORECASE,
)
# «it» that stands for nothing: what is said comes after it («is it safe to mix urea …», not «is it safe to eat?»).
_EMPTY_IT = re.compile(
    rf"\b(?:is|was|be|would) it (?:\w+ ){{1,3}}?(?:to \w+ (?!{_JOINT}\b)\w|that\b|if\b)|"
    r"\bit(?: is| was| will be|'s)? (?:rain|snow|freez|froze|hail|thunder)\w*|\bit takes?\b(?=.* to\b)|"
    r"\b(?:does|did|will) it take\b(?=.* to\b)|\bwhat time is it\b|\b(?:is|was) it called (?:when|if)\b",
    re.IGNORECASE,
)
# Chinese words that carry a question without naming anything: what is wanted, allowed or likely; time and count.
_CARRIES = re.compile(
    r"需要|必须|可以|应该?|[会能要可得该还再又就都也才]|时候|一[次遍回下天]|[^\W\d_]不[^\W\d_](?=[\u4e00-\u9fff])|人|[我你]们?|[的了吗呢吧啊]"
)
_HAN = re.compile(r"[\u4e00-\u9fff]")
_DONE = re.compile(r"[了着过]")
# What is asked of a thing that is named first («汽蚀怎么办») is no question about another one.
_OF_A_THING = re.compile(
    r"[\u4e00-\u9fff]{2}(?:怎么[办治回修用做]|是(?:什么|啥|哪)|有(?:什么|哪|多少)|指(?:的是)?什么)|^(?:什么|啥)(?:是|叫)"
)
# How many English words before a pronoun may say something without naming its thing (_says_much).
_MOST_ASKED = 2
# A question that ends with how much.
_HOW_MUCH = re.compile(r"(?:是|有|要)?(?:多[少久长大深高远宽快重厚]|几[^乎])[\u4e00-\u9fff]?[？?]?$")
# How many Chinese characters a deed («停机») or a measure («保修期») may have that is asked of something left out.
_MOST_DEED, _MOST_MEASURE = 2, 3
# An English question without a verb: «at what temperature», "which colour".
_NO_VERB = re.compile(rf"(?:{_JOINT} )?(?:what|which|whose|how (?:much|many)) [a-z]+", re.IGNORECASE)
# Words of an English question that say how much, how often, when; a question of these alone names nothing.
_MEASURES = (
    "why how what when where which who not often long much many far deep high soon fast early late per each every day "
    "week month year hour minute hectare acre litre liter kilogram time rate amount dose"
)
# Who asks is no subject.
_PERSONS = "i you we my your our one"


def asks(text: str) -> bool:
    """Whether `text` asks by itself, and does not only name something."""
    return _ASKS.search(text) is not None


def without_asking(text: str) -> str:
    """`text` without the words that ask."""
    return _ASKS.sub(" ", text)


def pronoun(text: str, before: str, known: KnownSubjects) -> re.Match[str] | None:
    """The word in `text` that stands for a thing in `before`; None where `text` names its own thing: before the pronoun
    («when does a cow lose its appetite»), or after «this» («这个终端»)."""
    empty = [found.span() for found in _EMPTY_IT.finditer(text)]
    for found in _THING.finditer(text):
        if any(start <= found.start() < end for start, end in empty):
            continue
        ahead = [place for place in places(text, known.names) if place[1] <= found.start() or place[0] == found.end()]
        fresh = any(not _named_in(text[slice(*place)], before, known) for place in ahead)
        return None if fresh or _says_much(text[: found.start()]) else found
    return None


def _says_much(lead: str) -> bool:
    """Whether the English words before a pronoun already name something: more than a deed («how do I clean it»), or,
    where the pronoun is the subject («how much nitrogen does it need»), more than what is asked for."""
    words = re.findall(r"[a-z][\w'-]*", lead.lower())
    saying = [word for word in words if word not in _idle()]
    subject = re.search(rf"\b{_AUXILIARY} $", lead, re.IGNORECASE) and not re.search(r"[,;.?]", lead)
    return len(saying) > (_MOST_ASKED if subject else 1)


def _named_in(name: str, before: str, known: KnownSubjects) -> bool:
    return bool(mentioned(name, known.names) & mentioned(before, known.names))


@functools.cache
def _idle() -> frozenset[str]:
    """English words that name nothing."""
    return frozenset((*_MEASURES.split(), *_PERSONS.split())) | stop_terms()


def circumstance(text: str) -> bool:
    """Whether `text` speaks of a time or case that only the question before names."""
    return _CIRCUMSTANCE.search(text) is not None


def only_asks(text: str) -> bool:
    """Whether `text` is nothing but asking words: «为什么», «多久一次», "why?", "at what temperature?"."""
    if _HAN.search(text):
        return not re.search(r"[^\W_]", _CARRIES.sub("", _ASKS.sub("", text)))
    if _NO_VERB.fullmatch(text):
        return True
    words = re.findall(r"[a-z]+", text.lower())
    return not re.search(r"\d", text) and all(word in _idle() for word in words)


def names_nothing(text: str, known: KnownSubjects) -> bool:
    """Whether a Chinese question asks what to do or what happens, or how much, without saying of what: «怎么处理»,
    «需要停机吗», «保修期多久»."""
    if not _HAN.search(text) or re.search(r"[A-Za-z0-9]", text) or places(text, known.names):
        return False
    said = len(_HAN.findall(_CARRIES.sub("", _ASKS.sub("", text))))
    if said <= _MOST_DEED:
        return _DONE.search(text) is not None or not _OF_A_THING.search(text)
    return said <= _MOST_MEASURE and _HOW_MUCH.search(text) is not None
