"""kb.answer.bounds: the same comparison in other words is the same, another one is another."""

from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from kb.answer.bounds import claims, spelled
from kb.search.quantities import quantities


@pytest.mark.parametrize(
    "alike",
    [
        ("不超过 60 升", "不得超过60升", "至多 60 升", "60 升以下", "60升以内", "不得高于每头 60 升"),
        ("不少于 60 升", "至少60升", "60 升及以上", "不得低于 60 升"),
        (
            "do not exceed 3 kg",
            "at most 3 kg",
            "3 kg or less",
            "no more than 3 kg",
            "up to 3 kg",
            "must not exceed 3 kg",
        ),
        ("at least 3 kg", "3 kg or more", "not less than 3 kg", "a minimum of 3 kg", "3 kg minimum"),
        ("more than 3 kg", "exceeding 3 kg", "over 3 kg", "above 3 kg"),
    ],
)
def test_one_comparison_has_many_wordings(alike: tuple[str, ...]) -> None:
    first = claims(spelled(alike[0]))
    assert len(first) == 1 and first != {("", quantity) for _, quantity in first}
    for other in alike[1:]:
        assert claims(spelled(other)) == first, other


def test_four_comparisons_and_none_are_five_claims() -> None:
    said = ("at most 3 kg", "at least 3 kg", "less than 3 kg", "more than 3 kg", "3 kg")
    assert len({claim for text in said for claim in claims(spelled(text))}) == 5


def test_each_number_has_its_own() -> None:
    found = claims(spelled("Keep it at 5 to 8 °C and below 60 % for at least 1,500 h; 10 天以内，每次 3 升以上。"))
    assert {(bound, quantity.unit) for bound, quantity in found} == {
        ("", "°c"), ("<", "%"), ("≥", "h"), ("≤", "天"), ("≥", "升"),
    }  # fmt: skip


def test_a_word_away_from_the_number_counts_where_it_compares() -> None:
    assert {bound for bound, _ in claims(spelled("A 高于 B 5 厘米"))} == {">"}
    assert {bound for bound, _ in claims(spelled("Inject under the skin 2 mL"))} == {""}


@given(st.text(alphabet="不超过至少以上下于大3 kg升.,，than more or less ", max_size=40))
def test_no_number_is_lost_or_made(text: str) -> None:
    assert {quantity.values for quantity in quantities(spelled(text))} <= {q.values for q in quantities(text)}
