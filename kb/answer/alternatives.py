"""Words of which a thing has one at a time: a year, a month, a season, a colour, a bound, the period of an amount, what
is done at an interval.

The price of 2024 is not that of 2025, a monthly rent no yearly one, a minimum no maximum, "check weekly" no answer to
"replace how often": the question names one, the evidence others of its class alone. Only classes that the language
itself closes stand here; things that documents set side by side are found in their tables and headings.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Mapping
from dataclasses import dataclass

from kb.answer.superlatives import Superlative
from kb.search.quantities import MONTHS, folded

Members = Callable[[str], frozenset[str]]

# «may» is a month behind these, a verb elsewhere.
_BEFORE_MAY = ("in", "of", "from", "until", "to", "early", "mid", "late", "and", "or")
_LATIN_MONTH = "|".join((*(name for name in MONTHS if name != "may"), *(rf"(?<=\b{word} )may" for word in _BEFORE_MAY)))
_MONTH_NUMBER = r"(?<![\d.])(?:1[0-2]|[1-9])"
_MONTHS = re.compile(
    rf"(?P<from>{_MONTH_NUMBER})\s?月?[^-\d,，。;；]{{0,3}}[-~–—至到]\s?(?P<to>{_MONTH_NUMBER})\s?月|"
    rf"\b(?P<first>{_LATIN_MONTH})\b\s?(?:-|–|to|through|until)\s?\b(?P<last>{'|'.join(MONTHS)})\b"
)
_MONTH = re.compile(rf"(?P<number>{_MONTH_NUMBER})\s?月|\b(?P<name>{_LATIN_MONTH})\b")
# Round numbers are hardly ever years (2000 h), and one with a unit is none.
_YEAR = re.compile(
    r"(?<![\w.\-])(?:19|20)(?!00)\d\d(?![\w.\-])(?!\s?(?:[%℃]|(?:m3|mm|cm|m|kg|g|t|l|h|w|kw|v|n|pa)\b))|"
    r"(?<!\d)(?:19|20)\d\d(?=\s?年)"
)


def _years(text: str) -> frozenset[str]:
    return frozenset(_YEAR.findall(text))


def _months(text: str) -> frozenset[str]:
    found: set[str] = set()
    for months in _MONTHS.finditer(text):
        first = int(months["from"] or MONTHS.index(months["first"]) + 1)
        last = int(months["to"] or MONTHS.index(months["last"]) + 1)
        found |= {str((first - 1 + step) % 12 + 1) for step in range((last - first) % 12 + 1)}
    found |= {item["number"] or str(MONTHS.index(item["name"]) + 1) for item in _MONTH.finditer(text)}
    return frozenset(found)


def _of(**members: str) -> Members:
    """The members of a class by the patterns that tell them."""
    patterns = {name: re.compile(pattern) for name, pattern in members.items()}
    return lambda text: frozenset(name for name, pattern in patterns.items() if pattern.search(text))


_SEASONS = _of(
    spring=r"春(?!雷)|\bspring\b",
    summer=r"(?<!宁)夏(?!威夷)|\bsummer\b",
    autumn=r"秋(?!葵|水仙)|\bautumn\b|\bfall season\b",
    winter=r"冬(?!瓜|枣|虫)|\bwinter\b",
)
_COLOURS = _of(
    **{
        latin: rf"{han}色|{han}灯|\b{latin}\b"
        for latin, han in (
            ("red", "红"), ("green", "绿"), ("blue", "蓝"), ("yellow", "黄"), ("white", "白"), ("black", "黑"),
            ("orange", "橙"), ("purple", "紫"), ("grey", "灰"), ("brown", "棕"), ("amber", "琥珀"),
        )
    }
)  # fmt: skip
# What names a bound; evidence may also set it («不得超过», "no later than"), which a question does not ask for.
_MOST = r"最[高大多长]|至多|上限|\bmax(?:imum)?\b|\bhighest\b|\bat most\b"
_LEAST = r"最[低小少短]|至少|下限|\bmin(?:imum)?\b|\blowest\b|\bat least\b"
_NAMED_BOUNDS = _of(most=_MOST, least=_LEAST)
_BOUNDS = _of(
    most=rf"≤|{_MOST}|不(?:得|应|宜|能|可)?[超高大多]|\bup to\b|\b(?:no|not) (?:more|longer|higher|later)\b|\bexceed",
    least=rf"≥|{_LEAST}|不(?:得|应|宜|能|可)?[低小少短]|\b(?:no|not) (?:less|lower|fewer|shorter|sooner|earlier)\b",
)
_PER = r"(?=[租费薪息产销付交缴收利耗]|服务|保养|维护|管理)"
_PERIODS = _of(
    hour=r"每小?时|一小时|\bhourly\b|\b(?:per|an|each|every) hour\b|/h\b",
    day=rf"每[天日]|一天|日{_PER}|\bdaily\b|\b(?:per|a|each|every) day\b|/day\b",
    week=rf"每[周星]|一周|周{_PER}|\bweekly\b|\b(?:per|a|each|every) week\b|/week\b",
    month=rf"每个?月|一个月|月{_PER}|\bmonthly\b|\b(?:per|a|each|every) month\b|/month\b",
    year=rf"每年|一年|全年|年度|年{_PER}|\b(?:yearly|annual(?:ly)?)\b|\b(?:per|a|each|every) (?:year|annum)\b|/year\b",
)
_DEEDS = _of(
    replace=r"换|\breplac|\bchang|\brenew|\bswap",
    inspect=r"检查|检测|检验|查看|\bcheck|\binspect",
    clean=r"清洗|清理|清洁|清扫|[刷冲拆]?洗|\bclean|\bwash|\brins|\bflush",
    calibrate=r"校验|校准|检定|标定|\bcalibrat",
    lubricate=r"润滑|注油|加油|打黄油|\bgreas|\blubricat",
)
_INTERVAL = re.compile(
    r"多久|多长时间|几[天日周月年个]|多少(?:小时|天)|什么时候|何时|间隔|\bhow often\b|\bwhen\b|\binterval"
)
# «Is the desk open in May?» is answered by the months in which it is.
_YES_OR_NO = re.compile(
    r"^\W*(?:is|are|do|does|did|can|could|may|must|should|was|were|will|has|have)\b|吗|[是能可会]否|(\w)不\1"
)


@dataclass(frozen=True, slots=True)
class _Class:
    """How members are told in evidence and, where that differs, in questions. `own`: the unit itself or its headings
    have to name the member; else it may stand anywhere in prose around it."""

    said: Members
    asked: Members
    own: bool = False


_CLASSES: Mapping[str, _Class] = {
    "year": _Class(_years, _years),
    "month": _Class(_months, _months),
    "season": _Class(_SEASONS, _SEASONS, own=True),
    "colour": _Class(_COLOURS, _COLOURS, own=True),
    "bound": _Class(_BOUNDS, _NAMED_BOUNDS, own=True),
    "period": _Class(_PERIODS, _PERIODS, own=True),
    "deed": _Class(_DEEDS, _DEEDS, own=True),
}


@dataclass(frozen=True, slots=True)
class Alternatives:
    """What a question names of each class: the evidence has to name the same, or none."""

    named: Mapping[str, frozenset[str]]

    @classmethod
    def of(cls, question: str) -> Alternatives:
        """Read `question`; one that is answered by yes or no names none, one for the most of several no bound."""
        plain = folded(question)
        if _YES_OR_NO.search(plain):
            return cls({})
        found = {name: kind.asked(plain) for name, kind in _CLASSES.items()}
        if Superlative.of(question) is not None:
            found["bound"] = frozenset()
        if not _INTERVAL.search(plain):
            found["deed"] = frozenset()
        return cls({name: members for name, members in found.items() if members})

    def differ_from(self, text: str, around: str, beside: str = "") -> bool:
        """Whether `text` (folded), with the headings and table head `around` it, names others of a class alone; what
        the prose `beside` it names may be meant."""
        for name, asked in self.named.items():
            kind = _CLASSES[name]
            said = kind.said(f"{text} {around}")
            if said and not said & asked and (kind.own or not kind.said(beside) & asked):
                return True
        return False
