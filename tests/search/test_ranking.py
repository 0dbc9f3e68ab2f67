"""kb.search.ranking: four voices, one order."""

from __future__ import annotations

from pathlib import Path

import numpy as np
import pytest

from kb.search.index import Index
from kb.search.ranking import Weights, rank, term_voice
from kb.search.snapshot import Filter, Snapshot
from kb.tree.taxonomy import load_taxonomy
from tests.helpers import DAY, document, write


@pytest.fixture
def snapshot(empty_tree: Path, tmp_path: Path) -> Snapshot:
    write(empty_tree, "a/pump.md", document("Red", "pump seal filter"))
    write(empty_tree, "a/b.md", document("Pump", "seal", keywords="[pump]"))
    write(empty_tree, "a/c.md", document("Blue", "engine " * 50))
    index = Index.open(empty_tree, tmp_path / "index")
    index.update(load_taxonomy(empty_tree))
    return Snapshot(index)


def _order(snapshot: Snapshot, terms: list[str], cosines: np.ndarray | None = None, top: int = 9) -> list[str]:
    found = rank(snapshot, terms, snapshot.allowed(Filter(on=DAY)), cosines, top, Weights())
    return [snapshot.paths[candidate.document] for candidate in found]


def test_each_voice_is_heard(snapshot: Snapshot) -> None:
    voices = {
        snapshot.paths[c.document]: c.voices
        for c in rank(snapshot, ["pump"], snapshot.allowed(Filter(on=DAY)), None, 9, Weights())
    }
    assert voices["a/pump.md"].path == 1.0
    assert voices["a/b.md"].keywords == 1.0
    assert voices["a/pump.md"].meaning == 0.0
    assert "a/c.md" not in voices


def test_all_words_beat_one(snapshot: Snapshot) -> None:
    assert _order(snapshot, ["pump", "seal", "filter"])[0] == "a/pump.md"


def test_meaning_alone_can_find(snapshot: Snapshot) -> None:
    cosines = np.array([0.95 if path == "a/c.md" else 0.76 for path in _paths(snapshot)], np.float32)
    assert _order(snapshot, ["unheard"], cosines)[0] == "a/c.md"


def _paths(snapshot: Snapshot) -> list[str]:
    return [snapshot.paths[document] for document in snapshot.document_of.tolist()]


def test_what_did_not_pass_is_not_ranked(snapshot: Snapshot) -> None:
    assert rank(snapshot, ["pump"], np.zeros(snapshot.sections, bool), None, 9, Weights()) == []


def test_top_limits_and_order_falls(snapshot: Snapshot) -> None:
    found = rank(snapshot, ["pump", "seal"], snapshot.allowed(Filter(on=DAY)), None, 9, Weights())
    scores = [candidate.voices.score for candidate in found]
    assert scores == sorted(scores, reverse=True)
    assert len(_order(snapshot, ["seal"], top=1)) == 1
    assert _order(snapshot, ["seal"], top=0) == []
    assert _order(snapshot, []) == []


def test_voices_stay_within_bounds(snapshot: Snapshot) -> None:
    for field, saturating in (("", True), ("k", False), ("p", False)):
        values = term_voice(snapshot, field, ["pump", "seal", "engine"], saturating=saturating)
        assert float(values.min()) >= 0.0
        assert float(values.max()) <= 1.0
