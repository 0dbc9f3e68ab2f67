"""Dates as people write them, Chinese and English, with how exact they are.

A date that does not exist (30 February) is reported, not corrected. A relative one (次日, next Monday) needs an anchor.
"""

from __future__ import annotations

import calendar
import datetime
import re
from collections.abc import Iterator
from dataclasses import dataclass

from kb.memory.schema import Precision, When

_HAN_DIGIT = {char: number for number, char in enumerate("〇一二三四五六七八九")} | {"零": 0, "○": 0, "O": 0}
_MONTHS = {
    name: number
    for number, names in enumerate(
        ("january jan", "february feb", "march mar", "april apr", "may", "june jun", "july jul", "august aug",
         "september sept sep", "october oct", "november nov", "december dec"),
        start=1,
    )
    for name in names.split()
}  # fmt: skip
_MONTH = "(?:" + "|".join(sorted(_MONTHS, key=len, reverse=True)) + r")\.?"
_HAN_YEAR = "[〇零○一二三四五六七八九]{4}"
_HAN_NUMBER = "[一二三四五六七八九十]{1,3}"
_YEAR = r"(?:19|20|21)\d\d"
_PATTERNS = tuple(
    re.compile(pattern, re.IGNORECASE)
    for pattern in (
        rf"(?<![\d.])(?P<y>{_YEAR}|{_HAN_YEAR})\s?年\s?(?P<m>\d{{1,2}}|{_HAN_NUMBER})\s?月"
        rf"(?:\s?(?P<d>\d{{1,2}}|{_HAN_NUMBER})\s?[日号])?",
        rf"(?<![\d.])(?P<y>{_YEAR}|{_HAN_YEAR})\s?年\s?(?:第\s?)?(?P<q>[1-4一二三四])\s?季度?",
        rf"(?<![\d.])(?P<y>{_YEAR}|{_HAN_YEAR})\s?年\s?(?P<h>上半年|下半年|年?初|年?底|末)",
        rf"(?<![\d.])(?P<y>{_YEAR}|{_HAN_YEAR})\s?年(?!\s?\d)(?![内以之前后版型款产份度])",
        rf"(?<![A-Za-z0-9_./-])(?P<y>{_YEAR})(?P<sep>[-/.])(?P<m>\d{{1,2}})(?P=sep)(?P<d>\d{{1,2}})(?![A-Za-z0-9_/-]|"
        r"\.\d)",
        rf"(?<![A-Za-z0-9_.])(?P<d>\d{{1,2}})(?:st|nd|rd|th)?\s+(?:of\s+)?(?P<mon>{_MONTH}),?\s+(?P<y>{_YEAR})(?!\d)",
        rf"(?<![A-Za-z0-9_])(?P<mon>{_MONTH})\s+(?P<d>\d{{1,2}})(?:st|nd|rd|th)?,?\s+(?P<y>{_YEAR})(?!\d)",
        rf"(?<![A-Za-z0-9_])(?P<mon>{_MONTH}),?\s+(?P<y>{_YEAR})(?!\d)",
        rf"(?<![A-Za-z0-9_])Q(?P<q>[1-4])[\s/-]{{0,2}}(?P<y>{_YEAR})(?!\d)",
        rf"(?<![A-Za-z0-9_])(?P<y>{_YEAR})[\s/-]{{0,2}}Q(?P<q>[1-4])(?![A-Za-z0-9_])",
        rf"(?<![A-Za-z0-9_])(?:the )?(?P<qw>first|second|third|fourth) quarter(?: of|,)? (?P<y>{_YEAR})(?!\d)",
        rf"(?<![A-Za-z0-9_./-])(?P<y>{_YEAR})-(?P<m>0[1-9]|1[0-2])(?![A-Za-z0-9_/-])",
        r"(?<![\d.年])(?P<m>\d{1,2})\s?月\s?(?P<d>\d{1,2})\s?[日号]",
        rf"\b(?:in|since|until|from|during|by|of|before|after)\s+(?P<y>{_YEAR})(?![\w%/°.-]|\s?(?:mm|kg|cm|m|rpm|"
        r"r/min|hours?|h)\b)",
    )
)
# A range whose second date leaves out what the first one said: 2024年3月1日至5日, 1-15 March 2024.
_SHORT_RANGES = (
    re.compile(
        rf"(?<![\d.])(?P<y>{_YEAR})\s?年\s?(?P<m>\d{{1,2}})\s?月\s?(?P<d>\d{{1,2}})\s?日?\s?(?:至|到|-|~|—|–)\s?"
        r"(?:(?P<m2>\d{1,2})\s?月\s?)?(?P<d2>\d{1,2})\s?[日号]"
    ),
    re.compile(
        rf"(?<![\d.])(?P<y>{_YEAR})\s?年\s?(?P<m>\d{{1,2}})\s?月?\s?(?:至|到|-|~|—|–)\s?(?P<m2>\d{{1,2}})\s?月(?!\s?\d)"
    ),
    re.compile(
        rf"(?<![A-Za-z0-9_.])(?P<d>\d{{1,2}})\s?(?:to|-|–|—)\s?(?P<d2>\d{{1,2}})\s+(?P<mon>{_MONTH})\s+(?P<y>{_YEAR})",
        re.IGNORECASE,
    ),
    re.compile(
        rf"(?<![A-Za-z0-9_])(?P<mon>{_MONTH})\s+(?P<d>\d{{1,2}})\s?(?:to|-|–|—)\s?(?P<d2>\d{{1,2}}),?\s+(?P<y>{_YEAR})",
        re.IGNORECASE,
    ),
)
_TO = re.compile(r"\s*(?:(?:起|开始)?\s?(?:至|到|-|~|—|–|～)+|(?:to|until|through|till|and)\b)\s*", re.IGNORECASE)
_RELATIVE_DAYS = {
    "前天": -2, "前日": -2, "昨天": -1, "昨日": -1, "今天": 0, "今日": 0, "当天": 0, "当日": 0, "次日": 1, "翌日": 1,
    "明天": 1, "明日": 1, "后天": 2, "the day before": -1, "yesterday": -1, "today": 0, "tomorrow": 1,
    "the next day": 1, "the following day": 1, "the day after tomorrow": 2,
}  # fmt: skip
_RELATIVE = re.compile(
    "|".join(sorted((re.escape(word) for word in _RELATIVE_DAYS), key=len, reverse=True))
    + r"|(?P<which>下|本|上)(?:个)?(?:周|星期)(?P<zhday>[一二三四五六日天])"
    + r"|\b(?P<enwhich>next|this|last)\s+(?P<enday>monday|tuesday|wednesday|thursday|friday|saturday|sunday)\b",
    re.IGNORECASE,
)
_EN_DAYS = ("monday", "tuesday", "wednesday", "thursday", "friday", "saturday", "sunday")


@dataclass(frozen=True, slots=True)
class DateFound:
    """A date in a text from `start` to `end`; `when` is None when no such day exists or nothing anchors it.

    `problem` is then `memory_date_impossible` or `memory_date_unanchored`.
    """

    start: int
    end: int
    when: When | None
    problem: str = ""


def dates(text: str, anchor: datetime.date | None = None) -> list[DateFound]:
    """All dates and ranges of dates in `text` (half width), in order.

    `anchor` is the day that the document speaks from: what leaves out the year, or is relative, needs it.
    """
    found: list[DateFound] = []
    taken: list[tuple[int, int]] = []

    def free(start: int, end: int) -> bool:
        return all(end <= first or start >= last for first, last in taken)

    for candidate in _candidates(text, anchor):
        if free(candidate.start, candidate.end):
            found.append(candidate)
            taken.append((candidate.start, candidate.end))
    return _ranges(text, sorted(found, key=lambda date: date.start))


def _candidates(text: str, anchor: datetime.date | None) -> Iterator[DateFound]:
    if not any(char.isdigit() for char in text) and "年" not in text and not _RELATIVE.search(text):
        return
    for pattern in _SHORT_RANGES:
        for match in pattern.finditer(text):
            yield _short_range(match)
    for pattern in _PATTERNS:
        for match in pattern.finditer(text):
            yield _date(match, anchor)
    for match in _RELATIVE.finditer(text):
        yield _relative(match, anchor)


def _number(written: str) -> int:
    """An Arabic or Chinese number up to 99, or a year spelt digit by digit."""
    if written.isdigit() and written.isascii():
        return int(written)
    if "十" in written:
        tens, _, ones = written.partition("十")
        return 10 * (_HAN_DIGIT[tens] if tens else 1) + (_HAN_DIGIT[ones] if ones else 0)
    return int("".join(str(_HAN_DIGIT[char]) for char in written))


def _part(match: re.Match[str], name: str) -> str | None:
    return match[name] if name in match.re.groupindex else None


def _month(match: re.Match[str]) -> int | None:
    if named := _part(match, "mon"):
        return _MONTHS[named.rstrip(".").lower()]
    number = _part(match, "m")
    return _number(number) if number else None


def _date(match: re.Match[str], anchor: datetime.date | None) -> DateFound:
    start, end, said = match.start(), match.end(), match[0]
    written_year = _part(match, "y")
    if match[0][:1].isalpha() and match.re.pattern.startswith(r"\b(?:in|"):
        start = match.start("y")
        said = match["y"]
    if written_year is None and anchor is None:
        return DateFound(start, end, None, "memory_date_unanchored")
    year = _number(written_year) if written_year else (anchor or datetime.date.min).year
    quarter = _part(match, "q")
    word = _part(match, "qw")
    if quarter or word:
        number = _number(quarter) if quarter else ("first", "second", "third", "fourth").index((word or "").lower()) + 1
        return DateFound(start, end, _span(year, 3 * number - 2, 3 * number, Precision.QUARTER, said))
    half = _part(match, "h")
    if half:
        months = {"上": (1, 6), "下": (7, 12)}.get(half[0], (1, 3) if half.endswith("初") else (10, 12))
        return DateFound(start, end, _span(year, *months, Precision.QUARTER, said))
    month = _month(match)
    if month is None:
        return DateFound(start, end, _span(year, 1, 12, Precision.YEAR, said))
    if not 1 <= month <= 12:
        return DateFound(start, end, None, "memory_date_impossible")
    day = _part(match, "d")
    if day is None:
        return DateFound(start, end, _span(year, month, month, Precision.MONTH, said))
    try:
        exact = datetime.date(year, month, _number(day))
    except ValueError:
        return DateFound(start, end, None, "memory_date_impossible")
    return DateFound(start, end, When(exact, exact, Precision.DAY, said))


def _span(year: int, first: int, last: int, precision: Precision, said: str) -> When:
    end = datetime.date(year, last, calendar.monthrange(year, last)[1])
    return When(datetime.date(year, first, 1), end, precision, said)


def _short_range(match: re.Match[str]) -> DateFound:
    year, month = int(match["y"]), _month(match) or 0
    second = int(_part(match, "m2") or month)
    try:
        if _part(match, "d") is None:
            when = _span(year, month, second, Precision.MONTH, match[0])
        else:
            first = datetime.date(year, month, int(match["d"]))
            when = When(first, datetime.date(year, second, int(match["d2"])), Precision.DAY, match[0])
    except ValueError:
        return DateFound(match.start(), match.end(), None, "memory_date_impossible")
    if when.last < when.first:
        return DateFound(match.start(), match.end(), None, "memory_date_impossible")
    return DateFound(match.start(), match.end(), when)


def _relative(match: re.Match[str], anchor: datetime.date | None) -> DateFound:
    if anchor is None:
        return DateFound(match.start(), match.end(), None, "memory_date_unanchored")
    if (days := _RELATIVE_DAYS.get(match[0].lower())) is not None:
        day = anchor + datetime.timedelta(days=days)
    else:
        if match["which"]:
            weeks = {"下": 1, "本": 0, "上": -1}[match["which"]]
            weekday = "一二三四五六日天".index(match["zhday"]) % 7 if match["zhday"] != "天" else 6
        else:
            weeks = {"next": 1, "this": 0, "last": -1}[match["enwhich"].lower()]
            weekday = _EN_DAYS.index(match["enday"].lower())
        monday = anchor - datetime.timedelta(days=anchor.weekday())
        day = monday + datetime.timedelta(days=7 * weeks + weekday)
    return DateFound(match.start(), match.end(), When(day, day, Precision.DAY, match[0]))


def _ranges(text: str, found: list[DateFound]) -> list[DateFound]:
    """Two dates with a word for `to` between them as one."""
    joined: list[DateFound] = []
    for date in found:
        before = joined[-1] if joined else None
        if before and before.when and date.when and before.when.last <= date.when.first:
            between = _TO.fullmatch(text[before.end : date.start])
            opened = "and" not in (between[0].lower() if between else "") or re.search(
                r"between\s+$", text[: before.start], re.IGNORECASE
            )
            if between and opened:
                when = When(
                    before.when.first, date.when.last, date.when.precision, text[before.start : date.end].strip()
                )
                joined[-1] = DateFound(before.start, date.end, when)
                continue
        joined.append(date)
    return joined
