"""kb.supply.metrics_plot: trends as characters, SVG and CSV."""

from __future__ import annotations

import csv
import datetime
import io
from xml.etree import ElementTree

from hypothesis import given
from hypothesis import strategies as st

from kb.supply.metrics import Trend
from kb.supply.metrics_plot import as_csv, as_svg, as_text, spark
from kb.supply.metrics_rollup import Week

_SHARES = st.lists(st.none() | st.floats(0, 1), max_size=12)


@given(_SHARES)
def test_one_character_a_value(values: list[float | None]) -> None:
    assert len(spark(values)) == len(spark(values, plain=True)) == len(values)
    assert spark(values, plain=True).isascii()


def test_higher_is_higher() -> None:
    assert spark([0.0, None, 0.5, 1.0]) == "▁·▅█"


@given(st.lists(st.lists(st.none() | st.floats(0, 1), min_size=12, max_size=12), max_size=3), st.integers(10, 200))
def test_the_plot_keeps_its_width_and_marks_what_was_counted(rows: list[list[float | None]], width: int) -> None:
    days = tuple(datetime.date(2026, 1, 5) + datetime.timedelta(weeks=n) for n in range(12))
    lines = as_text([Trend("hit_rate", days, tuple(row)) for row in rows], ["a", "b", "c"][: len(rows)], width)
    counted = [sum(value is not None for value in row) for row in rows]
    assert bool(lines) is any(counted)
    drawn = "".join(line[7:] for line in lines[:7])
    assert all(len(line) <= max(width, 7 + 12) for line in lines)
    if lines and width >= 7 + 3 * 12:
        assert [drawn.count(mark) for mark in "ox+"[: len(rows)]] == counted


def test_the_plot_says_how_high_and_when() -> None:
    days = (datetime.date(2026, 1, 5), datetime.date(2026, 1, 12), datetime.date(2026, 1, 19))
    rising, other = Trend("hit_rate", days, (0.0, 0.5, 1.0)), Trend("adoption_rate", days, (0.0, None, None))
    assert as_text([rising, other], ["Hit rate", "Adoption"], 25) == [
        "100 % |            o",
        *["      |"] * 2,
        " 50 % |      o",
        *["      |"] * 2,
        "  0 % |ox",
        "      +------------------",
        "       01-05        01-19",
        "o Hit rate   x Adoption",
    ]


@given(st.lists(_SHARES, max_size=3), st.text(max_size=20))
def test_the_picture_is_whole_xml_with_a_line_a_trend(rows: list[list[float | None]], title: str) -> None:
    clean = "".join(char for char in title if char.isprintable())
    days = tuple(datetime.date(2026, 1, 5) + datetime.timedelta(weeks=n) for n in range(12))
    trends = [Trend("hit_rate", days[: len(row)], tuple(row)) for row in rows]
    svg = as_svg(trends, [f"<name> & {n}" for n in range(len(rows))], clean)
    root = ElementTree.fromstring(svg.encode("utf-8", "replace"))
    lines = [line for line in root.iter() if line.tag.endswith("path") and line.get("fill") == "none"]
    assert len(lines) == sum(any(value is not None for value in row) for row in rows)
    assert "<script" not in svg


def test_the_table_can_be_read_back() -> None:
    written = as_csv([Week(datetime.date(2026, 11, 30), tasks=3, hits=2)])
    (row,) = csv.DictReader(io.StringIO(written))
    assert (row["monday"], row["tasks"], row["hits"], row["searches"]) == ("2026-11-30", "3", "2", "0")
