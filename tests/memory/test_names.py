"""kb.memory.names: one key for many spellings, and how alike two names are."""

from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from kb.memory.names import ASK_AT, MERGE_AT, blocks, core_of, is_generic, key_of, likeness
from kb.memory.schema import EntityType

ORG, PRODUCT, THING = EntityType.ORGANISATION, EntityType.PRODUCT, EntityType.THING
CASES = [
    ("ＸＭ-2000", "xm-2000", PRODUCT, "merge"),
    ("XM-2000", "XM-3000", PRODUCT, "apart"),
    ("山东华丰机械有限公司", "山东华丰机械公司", ORG, "merge"),
    ("山东华丰机械有限公司", "山东华丰机械", ORG, "merge"),
    ("山东华丰机械有限公司", "山东华丰机械股份有限公司", ORG, "ask"),
    ("山东华丰机械集团", "山东华丰机械有限公司", ORG, "ask"),
    ("山东华丰机械有限公司", "华丰机械", ORG, "ask"),
    ("山东华丰机械有限公司", "山东华丰机械有限公司济南分公司", ORG, "apart"),
    ("山东华丰机械有限公司", "北京绿源农业科技有限公司", ORG, "apart"),
    ("Acme Pump Co., Ltd.", "ACME Pump Limited", ORG, "merge"),
    ("Acme Pump GmbH", "Acme Pump Ltd", ORG, "ask"),
    ("The Acme Pump Company", "Acme Pump Company", ORG, "merge"),
    ("华丰 2 号泵", "华丰 3 号泵", THING, "apart"),
]


@pytest.mark.parametrize(("a", "b", "kind", "verdict"), CASES)
def test_merge_ask_apart(a: str, b: str, kind: EntityType, verdict: str) -> None:
    total = likeness(a, b, kind, kind).total
    found = "merge" if total >= MERGE_AT else "ask" if total >= ASK_AT else "apart"
    assert found == verdict, likeness(a, b, kind, kind).as_dict()


def test_types_and_evidence_count() -> None:
    assert likeness("华丰", "华丰", ORG, PRODUCT).total == 0.5
    assert likeness("张总", "张伟", EntityType.PERSON, EntityType.PERSON, 0.9).total == 0.9
    assert likeness("a", "b", ORG, ORG).as_dict() == {"type": 1.0, "total": 0.0}


def test_keys_and_pointing_words() -> None:
    assert key_of("《XM－2000》 型") == "xm-2000型"
    assert is_generic("本设备")
    assert is_generic("The unit")
    assert not is_generic("水泵")
    assert core_of("Acme Pump Co., Ltd.") == ("acmepump", "coltd")


@given(st.text(max_size=30), st.text(max_size=30))
def test_likeness_is_symmetric_and_bounded(a: str, b: str) -> None:
    one, other = likeness(a, b, ORG, ORG), likeness(b, a, ORG, ORG)
    assert one.total == other.total
    assert 0.0 <= one.total <= 1.0
    assert likeness(a, a, ORG, ORG).total == 1.0
    assert key_of(key_of(a)) == key_of(a)
    assert all(blocks(a))


def test_hyphens_in_a_code_make_no_other_thing() -> None:
    product = EntityType.PRODUCT
    for one, other in (("XM-200", "XM200"), ("KX410 风机", "kx-410风机")):
        assert likeness(one, other, product, product).total >= MERGE_AT
        assert blocks(one) & blocks(other)
    for one, other in (("XM-200", "XM-2000"), ("A-1-2", "A-12"), ("P-1.5", "P-15"), ("12-34", "1234")):
        assert likeness(one, other, product, product).total < ASK_AT
