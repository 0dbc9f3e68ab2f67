"""kb.search.pruning: looking at less gives the same."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import numpy as np
import numpy.typing as npt
import pytest

from kb.search import pruning, writing
from kb.search.index import Index
from kb.search.matching import Matches
from kb.search.pruning import best_by_text, reached
from kb.search.snapshot import Filter, Snapshot
from kb.search.vectors import products
from kb.tree.taxonomy import load_taxonomy
from tests.helpers import DAY, document, write


@pytest.mark.parametrize("kind", [np.float32, np.uint16])
@pytest.mark.parametrize("count", [1, 5, 40])
def test_so_many_values_reach_the_bound(kind: type[np.float32] | type[np.uint16], count: int) -> None:
    dice = np.random.default_rng(1)
    for length in (0, 63, 64, 500, 5000, 20_000):
        values: npt.NDArray[Any] = (dice.random(length) * 1000).astype(kind)
        bound = reached(values, count)
        assert bound == 0 or int((values >= bound).sum()) >= count
        if length == 20_000:
            # Close to the value itself, or nothing would be gained.
            assert bound > 0.9 * np.sort(values)[-count]


@pytest.mark.parametrize("frequent", [2, 5, 40])
@pytest.mark.parametrize("block", [2, 8, 64])
def test_the_best_by_text_are_those_of_the_full_sum(
    empty_tree: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch, block: int, frequent: int
) -> None:
    """Common terms are only asked where others were found: the outcome is the same as asking everywhere. With few and
    with many terms kept as rows, in several segments."""
    dice = np.random.default_rng(3)
    words = [f"w{number}" for number in range(30)]
    chances = np.linspace(0.7, 0.02, 30)
    monkeypatch.setattr(pruning, "_BLOCK", block)
    monkeypatch.setattr(writing, "_FREQUENT", frequent)
    index = Index.open(empty_tree, tmp_path / "many")
    for number in range(160):
        chosen = [word for word, chance in zip(words, chances, strict=True) if dice.random() < chance]
        write(empty_tree, f"d{number}.md", document(f"D{number}", " ".join(chosen * int(dice.integers(1, 4)))))
        if number in (70, 140, 159):
            index.update(load_taxonomy(empty_tree))
    snapshot = Snapshot(index)
    assert len(snapshot.segments) > 1
    passed = snapshot.allowed(Filter(on=DAY))
    everywhere = np.arange(snapshot.sections)
    asked_less = 0
    for _ in range(40):
        terms = snapshot.terms([str(word) for word in dice.choice(words, 6, replace=False)])
        matches = Matches(snapshot, terms)
        found = best_by_text(matches, passed, 5)
        every = products(matches.weights(everywhere).T, matches.idf)
        expected = np.sort(every * passed)[::-1][: len(found)]
        assert np.sort(every[found])[::-1].tolist() == pytest.approx(expected.tolist(), abs=1e-5)
        least = float(reached(matches.listed_scores(), 5))
        asked_less += any(0 < matches.common(part) < least for part in matches.parts)
    assert frequent != 5 or block == 64 or asked_less
