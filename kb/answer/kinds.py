"""The kinds of quantity that a question can want: price, weight, pressure …, and whether a text gives one.

«What does the pump weigh?» is not answered by its pressure, «每亩多少斤» not by a depth. A kind is looked for narrowly:
only the few that have units of their own, and only where the question asks for one.
"""

from __future__ import annotations

import re
from dataclasses import dataclass, replace

from kb.answer.measures import (
    COUNTED,
    CURRENT,
    FLOW,
    LENGTH,
    MASS,
    MONEY,
    POWER,
    PRESSURE,
    PRICE_SIGN,
    ROTATION,
    TEMPERATURE,
    TIME,
    VOLTAGE,
    VOLUME,
    in_units,
)
from kb.search.quantities import Quantity, quantities

_ASKS_VALUE = r"(?:是|为|有|要|需要?|应该?是?)?(?:多少|多大|多高|几|什么|啥)|[?？。]?\s*$"


@dataclass(frozen=True, slots=True)
class Kind:
    """A kind of quantity: how its question is asked, the words that name it, the units it is given in.

    `is_amount`: how much of a thing is to be given. `in_words`: it may also be told without a number («until dry»),
    or by years (1912-1920).
    """

    asked: re.Pattern[str]
    named: re.Pattern[str]
    units: re.Pattern[str]
    is_amount: bool = False
    in_words: bool = False


# A question that is a noun with what belongs to it: «Weight of the pump», «Penethone dose for heifers».
_NO_SENTENCE = (
    r"^\W*(?!(?:why|how|who|whom|whose|where|when|which|is|are|was|were|do|does|did|can|could|may|must|should|will)\b)"
    r"(?:[\w-]+ ){0,4}"
)


def _kind(han: str, latin: str, units: str, also: str = "") -> Kind:
    """A kind named by `han` or `latin` (alternatives); `also` are whole questions for it without such a word."""
    said = rf"\bwhat(?:'s| is| are)? (?:(?!i\b|we\b|should\b)\w+ ){{0,3}}(?:{latin})\b|\b(?:{latin})\s*\??$|"
    said += rf"{_NO_SENTENCE}(?:{latin}) (?:of|for|in|at)\b"
    asked = rf"(?:{han})的?(?:{_ASKS_VALUE})|{said}"
    return Kind(
        re.compile(f"{asked}|{also}" if also else asked),
        re.compile(rf"{han}|\b(?:{latin})\b"),
        in_units(units),
    )


_PRICE = _kind("价格|售价|单价|价钱", "price|costs?", MONEY, r"多少钱|how much (?:does|do|did) [^?]* cost")
_KINDS = (
    _PRICE,
    _kind(
        "重量|净重|毛重|自重",
        "weight",
        MASS,
        r"(?<!最)多重(?:\s*[?？。]?$|[，,])|how heavy|\bweighs?\b",
    ),
    _kind("功率|马力", "power rating|rated power|power consumption|power output|horsepower", POWER),
    _kind("转速", "rotational speed|rpm", ROTATION),
    _kind("电压", "voltage", VOLTAGE),
    _kind("电流", "amperage|current draw", CURRENT),
    _kind("流量", "flow rate", rf"{FLOW}|t|kg|吨"),
    _kind("酸碱度|ph值?", "ph", "ph"),
    _kind("湿度", "humidity", "%|‰|rh"),
    _kind("用量|剂量|药量", "dose|dosage", rf"{MASS}|{VOLUME}|{COUNTED}"),
    Kind(
        re.compile(
            rf"(?:[租押定]金|费用?|罚款|工资|工钱)的?(?:{_ASKS_VALUE})|"
            r"\b(?:rent|fee|deposit|(?<!of )charge|fine)\s*\??$"
        ),
        re.compile(r"元|块钱|免费|[¥￥$€£]|\b(?:eur|usd|euros?|dollars?|cents?|ct|free)\b"),
        re.compile(r"^(?:元|万)"),
    ),
    _kind("压力|气压|压强", "pressure", rf"{PRESSURE}|公斤"),
)
_FIRST_YEAR, _LAST_YEAR = 1000, 2100
_AT_FIRST = r"^\W*(?:\w+ ){0,2}"
_SAID_NUMBER = r"[\d半一二两三四五六七八九十百千万亿]\s?"


def _measure(units: str, asked: str) -> Kind:
    """A quantity whose unit the question itself gives («每亩多少斤», «how many days»), or that `asked` wants.

    The unit may stand behind a number, in words too, or in the head of a table's column.
    """
    said = rf"(?:多少|(?<![那这近前后头])几)\s?(?:{units})(?![a-z来])|{_AT_FIRST}how many (?:{units})\b"
    return Kind(
        re.compile(f"{said}|{asked}" if asked else said),
        re.compile(rf"(?:{_SAID_NUMBER}|[（(/]\s?)(?:{units})(?![a-z])|\|\s*(?:{units})[龄数]?\s*(?=\|)"),
        in_units(units),
    )


# What is done again and again; who asks for its interval says «多久换一次» or «多久换».
_AGAIN = r"(?:[^，。？?]{0,6}[一1]\s?次|更?换|检|清|洗|保养|校|修|查)"
# How often, and how long something is or takes.
_EVERY = Kind(
    re.compile(rf"(?:多久|几(?:{TIME})){_AGAIN}|{_AT_FIRST}how often\b"),
    re.compile(
        r"[每隔次满]|周期|"
        r"\b(?:every|each|per|once|twice|times|hourly|daily|weekly|monthly|yearly|annual(?:ly)?|interval|after)\b"
    ),
    in_units(TIME),
    in_words=True,
)
_LASTING = replace(
    _measure(f"{TIME}|{LENGTH}", ""),
    asked=re.compile(rf"多久(?!{_AGAIN})|多长时间|{_AT_FIRST}how long\b"),
    in_words=True,
)
_MEASURES = (
    _measure(MASS, ""),
    _measure(VOLUME, ""),
    _measure(
        LENGTH,
        rf"多[深宽高厚]\s*(?:$|[?？。，,])|(?:[深宽厚]度|[株行间]距)的?(?:{_ASKS_VALUE})|"
        rf"{_AT_FIRST}how (?:deep|wide|thick)\b|\b(?:depth|width|thickness|spacing)\s*\??$",
    ),
    _measure(
        TEMPERATURE,
        rf"温度的?(?:{_ASKS_VALUE})|\bwhat temperature\b|{_AT_FIRST}how (?:hot|cold|warm)\b|\btemperature\s*\??$|"
        rf"{_NO_SENTENCE}temperature (?:of|for|in|at)\b",
    ),
    _measure(TIME, ""),
    _EVERY,
    _LASTING,
    # How much of something is to be given, without its unit.
    replace(
        _measure(
            f"{MASS}|{VOLUME}|%|株|粒|袋|枚|片|头份|mm|万株|倍液?|inch(?:es)?|kwh",
            r"(?:追|施|撒|喷|灌|浇|喂|饮|喝|播|兑|打|注射|涂)[^，。？?多是为度深距期间时]{0,4}多少"
            r"(?!\s?(?:次|针|天|小时|分钟|秒|时间|度|℃|年|周|个|人|种|层|遍|米|厘米))"
            rf"|{_AT_FIRST}how much (?:(?!time|money|more|less|of)\w+ ){{1,2}}"
            r"(?:do|does|should|must|is needed|is required|to)\b",
        ),
        is_amount=True,
    ),
)


_DEFINITION = re.compile(r"^\W*什么(?:是|叫)|什么叫|是什么意思|\bmeaning of\b|\bmean\b\W*$|\bdefin")


def kinds_asked(question: str) -> tuple[Kind, ...]:
    """The kinds that `question` (folded) wants; one of them must be given. Who asks what a word means wants none."""
    if _DEFINITION.search(question):
        return ()
    return tuple(kind for kind in (*_KINDS, *_MEASURES) if kind.asked.search(question))


def says_kind(kind: Kind, text: str, around: str, *, bare: bool = False) -> bool:
    """Whether `text` (folded), with the headings and table head `around` it, gives a quantity of `kind`.

    `bare` says that it has a number of which nothing tells the unit: that may be of any kind, but a price is told.
    """
    given = quantities(text)
    all_measured = bool(given) and not any(_is_year(quantity) for quantity in given)
    return bool(
        (bare and kind is not _PRICE)
        or tells_kind(kind, text)
        or kind.named.search(f"{text} {around}")
        or (kind.in_words and not all_measured)
        or (kind is _PRICE and PRICE_SIGN.search(text))
    )


def tells_kind(kind: Kind, text: str) -> bool:
    """Whether `text` (folded) itself names `kind` or gives a quantity of it."""
    return bool(kind.named.search(text)) or any(kind.units.match(quantity.unit) for quantity in quantities(text))


def _is_year(quantity: Quantity) -> bool:
    return not quantity.unit and any(_FIRST_YEAR <= value <= _LAST_YEAR for value in quantity.values)
