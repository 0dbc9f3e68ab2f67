"""kb.search.pruning: looking at less gives the same."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import numpy as np
import numpy.typing as npt
import pytest

from kb.search import pruning
from kb.search.index import Index
from kb.search.pruning import best_by_text, reached
from kb.search.snapshot import Filter, Snapshot
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


@pytest.mark.parametrize("block", [2, 8, 64])
def test_the_best_by_text_are_those_of_the_full_sum(
    empty_tree: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch, block: int
) -> None:
    """Common terms are only asked where rare ones were found: the outcome is the same as asking everywhere."""
    dice = np.random.default_rng(3)
    words = [f"w{number}" for number in range(30)]
    chances = np.linspace(0.7, 0.02, 30)
    for number in range(150):
        chosen = [word for word, chance in zip(words, chances, strict=True) if dice.random() < chance]
        write(empty_tree, f"d{number}.md", document(f"D{number}", " ".join(chosen * int(dice.integers(1, 4)))))
    index = Index.open(empty_tree, tmp_path / "many")
    index.update(load_taxonomy(empty_tree))
    snapshot = Snapshot(index)
    monkeypatch.setattr(pruning, "_COMMON_LEAST", 5)
    monkeypatch.setattr(pruning, "_BLOCK", block)
    passed = snapshot.allowed(Filter(on=DAY))
    for _ in range(40):
        terms = [snapshot.term(str(word)) for word in dice.choice(words, 6, replace=False)]
        found = best_by_text(snapshot, terms, passed, 5)
        every = sum(term.at(np.arange(snapshot.sections)) * np.float32(term.idf) for term in terms)
        assert isinstance(every, np.ndarray)
        expected = np.sort(every)[::-1][: len(found)]
        assert np.sort(every[found])[::-1].tolist() == pytest.approx(expected.tolist(), abs=1e-5)
