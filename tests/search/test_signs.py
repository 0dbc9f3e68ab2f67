"""kb.search.signs: the nearest vectors are among those that differ in the fewest signs."""

from __future__ import annotations

from pathlib import Path

import numpy as np

from kb.search.postings import Floats
from kb.search.signs import Signs
from kb.search.vectors import VectorStore

SIZE, COUNT = 64, 600


def _unit(seed: int) -> Floats:
    vector = np.random.default_rng(seed).normal(size=SIZE)
    return (vector / np.linalg.norm(vector)).astype(np.float32)


def test_the_nearest_are_found(tmp_path: Path) -> None:
    """Among vectors that lie in a narrow cone as an embedder's do."""
    own = np.array([_unit(seed) for seed in range(1, COUNT + 1)])
    relatives = np.arange(30, 330, 30)
    own[relatives] += 2 * _unit(9_999)
    rows = 4 * _unit(0) + own
    rows /= np.linalg.norm(rows, axis=1, keepdims=True)
    store = VectorStore(tmp_path, "m", SIZE)
    digests = np.arange(2 * COUNT, dtype=np.uint64).reshape(-1, 2)
    store.append(digests, rows.astype(np.float32))
    places = store.rows_of(digests)
    places[60] = -1
    passed = np.ones(COUNT, bool)
    passed[90] = False
    query = 4 * _unit(0) + 2 * _unit(9_999)
    query /= np.linalg.norm(query)
    near = set(Signs.of(store.table(), places).nearest(query, passed, 20).tolist())
    assert set(relatives.tolist()) - near == {60, 90}
    assert 20 <= len(near) < 60  # some tie with the last


def test_where_few_passed_all_of_them_are_near(tmp_path: Path) -> None:
    store = VectorStore(tmp_path, "m", SIZE)
    digests = np.arange(10, dtype=np.uint64).reshape(-1, 2)
    store.append(digests, np.array([_unit(seed) for seed in range(5)]))
    signs = Signs.of(store.table(), np.array([0, -1, 2, 3, 4]))
    passed = np.array([True, True, False, True, False])
    assert signs.nearest(_unit(9), passed, 3).tolist() == [0, 3]
    assert signs.nearest(_unit(9), np.zeros(5, bool), 3).tolist() == []
