"""kb.search.embedder with the real model: near subjects lie near, in either language."""

from __future__ import annotations

import threading

import numpy as np
import pytest

from tests.conftest import Engine


def test_vectors_are_unit_and_stable(engine: Engine) -> None:
    texts = ["大豆播种深度为3-5厘米。", "Sow maize at 4-6 cm.", "", "水泵" * 3000]
    first, second = engine.embedder.embed_passages(texts), engine.embedder.embed_passages(texts[::-1])[::-1]
    assert first.shape == (4, engine.embedder.dimensions)
    assert np.linalg.norm(first, axis=1) == pytest.approx(1.0, abs=1e-3)
    assert np.sum(first * second, axis=1) == pytest.approx(1.0, abs=0.01)


@pytest.mark.parametrize(
    ("question", "near", "far"),
    [
        ("How deep are soybeans sown?", "大豆播种深度为3-5厘米。", "支付网关在30秒内没有应答。"),
        ("玉米种多深", "Sow maize at a depth of 4-6 cm.", "The box holds one toy."),
        ("水泵不出水", "The pump delivers no water: clean the filter.", "大豆生育期管理规范"),
    ],
)
def test_meaning_crosses_languages(engine: Engine, question: str, near: str, far: str) -> None:
    close, distant = engine.embedder.embed_passages([near, far]) @ engine.embedder.embed_query(question)
    assert close > distant


def test_common_words_have_a_higher_rate_than_rare_ones(engine: Engine) -> None:
    assert engine.embedder.has_rates

    def rate(word: str) -> float:
        return sum(found for _, found in engine.embedder.pieces(word))

    assert rate("water") > rate("nozzle") > rate("xylopyranose")
    assert rate("的") > rate("播种")
    assert all(found < 0.0 for _, found in engine.embedder.pieces("播种深度 𠮷 \u0007 nozzle"))


def test_pieces_come_without_the_mark_of_a_beginning(engine: Engine) -> None:
    assert "".join(piece for piece, _ in engine.embedder.pieces("播种深度是多少")) == "播种深度是多少"


def test_threads_take_turns(engine: Engine) -> None:
    expected = engine.embedder.embed_query("水泵")
    results: list[float] = []

    def ask() -> None:
        results.extend(float(expected @ engine.embedder.embed_query("水泵")) for _ in range(5))

    threads = [threading.Thread(target=ask) for _ in range(3)]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join(60)
    assert results == pytest.approx([1.0] * 15, abs=1e-3)


def test_nothing_to_embed(engine: Engine) -> None:
    assert engine.embedder.embed_passages([]).shape == (0, engine.embedder.dimensions)
