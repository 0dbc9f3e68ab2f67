"""kb.supply.packs: which packs there are, which fit a task, and what is wrong with the others."""

from __future__ import annotations

from pathlib import Path

import pytest

from kb.supply.card import CardType
from kb.supply.packs import ANYTHING, Include, read_packs
from kb.texts import CATALOGS
from tests.helpers import PROJECT, write

PACK = """\
name: Crop advice
subscribers: [agronomy-agent]
match: {repos: [field-north], task_types: [advice]}
includes:
  - {query: fertiliser timing, types: [spec, pitfall], top_k: 3}
  - {cards: [soybean-sowing-depth]}
budget: 900
"""


def test_a_pack_is_read(empty_tree: Path) -> None:
    write(empty_tree, "packs/crop.yaml", PACK)
    (pack,) = read_packs(empty_tree).packs
    assert (pack.path, pack.name, pack.budget) == ("packs/crop.yaml", "Crop advice", 900)
    assert pack.includes == (
        Include("fertiliser timing", (CardType.SPEC, CardType.PITFALL), 3),
        Include(top_k=0, cards=("soybean-sowing-depth",)),
    )


def test_the_packs_that_ship_are_in_order() -> None:
    found = read_packs(PROJECT / "docs")
    assert found.findings == ()
    assert len(found.packs) >= 3


@pytest.mark.parametrize(
    ("agent", "repo", "task_type", "fits"),
    [
        ("agronomy-agent", "field-north", "advice", True),
        ("Agronomy-Agent", "FIELD-NORTH", "advice", True),
        ("", "field-north", "advice", True),
        ("other", "field-north", "advice", False),
        ("agronomy-agent", "field-south", "advice", False),
        ("agronomy-agent", "", "advice", False),
        ("agronomy-agent", "field-north", "", False),
    ],
)
def test_a_pack_fits_its_subscribers_tasks(empty_tree: Path, agent: str, repo: str, task_type: str, fits: bool) -> None:
    write(empty_tree, "packs/crop.yaml", PACK)
    found = read_packs(empty_tree)
    assert (found.fitting(agent, repo, task_type) != (ANYTHING,)) is fits


def test_packs_made_for_the_repository_come_first(empty_tree: Path) -> None:
    write(empty_tree, "packs/a.yaml", "subscribers: ['*']\nincludes: [{top_k: 2}]\n")
    write(empty_tree, "packs/b.yaml", "subscribers: [x]\nmatch: {repos: [r]}\nincludes: [{top_k: 2}]\n")
    assert [pack.path for pack in read_packs(empty_tree).fitting("x", "r", "")] == ["packs/b.yaml", "packs/a.yaml"]
    assert [pack.path for pack in read_packs(empty_tree).fitting("y", "r", "")] == ["packs/a.yaml"]


def test_without_packs_everything_is_searched(empty_tree: Path) -> None:
    assert read_packs(empty_tree).fitting("x", "r", "t") == (ANYTHING,)


@pytest.mark.parametrize(
    ("written", "key"),
    [
        ("includes: [{top_k: 2}]\n", "pack_missing"),
        ("subscribers: [x]\n", "pack_missing"),
        ("subscribers: [x]\nincludes: yes\n", "pack_missing"),
        ("subscribers: [x]\nincludes: [word]\n", "pack_not_mapping"),
        ("subscribers: [x]\nmatch: [r]\nincludes: [{top_k: 2}]\n", "pack_not_mapping"),
        ("subscribers: {x: 1}\nincludes: [{top_k: 2}]\n", "pack_not_list"),
        ("subscribers: [x]\nincludes: [{top_k: 0}]\n", "pack_bad_number"),
        ("subscribers: [x]\nincludes: [{top_k: ٣}]\n", "pack_bad_number"),
        ("subscribers: [x]\nincludes: [{top_k: 2}]\nbudget: 5\n", "pack_bad_number"),
        ("subscribers: [x]\nincludes: [{types: [poem]}]\n", "pack_bad_type"),
        ("subscribers: [x]\nincludes: [{cards: [../../etc/passwd]}]\n", "pack_bad_card"),
        ("subscribers: [x]\nincluded: [{top_k: 2}]\nincludes: [{top_k: 2}]\n", "pack_unknown_field"),
        ("subscribers: [x\n", "card_yaml"),
        ("", "pack_missing"),
    ],
)
def test_a_broken_pack_is_a_finding_and_costs_only_itself(empty_tree: Path, written: str, key: str) -> None:
    write(empty_tree, "packs/broken.yaml", written)
    write(empty_tree, "packs/whole.yaml", PACK)
    found = read_packs(empty_tree)
    assert [pack.path for pack in found.packs] == ["packs/whole.yaml"]
    assert key in {finding.key for finding in found.findings}
    for finding in found.findings:
        assert finding.text("en") != finding.text("zh")
        assert finding.key in CATALOGS["en"]


def test_a_file_that_is_no_text_or_too_large_or_elsewhere_is_a_finding(empty_tree: Path, tmp_path: Path) -> None:
    write(empty_tree, "packs/bytes.yaml", bytes(range(128, 256)) * 4)
    write(empty_tree, "packs/large.yaml", "#" * 70_000)
    outside = write(tmp_path, "outside.yaml", PACK)
    (empty_tree / "packs" / "link.yaml").symlink_to(outside)
    found = read_packs(empty_tree)
    assert found.packs == ()
    assert {finding.path: finding.key for finding in found.findings}["packs/link.yaml"] == "path_outside"
    assert len(found.findings) == 3
