"""kb.supply.card: what a card says of itself."""

from __future__ import annotations

import dataclasses
import datetime

import pytest

from kb.supply.card import REVIEW_DAYS, Card, CardEvidence, CardStatus, Layer, Metrics, link_scheme
from kb.supply.schema import parse_card
from tests.supply.card_helpers import CARD, PATH


@pytest.fixture
def card() -> Card:
    found = parse_card(PATH, CARD).card
    assert found is not None
    return found


def test_the_last_valid_day_is_valid(card: Card) -> None:
    assert not card.expired_on(card.valid_until)
    assert card.expired_on(card.valid_until + datetime.timedelta(days=1))


def test_the_version_follows_the_knowledge_only(card: Card) -> None:
    later = dataclasses.replace(
        card, status=CardStatus.ARCHIVED, metrics=Metrics(9, 9, 9), valid_until=datetime.date.max
    )
    assert later.version == card.version
    assert dataclasses.replace(card, conclusion="E-07 可以直接复位").version != card.version
    assert len(card.version) == 12


def test_area_and_text(card: Card) -> None:
    assert card.area == "machinery"
    for part in (card.title, card.conclusion, "夏季低水位抽水", "E-07", "反复按复位键"):
        assert part in card.text


@pytest.mark.parametrize(
    ("link", "scheme"),
    [
        ("req:PUMP-12", "req"),
        ("mr:31", "mr"),
        ("a/b.md#part", ""),
        ("a/b:c.md", ""),
        ("https://example.org/x", "https"),
        ("", ""),
    ],
)
def test_links_name_documents_or_something_with_a_scheme(link: str, scheme: str) -> None:
    assert link_scheme(link) == scheme


def test_links_are_sorted_by_what_they_name() -> None:
    evidence = CardEvidence("x", "", ("a/b.md#part", "req:PUMP-12", "mr:31", "req:X 1"))
    assert evidence.documents == ("a/b.md",)
    assert evidence.requirements == ("PUMP-12", "X 1")


def test_general_cards_are_looked_at_less_often() -> None:
    assert [REVIEW_DAYS[layer] for layer in Layer] == [180, 90, 60, 30]
