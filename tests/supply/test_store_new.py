"""kb.supply.store_new: a new card can be read back, and replaces nothing."""

from __future__ import annotations

import datetime
from pathlib import Path

import pytest
from hypothesis import given
from hypothesis import strategies as st

from kb.errors import KnowledgeError
from kb.supply.card import CardStatus, CardType, Confidence, Layer
from kb.supply.schema import FIELDS, parse_card
from kb.supply.store_new import Draft, card_path, write_new
from kb.tree import frontmatter
from tests.supply.card_helpers import PATH

TODAY = datetime.date(2026, 11, 30)
_TEXT = st.text(st.characters(codec="utf-8", exclude_categories=["Cc"]), min_size=1, max_size=40)


def test_the_fields_stand_in_their_order() -> None:
    assert tuple(frontmatter.parse(Draft("a").render(TODAY, "en"))) == FIELDS


def test_a_full_draft_is_a_card() -> None:
    draft = Draft(
        "pump-x",
        CardType.FAQ,
        "标题: 带冒号",
        Confidence.MEDIUM,
        ["场景一", "- 场景二"],
        ["ALM-PC200"],
        ["E-07"],
        "先停机 # 再查",
        ["a"],
        ["b"],
        "来源",
        "2026-03",
        ["req:PUMP-1", "a/b.md"],
        "irrigation-desk",
        Layer.EVENT,
        ["note\nsecond"],
    )
    card = parse_card(PATH, draft.render(TODAY, "zh")).card
    assert card is not None
    assert (card.title, card.conclusion) == (draft.title, draft.conclusion)
    assert (card.status, card.layer, card.type) == (CardStatus.DRAFT, Layer.EVENT, CardType.FAQ)
    assert card.applicable.scene == ("场景一", "- 场景二")
    assert card.evidence.links == ("req:PUMP-1", "a/b.md")
    assert (card.created_at, card.valid_until) == (TODAY, datetime.date(2027, 2, 28))


@given(_TEXT, _TEXT, st.lists(_TEXT, max_size=3))
def test_any_text_is_read_back(title: str, comment: str, items: list[str]) -> None:
    written = Draft("a", title=title, do=items, source="x", links=["a.md"], comments=[comment]).render(TODAY, "en")
    card = parse_card(PATH, written).card
    assert card is not None
    assert card.title == " ".join(title.split())
    assert list(card.do) == [" ".join(item.split()) for item in items if item.strip()]


@pytest.mark.parametrize(
    ("area", "name"),
    [("..", "x"), ("a", "../x"), ("", "x"), ("a", ""), ("a/b", "x"), ("a", "X"), (".a", "x"), ("a", "x.y")],
)
def test_names_are_never_paths(area: str, name: str) -> None:
    with pytest.raises(KnowledgeError):
        card_path(area, name)
    assert card_path("农机", "x-1") == "cards/农机/x-1.yaml"


def test_nothing_is_replaced_and_nothing_written_outside(empty_tree: Path, tmp_path: Path) -> None:
    write_new(empty_tree, "cards/a/x.yaml", Draft("x"), TODAY, "en")
    with pytest.raises(KnowledgeError, match="already"):
        write_new(empty_tree, "cards/a/x.yaml", Draft("x"), TODAY, "en")
    (empty_tree / "cards" / "b").symlink_to(tmp_path)
    with pytest.raises(KnowledgeError):
        write_new(empty_tree, "cards/b/x.yaml", Draft("x"), TODAY, "en")
    assert not (tmp_path / "x.yaml").exists()
