"""kb.memory.extract.collector: names are one entity, records have ids that stay."""

from __future__ import annotations

from kb.memory.extract.collector import Collector
from kb.memory.extract.document import from_markdown
from kb.memory.schema import ConstraintKind, EntityType
from kb.tree.document import parse


def _collector() -> Collector:
    return Collector(from_markdown(parse("a.md", "# T\n\n水泵 5 kW，除外。\n")))


def test_spellings_are_one_entity_and_types_become_firmer() -> None:
    found = _collector()
    assert found.entity("ＸＭ-2000", EntityType.THING, (5, 7)) == "ＸＭ-2000"
    assert found.entity("xm-2000", EntityType.PRODUCT, (5, 7)) == "ＸＭ-2000"
    assert found.type_of("XM-2000") is EntityType.PRODUCT
    found.alias("XM-2000", "热风机", "memory_alias_also", None)
    assert found.known("热风机") == "ＸＭ-2000"


def test_an_alias_never_takes_what_has_been_spoken_of() -> None:
    found = _collector()
    found.entity("A 泵", EntityType.THING, (5, 7))
    found.entity("B 泵", EntityType.THING, (5, 7))
    found.attribute("B 泵", "功率", "5", "kW", (5, 12))
    found.alias("A 泵", "B 泵", "memory_alias_also", None)
    assert found.known("B 泵") == "B 泵"


def test_the_same_words_are_one_record_with_a_lasting_id() -> None:
    ids = []
    for _ in range(2):
        found = _collector()
        found.entity("水泵", EntityType.THING, (5, 7))
        first = found.attribute("水泵", "功率", "5", "kW", (5, 12))
        assert found.attribute("水泵", "功率", "5", "kW", (5, 12)) == first
        assert found.attribute("水泵", "功率", "6", "kW", (5, 12)) != first
        limit = found.constraint(ConstraintKind.EXCEPT, "除外", (first,), (13, 15))
        assert found.constraint(ConstraintKind.EXCEPT, "除外", ("other",), (13, 15)) == limit
        done = found.done()
        assert done.entities[0].attributes[0].constraints == (limit,)
        assert done.constraints[0].applies_to == (first, "other")
        ids.append(first)
    assert ids[0] == ids[1]
