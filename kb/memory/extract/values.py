"""Measured values in a text: number, range or tolerance with unit, currency, and the words that bound it.

Values are the document's own writing, never converted. Dates, model names, clause and figure numbers are no values.
"""

from __future__ import annotations

import re
from dataclasses import dataclass

_UNITS = {
    "length": "km hm dm cm mm nm μm µm um m ft foot feet in inch inches yd mile miles 公里 千米 厘米 毫米 微米 纳米 "
    "英寸 "
    "米 里 metre metres meter meters kilometres kilometers",
    "mass": "kg g mg μg µg t lb lbs oz pound pounds ounce ounces gram grams tonne tonnes ton tons kilograms 公斤 "
    "千克 毫克 "
    "微克 吨 克 斤",
    "volume": "mL ml L l dL hL cc gal gallon gallons litre litres liter liters bushel bushels bu 毫升 升 立方米 "
    "立方厘米 m3 "
    "cm3 mm3 m³ cm³ Nm3 qt pt",
    "area": "ha hm2 hm² km2 km² m2 m² cm2 cm² mm2 mm² ac acre acres 亩 公顷 平方米 平方厘米 平方公里 hectare hectares",
    "share": "% ‰ ppm ppb percent 倍液 倍 °Bx 成 折 个百分点 百分点 percentage_point percentage_points",
    "time": "h hr hrs hour hours min mins minute minutes s sec secs second seconds ms day days week weeks month "
    "months year "
    "years 个工作日 工作日 日历天 个自然日 自然日 日历日 "
    "小时 个小时 分钟 秒钟 秒 毫秒 分 天 日龄 周龄 月龄 周岁 日 周 个月 月 "
    "年 个季度 "
    "季度 working_days business_days calendar_days working_day business_day calendar_day d",
    "temperature": "℃ °C ℉ °F °c °f K 摄氏度 华氏度 度 degrees",
    "pressure": "MPa kPa hPa Pa bar mbar psi 兆帕 千帕 帕 mmHg mH2O",
    "money": "元 万元 亿元 千元 百万元 美元 欧元 日元 万美元 元整 RMB CNY USD EUR GBP JPY yuan dollars euros 角",
    "power": "kW MW W GW HP hp 千瓦 瓦 兆瓦 马力 kVA VA kvar kWp",
    "electric": "kV V mV A mA Ah mAh Ω kΩ MΩ Hz kHz MHz GHz 伏 安 安培 伏特 赫兹 千伏 VAC VDC Vdc Vac F μF pF",
    "energy": "kWh MWh J kJ MJ Wh 度电 千瓦时 kcal cal",
    "speed": "rpm r/min m/s km/h mph 转 转/分 fps mm/s",
    "angle": "°",
    "force": "N kN Nm N·m kN·m N.m 牛",
    "flow": "gpm gpa L/min m3/h m³/h L/h L/s",
    "light": "lx lux lm lumen cd",
    "sound": "dB dB(A) dBA 分贝",
    "data": "GB MB KB TB Mbps Gbps kbps bps MB/s GB/s 位 bit bits byte bytes dpi",
    "times": "次 times 遍 回 cycles cycle",
    "count": "目 台 套 件 头次 人次 台次 捆 穴 丛 车 垛 "
    " 个 只 支 根 块 片 张 把 辆 头 羽 株 粒 枚 瓶 袋 箱 包 桶 盒 人 名 位 户 家 批 份 组 项 条 座 "
    "间 层 级 "
    "档 路 通道 点 pcs pc units unit sets set pieces piece persons people heads head plants plant 单位 转数 轮 排 列 "
    "行 "
    "pages page items item samples sample holes hole teeth copies copy 份 页 门 孔 齿 极 芯 道 岁",
}
_KIND = {unit.replace("_", " "): kind for kind, units in _UNITS.items() for unit in units.split()}


def _pattern(units: list[str]) -> str:
    return "|".join(re.escape(unit).replace(r"\ ", r"\s") for unit in sorted(units, key=len, reverse=True))


_LATIN = _pattern([unit for unit in _KIND if not re.search(r"[\u4e00-\u9fff]", unit)])
_HAN = _pattern([unit for unit in _KIND if re.search(r"[\u4e00-\u9fff]", unit)])
_ONE = rf"(?:(?:{_LATIN})(?![A-Za-z])|(?:{_HAN}))"
_UNIT = rf"{_ONE}(?:\s?[/·•*]\s?(?:\d*\s?{_ONE}|[A-Za-z\u4e00-\u9fff]{{1,4}}(?![A-Za-z])|\({_ONE}(?:[/·•*]{_ONE})*\)))*"
_PER = (
    r"(?:\s?(?:per|each|a|/)\s(?:[a-z]+\s?)?(?:hour|day|week|month|year|hectare|acre|minute|second|kg|litre|liter|"
    r"unit|tonne|ton|sample|head|bird|animal|plant|piece)\b)?"
)
# What a price is for: EUR 72 an hour.
_PRICED = (
    r"(?:per|an?|each)\s(?:[a-z]+\s)?(?:hour|day|week|month|year|hectare|acre|kg|km|kilometre|litre|liter|unit|tonne|"
    r"ton|sample|head|bird|animal|plant|piece|item|person|visit)\b"
)
_GROUPED = r"\d{1,3}(?:[,，]\d{3})+(?:\.\d+)?"
_NUMBER = (
    rf"(?:{_GROUPED}|\d+(?:\.\d+)?)"
    rf"(?:\s?[×x]\s?10\^?\d+|\s?[百千]?[万亿](?=\s?(?:{_HAN}))|\s(?:hundred|thousand|million|billion)(?![a-z]))?"
)
_SIGN = r"(?:(?:(?<![\d\w%℃)])[-−+]|零下|负|±|\+/-)\s?)?"
_MONEY = r"(?:(?:人民币|RMB|CNY|USD|EUR|GBP|US\$|HK\$|[¥￥$€£])\s?)"
_TO = r"(?:\.{2,3}|…|-|~|–|—|−|～|至|到|to(?=\s)|and(?=\s))"
_HAN_NUMBER = r"(?![百千])[零〇一二两三四五六七八九十百千]+万?"
_VALUE = re.compile(
    rf"(?<![A-Za-z0-9_.])(?<![A-Za-z][-/])(?P<whole>{_MONEY}?{_SIGN}{_NUMBER}"
    rf"(?:\s?(?:{_UNIT})?\s?{_TO}\s?{_MONEY}?{_SIGN}{_NUMBER}|(?:\s?[×xX*]\s?{_NUMBER}){{1,2}}|"
    r"\s?[:：/]\s?\d+(?:\.\d+)?"
    rf"|\s?(?:{_UNIT})?\s?(?:±|\+/-)\s?{_NUMBER})?"
    rf"\s?(?P<unit>{_UNIT}{_PER}|{_PRICED})?(?P<half>半)?)"
)
_HAN_VALUE = re.compile(
    rf"(?<![\d第])(?P<whole>(?:[百千万]分之{_HAN_NUMBER}(?:点{_HAN_NUMBER})?)|"
    rf"(?:{_HAN_NUMBER})(?P<unit>{_UNIT})(?P<half>半)?|半(?:年|个月|小时))"
)
_PLURAL = r"[a-z]{3,12}(?<!s)s(?<! was)(?<! has)(?<! its)"
_WORD_NUMBER = (
    "one two three four five six seven eight nine ten eleven twelve fifteen twenty thirty forty sixty ninety twice"
)
_EN_VALUE = re.compile(
    rf"\b(?P<whole>(?:{'|'.join(_WORD_NUMBER.split())})(?:\s?\(\d+\))?\s(?P<unit>{_UNIT}|{_PLURAL}))(?![A-Za-z])",
    re.IGNORECASE,
)
_HALF = re.compile(r"\b(?P<whole>half an? (?P<unit>hour|day|year|minute|litre|kilogram|tonne|month))\b", re.IGNORECASE)
_BRACKETED = re.compile(r"\b[a-z]+ \((?P<whole>\d+(?:\.\d+)?)\)\s(?P<unit>[a-z]+(?:\s[a-z]+)?)", re.IGNORECASE)
# Things that are counted: 50 bales, 灭火器 12 具. A plural behind a number, or the character that ends its clause.
_COUNTED = re.compile(
    rf"(?<=\d) (?P<plural>{_PLURAL})(?![A-Za-z]| (?:about |around |up to )?\d)|"
    r"\s?(?P<han>(?![号时点期款条章节表图式年月日上下内外后前以为的])[\u4e00-\u9fff])(?=[,，。;；、:：()（）]|$)"
)
# What stands before a number that only counts chapters, figures, versions.
_NO_VALUE_BEFORE = re.compile(
    r"(?:第|图|表|式|附录|条|款|章|节|编号|版本|version|ver\.?|v|figure|fig\.?|table|section|chapter|clause|article|"
    r"appendix|"
    r"step|page|p\.|no\.|item|iso|iec|gb|gb/t|ny/t|din|en|astm|ieee|rfc)\s?$",
    re.IGNORECASE,
)
_CLOCK = re.compile(r"(?:[5-9]|1\d|2[0-4]):(?:00|15|30|45)")
_SHORTEST_WORD = 3
_BOUNDS = (
    ("<=", r"不(?:得|能|应|可|宜|准|要|应该)?(?:超过|大于|高于|多于|长于|晚于)|至多|最多|≤|<=|以内|以下|"
           r"not (?:more|later|longer|greater) than|"
           r"no (?:more|later|longer|greater) than|(?:must |shall |may |should )?not exceed|up to|at most|maximum of|"
           r"within|max\.?"),
    (">=", r"不(?:得|能|应|可|宜)?(?:小于|低于|少于|短于|早于)|至少|最少|≥|>=|以上|not (?:less|fewer|earlier) than|"
           r"no (?:less|fewer|earlier) than|at least|minimum of|min\.?"),
    ("<", r"低于|小于|少于|<|below|under|less than|fewer than"),
    (">", r"高于|大于|超过|多于|>|above|over|more than|greater than|exceed(?:s|ing)?"),
    ("~", r"约为?|大约|左右|about|approximately|around|ca\.|~"),
)  # fmt: skip
_BOUND_BEFORE = tuple(
    (sign, re.compile(rf"(?:{pattern})\s?(?:为|of)?\s*$", re.IGNORECASE)) for sign, pattern in _BOUNDS
)
_BOUND_AFTER = re.compile(r"^\s?(?P<w>以内|之内|内|以下|以上|左右|or (?:more|less)|或?以上)")


@dataclass(frozen=True, slots=True)
class Measure:
    """A value in a text from `start` to `end`, bounds included; `kind` as in kb.search.numbers ('' without a unit).

    `text` is the value as it is written, with its unit; `bound` is one of <= >= < > ~ or ''.
    """

    start: int
    end: int
    text: str
    unit: str
    kind: str
    bound: str = ""


def kind_of(unit: str) -> str:
    """What a unit measures: the first part of a compound counts, so kg/ha is a mass."""
    plain = re.sub(r"\s+", " ", unit.strip())
    if plain in _KIND:
        return _KIND[plain]
    return _KIND.get(re.split(r"\s?[/·•*]\s?| (?:per|each|a) ", plain)[0], "")


def is_unit(text: str) -> bool:
    """Whether `text` is a unit by itself, as in the head of a table column."""
    return re.fullmatch(_UNIT, text.strip()) is not None or text.strip() in ("-", "pH")


def measures(text: str, taken: list[tuple[int, int]] | None = None) -> list[Measure]:
    """The values in `text` (half width) that do not lie in the `taken` spans, in order; bare numbers too."""
    busy = list(taken or [])
    found: list[Measure] = []
    for pattern in (_BRACKETED, _HALF, _VALUE, _EN_VALUE, _HAN_VALUE):
        for match in pattern.finditer(text):
            start, end = match.span("whole") if pattern is not _BRACKETED else match.span()
            if end <= start or any(start < last and end > first for first, last in busy):
                continue
            if (measure := _measure(text, match, start, end)) is not None:
                found.append(measure)
                busy.append((start, end))
    return sorted(found, key=lambda measure: measure.start)


def _measure(text: str, match: re.Match[str], start: int, end: int) -> Measure | None:
    written = text[start:end].strip()
    end = start + len(text[start:end].rstrip())
    unit = (match["unit"] or "").strip() if "unit" in match.re.groupindex else ""
    if unit == "%" and (tolerance := re.search(rf"({_UNIT})\s?(?:±|\+/-)", written)):
        unit = tolerance[1]
    if not unit and _NO_VALUE_BEFORE.search(text[max(0, start - 12) : start]):
        return None
    if not kind_of(unit) and re.match(_PRICED, unit) and not re.match(_MONEY, written):
        return None  # three a day
    if _CLOCK.fullmatch(written) or (match.re is _EN_VALUE and len(unit) < _SHORTEST_WORD):
        return None
    if re.search(r"(?:第)\s?$", text[max(0, start - 2) : start]):
        return None
    if not unit and (counted := _COUNTED.match(text, start + len(written))):
        unit, end = counted["plural"] or counted["han"], counted.end()
        written = text[start:end].strip()
    money = re.match(_MONEY, written) is not None
    if not unit and not money and re.match(r"[A-Za-z_]|\.\d|[-/]\d", text[end : end + 2]):
        return None  # part of a code
    if unit == "年" and re.match(r"(?:19|20)\d\d\s?年", written):
        return None  # a year, not a stretch of years
    if unit == "月" or (unit == "日" and re.search(r"月\s?$", text[:start])):
        return None  # a month of the year, a day of it; a stretch is 个月
    kind = kind_of(unit) or ("money" if money else "count" if unit else "")
    if re.match("[百千万]分之", written):
        kind = "share"
    if match.re is _HAN_VALUE and re.fullmatch(rf"一{_UNIT}", written):
        return None  # 一次, 每逾期一日: no measure
    bound, first, last = _bound(text, start, end)
    return Measure(first, last, written, unit, kind, bound)


def _bound(text: str, start: int, end: int) -> tuple[str, int, int]:
    before = text[max(0, start - 30) : start]
    for sign, pattern in _BOUND_BEFORE:
        if found := pattern.search(before):
            return sign, start - (len(before) - found.start()), end
    after = _BOUND_AFTER.match(text[end : end + 8])
    if after:
        word = after["w"]
        sign = "~" if word == "左右" else ">=" if "上" in word or "more" in word else "<="
        return sign, start, end + after.end()
    return "", start, end
