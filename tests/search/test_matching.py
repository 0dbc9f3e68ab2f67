"""kb.search.matching: the terms of a question together say what each says alone."""

from __future__ import annotations

from pathlib import Path

import numpy as np
import pytest

from kb.search import writing
from kb.search.index import Index
from kb.search.matching import Matches
from kb.search.snapshot import Snapshot
from tests.helpers import document, write
from tests.search.index_helpers import NO_NAMES

_WORDS = ("common", "often", "seldom", "once")


@pytest.fixture(params=[1, 10_000], ids=["rows", "lists"])
def snapshot(
    empty_tree: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch, request: pytest.FixtureRequest
) -> Snapshot:
    """Three segments, with common terms kept as rows or nowhere."""
    monkeypatch.setattr(writing, "_FEW_SECTIONS", request.param)
    index = Index.open(empty_tree, tmp_path / "index")
    for part in range(3):
        for number in range(5 - part):
            words = [word for place, word in enumerate(_WORDS) if (number + part) % (place + 1) == 0]
            write(empty_tree, f"d{part}{number}.md", document(f"D{part}{number}", " ".join(words * (1 + number))))
        index.update(NO_NAMES)
    return Snapshot(index)


def _alone(snapshot: Snapshot, term: str) -> dict[int, float]:
    """The weight of one term in each section that holds it."""
    return {
        int(base + place): impact / 255
        for base, posted in snapshot.term(term).posted
        for place, impact in zip(*(values.tolist() for values in posted.listed()), strict=True)
    }


def test_weights_are_those_of_each_term(snapshot: Snapshot) -> None:
    terms = [*_WORDS, "nowhere"]
    matches = Matches(snapshot, snapshot.terms(terms))
    assert len(snapshot.segments) == 3
    for wanted in (np.arange(snapshot.sections), np.arange(1, snapshot.sections, 3), np.zeros(0, np.int64)):
        found = matches.weights(wanted)
        assert found.shape == (5, len(wanted))
        for term, row in zip(terms, found, strict=True):
            alone = _alone(snapshot, term)
            assert row.tolist() == pytest.approx([alone.get(section, 0.0) for section in wanted.tolist()], abs=1e-6)


def test_scores_are_the_sums_of_weights(snapshot: Snapshot) -> None:
    matches = Matches(snapshot, snapshot.terms(list(_WORDS)))
    every = np.arange(snapshot.sections)
    expected = (matches.weights(every) * matches.idf[:, None]).sum(axis=0).tolist()
    assert max(expected) > 0
    listed = matches.listed_scores()
    for part in matches.parts:
        apart = listed[part.here] + matches.common_scores(part, np.arange(part.size))
        assert apart.tolist() == pytest.approx(expected[part.here], abs=1e-5)
        matches.add_common(part, listed)
    assert listed.tolist() == pytest.approx(expected, abs=1e-5)


def test_no_terms_match_nothing(snapshot: Snapshot) -> None:
    matches = Matches(snapshot, [])
    assert matches.parts == []
    assert not matches.listed_scores().any()
    assert matches.weights(np.arange(2)).shape == (0, 2)
