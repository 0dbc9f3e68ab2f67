"""kb.supply.retrieval: hard limits, then the cards that concern a task; floors on the labelled tasks."""

from __future__ import annotations

import datetime
import json
from pathlib import Path

import numpy as np
import pytest

from kb.supply.card import CardStatus, CardType, Confidence
from kb.supply.retrieval import FLOOR, WORDS_FLOOR, CardIndex, Cosines, Limits
from kb.supply.retrieval_meaning import CardMeaning
from kb.supply.store import read_cards
from tests.conftest import Engine
from tests.helpers import DATA, PROJECT
from tests.supply.supply_helpers import DAY, card

TASKS = [json.loads(line) for line in (DATA / "supply" / "tasks.jsonl").read_text("utf-8").splitlines()]
CARDS = (
    card("sowing", "大豆播种深度 3-5 cm", scene=("大豆播种前调播种机",), repos=("soybean-field",)),
    card("pump", "E-07 停机先清滤网", signals=("E-07",), repos=("ALM-PC200",), kind=CardType.PITFALL),
    card("frost", "降到 0 ℃ 以下不再浇水", scene=("麦田浇水",)),
)


def _ids(index: CardIndex, text: str, limits: Limits, top: int = 5) -> list[str]:
    return [match.card.id for match in index.search(text, limits, top)]


def test_the_card_that_a_task_names_is_found() -> None:
    index = CardIndex(CARDS)
    assert _ids(index, "大豆播种多深", Limits(DAY)) == ["sowing"]
    assert _ids(index, "水泵报 e－07", Limits(DAY)) == ["pump"]
    assert _ids(index, "write a poem about rivers", Limits(DAY)) == []


@pytest.mark.parametrize(
    ("changed", "refused"),
    [
        (card("x", "大豆播种深度", status=CardStatus.STAGING), "inactive"),
        (card("x", "大豆播种深度", status=CardStatus.ARCHIVED), "inactive"),
        (card("x", "大豆播种深度", valid_until=DAY - datetime.timedelta(1)), "expired"),
        (card("x", "大豆播种深度", confidence=Confidence.LOW), "low"),
        (card("x", "大豆播种深度", confidence=Confidence.MEDIUM), ""),
        (card("x", "大豆播种深度", valid_until=DAY), ""),
    ],
)
def test_cards_that_may_not_be_handed_out_are_never_found(changed: object, refused: str) -> None:
    from kb.supply.card import Card

    assert isinstance(changed, Card)
    assert Limits(DAY).refuses(changed) == refused
    assert _ids(CardIndex([changed]), "大豆播种深度", Limits(DAY)) == ([] if refused else ["x"])


def test_a_repository_and_types_narrow_before_anything_is_ranked() -> None:
    index = CardIndex(CARDS)
    assert _ids(index, "大豆播种 E-07", Limits(DAY, "alm-pc200")) == ["pump"]
    assert _ids(index, "大豆播种 E-07", Limits(DAY, types=(CardType.PITFALL,))) == ["pump"]
    assert _ids(index, "麦田浇水", Limits(DAY, "other-repo")) == ["frost"]


def test_odd_texts_and_no_cards_find_nothing() -> None:
    assert CardIndex([]).search("大豆", Limits(DAY), 5) == []
    index = CardIndex(CARDS)
    for text in ("", " \n", "？！。", "\x00\x1b[31m", "的", "🌾" * 50, "x" * 100_000):
        assert _ids(index, text, Limits(DAY)) == []


def test_an_empty_card_text_harms_nobody() -> None:
    index = CardIndex([card("empty", "？"), *CARDS])
    assert _ids(index, "大豆播种深度", Limits(DAY)) == ["sowing"]


def test_order_does_not_depend_on_other_texts_order() -> None:
    forward = CardIndex(CARDS).search("大豆播种深度 水泵 E-07", Limits(DAY), 5)
    backward = CardIndex(CARDS[::-1]).search("大豆播种深度 水泵 E-07", Limits(DAY), 5)
    assert [match.card.id for match in forward] == [match.card.id for match in backward]


def test_a_near_meaning_is_found_without_a_common_word() -> None:
    index = CardIndex(CARDS)

    def cosines(cards: object, text: str) -> np.ndarray[tuple[int], np.dtype[np.float32]]:
        return np.array([0.99, 0.75, 0.7], np.float32)

    assert [match.card.id for match in index.search("kwik zzz", Limits(DAY), 5, cosines)] == ["sowing"]


# -- the labelled tasks over the cards that ship ---------------------------------------------------------------


def _quality(cosines: Cosines | None) -> tuple[float, float, float]:
    """Share of tasks whose card is in the block; share of tasks without a card that get none; cards a block."""
    index = CardIndex(read_cards(PROJECT / "docs").cards)
    labelled = [task for task in TASKS if task["cards"]]
    found = [[m.card.id for m in index.search(t["task"], Limits(DAY, t["repo"]), 5, cosines)] for t in labelled]
    hits = sum(task["cards"][0] in ids for task, ids in zip(labelled, found, strict=True))
    others = [task for task in TASKS if not task["cards"]]
    silent = sum(not index.search(t["task"], Limits(DAY, t["repo"]), 5, cosines) for t in others)
    return hits / len(labelled), silent / len(others), sum(map(len, found)) / len(found)


def test_there_are_enough_labelled_tasks() -> None:
    known = {card.id for card in read_cards(PROJECT / "docs").cards}
    assert len(TASKS) >= 60
    assert {name for task in TASKS for name in task["cards"]} <= known


def test_floor_with_words_alone() -> None:
    hits, silent, size = _quality(None)
    assert hits >= 0.8
    assert silent >= 0.85
    assert size <= 2.0
    assert WORDS_FLOOR < FLOOR


def test_floor_with_meaning(engine: Engine, tmp_path: Path) -> None:
    source = engine.assets.embedder
    assert source is not None
    meaning = CardMeaning(
        tmp_path, source.identity, engine.embedder.dimensions, engine.embedder.embed_query,
        engine.embedder.embed_passages,
    )  # fmt: skip
    meaning.embed_missing(read_cards(PROJECT / "docs").cards)
    hits, silent, size = _quality(meaning.cosines)
    assert hits >= 0.9
    assert silent == 1.0
    assert size <= 2.5
