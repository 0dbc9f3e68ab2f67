"""kb.supply.budget: nothing is over the budget."""

from __future__ import annotations

from collections.abc import Sequence

import pytest
from hypothesis import given
from hypothesis import strategies as st

from kb.supply.budget import at_most, fill
from tests.conftest import Engine


@given(st.lists(st.integers(1, 50), max_size=20), st.integers(0, 200), st.integers(0, 30))
def test_what_is_taken_fits_and_nothing_that_fits_behind_it_is_left(sizes: list[int], budget: int, frame: int) -> None:
    def whole(numbers: Sequence[int]) -> int:
        return frame + sum(sizes[number] for number in numbers)

    found = fill(sizes, whole, budget)
    assert sorted((*found.taken, *found.left)) == list(range(len(sizes)))
    if found.taken:
        assert found.tokens == whole(found.taken) <= budget
        assert all(whole([*(n for n in found.taken if n < left), left]) > budget for left in found.left)
    else:
        assert all(frame + size > budget for size in sizes)


def test_only_parts_that_may_fit_are_counted_as_a_block() -> None:
    sizes, tried = [10, 60, 90, 20], []

    def whole(numbers: Sequence[int]) -> int:
        tried.append(tuple(numbers))
        return sum(sizes[number] for number in numbers) - 2 * max(0, len(numbers) - 1)  # seams merge

    assert fill(sizes, whole, 50).taken == (0, 3)
    assert tried == [(), (0,), (0, 1), (0, 3)]  # 10 and half of 90 are over the budget already
    assert fill(sizes, whole, 68).taken == (0, 1)


def test_parts_that_must_be_in_are_first_and_said_to_be_too_much() -> None:
    sizes = [60, 60, 10]
    found = fill(sizes, lambda numbers: sum(sizes[n] for n in numbers), 100, must=2)
    assert found.taken == (0, 1)
    assert found.tokens == 120
    assert found.left == (2,)


@given(st.text(max_size=200))
def test_the_bound_counts_bytes(text: str) -> None:
    assert at_most(text) >= len(text.encode("utf-8", "replace"))
    assert at_most(text + "a") > at_most("")


def test_the_bound_is_never_below_the_real_tokenizer(engine: Engine) -> None:
    samples = [
        "", " ", "大豆 R5 期追施氯化钾 45-60 公斤", "fix duplicate callback", "㍿㌔½ﬁ", "?",
        "🌾" * 50, "\u200b" * 40, "𠮷" * 40, "é" * 99, "1234567890" * 20, "\n\t " * 30, "ᄀᄁᄂ" * 20, "a" * 500,
    ]  # fmt: skip
    assert [text for text in samples if engine.text_model.count(text) > at_most(text)] == []


@pytest.mark.slow
@given(text=st.text(max_size=60))
def test_the_bound_holds_for_any_text(engine: Engine, text: str) -> None:
    assert engine.text_model.count(text) <= at_most(text)
