"""kb.search.snapshot: what one query works on, and the hard limits."""

from __future__ import annotations

import datetime
from pathlib import Path

import pytest

from kb.search.index import Index
from kb.search.snapshot import Filter, Snapshot
from kb.tree.taxonomy import load_taxonomy
from tests.helpers import DAY


@pytest.fixture
def snapshot(tree: Path, tmp_path: Path) -> Snapshot:
    index = Index.open(tree, tmp_path / "index")
    index.update(load_taxonomy(tree))
    return Snapshot(index)


def _passed(snapshot: Snapshot, limits: Filter) -> set[str]:
    places = snapshot.allowed(limits).nonzero()[0].tolist()
    return {snapshot.paths[snapshot.document_of[place]].rsplit("/", 1)[1] for place in places}


EXPIRED, FUTURE, DRAFT = "banned_list_2018_v1.md", "spring_plan_2199_v1.md", "seed_soaking_2025_v1.md"


def test_expired_future_and_draft_documents_do_not_answer(snapshot: Snapshot) -> None:
    passed = _passed(snapshot, Filter(on=DAY))
    assert not passed & {EXPIRED, FUTURE, DRAFT}
    assert "growth_stage_2024_v2.md" in passed


@pytest.mark.parametrize(
    ("limits", "name"),
    [
        (Filter(on=datetime.date(2020, 12, 31)), EXPIRED),
        (Filter(on=datetime.date(2199, 1, 1)), FUTURE),
        (Filter(on=DAY, released_only=False), DRAFT),
        (Filter(on=None), EXPIRED),
        (Filter(on=None), FUTURE),
    ],
)
def test_each_can_be_asked_for(snapshot: Snapshot, limits: Filter, name: str) -> None:
    assert name in _passed(snapshot, limits)


@pytest.mark.parametrize(
    ("limits", "names"),
    [
        (Filter(on=DAY, domain="store"), {"contents_en_2025_v1.md"}),
        (Filter(on=DAY, type="error_definition"), {"_errors.md"}),
        (Filter(on=DAY, lang="en"), {"contents_en_2025_v1.md", "sowing_en_2025_v1.md"}),
        (Filter(on=DAY, path_words=("crop", "MAIZE")), {"sowing_en_2025_v1.md"}),
        (Filter(on=DAY, before=datetime.date(2024, 12, 31)), {"growth_stage_2024_v2.md"}),
        (Filter(on=DAY, domain="nowhere"), set()),
    ],
)
def test_limits(snapshot: Snapshot, limits: Filter, names: set[str]) -> None:
    assert _passed(snapshot, limits) == names


def test_rare_terms_weigh_more(snapshot: Snapshot) -> None:
    assert snapshot.idf(0) > snapshot.idf(1) > snapshot.idf(snapshot.living) >= 0


def test_an_empty_tree_has_an_empty_snapshot(empty_tree: Path, tmp_path: Path) -> None:
    index = Index.open(empty_tree, tmp_path / "empty")
    index.update(load_taxonomy(empty_tree))
    snapshot = Snapshot(index)
    assert snapshot.sections == 0
    assert snapshot.allowed(Filter(on=DAY)).tolist() == []
    assert len(snapshot.sections_with("x")) == 0


def test_an_edit_makes_no_word_commoner(tree: Path, tmp_path: Path) -> None:
    index = Index.open(tree, tmp_path / "edited")
    index.update(load_taxonomy(tree))
    before = Snapshot(index).term("播").count
    edited = next(path for path in sorted(tree.rglob("*.md")) if "播" in path.read_text("utf-8"))
    for time in range(3):
        edited.write_text(edited.read_text("utf-8") + f"\n第 {time} 次修改。\n", "utf-8")
        index.update(load_taxonomy(tree))
    assert before > 0
    assert Snapshot(index).term("播").count == before
