"""kb.supply.retrieval_live: cards as their files are now."""

from __future__ import annotations

import os
from pathlib import Path

import pytest

from kb.errors import KnowledgeError
from kb.supply import retrieval_live
from kb.supply.retrieval import Limits
from kb.supply.retrieval_live import LiveCards
from tests.helpers import wait_for, write
from tests.supply.card_helpers import CARD, card_text
from tests.supply.supply_helpers import DAY


@pytest.fixture(autouse=True)
def no_pause(monkeypatch: pytest.MonkeyPatch) -> None:
    """Look at every call."""
    monkeypatch.setattr(retrieval_live, "_RECHECK_S", 0.0)
    monkeypatch.setattr(retrieval_live, "_RECHECK_FACTOR", 0.0)


def test_a_new_card_and_a_new_pack_are_seen(empty_tree: Path) -> None:
    live = LiveCards(empty_tree)
    assert live.index().cards == ()
    write(empty_tree, "cards/a/one.yaml", CARD)
    write(empty_tree, "packs/p.yaml", "subscribers: [x]\nincludes: [{top_k: 2}]\n")
    assert [card.id for card in live.index().cards] == ["pump-e07-reset"]
    assert [pack.path for pack in live.packs().packs] == ["packs/p.yaml"]
    (empty_tree / "cards/a/one.yaml").unlink()
    assert live.index().cards == ()


def test_a_card_by_its_id_as_its_file_is_now(empty_tree: Path) -> None:
    path = write(empty_tree, "cards/a/one.yaml", CARD)
    live = LiveCards(empty_tree)
    before = live.find("pump-e07-reset")
    assert live.find("pump-e07-reset") is before
    path.write_text(card_text(owner="machinery-desk"), "utf-8")
    os.utime(path, (1, 1))
    assert live.find("pump-e07-reset").owner == "machinery-desk"
    with pytest.raises(KnowledgeError, match="no card"):
        live.find("../x")


def test_the_index_is_kept_while_nothing_changes(empty_tree: Path) -> None:
    write(empty_tree, "cards/a/one.yaml", CARD)
    live = LiveCards(empty_tree)
    assert live.index() is live.index()


def test_what_changed_since_it_was_read_is_noticed_before_it_is_handed_out(
    empty_tree: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(retrieval_live, "_RECHECK_S", 1000.0)
    path = write(empty_tree, "cards/a/one.yaml", CARD)
    live = LiveCards(empty_tree)
    before = list(live.index().cards)
    assert live.unchanged(before)
    path.write_text(card_text(status="archived"), "utf-8")
    assert not live.unchanged(before)
    assert live.index().search("E-07", Limits(DAY), 5) == []
    path.unlink()
    assert not live.unchanged(before)


def test_broken_files_are_told(empty_tree: Path) -> None:
    write(empty_tree, "cards/a/one.yaml", "id: [\n")
    write(empty_tree, "packs/p.yaml", "name: x\n")
    assert {finding.path for finding in LiveCards(empty_tree).findings} == {"cards/a/one.yaml", "packs/p.yaml"}


def test_a_slow_look_happens_beside_the_task(empty_tree: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(retrieval_live, "_LARGE_S", -1.0)
    live = LiveCards(empty_tree)
    assert live.index().cards == ()
    write(empty_tree, "cards/a/one.yaml", CARD)
    wait_for(lambda: len(live.index().cards) == 1, "the new card")
