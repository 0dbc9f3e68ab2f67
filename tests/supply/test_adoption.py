"""kb.supply.adoption: followed, contradicted, unrelated; floors on labelled pairs."""

from __future__ import annotations

import json

import pytest
from hypothesis import given
from hypothesis import strategies as st

from kb.supply.adoption import Relation, judge
from kb.supply.card import Card
from kb.supply.store import read_cards
from tests.helpers import DATA, PROJECT
from tests.supply.supply_helpers import card

SOWING = card(
    "sowing", "大豆播种", conclusion="大豆播种深度 3-5 cm", do=("播后及时镇压土壤",), dont=("种肥与种子直接接触",)
)


@pytest.mark.parametrize(
    ("text", "adopted", "relation"),
    [
        ("大豆播种深度取 4 厘米。", True, Relation.FOLLOWS),
        ("大豆播种深度取 8 厘米。", False, Relation.OTHER_NUMBER),
        ("播后不要及时镇压土壤。", False, Relation.DENIES),
        ("种肥与种子直接接触也可以。", False, Relation.DOES_DONT),
        ("种肥不得与种子直接接触。", True, Relation.FOLLOWS),
        ("合作社周五开会。", None, None),
        ("", None, None),
    ],
)
def test_verdicts_and_what_shows_them(text: str, adopted: bool | None, relation: Relation | None) -> None:
    found = judge(SOWING, text)
    assert found.adopted is adopted
    assert (found.proofs[0].relation if found.proofs else None) == relation
    for proof in found.proofs:
        assert text[proof.start : proof.end] == proof.text


@pytest.mark.parametrize(
    ("conclusion", "text", "adopted"),
    [
        ("熏蒸后通风不少于 7 天", "熏蒸后通风 9 天", True),
        ("熏蒸后通风不少于 7 天", "熏蒸后通风 2 天", False),
        ("熏蒸后通风不少于 7 天", "熏蒸后通风不少于 3 天", False),
        ("玉米入仓水分不超过 14.0%", "玉米入仓水分 13.2%", True),
        ("玉米入仓水分不超过 14.0%", "玉米入仓水分 15%", False),
        ("soil nitrate of 25 ppm or more needs no sidedress", "soil nitrate is 31 ppm and needs no sidedress", True),
        ("扬花株率 10% 时立即喷第一次药", "扬花株率 10% 时喷第二次药", True),
        ("断电 1 分钟后重新上电解锁", "断电 1 秒后重新上电解锁", False),
    ],
)
def test_bounds_ordinals_and_units(conclusion: str, text: str, adopted: bool) -> None:
    assert judge(card("x", conclusion=conclusion), text).adopted is adopted


def test_to_name_the_object_of_a_dont_is_not_to_do_it() -> None:
    one = card("x", conclusion="安全滤芯每 1000 小时更换", dont=("吹洗安全滤芯",))
    assert judge(one, "安全滤芯每 1000 小时更换。").adopted is True
    assert judge(one, "先吹洗安全滤芯，再装回。").adopted is False


@given(st.text(max_size=200))
def test_any_text_is_judged(text: str) -> None:
    found = judge(SOWING, text)
    assert all(text[proof.start : proof.end] == proof.text for proof in found.proofs)
    assert (found.adopted is None) == (not found.proofs)


def test_a_long_text_is_judged_in_part() -> None:
    assert judge(SOWING, "。".join(["与此无关的一句话"] * 30_000)).adopted is None


def _pairs(*names: str) -> list[tuple[Card, str, bool | None]]:
    known = read_cards(PROJECT / "docs")
    pairs = []
    for name in names:
        for line in (DATA / "supply" / f"{name}.jsonl").read_text("utf-8").splitlines():
            pair = json.loads(line)
            found = known.get(pair["card"])
            assert found is not None, pair["card"]
            pairs.append((found, pair["text"], pair["adopted"]))
    return pairs


def _right(pairs: list[tuple[Card, str, bool | None]]) -> tuple[float, float]:
    """Share of pairs judged as labelled; share of «contradicts» that are labelled so."""
    judged = [(judge(one, text).adopted, adopted) for one, text, adopted in pairs]
    against = [adopted for found, adopted in judged if found is False]
    return sum(a is b for a, b in judged) / len(judged), sum(a is False for a in against) / len(against)


def test_floor_on_the_pairs_that_the_rules_were_written_with() -> None:
    pairs = _pairs("adoption_pairs", "adoption_held_out")
    assert len(pairs) >= 120
    right, precision = _right(pairs)
    assert right >= 0.95
    assert precision >= 0.98


def test_floor_on_the_pairs_that_were_judged_last() -> None:
    right, precision = _right(_pairs("adoption_last"))
    assert right >= 0.8
    assert precision >= 0.9
