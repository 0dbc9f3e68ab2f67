"""Numbers, units, negations: the facts in a sentence that must not change.

Values are compared as decimals, so `3.0` equals `3` and full-width digits equal plain ones; a range or a ratio is
two values with one unit. Units are compared in one spelling and whole (`l` is not `l/ha`); nothing is converted.
"""

from __future__ import annotations

import re
from dataclasses import dataclass
from decimal import Decimal, InvalidOperation

from kb.search.normalise import formulas, normalise

# Whatever the locale; `calendar` follows it.
MONTHS = (
    "january", "february", "march", "april", "may", "june", "july", "august", "september", "october", "november",
    "december",
)  # fmt: skip
_LATIN_UNITS = """
% ‰ ℃ °c °f ° ph ppm mg g kg t μg ug l ml dl hl m cm mm km μm m2 m3 cm2 cm3 mm2 hm2 km2 ha kpa mpa pa bar mbar
psi kw kwh w v mv a ma ah hz khz rpm r min h s ms n nm kn j kj db lx k ft in lb oz gal qt pt gpm gpa mph ac
acre acres inch inches feet foot hour hours hr hrs minute minutes mins second seconds sec secs day days week
weeks month months year years time times bushel bushels bu pound pounds ounce ounces litre litres liter liters
gallon gallons metre metres meter meters gram grams percent degrees
"""
_HAN_UNITS = """
公斤 千克 毫克 微克 克 斤 两 吨 毫升 升 公顷 平方米 立方米 平方厘米 亩 厘米 毫米 微米
公里 米 小时 分钟 秒钟 秒 毫秒 天 日龄 日 周龄 周 个月 月龄 月 年 倍液 倍 次 株 粒 头
只 羽 枚 片 瓶 袋 箱 包 支 万 亿 兆帕 千帕 度 元 伏 安 瓦 千瓦 转 叶 级 人 个 种 行
句 页 穗 尾 台 件 代 届 位 岁 名 条 家 座 项 场 票 层 辆
"""


def _alternatives(words: str) -> str:
    return "|".join(re.escape(word) for word in sorted(words.split(), key=len, reverse=True))


_ONE_UNIT = rf"(?:(?:{_alternatives(_LATIN_UNITS)})(?![a-z])|{_alternatives(_HAN_UNITS)})"
# A compound: kg/hm2, g/100kg, 公斤/亩, n·m, ℃·d.
_UNIT = rf"{_ONE_UNIT}(?:\s?[/·*]\s?\d*\s?(?:{_ONE_UNIT}|[a-z]{{1,4}}(?![a-z])))*"
_GROUPED = r"\d{1,3}(?:[,，\s]\d{3})+(?![\d])(?:\.\d+)?"
_NUMBER = rf"(?:{_GROUPED}|\d+(?:\.\d+)?)(?:\^\d+)?"
_TO = r"(?:-|~|–|—|−|至|到|～|to(?=\s))"
# The number of a code (WQ-23) is none. A colon joins numbers (1:500); behind a unit it begins what is said of the first
# (15 天：3 毫升).
_QUANTITY = re.compile(
    rf"(?<![a-z0-9.^])(?<![a-z][-_])(?P<sign>(?:(?<![\d%℃])[-−]|零下|负)\s?)?(?P<low>{_NUMBER})"
    rf"(?:\s*(?P<unit1>{_UNIT})?\s*(?P<join>{_TO}|/|(?<=[\d ])[:：])\s*(?P<sign2>[-−])?(?P<high>{_NUMBER}))?"
    rf"\s*(?P<unit>{_UNIT})?(?P<half>半)?"
)
_CHINESE_DIGITS = {char: value for value, char in enumerate("零一二三四五六七八九")} | {"两": 2, "〇": 0}
_CHINESE_NUMBER = re.compile(
    rf"(?<![\d.])(?P<number>[零〇一二两三四五六七八九十][零〇一二两三四五六七八九十百千]*万?)"
    rf"(?P<unit>{_UNIT})(?P<half>半)?"
)
_NEGATIONS = re.compile(
    r"不得|不能|不要|不可|不宜|不应|不准|不|禁止|严禁|禁用|勿|切勿|没有|无须|无需|未|非|避免|\bnot\b|n't\b|\bnever\b|\bno\b|\bwithout\b|"
    r"\bavoid\b|\bforbidden\b|\bprohibited\b|\bcannot\b"
)
_CIRCLED = re.compile("[\u2460-\u24ff\u2776-\u2793]")
_SUPERSCRIPT = re.compile(r"(?P<before>.?)(?P<digits>[⁰¹²³⁴⁵⁶⁷⁸⁹]+)")
_SUPER_DIGITS = str.maketrans("⁰¹²³⁴⁵⁶⁷⁸⁹", "0123456789")
_ASKS = re.compile(
    r"多少|几[天次年月日个倍头只厘米公斤克成]|多[深大长高久重宽远厚快]|用量|剂量|浓度|间隔期?|比例|温度|含量|间距|深度|"
    r"how (?:many|much|deep|long|far|often|high|low|wide|thick|fast|old|big|large|hot|cold)|what (?:rate|dose|"
    r"concentration|depth|temperature|pressure|percentage|spacing|distance|interval)|\bdose\b|\brate\b"
)


@dataclass(frozen=True, slots=True)
class Quantity:
    """A number, range or ratio as written: `values` (one or two decimals), `unit` ('' without one), `join`.

    `join` is `-` for a range, `/` or `:` for a ratio, '' for one number.
    """

    values: tuple[Decimal, ...]
    unit: str
    join: str = ""


def folded(text: str) -> str:
    """`text` in one spelling, as `normalise`, but footnotes and powers stay apart from the numbers before them.

    Circled digits become a bar; a superscript after a digit becomes `^5`, so that 10⁵ is not 105; after a letter
    only 2 and 3 are part of a unit (m², cm³).
    """

    def power(found: re.Match[str]) -> str:
        digits = found["digits"].translate(_SUPER_DIGITS)
        joined = found["before"].isalpha() and digits in ("2", "3")
        return found["before"] + (digits if joined else f"^{digits}")

    if not text.isascii():
        text = _CIRCLED.sub(" | ", text)
        if "⁻" not in text:
            text = _SUPERSCRIPT.sub(power, text)
    return normalise(text)


def quantities(text: str) -> list[Quantity]:
    """All numbers in `text`, with the unit that follows each; Chinese numerals before a unit are read too."""
    plain = folded(text)
    found: list[Quantity] = []
    for match in _QUANTITY.finditer(plain):
        low = _decimal(match["low"], negative=_is_negative(match))
        if low is None:
            continue
        high = _decimal(match["high"], negative=bool(match["sign2"])) if match["high"] else None
        values = (low,) if high is None else (low, high)
        join = (match["join"] or "") if high is not None else ""
        unit = (match["unit"] or match["unit1"] or "").replace(" ", "") + (match["half"] or "")
        found.append(Quantity(values, unit, join if join in ("/", ":", "：", "") else "-"))
    for match in _CHINESE_NUMBER.finditer(plain):
        value = _chinese(match["number"])
        if value is not None:
            found.append(Quantity((value,), match["unit"].replace(" ", "") + (match["half"] or "")))
    return found


def located(text: str) -> list[tuple[int, int, str]]:
    """Where each number of `text` stands with its unit: start, end, and the unit ('' without one).

    A number in a formula stands where the formula does.
    """
    plain, starts, ends = _aligned(text)
    found = [
        (
            match.start("sign") if _is_negative(match) else match.start("low"),
            match.end(),
            match["unit"] or match["unit1"] or "",
        )
        for match in _QUANTITY.finditer(plain)
    ]
    found += [(match.start(), match.end(), match["unit"]) for match in _CHINESE_NUMBER.finditer(plain)]
    return [(starts[start], ends[end - 1], unit.replace(" ", "")) for start, end, unit in sorted(found)]


def _is_negative(match: re.Match[str]) -> bool:
    """Whether the sign of a number is one, and not the mark of a list item («- 15 days»)."""
    if not match["sign"]:
        return False
    start = match.start()
    before = match.string[match.string.rfind("\n", 0, start) + 1 : start]
    return bool(before.strip()) or not match["sign"][-1].isspace()


def _aligned(text: str) -> tuple[str, list[int], list[int]]:
    """`text` in the spelling of `normalise`, and for each of its characters where the one that it stands for begins
    and ends in `text`."""
    plain: list[str] = []
    starts: list[int] = []
    ends: list[int] = []
    done = 0
    for start, end, formula in (*formulas(text), (len(text), len(text), "")):
        plain += map(_one, text[done:start])
        starts += range(done, start)
        ends += range(done + 1, start + 1)
        inside = normalise(formula)
        plain.append(inside)
        starts += [start] * len(inside)
        ends += [end] * len(inside)
        done = end
    return "".join(plain), starts, ends


def _one(char: str) -> str:
    """A character in the spelling of `normalise` where that is one character too, so that places stay the same."""
    if char.isascii():
        return char.lower()
    plain = normalise(char)
    return plain if len(plain) == 1 else char


def _decimal(written: str, *, negative: bool) -> Decimal | None:
    base, _, power = re.sub(r"[,，\s]", "", written).partition("^")
    try:
        value = Decimal(base) ** int(power) if power else Decimal(base)
    except (InvalidOperation, ValueError, OverflowError):
        return None
    return (-value if negative else value).normalize()


def _chinese(written: str) -> Decimal | None:
    """The value of a Chinese numeral below one hundred million; None for what is none."""
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
    return _ASKS.search(normalise(question)) is not None
