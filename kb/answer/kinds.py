"""The kinds of quantity that a question can want: price, weight, pressure …, and whether a text gives one.

«What does the pump weigh?» is not answered by its pressure, «每亩多少斤» not by a depth. A kind is looked for narrowly:
only the few that have units of their own, and only where the question asks for one.
"""

from __future__ import annotations

import re
from dataclasses import dataclass, replace

from kb.search.quantities import quantities

_ASKS_VALUE = r"(?:是|为|有|要|需要?|应该?是?)?(?:多少|多大|多高|几|什么|啥)|[?？。]?\s*$"


@dataclass(frozen=True, slots=True)
class Kind:
    """A kind of quantity: how its question is asked, the words that name it, the units it is given in.

    `is_amount`: how much of a thing is to be given.
    """

    asked: re.Pattern[str]
    named: re.Pattern[str]
    units: re.Pattern[str]
    is_amount: bool = False


def _kind(han: str, latin: str, units: str, also: str = "") -> Kind:
    """A kind named by `han` or `latin` (alternatives); `also` are whole questions for it without such a word."""
    said = rf"\bwhat(?:'s| is| are)? (?:(?!i\b|we\b|should\b)\w+ ){{0,3}}(?:{latin})\b|\b(?:{latin})\s*\??$"
    asked = rf"(?:{han})的?(?:{_ASKS_VALUE})|{said}"
    return Kind(
        re.compile(f"{asked}|{also}" if also else asked),
        re.compile(rf"{han}|\b(?:{latin})\b"),
        re.compile(rf"^(?:{units})(?:[/·*].*)?$"),
    )


_PRICE = _kind("价格|售价|单价|价钱", "price|costs?", "元|万", r"多少钱|how much (?:does|do|did) [^?]* cost")
_KINDS = (
    _PRICE,
    _kind(
        "重量|净重|毛重|自重",
        "weight",
        "kg|g|t|mg|公斤|千克|克|吨|斤|lb|oz|pounds?|ounces?",
        r"(?<!最)多重(?:\s*[?？。]?$|[，,])|how heavy|\bweighs?\b",
    ),
    _kind("功率|马力", "power rating|rated power|power consumption|power output|horsepower", "kw|w|千瓦|瓦|hp|马力"),
    _kind("转速", "rotational speed|rpm", "rpm|r|转"),
    _kind("电压", "voltage", "v|mv|kv|伏"),
    _kind("电流", "amperage|current draw", "a|ma|安"),
    _kind("流量", "flow rate", "l|ml|m3|升|毫升|立方米|gpm|t|kg|吨"),
    _kind("酸碱度|ph值?", "ph", "ph"),
    _kind("压力|气压|压强", "pressure", "mpa|kpa|pa|bar|mbar|psi|兆帕|千帕|公斤"),
)
_UNIT_SIGNS = re.compile(r"[¥￥$€]\s?\d")
_AT_FIRST = r"^\W*(?:\w+ ){0,2}"
_SAID_NUMBER = r"[\d半一二两三四五六七八九十百千万亿]\s?"


def _measure(units: str, asked: str) -> Kind:
    """A quantity whose unit the question itself gives («每亩多少斤», «how many days»), or that `asked` wants.

    The unit may stand behind a number, in words too, or in the head of a table's column.
    """
    said = rf"(?:多少|(?<![那这近前后头])几)\s?(?:{units})(?![a-z来])|{_AT_FIRST}how many (?:{units})\b"
    return Kind(
        re.compile(f"{said}|{asked}" if asked else said),
        re.compile(rf"(?:{_SAID_NUMBER}|[（(/]\s?)(?:{units})(?![a-z])"),
        re.compile(rf"^(?:{units})(?:[/·*].*)?$"),
    )


_MASS = (
    "kg|mg|g|t|公斤|千克|毫克|克|吨|市斤|斤|两|"
    "(?:kilo|milli)?grams?|(?:giga|mega)?tons?|tonnes?|lbs?|pounds?|oz|ounces?"
)
_VOLUME = "ml|l|m3|毫升|升|立方米?|方|(?:milli)?lit(?:er|re)s?|gal(?:lons?)?|cups?|pints?|quarts?|bushels?|bu"
_LENGTH = (
    "mm|cm|km|m|毫米|厘米|公分|公里|千米|米|尺|寸|里|"
    "(?:milli|centi|kilo)?met(?:er|re)s?|in|inch(?:es)?|ft|feet|foot|miles?|yards?"
)
_DAYS = "小时|分钟|秒钟?|天|日|周|星期|个月|月|seconds?|min(?:utes?)?|h|hrs?|hours?|d|days?|weeks?|months?|年|years?"
_MEASURES = (
    _measure(_MASS, ""),
    _measure(_VOLUME, ""),
    _measure(_LENGTH, rf"多[深宽高厚]\s*(?:$|[?？。，,])|{_AT_FIRST}how (?:deep|wide|thick)\b"),
    _measure("℃|°c|°f|摄氏度|度|k|degrees?", rf"{_AT_FIRST}what temperature\b"),
    _measure(_DAYS, ""),
    # How much of something is to be given, without its unit.
    replace(
        _measure(
            f"{_MASS}|{_VOLUME}|%|株|粒|袋|枚|片|头份|mm|万株|倍液?|inch(?:es)?|kwh",
            r"(?:追|施|撒|喷|灌|浇|喂|饮|喝|播|兑)[^，。？?多是为度深距期间时]{0,4}多少"
            r"(?!\s?(?:次|天|小时|分钟|秒|时间|度|℃|年|周|个|人|种|层|遍|米|厘米))"
            rf"|{_AT_FIRST}how much (?:(?!time|money|more|less|of)\w+ ){{1,2}}"
            r"(?:do|does|should|must|is needed|is required|to)\b",
        ),
        is_amount=True,
    ),
)


def kinds_asked(question: str) -> tuple[Kind, ...]:
    """The kinds that `question` (folded) wants; one of them must be given."""
    return tuple(kind for kind in (*_KINDS, *_MEASURES) if kind.asked.search(question))


def says_kind(kind: Kind, text: str, around: str) -> bool:
    """Whether `text` (folded), with the headings and table head `around` it, gives a quantity of `kind`."""
    return bool(
        kind.named.search(f"{text} {around}")
        or any(kind.units.match(quantity.unit) for quantity in quantities(text))
        or (kind is _PRICE and _UNIT_SIGNS.search(text))
    )
