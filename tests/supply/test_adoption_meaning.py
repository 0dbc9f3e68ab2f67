"""kb.supply.adoption_meaning: other words for the same; direction by numbers, denials and bans; else unrelated."""

from __future__ import annotations

import json

import numpy as np
import pytest

from kb.search.postings import Floats
from kb.supply.adoption import Relation
from kb.supply.adoption_meaning import Meaning
from kb.supply.store import read_cards
from tests.conftest import Engine
from tests.helpers import DATA, PROJECT
from tests.supply.supply_helpers import card

FILTER = card(
    "filter",
    "安全滤芯",
    conclusion="安全滤芯每 1000 小时更换",
    do=("指示器变红时提前更换外滤芯",),
    dont=("吹洗安全滤芯",),
)
# Texts with one of these words mean the same, whatever else they say.
SUBJECTS = (("更换", "换成"), ("指示器",), ("吹洗", "气枪"))


def embed(texts: list[str]) -> Floats:
    vectors = np.zeros((len(texts), len(SUBJECTS) + 1), np.float32)
    for row, text in enumerate(texts):
        place = next((n for n, words in enumerate(SUBJECTS) if any(word in text for word in words)), len(SUBJECTS))
        vectors[row, place] = 1.0
    return vectors


@pytest.mark.parametrize(
    ("text", "adopted", "relation"),
    [
        ("到点就把里面那只换成新的。", True, Relation.FOLLOWS),
        ("跑到 2000 小时换成新的。", False, Relation.OTHER_NUMBER),
        ("还没有换成新的。", None, None),
        ("拿气枪弄干净了。", False, Relation.DOES_DONT),
        ("那只没有拿气枪弄过。", True, Relation.FOLLOWS),
        ("合作社周五开会。", None, None),
        ("", None, None),
        ("!", None, None),
    ],
)
def test_direction_decides(text: str, adopted: bool | None, relation: Relation | None) -> None:
    found = Meaning(embed).judge(FILTER, text)
    assert found.adopted is adopted
    assert (found.proofs[0].relation if found.proofs else None) == relation
    for proof in found.proofs:
        assert text[proof.start : proof.end] == proof.text


def test_rules_go_first() -> None:
    def never(texts: list[str]) -> Floats:
        raise AssertionError(texts)

    assert Meaning(never).judge(FILTER, "安全滤芯每 1000 小时更换。").adopted is True


def test_a_text_is_embedded_once_for_all_cards() -> None:
    asked: list[list[str]] = []

    def counting(texts: list[str]) -> Floats:
        asked.append(texts)
        return embed(texts)

    meaning = Meaning(counting)
    for _ in range(3):
        meaning.judge(FILTER, "到点就把里面那只换成新的。")
    assert sum("到点就把里面那只换成新的。" in texts for texts in asked) == 1


@pytest.mark.slow
@pytest.mark.parametrize("which", ["open", "held"])
def test_paraphrases(which: str, engine: Engine) -> None:
    cards = {one.id: one for one in read_cards(PROJECT / "docs").cards}
    meaning = Meaning(engine.embedder.embed_passages)
    lines = (DATA / "supply" / "adoption_paraphrase.jsonl").read_text("utf-8").splitlines()
    rows = [row for row in map(json.loads, lines) if row["set"] == which]
    said = [(meaning.judge(cards[row["card"]], row["text"]).adopted, row["adopted"]) for row in rows]
    assert all(verdict is None for verdict, wanted in said if wanted is None)
    for side in (True, False):
        given = [wanted for verdict, wanted in said if verdict is side]
        assert given.count(side) / len(given) >= 0.75
        assert given.count(side) / sum(wanted is side for _, wanted in said) >= 0.4
