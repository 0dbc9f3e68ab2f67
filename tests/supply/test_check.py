"""kb.supply.check: what only all cards together, the roster and the documents show."""

from __future__ import annotations

import datetime
import re
from pathlib import Path

import pytest

from kb.supply.check import check_cards
from kb.supply.roster import FILE_NAME
from tests.helpers import PROJECT, write
from tests.supply.card_helpers import CARD, PATH, ROSTER, card_text

TODAY = datetime.date(2026, 11, 30)
DOCUMENT = "machinery/pump/controller/fault_codes_2025_v1.md"


@pytest.fixture
def root(empty_tree: Path) -> Path:
    write(empty_tree, FILE_NAME, ROSTER)
    write(empty_tree, DOCUMENT, "# E-07\n")
    return empty_tree


def _found(root: Path) -> list[tuple[str, int, bool]]:
    return [(one.key, one.line, one.warning) for one in check_cards(root, TODAY).findings]


def test_a_healthy_card(root: Path) -> None:
    write(root, PATH, CARD)
    assert _found(root) == []


@pytest.mark.parametrize(
    ("text", "found"),
    [
        (card_text(owner="somebody"), [("card_unknown_owner", 21, False)]),
        (card_text(created_at="2026-12-01", valid_until="2027-01-01"), [("card_created_later", 22, True)]),
        (card_text(conclusion="注意安全"), [("card_conclusion_empty", 11, True)]),
        (card_text(title="夏季低水位抽水"), [("card_scene_copies", 8, True)]),
        (card_text(status="staging"), [("card_stays_staging", 5, True)]),
        (card_text(confidence="low"), [("card_active_low", 6, True)]),
        (CARD.replace(DOCUMENT, "machinery/pump/none.md"), [("card_link_missing", 19, False)]),
        (CARD.replace(DOCUMENT, "../../etc/passwd"), [("card_link_outside", 19, False)]),
        (CARD.replace(DOCUMENT, "/etc/passwd"), [("card_link_outside", 19, False)]),
        (CARD.replace(DOCUMENT, f"{DOCUMENT}#复位"), []),
        (CARD.replace(DOCUMENT, "req:PUMP-12").replace("status: active", "status: staging"), []),
    ],
)
def test_one_fault_is_one_finding(root: Path, text: str, found: list[tuple[str, int, bool]]) -> None:
    write(root, PATH, text)
    assert _found(root) == found


def test_two_cards_with_one_id(root: Path) -> None:
    write(root, PATH, CARD)
    write(root, "cards/z/copy.yaml", CARD)
    assert _found(root) == [("card_duplicate_id", 1, False)]


def test_without_roster_owners_are_not_judged_but_it_is_said(root: Path) -> None:
    (root / FILE_NAME).unlink()
    write(root, PATH, card_text(owner="somebody"))
    assert _found(root) == [("card_no_roster", 0, True)]


def test_a_broken_roster_is_a_finding(root: Path) -> None:
    write(root, PATH, CARD)
    write(root, FILE_NAME, "owners: [")
    assert _found(root) == [("broken_yaml", 0, False)]
    write(root, FILE_NAME, "owners: {irrigation-desk: {}}\nlayers: {event: {owner: nobody}}\n")
    assert _found(root) == [("card_layer_owner", 0, False)]


# -- the cards that ship ---------------------------------------------------------------------------------------------


def test_the_sample_cards_are_healthy() -> None:
    report = check_cards(PROJECT / "docs", TODAY)
    assert report.findings == ()
    assert len(report.cards) >= 25
    assert {card.area for card in report.cards} >= {"farm", "machinery", "service_desk"}
    for card in report.cards:
        assert card.evidence.documents, card.id
        assert card.evidence.source.startswith(("示例内容", "sample content")), card.id
        assert Path(card.path).stem == card.id


def test_every_number_of_a_sample_card_stands_in_its_documents() -> None:
    for card in check_cards(PROJECT / "docs", TODAY).cards:
        documents = " ".join((PROJECT / "docs" / path).read_text("utf-8") for path in card.evidence.documents)
        for said in (card.conclusion, *card.do, *card.dont, *card.applicable.signals):
            for number in re.findall(r"\d+(?:\.\d+)?", said):
                assert re.search(rf"(?<![\d.]){re.escape(number)}(?!\d|\.\d)", documents), (card.id, number, said)
