"""kb.supply.retrieval_meaning: vectors made once for each text, and kept."""

from __future__ import annotations

from pathlib import Path

import numpy as np

from kb.search.postings import Floats
from kb.supply.retrieval_meaning import CardMeaning
from tests.helpers import BagEmbedder
from tests.supply.supply_helpers import card

CARDS = (card("a", "大豆播种深度"), card("b", "水泵汽蚀"), card("c", "退款到账"))


def _meaning(folder: Path, embedder: BagEmbedder) -> CardMeaning:
    return CardMeaning(folder, "m" * 64, embedder.dimensions, embedder.one, embedder.many)


def test_cosines_are_those_of_the_vectors(tmp_path: Path) -> None:
    embedder = BagEmbedder()
    meaning = _meaning(tmp_path / "new", embedder)
    assert list(meaning.cosines(CARDS, "水泵汽蚀")) == [0, 0, 0]
    assert meaning.embed_missing(CARDS) == 3
    expected = [float(embedder.one(one.text) @ embedder.one("水泵")) for one in CARDS]
    assert np.allclose(meaning.cosines(CARDS, "水泵"), expected, atol=0.01)


def test_the_same_words_are_embedded_once(tmp_path: Path) -> None:
    embedder = BagEmbedder()
    asked: list[str] = []

    def embed_query(text: str) -> Floats:
        asked.append(text)
        return embedder.one(text)

    meaning = CardMeaning(tmp_path, "m" * 64, embedder.dimensions, embed_query, embedder.many)
    meaning.embed_missing(CARDS)
    first = meaning.cosines(CARDS, "水泵")
    meaning.cosines(CARDS, "播种")
    assert list(meaning.cosines(CARDS, "水泵")) == list(first)
    assert asked == ["水泵", "播种"]


def test_nothing_is_made_twice_even_in_another_process(tmp_path: Path) -> None:
    embedder = BagEmbedder()
    _meaning(tmp_path, embedder).embed_missing(CARDS)
    again = _meaning(tmp_path, embedder)
    assert again.embed_missing(CARDS) == 0
    changed = (*CARDS[:2], card("c", "退款三天到账"))
    assert again.embed_missing(changed) == 1
    assert embedder.calls == 2


def test_it_stops_when_told(tmp_path: Path) -> None:
    assert _meaning(tmp_path, BagEmbedder()).embed_missing(CARDS, stop=lambda: True) == 0
