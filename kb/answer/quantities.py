"""Numbers, units, negations: the facts in a sentence that must not change.

Values are compared as decimals, so `3.0` equals `3` and full-width digits equal plain ones; a range is two values
with one unit. Units are compared in one spelling (`公斤` stays 公斤: nothing is ever converted).
"""

from __future__ import annotations

import re
from dataclasses import dataclass
from decimal import Decimal, InvalidOperation

from kb.search.normalise import normalise

_NUMBER = r"\d+(?:[,，]\d{3})*(?:\.\d+)?"
_UNIT = (
    r"(?:%|‰|℃|°c|°f|°|ph|ppm|mg/kg|mg/l|g/kg|g/l|kg/hm2|kg/ha|l/hm2|ml/l|g/m2|kg/m3|m3/h|l/min|kg|mg|μg|ug|g|ml|l|"
    r"km|cm|mm|μm|m2|m3|hm2|ha|m|kpa|mpa|pa|bar|psi|kw|kwh|w|v|a|hz|rpm|r/min|n·m|nm|db|lb/ac|lb|ft|in|gal|gpm|gpa|"
    r"mph|acres?|inch(?:es)?|feet|hours?|hrs?|h|minutes?|mins?|seconds?|secs?|ms|s|days?|weeks?|months?|years?|times?|"
    r"公斤|千克|毫克|克|斤|吨|毫升|升|公顷|平方米|立方米|亩|厘米|毫米|公里|米|小时|分钟|秒|毫秒|天|日|周|个月|月龄|月|年|"
    r"倍液|倍|次|株|粒|头|只|羽|万|亿|兆帕|千帕|度|元|伏|瓦|千瓦|转|叶|级|人|个|种|行|句|页|℉)"
)
_QUANTITY = re.compile(
    rf"(?<![\w.])(?P<low>{_NUMBER})\s*(?:(?P<unit1>{_UNIT})?\s*(?:-|~|–|—|至|到|to|～|－)\s*(?P<high>{_NUMBER}))?"
    rf"\s*(?P<unit>{_UNIT})?(?![\d])",
)
_CHINESE_DIGITS = {char: value for value, char in enumerate("零一二三四五六七八九")} | {"两": 2, "〇": 0}
_CHINESE_NUMBER = re.compile(r"[零〇一二两三四五六七八九十百千万]{1,9}")
_NEGATIONS = re.compile(
    r"不得|不能|不要|不可|不宜|不应|不准|不|禁止|严禁|禁用|勿|切勿|没有|无须|无需|未|非|避免|\bnot\b|n't\b|\bnever\b|\bno\b|\bwithout\b|"
    r"\bavoid\b|\bforbidden\b|\bprohibited\b|\bcannot\b"
)


@dataclass(frozen=True, slots=True)
class Quantity:
    """A number or range as written: `values` (one or two decimals) and `unit` ('' without one)."""

    values: tuple[Decimal, ...]
    unit: str


def quantities(text: str) -> list[Quantity]:
    """All numbers in `text`, with the unit that follows each; Chinese numerals are read too."""
    plain = normalise(text)
    found: list[Quantity] = []
    for match in _QUANTITY.finditer(plain):
        values = [_decimal(match["low"])]
        if match["high"]:
            values.append(_decimal(match["high"]))
        kept = tuple(value for value in values if value is not None)
        if kept:
            found.append(Quantity(kept, match["unit"] or match["unit1"] or ""))
    for match in _CHINESE_NUMBER.finditer(plain):
        value = _chinese(match[0])
        if value is not None:
            unit = re.match(_UNIT, plain[match.end() :])
            if unit:
                found.append(Quantity((value,), unit[0]))
    return found


def _decimal(written: str) -> Decimal | None:
    try:
        return Decimal(re.sub("[,，]", "", written)).normalize()
    except InvalidOperation:
        return None


def _chinese(written: str) -> Decimal | None:
    """The value of a Chinese numeral below one hundred million; None for what is not one (`万` alone)."""
    total = section = digit = 0
    for char in written:
        if char in _CHINESE_DIGITS:
            digit = _CHINESE_DIGITS[char]
        elif char == "万":
            total, section, digit = (total + section + digit) * 10000, 0, 0
        else:
            section += (digit or 1) * {"十": 10, "百": 100, "千": 1000}[char]
            digit = 0
    value = total + section + digit
    return Decimal(value).normalize() if value else None


def negations(text: str) -> int:
    """How many words of denial or prohibition `text` holds."""
    return len(_NEGATIONS.findall(normalise(text)))


def asks_quantity(question: str) -> bool:
    """Whether the question wants a number: how much, how deep, dose, concentration."""
    return bool(
        re.search(
            r"多少|几[天次年月日个倍头只厘米公斤克]|多[深大长高久重宽远厚快]|用量|剂量|浓度|间隔期?|比例|温度|含量|间距|深度|"
            r"how (?:many|much|deep|long|far|often|high|low|wide|thick|fast|old|big|large|hot|cold)|what (?:rate|dose|"
            r"concentration|depth|temperature|pressure|percentage|spacing|distance|interval)|\bdose\b|\brate\b",
            normalise(question),
        )
    )
