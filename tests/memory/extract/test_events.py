"""kb.memory.extract.events: what happens at a date."""

from __future__ import annotations

import pytest

from kb.memory.extract.dates import dates
from kb.memory.extract.events import kind_of_event

CASES = [
    ("2024年3月1日签订合同", "sign"),
    ("设备于2024年7月5日完成验收", "accept"),
    ("The pump failed on 3 May 2024.", "fail"),
    ("The contract was signed on 3 May 2024", "sign"),
    ("有效期至2025年12月31日", "end"),
    ("2024年3月1日,天气晴", "event"),
]


@pytest.mark.parametrize(("text", "kind"), CASES)
def test_kind(text: str, kind: str) -> None:
    date = dates(text)[0]
    assert kind_of_event(text, date.start, date.end) == kind
