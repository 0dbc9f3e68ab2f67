"""Spans of days as people say them: `last week`, `上周`, `最近7天`, `since 2026-11-01`.

A week begins on Monday (ISO 8601). Every span ends at the latest today.
"""

from __future__ import annotations

import datetime
import re
from collections.abc import Callable
from dataclasses import dataclass

from kb.errors import AlmanacError, ExitCode

# «Recently», without a number.
RECENT_DAYS = 30
_DAY = datetime.timedelta(days=1)
_CHINESE = {char: value for value, char in enumerate("零一二三四五六七八九十")} | {"两": 2, "几": 3, "半": 6}
_ENGLISH = {
    word: value
    for value, word in enumerate(
        ("zero", "one", "two", "three", "four", "five", "six", "seven", "eight", "nine", "ten", "eleven", "twelve")
    )
} | {"a": 1, "an": 1, "few": 3, "a few": 3, "couple": 2, "a couple of": 2}


@dataclass(frozen=True, slots=True)
class Period:
    """From `start` to `end`, both days included."""

    start: datetime.date
    end: datetime.date

    def holds(self, day: datetime.date) -> bool:
        """Whether `day` lies in it."""
        return self.start <= day <= self.end


@dataclass(frozen=True, slots=True)
class Said:
    """A period found in a text, and where: `text[start:end]`."""

    period: Period
    start: int
    end: int


_Make = Callable[["re.Match[str]", datetime.date], Period]


def find_period(text: str, today: datetime.date) -> Said | None:
    """The first period that `text` names; None without one, or when it would begin after today."""
    for pattern, make in _FORMS:
        found = pattern.search(text)
        if found is None:
            continue
        try:
            period = make(found, today)
        except (ValueError, OverflowError):
            continue
        if period.start <= today:
            return Said(Period(period.start, min(period.end, today)), *found.span())
    return None


def parse_since(written: str, today: datetime.date) -> datetime.date:
    """The day from which on a value of --since counts: `2026-11-01`, `last week` (from its Monday), `7 天前`.

    Raises AlmanacError, exit code USAGE, when it names none.
    """
    plain = written.strip()
    said = find_period(plain, today)
    # What stands beside the period may be a word or two (since, 以来), not a sentence.
    if said is None or len(plain) > said.end - said.start + 8:
        raise AlmanacError("bad_period", ExitCode.USAGE, value=written)
    return said.period.start


def _number(written: str) -> int:
    plain = written.strip().lower()
    if plain.isdigit():
        return int(plain)
    if plain in _ENGLISH:
        return _ENGLISH[plain]
    if "十" in plain:
        tens, _, ones = plain.partition("十")
        return (_CHINESE[tens] if tens else 1) * 10 + (_CHINESE[ones] if ones else 0)
    return _CHINESE[plain]


def _last_days(count: int, today: datetime.date) -> Period:
    return Period(today - (max(count, 1) - 1) * _DAY, today)


def _days(found: re.Match[str], today: datetime.date) -> Period:
    """The last so many days, today being one of them; months count as 30 days, years as 365."""
    return _last_days(_length(found), today)


def _ago(found: re.Match[str], today: datetime.date) -> Period:
    return Period(today - _length(found) * _DAY, today)


def _length(found: re.Match[str]) -> int:
    unit = found["unit"].lower()
    return _number(found["count"]) * next(days for start, days in _UNITS.items() if unit.startswith(start))


_UNITS = {"day": 1, "天": 1, "日": 1, "week": 7, "周": 7, "个星期": 7, "星期": 7, "礼拜": 7, "个礼拜": 7, "month": 30,
          "个月": 30, "月": 30, "year": 365, "年": 365}  # fmt: skip


def _week(today: datetime.date, ago: int) -> Period:
    monday = today - today.weekday() * _DAY - 7 * ago * _DAY
    return Period(monday, monday + 6 * _DAY)


def _month(today: datetime.date, ago: int) -> Period:
    first = today.replace(day=1)
    for _ in range(ago):
        first = (first - _DAY).replace(day=1)
    return Period(first, (first + 31 * _DAY).replace(day=1) - _DAY)


def _year(today: datetime.date, ago: int) -> Period:
    year = today.year - ago
    return Period(datetime.date(year, 1, 1), datetime.date(year, 12, 31))


def _date(found: re.Match[str], group: str = "date") -> datetime.date:
    year, month, day = (int(part) for part in re.findall(r"\d+", found[group]))
    return datetime.date(year, month, day)


def _since(found: re.Match[str], today: datetime.date) -> Period:
    return Period(_date(found), today)


def _between(found: re.Match[str], today: datetime.date) -> Period:
    first, second = _date(found), _date(found, "until")
    return Period(min(first, second), max(first, second))


_ISO = r"\d{4}\s?[-/.年]\s?\d{1,2}\s?[-/.月]\s?\d{1,2}(?:\s?[日号])?"
_COUNT = r"\d{1,3}|[一二两三四五六七八九]?十[一二三四五六七八九]?|[一二两三四五六七八九几]"
_WORDS = "|".join(sorted((word for word in _ENGLISH if word != "a"), key=len, reverse=True))


def _form(pattern: str, make: _Make) -> tuple[re.Pattern[str], _Make]:
    return re.compile(pattern, re.IGNORECASE), make


_WEEKDAY = "一二三四五六日天末"
_CHINESE_UNIT = "天|日|周|个星期|星期|个礼拜|礼拜|个月|月|年"
_FORMS: tuple[tuple[re.Pattern[str], _Make], ...] = (
    _form(
        rf"(?:between |from |从|自)?\s?(?P<date>{_ISO})\s?(?:and|to|until|至|到|-|~|—)\s?(?P<until>{_ISO})", _between
    ),
    _form(rf"(?:since|after|from)\s+(?P<date>{_ISO})", _since),
    _form(rf"(?:自从?|从)\s?(?P<date>{_ISO})\s?(?:以来|以后|之后|起|开始|至今)?", _since),
    _form(rf"(?P<date>{_ISO})\s?(?:以来|以后|之后|起|至今)", _since),
    _form(rf"(?:on\s+)?(?P<date>{_ISO})", lambda found, today: Period(_date(found), _date(found))),
    _form(rf"last week|previous week|上个?(?:周|星期|礼拜)(?![{_WEEKDAY}])", lambda found, today: _week(today, 1)),
    _form(rf"this week|本周|这个?(?:周|星期|礼拜)(?![{_WEEKDAY}])", lambda found, today: _week(today, 0)),
    _form(r"last month|previous month|上个?月", lambda found, today: _month(today, 1)),
    _form(r"this month|本月|这个?月", lambda found, today: _month(today, 0)),
    _form(r"last year|去年", lambda found, today: _year(today, 1)),
    _form(r"this year|今年|本年度?", lambda found, today: _year(today, 0)),
    _form(r"day before yesterday|前天", lambda found, today: Period(today - 2 * _DAY, today - 2 * _DAY)),
    _form(r"yesterday|昨天|昨日", lambda found, today: Period(today - _DAY, today - _DAY)),
    _form(r"\btoday\b|今天|今日", lambda found, today: Period(today, today)),
    _form(
        rf"(?:in |over |during |within )?(?:the )?(?:last|past)\s+(?P<count>{_WORDS}|\d{{1,3}})\s+"
        r"(?P<unit>days?|weeks?|months?|years?)",
        _days,
    ),
    _form(rf"(?:since\s+)?\b(?P<count>an?|{_WORDS}|\d{{1,3}})\s+(?P<unit>days?|weeks?|months?|years?)\s+ago", _ago),
    _form(rf"(?:最近|近|过去|这)的?\s?(?P<count>{_COUNT})\s?(?P<unit>{_CHINESE_UNIT})(?:以来|内|里)?", _days),
    _form(rf"(?P<count>{_COUNT})\s?(?P<unit>{_CHINESE_UNIT})(?:以来|之内|以内|内)", _days),
    _form(rf"(?P<count>{_COUNT})\s?(?P<unit>{_CHINESE_UNIT})(?:以前|之前|前)", _ago),
    _form(r"recently|lately|最近|近期|近来", lambda found, today: _last_days(RECENT_DAYS, today)),
)
