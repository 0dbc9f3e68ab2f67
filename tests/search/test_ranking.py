"""kb.search.ranking: four voices, one order."""

from __future__ import annotations

from pathlib import Path

import numpy as np
import pytest

from kb.search.closer import FAR, Closeness
from kb.search.index import Index
from kb.search.keys import term_keys
from kb.search.numbers import Value
from kb.search.postings import Floats
from kb.search.ranking import (
    OTHER_LANGUAGE,
    SAME_LANGUAGE,
    WORDS_ALONE,
    Meaning,
    Question,
    Sense,
    ask,
    closer_voices,
    fact_voices,
    rank,
    weigh,
)
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


def _meaning(cosines: Floats) -> Meaning:
    sense = Sense(
        lambda count: np.argsort(-cosines)[:count], lambda sections: (cosines[sections], cosines[sections]), 0.8, 0.03
    )
    return Meaning(sense, sense)


def _asked(snapshot: Snapshot, *terms: str, lang: str = "en") -> Question:
    return Question(lang, snapshot.known(dict.fromkeys(terms, 1.0)))


def _order(snapshot: Snapshot, terms: list[str], cosines: Floats | None = None, top: int = 9) -> list[str]:
    meaning = None if cosines is None else _meaning(cosines)
    found = rank(snapshot, _asked(snapshot, *terms), snapshot.allowed(Filter(on=DAY)), meaning, top)
    return [snapshot.paths[candidate.document] for candidate in found]


def test_each_voice_is_heard(snapshot: Snapshot) -> None:
    voices = {
        snapshot.paths[c.document]: c.voices
        for c in rank(snapshot, _asked(snapshot, "pump"), snapshot.allowed(Filter(on=DAY)), None, 9)
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
    assert rank(snapshot, _asked(snapshot, "pump"), np.zeros(snapshot.sections, bool), None, 9) == []


def test_top_limits_and_order_falls(snapshot: Snapshot) -> None:
    found = rank(snapshot, _asked(snapshot, "pump", "seal"), snapshot.allowed(Filter(on=DAY)), None, 9)
    scores = [candidate.voices.score for candidate in found]
    assert scores == sorted(scores, reverse=True)
    assert len(_order(snapshot, ["seal"], top=1)) == 1
    assert _order(snapshot, ["seal"], top=0) == []
    assert _order(snapshot, []) == []


def test_voices_stay_within_bounds(snapshot: Snapshot) -> None:
    terms = ["pump", "seal", "engine", "unheard"]
    cosines = np.linspace(0.7, 0.95, snapshot.sections).astype(np.float32)
    heard = ask(snapshot, _asked(snapshot, *terms), snapshot.allowed(Filter(on=DAY)), _meaning(cosines))
    for weights in (SAME_LANGUAGE, OTHER_LANGUAGE):
        text = weigh(heard, weights)[0]
        assert float(text.min()) >= 0.0
        assert 0.0 < float(text.max()) <= 1.2
    for voice in fact_voices(snapshot, term_keys(terms)):
        assert 0.0 < float(voice.max()) <= 1.0


def test_a_document_in_the_other_language_is_weighed_by_meaning(snapshot: Snapshot) -> None:
    cosines = np.full(snapshot.sections, 0.9, np.float32)
    passed = snapshot.allowed(Filter(on=DAY))
    chinese, english = _asked(snapshot, "unheard", lang="zh"), _asked(snapshot, "unheard")
    foreign = {c.weights for c in rank(snapshot, chinese, passed, _meaning(cosines), 9)}
    own = {c.weights for c in rank(snapshot, english, passed, _meaning(cosines), 9)}
    assert (foreign, own) == ({OTHER_LANGUAGE}, {SAME_LANGUAGE})
    assert {c.weights for c in rank(snapshot, _asked(snapshot, "pump", lang="zh"), passed, None, 9)} == {WORDS_ALONE}


def test_a_rare_code_is_found_in_a_long_section(empty_tree: Path, tmp_path: Path) -> None:
    for number in range(400):
        write(empty_tree, f"d{number}.md", document(f"D{number}", "the recommended dose for the batch"))
    long = "filler text of another kind " * 3000 + "dose for batch Q084342 is 5 ml"
    write(empty_tree, "long.md", document("Long", f"```\n{long}\n```"))
    index = Index.open(empty_tree, tmp_path / "codes")
    index.update(load_taxonomy(empty_tree))
    terms = ["dose", "recommend", "batch", "q084342", "084342"]
    assert _order(Snapshot(index), terms)[0] == "long.md"


def test_a_closer_look_adds_what_it_finds(snapshot: Snapshot) -> None:
    found = rank(snapshot, _asked(snapshot, "pump"), snapshot.allowed(Filter(on=DAY)), None, 1)[0]
    assert closer_voices(found, FAR) == found.voices
    near = closer_voices(found, Closeness(1.0, 1.0, 1.0, 1.0, Value("3 kg", 0.5)))
    assert near.number == 0.5
    assert near.score > found.voices.score
