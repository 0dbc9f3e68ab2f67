"""kb.supply.store: all cards of a root; what is broken costs only itself."""

from __future__ import annotations

import os
from pathlib import Path

import pytest

from kb.errors import KnowledgeError
from kb.supply.store import CardStore, find_card, read_cards
from tests.helpers import write
from tests.supply.card_helpers import CARD, card_text


def test_without_cards_there_are_none(empty_tree: Path) -> None:
    assert read_cards(empty_tree).cards == ()
    (empty_tree / "cards").mkdir()
    assert read_cards(empty_tree).cards == ()
    write(empty_tree, "cards/README.md", "about\n")
    assert read_cards(empty_tree).findings == ()


def test_a_broken_file_costs_its_own_card_only(empty_tree: Path) -> None:
    write(empty_tree, "cards/a/good.yaml", CARD)
    write(empty_tree, "cards/a/broken.yaml", "id: [\n")
    write(empty_tree, "cards/b/bytes.yaml", bytes(range(128, 256)) * 4)
    write(empty_tree, "cards/b/empty.yaml", "")
    found = read_cards(empty_tree)
    assert [card.path for card in found.cards] == ["cards/a/good.yaml"]
    assert {finding.path for finding in found.findings} == {
        "cards/a/broken.yaml",
        "cards/b/bytes.yaml",
        "cards/b/empty.yaml",
    }


def test_of_two_with_one_id_the_first_path_keeps_it(empty_tree: Path) -> None:
    write(empty_tree, "cards/b/two.yaml", CARD)
    write(empty_tree, "cards/a/one.yaml", CARD)
    found = read_cards(empty_tree)
    assert [card.path for card in found.cards] == ["cards/a/one.yaml"]
    (finding,) = found.findings
    assert (finding.key, finding.path, finding.params["other"]) == (
        "card_duplicate_id",
        "cards/b/two.yaml",
        "cards/a/one.yaml",
    )


@pytest.mark.parametrize("path", ["cards/one.yaml", "cards/a/b/one.yaml", "cards/a/one.yml", "cards/a/ONE.YAML"])
def test_a_card_in_the_wrong_place_is_named_not_read(empty_tree: Path, path: str) -> None:
    write(empty_tree, path, CARD)
    found = read_cards(empty_tree)
    assert found.cards == ()
    assert [(finding.key, finding.path) for finding in found.findings] == [("card_misplaced", path)]


def test_hidden_and_half_written_files_are_passed_over(empty_tree: Path) -> None:
    write(empty_tree, "cards/a/.almanac-tmp-x.yaml", CARD)
    write(empty_tree, "cards/.git/a.yaml", CARD)
    assert read_cards(empty_tree) == read_cards(empty_tree / "cards")


def test_nothing_outside_the_root_is_read(empty_tree: Path, tmp_path: Path) -> None:
    write(tmp_path, "elsewhere/a/secret.yaml", CARD)
    (empty_tree / "cards" / "a").mkdir(parents=True)
    (empty_tree / "cards" / "a" / "x.yaml").symlink_to(tmp_path / "elsewhere" / "a" / "secret.yaml")
    (empty_tree / "cards" / "a" / "loop.yaml").symlink_to("loop.yaml")
    found = read_cards(empty_tree)
    assert found.cards == ()
    assert {finding.key for finding in found.findings} == {"card_outside"}
    other = tmp_path / "other"
    other.mkdir()
    (other / "cards").symlink_to(tmp_path / "elsewhere")
    assert read_cards(other).cards == ()


def test_chinese_names_and_other_encodings(empty_tree: Path) -> None:
    write(empty_tree, "cards/农机/汽蚀.yaml", CARD.encode("gb18030"))
    write(empty_tree, "cards/农机/标记.yaml", b"\xef\xbb\xbf" + card_text(id="b").replace("\n", "\r\n").encode())
    found = read_cards(empty_tree)
    assert found.findings == ()
    assert {card.area for card in found.cards} == {"农机"}
    assert len({card.conclusion for card in found.cards}) == 1


def test_only_changed_files_are_read_again(empty_tree: Path) -> None:
    one = write(empty_tree, "cards/a/one.yaml", CARD)
    write(empty_tree, "cards/a/two.yaml", card_text(id="two"))
    store = CardStore(empty_tree)
    before = store.read()
    assert store.read().cards[1] is before.cards[1]
    one.write_text(card_text(owner="machinery-desk"), "utf-8")
    os.utime(one, (1, 1))
    after = store.read()
    assert after.cards[0].owner == "machinery-desk"
    assert after.cards[1] is before.cards[1]
    one.unlink()
    assert [card.id for card in store.read().cards] == ["two"]


def test_a_card_by_its_id(empty_tree: Path) -> None:
    write(empty_tree, "cards/a/one.yaml", CARD)
    assert find_card(empty_tree, "pump-e07-reset").path == "cards/a/one.yaml"
    with pytest.raises(KnowledgeError, match="no card"):
        find_card(empty_tree, "../x")
