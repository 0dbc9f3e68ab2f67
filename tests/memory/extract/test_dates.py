"""kb.memory.extract.dates: dates in many writings, exact or not, real or not."""

from __future__ import annotations

import datetime

import pytest
from hypothesis import given
from hypothesis import strategies as st

from kb.memory.extract.dates import dates
from kb.memory.schema import Precision


@pytest.mark.parametrize(
    ("text", "first", "last", "precision"),
    [
        ("2024年3月签订合同", "2024-03-01", "2024-03-31", Precision.MONTH),
        ("于2024 年 7 月 15 日完成", "2024-07-15", "2024-07-15", Precision.DAY),
        ("二〇二四年十月一日", "2024-10-01", "2024-10-01", Precision.DAY),
        ("二零二四年十二月", "2024-12-01", "2024-12-31", Precision.MONTH),
        ("on 3 Mar 2024", "2024-03-03", "2024-03-03", Precision.DAY),
        ("March 3rd, 2025", "2025-03-03", "2025-03-03", Precision.DAY),
        ("2024年第三季度", "2024-07-01", "2024-09-30", Precision.QUARTER),
        ("Q3 2024", "2024-07-01", "2024-09-30", Precision.QUARTER),
        ("2024Q2", "2024-04-01", "2024-06-30", Precision.QUARTER),
        ("the third quarter of 2024", "2024-07-01", "2024-09-30", Precision.QUARTER),
        ("2024年上半年", "2024-01-01", "2024-06-30", Precision.QUARTER),
        ("从2020年起", "2020-01-01", "2020-12-31", Precision.YEAR),
        ("in 2023 we moved", "2023-01-01", "2023-12-31", Precision.YEAR),
        ("2024-03-01至2024-06-30", "2024-03-01", "2024-06-30", Precision.DAY),
        ("自2024年3月1日起至2025年2月28日止", "2024-03-01", "2025-02-28", Precision.DAY),
        ("2024年3月1日至5日", "2024-03-01", "2024-03-05", Precision.DAY),
        ("1-15 March 2024", "2024-03-01", "2024-03-15", Precision.DAY),
        ("between 1 May 2024 and 3 May 2024", "2024-05-01", "2024-05-03", Precision.DAY),
        ("2024.03.05 发布", "2024-03-05", "2024-03-05", Precision.DAY),
        ("2024-02-29", "2024-02-29", "2024-02-29", Precision.DAY),
    ],
)
def test_writings(text: str, first: str, last: str, precision: Precision) -> None:
    found = [date.when for date in dates(text) if date.when]
    assert [(str(when.first), str(when.last), when.precision) for when in found] == [(first, last, precision)]


@pytest.mark.parametrize("text", ["2024年2月30日", "2023-02-29", "31 April 2024", "2024/13/05", "2024年13月"])
def test_a_day_that_does_not_exist_is_told(text: str) -> None:
    found = dates(text)
    assert [(date.when, date.problem) for date in found] == [(None, "memory_date_impossible")]


@pytest.mark.parametrize(
    "text", ["GB/T 2024-2020", "2024 mm", "V2.0", "XM-2000", "10:30", "1200×800", "第2024号", "1/500", ""]
)
def test_other_numbers_are_no_dates(text: str) -> None:
    assert dates(text) == []


@pytest.mark.parametrize(
    ("text", "day"),
    [
        ("3月5日", "2024-03-05"), ("次日", "2024-05-02"), ("下周一", "2024-05-06"), ("本周日", "2024-05-05"),
        ("上周三", "2024-04-24"), ("tomorrow", "2024-05-02"), ("next Monday", "2024-05-06"),
    ],
)  # fmt: skip
def test_a_relative_date_needs_an_anchor(text: str, day: str) -> None:
    anchor = datetime.date(2024, 5, 1)  # a Wednesday
    assert [str(date.when.first) for date in dates(text, anchor) if date.when] == [day]
    assert [date.problem for date in dates(text)] == ["memory_date_unanchored"]


def test_an_and_between_dates_is_no_range() -> None:
    assert len(dates("on 1 May 2024 and 3 May 2024")) == 2


@given(st.dates(datetime.date(1900, 1, 1), datetime.date(2199, 12, 31)))
def test_every_day_is_read_back(day: datetime.date) -> None:
    for written in (day.isoformat(), f"{day.year}年{day.month}月{day.day}日", f"{day:%d %B %Y}"):
        exact = [date.when.first for date in dates(written) if date.when and date.when.precision is Precision.DAY]
        assert exact[:1] == [day]


@given(st.text(alphabet="0123456789年月日-/. 至到Marchq", max_size=40))
def test_anything_is_read_without_an_error(text: str) -> None:
    for date in dates(text):
        assert 0 <= date.start < date.end <= len(text)
        assert date.when is None or date.when.first <= date.when.last
