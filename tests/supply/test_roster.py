"""kb.supply.roster: who may own a card, who reviews a layer, and when a card is looked at again."""

from __future__ import annotations

import datetime
from pathlib import Path

import pytest

from kb.errors import KnowledgeError
from kb.supply.card import REVIEW_DAYS, Layer
from kb.supply.roster import FILE_NAME, LayerRule, default_roster, load_roster, looked_at
from kb.supply.schema import parse_card
from kb.versions.history import Change
from tests.helpers import write
from tests.supply.card_helpers import CARD, PATH, ROSTER


def test_owners_and_layers(empty_tree: Path) -> None:
    write(empty_tree, FILE_NAME, ROSTER)
    roster = load_roster(empty_tree)
    assert roster is not None
    assert roster.name("irrigation-desk", "zh") == "灌溉组（示例）"
    assert roster.name("nobody", "zh") == "nobody"
    assert roster.layers[Layer.SCENARIO] == LayerRule("machinery-desk", 45)
    assert roster.layers[Layer.EVENT] == LayerRule("", REVIEW_DAYS[Layer.EVENT])


def test_a_layer_without_owner_is_reviewed_by_the_owner_of_the_card(empty_tree: Path) -> None:
    card = parse_card(PATH, CARD).card
    assert card is not None
    assert default_roster().reviewer(card) == "irrigation-desk"
    write(empty_tree, FILE_NAME, ROSTER)
    roster = load_roster(empty_tree)
    assert roster is not None
    assert roster.reviewer(card) == "machinery-desk"


def test_a_card_is_due_one_interval_after_the_last_look() -> None:
    card = parse_card(PATH, CARD).card
    assert card is not None
    assert default_roster().due_on(card) == card.created_at + datetime.timedelta(days=60)
    assert default_roster().due_on(card, datetime.date(2026, 6, 1)) == datetime.date(2026, 7, 31)


def test_without_a_roster_there_is_none(empty_tree: Path) -> None:
    assert load_roster(empty_tree) is None


@pytest.mark.parametrize(
    ("text", "part"),
    [
        ("owners: [", "line 1"),
        ("owners:\n", "at least one role"),
        ("owners: {a: {}}\nlayers: {top: {}}\n", "layer top"),
        ("owners: {a: {}}\nlayers: {event: {review_days: soon}}\n", "layer event"),
        ("owners: {a: {}}\nlayers: {event: {review_days: 0}}\n", "layer event"),
    ],
)
def test_a_broken_roster_says_what_is_wrong(empty_tree: Path, text: str, part: str) -> None:
    write(empty_tree, FILE_NAME, text)
    with pytest.raises(KnowledgeError, match=part):
        load_roster(empty_tree)


def test_a_roster_outside_is_not_read(empty_tree: Path, tmp_path: Path) -> None:
    (empty_tree / FILE_NAME).symlink_to(write(tmp_path, "elsewhere.yaml", ROSTER))
    with pytest.raises(KnowledgeError):
        load_roster(empty_tree)


def test_a_look_is_a_persons_last_change() -> None:
    def change(day: int, author: str, *paths: str) -> Change:
        when = datetime.datetime(2026, 6, day, tzinfo=datetime.UTC)
        return Change("c", when, author, "s", tuple(("M", path) for path in paths))

    changes = [change(9, "worker", "a", "b"), change(7, "desk", "a"), change(5, "desk", "a", "b")]
    assert looked_at(changes, ("worker",)) == {"a": datetime.date(2026, 6, 7), "b": datetime.date(2026, 6, 5)}
