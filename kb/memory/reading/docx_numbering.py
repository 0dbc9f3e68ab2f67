"""The numbers that Word draws before paragraphs and does not store in them: `1.2`, `(a)`, `第三条`."""

from __future__ import annotations

import re
from dataclasses import dataclass, field

from kb.memory.reading.docx_package import Element, Package, W

_HAN = "〇一二三四五六七八九"
_ROMAN = ((1000, "m"), (900, "cm"), (500, "d"), (400, "cd"), (100, "c"), (90, "xc"), (50, "l"), (40, "xl"),
          (10, "x"), (9, "ix"), (5, "v"), (4, "iv"), (1, "i"))  # fmt: skip
_STEMS = "甲乙丙丁戊己庚辛壬癸"
_PLACE = re.compile(r"%([1-9])")


@dataclass(frozen=True, slots=True)
class Level:
    """How one level of a list is numbered: `template` holds `%1`... for the numbers of the levels."""

    style: str = "decimal"
    template: str = ""
    start: int = 1
    legal: bool = False


@dataclass(frozen=True, slots=True)
class Number:
    """What stands before a paragraph: its text ('' for a bullet) and the level, from 0."""

    text: str
    level: int


def _value(element: Element | None, name: str = "val") -> str:
    return element.get(f"{W}{name}", "") if element is not None else ""


def _whole(text: str, default: int) -> int:
    try:
        return int(text)
    except ValueError:
        return default


@dataclass(slots=True)
class Numbering:
    """The lists of a document and how far each has been counted."""

    levels: dict[str, dict[int, Level]] = field(default_factory=dict)
    lists: dict[str, str] = field(default_factory=dict)  # list -> the definition it counts along with
    _counts: dict[str, dict[int, int]] = field(default_factory=dict)
    _restarted: set[str] = field(default_factory=set)
    restarts: dict[str, dict[int, int]] = field(default_factory=dict)

    @classmethod
    def load(cls, package: Package) -> Numbering:
        """From the package's numbering part."""
        made = cls()
        root = package.tree(package.beside("numbering.xml"))
        if root is None:
            return made
        definitions = {each.get(f"{W}abstractNumId", ""): _levels(each) for each in root.findall(f"{W}abstractNum")}
        for each in root.findall(f"{W}num"):
            number = each.get(f"{W}numId", "")
            definition = _value(each.find(f"{W}abstractNumId"))
            made.lists[number] = definition
            made.levels[number] = dict(definitions.get(definition, {}))
            for override in each.findall(f"{W}lvlOverride"):
                level = _whole(override.get(f"{W}ilvl", "0"), 0)
                start = override.find(f"{W}startOverride")
                if start is not None:
                    made.restarts.setdefault(number, {})[level] = _whole(_value(start), 1)
                made.levels[number].update(_levels(override))
        return made

    def next(self, number: str, level: int) -> Number | None:
        """Count on in list `number` and give what stands before the paragraph; None where nothing does."""
        levels = self.levels.get(number)
        if not levels or number == "0":
            return None
        own = levels.get(level, Level())
        key = self.lists[number]
        counts = self._counts.setdefault(key, {})
        if number not in self._restarted:
            self._restarted.add(number)
            for place, start in self.restarts.get(number, {}).items():
                counts[place] = start - 1
                for deeper in [other for other in counts if other > place]:
                    del counts[deeper]
        counts[level] = counts.get(level, own.start - 1) + 1
        for deeper in [other for other in counts if other > level]:
            del counts[deeper]
        for above in range(level):
            counts.setdefault(above, levels.get(above, Level()).start)
        if own.style == "bullet":
            return Number("", level)
        if own.style == "none" and not _PLACE.search(own.template):
            return Number(own.template.strip(), level) if own.template.strip() else None

        def written(found: re.Match[str]) -> str:
            place = int(found[1]) - 1
            style = "decimal" if own.legal else levels.get(place, Level()).style
            return in_style(counts.get(place, 1), style)

        return Number(_PLACE.sub(written, own.template).strip(), level)


def _levels(parent: Element) -> dict[int, Level]:
    found: dict[int, Level] = {}
    for each in parent.findall(f"{W}lvl"):
        found[_whole(each.get(f"{W}ilvl", "0"), 0)] = Level(
            _value(each.find(f"{W}numFmt")) or "decimal",
            _value(each.find(f"{W}lvlText")),
            _whole(_value(each.find(f"{W}start")), 1),
            each.find(f"{W}isLgl") is not None,
        )
    return found


def in_style(number: int, style: str) -> str:
    """`number` as Word writes it in a format of ECMA-376 part 1, 17.18.59 (ST_NumberFormat)."""
    if style in ("lowerLetter", "upperLetter") and number > 0:
        letters = chr(ord("a") + (number - 1) % 26) * ((number - 1) // 26 + 1)
        return letters.upper() if style == "upperLetter" else letters
    if style in ("lowerRoman", "upperRoman") and 0 < number < 4000:
        roman = ""
        for value, sign in _ROMAN:
            while number >= value:
                roman, number = roman + sign, number - value
        return roman.upper() if style == "upperRoman" else roman
    if style in ("chineseCounting", "chineseCountingThousand", "japaneseCounting", "taiwaneseCountingThousand"):
        return _han(number)
    if style in ("ideographDigital", "japaneseDigitalTenThousand", "taiwaneseDigital"):
        return "".join(_HAN[int(digit)] for digit in str(max(number, 0)))
    if style == "ideographTraditional" and 1 <= number <= 10:
        return _STEMS[number - 1]
    if style.startswith("decimalEnclosedCircle") and 1 <= number <= 20:
        return chr(ord("①") + number - 1)
    if style == "decimalZero":
        return f"{number:02d}"
    return str(number)


def _han(number: int) -> str:
    """A number below 10,000 in Chinese characters: 10 十, 23 二十三, 105 一百零五."""
    if not 0 < number < 10_000:
        return str(number)
    text = ""
    gap = False
    for place, unit in ((1000, "千"), (100, "百"), (10, "十"), (1, "")):
        digit = number // place % 10
        if digit:
            text += ("零" if gap and text else "") + _HAN[digit] + unit
            gap = False
        else:
            gap = True
    return text.removeprefix("一") if 10 <= number < 20 else text
