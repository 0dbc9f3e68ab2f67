"""kb.versions.periods: spans of days as people say them."""

from __future__ import annotations

import datetime

import pytest
from hypothesis import given
from hypothesis import strategies as st

from kb.errors import AlmanacError
from kb.versions.periods import Period, find_period, parse_since

# A Wednesday.
TODAY = datetime.date(2026, 12, 2)


def _day(month: int, day: int, year: int = 2026) -> datetime.date:
    return datetime.date(year, month, day)


@pytest.mark.parametrize(
    ("text", "start", "end"),
    [
        ("上周更新了什么", _day(11, 23), _day(11, 29)),
        ("last week", _day(11, 23), _day(11, 29)),
        ("本周", _day(11, 30), _day(12, 2)),
        ("this week", _day(11, 30), _day(12, 2)),
        ("上个月", _day(11, 1), _day(11, 30)),
        ("last month", _day(11, 1), _day(11, 30)),
        ("本月", _day(12, 1), _day(12, 2)),
        ("去年", _day(1, 1, 2025), _day(12, 31, 2025)),
        ("今年", _day(1, 1), _day(12, 2)),
        ("昨天", _day(12, 1), _day(12, 1)),
        ("the day before yesterday", _day(11, 30), _day(11, 30)),
        ("今天", _day(12, 2), _day(12, 2)),
        ("最近7天", _day(11, 26), _day(12, 2)),
        ("最近两周", _day(11, 19), _day(12, 2)),
        ("近十五天内", _day(11, 18), _day(12, 2)),
        ("过去一个月", _day(11, 3), _day(12, 2)),
        ("in the last 3 days", _day(11, 30), _day(12, 2)),
        ("past two weeks", _day(11, 19), _day(12, 2)),
        ("3 days ago", _day(11, 29), _day(12, 2)),
        ("7 天前", _day(11, 25), _day(12, 2)),
        ("a week ago", _day(11, 25), _day(12, 2)),
        ("since 2026-11-05", _day(11, 5), _day(12, 2)),
        ("自2026年11月5日以来", _day(11, 5), _day(12, 2)),
        ("2026/11/5 之后", _day(11, 5), _day(12, 2)),
        ("2026-11-05", _day(11, 5), _day(11, 5)),
        ("从2026年11月1日到2026年11月5日", _day(11, 1), _day(11, 5)),
        ("between 2026-11-05 and 2026-11-01", _day(11, 1), _day(11, 5)),
        ("最近有什么变化", _day(11, 3), _day(12, 2)),
        ("recently", _day(11, 3), _day(12, 2)),
    ],
)
def test_what_people_say(text: str, start: datetime.date, end: datetime.date) -> None:
    said = find_period(text, TODAY)
    assert said is not None
    assert said.period == Period(start, end)


@pytest.mark.parametrize(
    "text", ["", "下周", "上周五", "since 2027-01-01", "2026-02-30", "播种后30天追肥", "0000-00-00", "growth"]
)
def test_what_is_no_period(text: str) -> None:
    assert find_period(text, TODAY) is None


def test_where_it_was_said() -> None:
    said = find_period("大豆在上周更新了吗", TODAY)
    assert said is not None
    assert "大豆在上周更新了吗"[said.start : said.end] == "上周"


@pytest.mark.parametrize(
    ("written", "start"),
    [("2026-11-01", _day(11, 1)), (" last week ", _day(11, 23)), ("上周", _day(11, 23)), ("7 days ago", _day(11, 25))],
)
def test_since(written: str, start: datetime.date) -> None:
    assert parse_since(written, TODAY) == start


@pytest.mark.parametrize(
    "written", ["", "soon", "2026-13-01", "--output=/x", "the document about last week in the barn", "2199-01-01"]
)
def test_since_nothing(written: str) -> None:
    with pytest.raises(AlmanacError) as caught:
        parse_since(written, TODAY)
    assert caught.value.key == "bad_period"


@given(
    st.text(st.sampled_from("上下周月年日天最近前以来0123456789-/ 一十两lastweekdaysinceago"), max_size=24), st.dates()
)
def test_never_beyond_today(text: str, today: datetime.date) -> None:
    said = find_period(text, today)
    if said is not None:
        assert said.period.start <= said.period.end <= today
        assert said.period.holds(said.period.start)
