"""kb.answer.alternatives: what a question names of a closed class, and evidence that names others of it alone."""

from __future__ import annotations

import pytest

from kb.answer.alternatives import Alternatives
from kb.search.quantities import folded


def _differs(question: str, text: str, around: str = "", beside: str = "") -> bool:
    return Alternatives.of(question).differ_from(folded(text), folded(around), folded(beside))


@pytest.mark.parametrize(
    ("question", "text", "around"),
    [
        ("Price of the filter in 2025", "| Filter | 8.40 |", "| Part | Price 2024 (EUR) |"),
        ("2022年的用量", "用量 3 公斤", "施肥方案（2025 版）"),
        ("How often to mow in July?", "Mow twice in May and June.", ""),
        ("7月喷几次", "3-5月喷两次", ""),
        ("How much salt in winter?", "In summer give 20 g of salt.", ""),
        ("冬季通风量", "夏季通风量 4 m3/h", ""),
        ("What does a red lamp mean?", "- Green lamp: running", ""),
        ("最低水位多少", "水位最高 2 米", ""),
        ("Maximum speed", "The minimum speed is 4 km/h.", ""),
        ("年租金多少", "月租金 800 元", ""),
        ("Yearly rent of the barn", "| Barn | 40 |", "| Building | Per month (EUR) |"),
        ("多久换一次滤芯", "滤芯每周清洗", ""),
        ("How often is the belt replaced?", "belt: check every week", ""),
    ],
)
def test_evidence_that_names_others_alone_is_about_another_case(question: str, text: str, around: str) -> None:
    assert _differs(question, text, around)


@pytest.mark.parametrize(
    ("question", "text", "around"),
    [
        ("Price of the filter in 2025", "| Filter | 8.40 | 8.90 |", "| Part | 2024 | 2025 |"),
        ("How far in 2025?", "| Model | 2000 h | 2024 kg |", ""),  # no years
        ("May I spray in the rain?", "Spray in April.", ""),  # no month
        ("4月喷几次", "3-5月喷两次", ""),  # within
        ("When to sow in spring?", "Sow at 8 °C.", ""),  # none is named
        ("最多打几次", "每季不超过 2 次", ""),  # the same bound in other words
        ("Is the shop open in winter?", "In summer it is open every day.", ""),  # yes or no
        ("哪个仓库最大", "最小的仓库 20 平方米", ""),  # one of several, no bound
        ("月租金多少", "月租金 800 元，年租金 9000 元", ""),
        ("How long is the belt?", "belt: check every week", ""),  # what is done is not asked for
    ],
)
def test_evidence_that_names_the_same_or_none_is_not(question: str, text: str, around: str) -> None:
    assert not _differs(question, text, around)


def test_prose_beside_may_name_the_year_but_not_the_period() -> None:
    assert not _differs("yield in 2021", "In 2020 it was dry.", beside="The yield of 2021 was 4 t.")
    assert _differs("年租金多少", "月租金 800 元", beside="合同每年一签")


@pytest.mark.parametrize(("question", "differs"), [("尿素上限", False), ("尿素下限", True)])
def test_a_sign_says_which_bound_a_value_is(question: str, differs: bool) -> None:
    assert Alternatives.of(question).differ_from("尿素 ≤3.5 mg/l", "") is differs
