"""kb.memory.extract.relations: relations between names, and labels whose value is a name."""

from __future__ import annotations

import pytest

from kb.memory.extract.mentions import KnownNames
from kb.memory.extract.relations import label_before, label_predicate, named_values, stated

KNOWN = KnownNames([(name, name) for name in ("XM-2000", "华丰机械", "绿源公司", "GB/T 1", "Acme Ltd", "张伟")])
CASES = [
    ("绿源公司委托华丰机械", [("绿源公司", "委托", "华丰机械")]),
    ("XM-2000 由华丰机械生产", [("华丰机械", "生产", "XM-2000")]),
    ("XM-2000 型符合 GB/T 1", [("XM-2000", "符合", "GB/T 1")]),
    ("The XM-2000 is manufactured by Acme Ltd.", [("XM-2000", "is manufactured by", "Acme Ltd")]),
    ("Acme Ltd supplies the XM-2000.", [("Acme Ltd", "supplies", "XM-2000")]),
    (
        "XM-2000 由风机、加热器和料斗组成",
        [("XM-2000", "组成", "风机"), ("XM-2000", "组成", "加热器"), ("XM-2000", "组成", "料斗")],
    ),
    ("XM-2000 由风机和料斗两部分组成", [("XM-2000", "组成", "风机"), ("XM-2000", "组成", "料斗")]),
    ("XM-2000 不符合 GB/T 1", []),
    ("如果绿源公司委托华丰机械", []),
    ("绿源公司与华丰机械在会上讨论了 XM-2000", []),
    ("Acme Ltd does not supply the XM-2000.", []),
]


@pytest.mark.parametrize(("text", "expected"), CASES)
def test_stated(text: str, expected: list[tuple[str, str, str]]) -> None:
    found = stated(text, KNOWN.find(text), lambda name: 2 <= len(name) <= 6)
    assert [(item.subject, item.predicate, item.object) for item in found] == expected


def test_labels() -> None:
    assert label_predicate("生产厂家") == "制造商"
    assert label_predicate("Attendees") == "attendee"
    assert label_predicate("额定功率") == ""
    assert named_values("参会人员", "张伟、李娜", [(0, 2, "张伟")]) == [("张伟", False), ("李娜", True)]
    assert named_values("manufacturer", "Foo Works", []) == [("Foo Works", False)]


def test_a_label_before_a_name() -> None:
    assert label_before("采购编号 7。采购人为") == "采购人"
    assert label_before("The manufacturer is ") == "manufacturer"
    assert label_before("这里的流量为") == ""


def test_whose_people_they_are_and_asides_hold_nothing() -> None:
    value = "李强(绿源公司经理)"
    assert named_values("主持人", value, [(3, 7, "绿源公司")]) == [("李强", True)]
