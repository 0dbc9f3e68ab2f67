"""kb.memory.extract.changes: an old value and the one that takes its place."""

from __future__ import annotations

import pytest

from kb.memory.extract.mentions import KnownNames
from kb.memory.extract.statements import statements


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        ("单价由原来的 90 元/吨调整为 95 元/吨。", [("原单价", "90 元/吨"), ("单价", "95 元/吨")]),
        ("The fee rises from EUR 40 to EUR 45.", [("former fee", "EUR 40"), ("fee", "EUR 45")]),
        ("The speed is raised from 10 to 12 km/h.", [("former speed", "10"), ("speed", "12 km/h")]),
        ("The lift ranges from 10 to 12 m.", [("lift ranges", "10 to 12 m")]),
    ],
)
def test_old_and_new(text: str, expected: list[tuple[str, str]]) -> None:
    found = statements(text, [], [], KnownNames(()))
    assert [(item.name, item.value) for item in found] == expected
    assert {item.unit for item in found} <= {"元/吨", "", "km/h", "m"}
