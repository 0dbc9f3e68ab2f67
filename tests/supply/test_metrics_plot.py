"""kb.supply.metrics_plot: trends as characters, SVG and CSV."""

from __future__ import annotations

import csv
import datetime
import io
from xml.etree import ElementTree

from hypothesis import given
from hypothesis import strategies as st

from kb.supply.metrics import Trend
from kb.supply.metrics_plot import as_csv, as_svg, spark
from kb.supply.metrics_rollup import Week

_SHARES = st.lists(st.none() | st.floats(0, 1), max_size=12)


@given(_SHARES)
def test_one_character_a_value(values: list[float | None]) -> None:
    assert len(spark(values)) == len(spark(values, plain=True)) == len(values)
    assert spark(values, plain=True).isascii()


def test_higher_is_higher() -> None:
    assert spark([0.0, None, 0.5, 1.0]) == "▁·▅█"


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
