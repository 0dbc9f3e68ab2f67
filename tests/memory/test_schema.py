"""kb.memory.schema: ids and written values."""

from __future__ import annotations

from kb.memory.schema import Attribute, Source, record_id, text_digest


def _attribute(value: str, unit: str) -> Attribute:
    return Attribute("1", "n", value, unit, Source("d", "p", 0, (1, 1), 0, 1, "", "x"))


def test_written_values() -> None:
    assert _attribute("5.5", "kW").written == "5.5 kW"
    assert _attribute("5.5 kW", "kW").written == "5.5 kW"
    assert _attribute("13.5", "%").written == "13.5%"
    assert _attribute("7", "天").written == "7天"
    assert _attribute("60-145", "μm").written == "60-145 μm"
    assert _attribute("red", "").written == "red"


def test_ids_depend_on_every_part() -> None:
    assert record_id("a", "b") == record_id("a", "b") != record_id("ab")
    assert record_id("a", "bc") != record_id("ab", "c")
    assert len(text_digest("\ud800")) == 64
