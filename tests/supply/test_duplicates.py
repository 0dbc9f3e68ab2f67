"""kb.supply.duplicates: pairs that say the same are told from those that do not."""

from __future__ import annotations

import dataclasses
import json

import pytest

from kb.supply.card import Card
from kb.supply.duplicates import SIMILAR, Duplicates, from_cosine, from_overlap
from kb.supply.store import read_cards
from tests.conftest import Engine
from tests.helpers import DATA, PROJECT

PAIRS = [json.loads(line) for line in (DATA / "supply" / "pairs.jsonl").read_text("utf-8").splitlines()]


@pytest.fixture(scope="module")
def cards() -> tuple[Card, ...]:
    return read_cards(PROJECT / "docs").cards


def _with(cards: tuple[Card, ...], conclusion: str) -> list[Card]:
    """The cards that ship, without any that may say the same, and one more."""
    return [*cards, dataclasses.replace(cards[0], id="other", title="", conclusion=conclusion)]


def test_by_words_alone(cards: tuple[Card, ...]) -> None:
    right = 0
    for pair in PAIRS:
        others = _with(cards, pair["b"])
        overlap = Duplicates(others)._overlaps(pair["a"]).get(len(cards), 0.0)
        right += (from_overlap(overlap) > SIMILAR) is pair["same"]
    assert right >= len(PAIRS) - 1


def test_by_meaning(cards: tuple[Card, ...], engine: Engine) -> None:
    vectors = engine.embedder.embed_passages([pair[side] for pair in PAIRS for side in ("a", "b")])
    for number, pair in enumerate(PAIRS):
        cosine = float(vectors[2 * number] @ vectors[2 * number + 1])
        assert (from_cosine(cosine) > SIMILAR) is pair["same"], pair


def test_the_nearest_card(cards: tuple[Card, ...]) -> None:
    known = Duplicates(cards)
    for card in cards:
        match = known.nearest("", card.conclusion)
        assert match is not None
        assert (match.card.id, match.same) == (card.id, True)
    match = known.nearest("停机前备份数据库", "")
    assert match is None or not match.same
    assert Duplicates([]).nearest("x", "y") is None
    assert known.nearest("", "") is None


def test_the_sample_cards_do_not_repeat_each_other(cards: tuple[Card, ...]) -> None:
    for number, card in enumerate(cards):
        match = Duplicates(cards[:number] + cards[number + 1 :]).nearest("", card.conclusion)
        assert match is None or not match.same, (card.id, match.card.id)


def test_the_scales_meet_at_their_ends() -> None:
    assert (from_cosine(1.0), from_cosine(0.5), from_overlap(1.0), from_overlap(0.0)) == (1.0, 0.0, 1.0, 0.0)
