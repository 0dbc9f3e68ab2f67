"""The kinds of quantity that a question can want: price, weight, pressure …, and whether a text gives one.

«What does the pump weigh?» is not answered by its pressure, «每亩多少斤» not by a depth. A kind is looked for narrowly:
only the few that have units of their own, and only where the question asks for one.
"""

from __future__ import annotations

import re
from dataclasses import dataclass, replace

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
_COUNTED = "%|‰|ppm|iu|单位|头份|[条片粒支袋枚株包瓶滴]|倍液?|tablets?|drops?|capsules?"
_DAYS = (
    "小时|分钟|秒钟?|天|个?工作日|日|周|星期|个月|月|年|季|茬|(?:working|business) days?|"
    "seconds?|secs?|s|min(?:utes?)?|h|hrs?|hours?|d|days?|weeks?|months?|years?|seasons?"
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
    _kind("湿度", "humidity", "%|‰|rh"),
    _kind("用量|剂量|药量", "dose|dosage", rf"{_MASS}|{_VOLUME}|{_COUNTED}"),
    Kind(
        re.compile(
            rf"(?:[租押定]金|费用?|罚款|工资|工钱)的?(?:{_ASKS_VALUE})|"
            r"\b(?:rent|fee|deposit|(?<!of )charge|fine)\s*\??$"
        ),
        re.compile(r"元|块钱|免费|[¥￥$€£]|\b(?:eur|usd|euros?|dollars?|cents?|ct|free)\b"),
        re.compile(r"^(?:元|万)"),
    ),
    _kind("压力|气压|压强", "pressure", "mpa|kpa|pa|bar|mbar|psi|兆帕|千帕|公斤"),
)
_IN_BRACKETS = re.compile(r"[（(]\s*([^（()）\s]{1,8})\s*[)）]")
_FIRST_YEAR, _LAST_YEAR = 1000, 2100
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
        re.compile(rf"(?:{_SAID_NUMBER}|[（(/]\s?)(?:{units})(?![a-z])|\|\s*(?:{units})[龄数]?\s*(?=\|)"),
        re.compile(rf"^(?:{units})(?:[/·*].*)?$"),
    )


# What is done again and again; who asks for its interval says «多久换一次» or «多久换».
_AGAIN = r"(?:[^，。？?]{0,6}[一1]\s?次|更?换|检|清|洗|保养|校|修|查)"
# How often, and how long something is or takes.
_EVERY = Kind(
    re.compile(rf"多久{_AGAIN}|{_AT_FIRST}how often\b"),
    re.compile(
        r"[每隔次满]|周期|"
        r"\b(?:every|each|per|once|twice|times|hourly|daily|weekly|monthly|yearly|annual(?:ly)?|interval|after)\b"
    ),
    re.compile(rf"^(?:{_DAYS})(?:[/·*].*)?$"),
    in_words=True,
)
_LASTING = replace(
    _measure(f"{_DAYS}|{_LENGTH}", ""),
    asked=re.compile(rf"多久(?!{_AGAIN})|多长时间|{_AT_FIRST}how long\b"),
    in_words=True,
)
_MEASURES = (
    _measure(_MASS, ""),
    _measure(_VOLUME, ""),
    _measure(
        _LENGTH,
        rf"多[深宽高厚]\s*(?:$|[?？。，,])|(?:[深宽厚]度|[株行间]距)的?(?:{_ASKS_VALUE})|"
        rf"{_AT_FIRST}how (?:deep|wide|thick)\b|\b(?:depth|width|thickness|spacing)\s*\??$",
    ),
    _measure(
        "℃|°c|°f|摄氏度|度|k|degrees?",
        rf"温度的?(?:{_ASKS_VALUE})|\bwhat temperature\b|{_AT_FIRST}how (?:hot|cold|warm)\b|\btemperature\s*\??$|"
        rf"{_NO_SENTENCE}temperature (?:of|for|in|at)\b",
    ),
    _measure(_DAYS, ""),
    _EVERY,
    _LASTING,
    # How much of something is to be given, without its unit.
    replace(
        _measure(
            f"{_MASS}|{_VOLUME}|%|株|粒|袋|枚|片|头份|mm|万株|倍液?|inch(?:es)?|kwh",
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
        or (kind is _PRICE and _UNIT_SIGNS.search(text))
    )


def tells_kind(kind: Kind, text: str) -> bool:
    """Whether `text` (folded) itself names `kind` or gives a quantity of it."""
    return bool(kind.named.search(text)) or any(kind.units.match(quantity.unit) for quantity in quantities(text))


def _is_year(quantity: Quantity) -> bool:
    return not quantity.unit and any(_FIRST_YEAR <= value <= _LAST_YEAR for value in quantity.values)


def _measure_word(han: str, latin: str, units: str) -> tuple[re.Pattern[str], re.Pattern[str]]:
    return re.compile(rf"{han}|\b(?:{latin})s?\b"), re.compile(rf"^(?:{units})(?:[/·*].*)?$")


# The words that name a measure, and its units: who says «3 cm» need not say «depth».
_MEASURE_WORDS = (
    _measure_word("温度?|度", "temperature|hot|cold|warm", "℃|°c|°f|度|degrees?"),
    _measure_word(
        "湿度|含水[量率]|水分|含量|比例|浓度|[率度量]",
        "humidity|moisture|concentration|content|percentage|share",
        "%|‰|ppm|brix|ph|倍液?",
    ),
    _measure_word(
        "含量|用量|剂量|浓度|药量|[肥药水料]量",
        "dose|dosage|concentration|content",
        rf"{_MASS}|{_VOLUME}|ppm|iu|单位|头份",
    ),
    _measure_word("[重容产]量|体重|净重|自重|多重|毫克|公斤|千克|斤|克|载重", "weight|heavy|weigh|mass|yield", _MASS),
    _measure_word("容[量积]|体积|毫升|升|水量", "volume|capacity|litre|liter|gallon|litres", _VOLUME),
    _measure_word(
        "[深高宽厚长]度|[行株间沟]距|距离|直径|口径|规格|尺寸|厘米|毫米|米",
        "depth|height|width|length|thickness|spacing|distance|diameter|size|apart|metre|meter",
        _LENGTH,
    ),
    _measure_word(
        "[时期]间?|日龄|年龄|周期|间隔期?|天|日|周|月|年|小时|分钟|寿命",
        "time|duration|interval|age|period|life|often|day|hour|minute|week|month|year",
        _DAYS + "|日龄|周龄|月龄|岁",
    ),
    _measure_word("面积|占地|大小", "area|size|space|room", "m2|hm2|ha|亩|公顷|平方米|acres?"),
    _measure_word("角度?|倾角|坡度", "angle|tilt|slope", "°|度|degrees?"),
    _measure_word("压力|气压|胎压", "pressure", "mpa|kpa|pa|bar|mbar|psi|兆帕|千帕"),
    _measure_word("功率", "power", "kw|w|hp|千瓦|瓦|马力"),
    _measure_word("电压", "voltage", "v|kv|mv|伏"),
    _measure_word("电流", "current|amperage", "a|ma|安"),
    _measure_word("流量|流速", "flow", f"{_VOLUME}|gpm"),
    _measure_word("转速|速度", "speed", "rpm|r|转|m|km|mph"),
    _measure_word("扭矩|力矩", "torque", "nm|n·m|n"),
    _measure_word("价[格钱]?|售价|单价|钱|元|租金|费用?", "price|cost|fee|charge", "元|万|eur|usd"),
)


_RATIO = re.compile(r"比例?|\b(?:ratio|proportion)s?\b")


def measures(text: str) -> list[re.Pattern[str]]:
    """The words for those measures of which `text` (folded) gives a quantity, or that the head of a column is in."""
    stated = quantities(text)
    given = {quantity.unit for quantity in stated} | {unit.strip() for unit in _IN_BRACKETS.findall(text)}
    found = [words for words, units in _MEASURE_WORDS if any(units.match(unit) for unit in given)]
    found += [_RATIO] if any(quantity.join in (":", "：") for quantity in stated) else []
    return [*found, _MEASURE_WORDS[-1][0]] if _UNIT_SIGNS.search(text) else found
