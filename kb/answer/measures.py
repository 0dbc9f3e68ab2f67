"""What is measured: the words that name a measure, the units it is given in, and how one unit is spelled.

Units are alternatives of a regular expression, folded as kb.search.quantities finds them. Who says «3 cm» need not say
«depth».
"""

from __future__ import annotations

import re
from dataclasses import dataclass

from kb.search.quantities import quantities

MASS = (
    "kg|mg|g|t|公斤|千克|毫克|克|吨|市斤|斤|两|"
    "(?:kilo|milli)?grams?|(?:giga|mega)?tons?|tonnes?|lbs?|pounds?|oz|ounces?"
)
VOLUME = "ml|l|m3|毫升|升|立方米?|方|(?:milli)?lit(?:er|re)s?|gal(?:lons?)?|cups?|pints?|quarts?|bushels?|bu"
LENGTH = (
    "mm|cm|km|m|毫米|厘米|公分|公里|千米|米|尺|寸|里|"
    "(?:milli|centi|kilo)?met(?:er|re)s?|in|inch(?:es)?|ft|feet|foot|miles?|yards?"
)
AREA = "m2|hm2|ha|亩|公顷|平方米|acres?"
COUNTED = "%|‰|ppm|iu|单位|头份|[条片粒支袋枚株包瓶滴]|倍液?|tablets?|drops?|capsules?"
TIME = (
    "小时|分钟|秒钟?|天|个?工作日|日|周|星期|个月|月|年|季|茬|(?:working|business) days?|"
    "seconds?|secs?|s|min(?:utes?)?|h|hrs?|hours?|d|days?|weeks?|months?|years?|seasons?"
)
TEMPERATURE = "℃|°c|°f|摄氏度|度|k|degrees?"
ANGLE = "°|度|degrees?"
PRESSURE = "mpa|kpa|pa|bar|mbar|psi|兆帕|千帕"
POWER = "kw|w|hp|千瓦|瓦|马力"
VOLTAGE = "v|kv|mv|伏"
CURRENT = "a|ma|安"
FLOW = f"{VOLUME}|gpm"
ROTATION = "rpm|r|转"
TORQUE = "nm|n·m|n"
MONEY = "元|万|eur|usd"
# A price whose sign stands before it.
PRICE_SIGN = re.compile(r"[¥￥$€]\s?\d")
# Spellings of one unit, its usual sign or name first; all others are compared as they are.
_SPELLINGS = """
°c ℃ 度 degrees, day days 天 日 日龄, week weeks 周 周龄, month months 个月 月龄, year years 岁,
h hour hours hr hrs 小时, min minute minutes mins 分钟, s second seconds sec secs 秒 秒钟,
mm 毫米, cm 厘米 公分, m 米 metre metres meter meters, km 公里 千米, inch inches in, ft feet foot,
mg 毫克, g 克 gram grams, kg 公斤 千克, t 吨, lb pound pounds, ml 毫升, l 升 litre litres liter liters,
m3 立方米 方, m2 平方米, hm2 ha 公顷, kpa 千帕, mpa 兆帕, v 伏, a 安, w 瓦, kw 千瓦
"""
_ONE_UNIT = {name: group.split()[0] for group in _SPELLINGS.split(",") for name in group.split()}
_IN_BRACKETS = re.compile(r"[（(]\s*([^（()）\s]{1,8})\s*[)）]")


def in_units(units: str) -> re.Pattern[str]:
    """What matches a unit that is one of `units`, alone or per something (kg/ha)."""
    return re.compile(rf"^(?:{units})(?:[/·*].*)?$")


def one_spelling(unit: str) -> str:
    """`unit` (folded) as all spellings of it are compared: 公分 is cm."""
    return _ONE_UNIT.get(unit, unit)


@dataclass(frozen=True, slots=True)
class _Measure:
    words: re.Pattern[str]
    units: re.Pattern[str]


def _measure(han: str, latin: str, units: str) -> _Measure:
    return _Measure(re.compile(rf"{han}|\b(?:{latin})s?\b"), in_units(units))


_PRICE = _measure("价[格钱]?|售价|单价|钱|元|租金|费用?", "price|cost|fee|charge", MONEY)
_MEASURES = (
    _measure("温度?|度", "temperature|hot|cold|warm", TEMPERATURE),
    _measure(
        "湿度|含水[量率]|水分|含量|比例|浓度|[率度量]",
        "humidity|moisture|concentration|content|percentage|share",
        "%|‰|ppm|brix|ph|倍液?",
    ),
    _measure(
        "含量|用量|剂量|浓度|药量|[肥药水料]量",
        "dose|dosage|concentration|content",
        rf"{MASS}|{VOLUME}|ppm|iu|单位|头份",
    ),
    _measure("[重容产]量|体重|净重|自重|多重|毫克|公斤|千克|斤|克|载重", "weight|heavy|weigh|mass|yield", MASS),
    _measure("容[量积]|体积|毫升|升|水量", "volume|capacity|litre|liter|gallon|litres", VOLUME),
    _measure(
        "[深高宽厚长]度|[行株间沟]距|距离|直径|口径|规格|尺寸|厘米|毫米|米",
        "depth|height|width|length|thickness|spacing|distance|diameter|size|apart|metre|meter",
        LENGTH,
    ),
    _measure(
        "[时期]间?|日龄|年龄|周期|间隔期?|天|日|周|月|年|小时|分钟|寿命",
        "time|duration|interval|age|period|life|often|day|hour|minute|week|month|year",
        rf"{TIME}|日龄|周龄|月龄|岁",
    ),
    _measure("面积|占地|大小", "area|size|space|room", AREA),
    _measure("角度?|倾角|坡度", "angle|tilt|slope", ANGLE),
    _measure("压力|气压|胎压", "pressure", PRESSURE),
    _measure("功率", "power", POWER),
    _measure("电压", "voltage", VOLTAGE),
    _measure("电流", "current|amperage", CURRENT),
    _measure("流量|流速", "flow", FLOW),
    _measure("转速|速度", "speed", rf"{ROTATION}|m|km|mph"),
    _measure("扭矩|力矩", "torque", TORQUE),
    _PRICE,
)
_RATIO = re.compile(r"比例?|\b(?:ratio|proportion)s?\b")


def measure_words(text: str) -> list[re.Pattern[str]]:
    """The words for those measures of which `text` (folded) gives a quantity, or that the head of a column is in."""
    stated = quantities(text)
    given = {quantity.unit for quantity in stated} | {unit.strip() for unit in _IN_BRACKETS.findall(text)}
    found = [measure.words for measure in _MEASURES if any(measure.units.match(unit) for unit in given)]
    found += [_RATIO] if any(quantity.join in (":", "：") for quantity in stated) else []
    return [*found, _PRICE.words] if PRICE_SIGN.search(text) else found
