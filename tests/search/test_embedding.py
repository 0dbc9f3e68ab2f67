"""kb.search.embedding: which chunks get their vectors first, and what they say."""

from __future__ import annotations

import threading
from pathlib import Path

import numpy as np
import pytest

from kb.config import no_progress
from kb.search import embedding
from kb.search.embedding import ChunkVectors
from kb.search.index import Index
from kb.search.parallel import PAIRS
from kb.search.postings import Floats
from kb.search.reading import DocumentReader, Reading
from kb.search.retriever import Retriever
from kb.search.snapshot import Filter, Snapshot
from kb.tree.taxonomy import Taxonomy
from tests.helpers import BagEmbedder, write

LONG = "".join(f"第{number}条说明水泵的保养方法和注意事项。" for number in range(60))


def _open(root: Path, folder: Path) -> tuple[Snapshot, ChunkVectors]:
    index = Index.open(root, folder)
    index.update(Taxonomy())
    bag = BagEmbedder()
    return Snapshot(index), ChunkVectors(folder, "bag", bag.dimensions, bag.one, bag.many)


def test_every_document_begins_before_details_follow(empty_tree: Path, tmp_path: Path) -> None:
    for name in "ab":
        write(empty_tree, f"{name}.md", f"# {name}\n\n## One\n\n{LONG}\n\n## Two\n\n{LONG}\n")
    snapshot, vectors = _open(empty_tree, tmp_path / "i")
    missing = vectors.missing(snapshot)
    assert sorted(missing.tolist()) == list(range(len(snapshot.section_of_chunk)))
    sections = snapshot.section_of_chunk[missing]
    pieces = missing - snapshot.first_chunk[sections]
    assert set(snapshot.document_of[sections[:2]].tolist()) == {0, 1}
    assert (np.diff(pieces > 0) >= 0).all()
    assert pieces[0] == 0
    assert pieces[-1] > 0


def test_without_vectors_there_is_no_meaning(empty_tree: Path, tmp_path: Path) -> None:
    write(empty_tree, "a.md", "# Pump\n\nText.\n")
    snapshot, vectors = _open(empty_tree, tmp_path / "i")
    assert vectors.meaning(snapshot, "pump", snapshot.allowed(Filter(on=None))) is None
    assert vectors.embedded(snapshot) == 0


def test_texts_are_compared_with_a_question(empty_tree: Path, tmp_path: Path) -> None:
    _, vectors = _open(empty_tree, tmp_path / "i")
    similar = vectors.similarities("pump seal")
    assert similar is not None
    near, far = similar(["pump seal", "quite other words"])
    assert near > far


@pytest.mark.parametrize("exact", [0, 8192])
def test_the_nearest_section_is_named_by_signs_and_without(
    empty_tree: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch, exact: int
) -> None:
    monkeypatch.setattr(embedding, "EXACT", exact)
    for name in ("pump seal", "tractor engine", "wheat sowing", "cow milk"):
        write(empty_tree, f"{name.replace(' ', '-')}.md", f"# {name}\n\n{name}.\n")
    snapshot, vectors = _open(empty_tree, tmp_path / "i")
    reader = DocumentReader(empty_tree, lambda: Index.open(empty_tree, tmp_path / "i"), threading.RLock())
    made = vectors.embed(snapshot, lambda: Reading(reader, snapshot), BagEmbedder().many, no_progress, lambda: False, 2)
    assert made == len(snapshot.section_of_chunk)
    assert vectors.embedded(snapshot) == 4
    passed = snapshot.allowed(Filter(on=None))
    meaning = vectors.meaning(snapshot, "wheat sowing", passed)
    assert meaning is not None
    assert snapshot.paths[int(snapshot.document_of[meaning.own.nearest(1)[0]])] == "wheat-sowing.md"
    assert int(meaning.own.cosines(np.arange(4))[0].argmax()) in meaning.own.nearest(1)


class _SpeakingEmbedder:
    """Hears «seal», «other», and far louder how much of a text is Chinese."""

    dimensions = 4

    def one(self, text: str) -> Floats:
        share = sum(char > "\u3000" for char in text) / len(text)
        vector = np.array([1.0, "seal" in text, "other" in text, 9.0 * share], np.float32)
        unit: Floats = vector / np.linalg.norm(vector)
        return unit

    def many(self, texts: list[str]) -> Floats:
        return np.array([self.one(text) for text in texts], np.float32)


def test_the_language_is_taken_away_where_a_question_looks_into_the_other_one(empty_tree: Path, tmp_path: Path) -> None:
    write(empty_tree, "right.md", "# A\n\nThe ESP32 needs a seal.\n")
    write(empty_tree, "chinese.md", "# B\n\nSome other words 大家好大家好大家好 here.\n")
    index = Index.open(empty_tree, tmp_path / "i")
    index.update(Taxonomy())
    snapshot, bag = Snapshot(index), _SpeakingEmbedder()
    vectors = ChunkVectors(tmp_path / "i", "speaking", bag.dimensions, bag.one, bag.many)
    reader = DocumentReader(empty_tree, lambda: index, threading.RLock())
    vectors.embed(snapshot, lambda: Reading(reader, snapshot), bag.many, no_progress, lambda: False, 8)
    meaning = vectors.meaning(snapshot, "密封圈 seal ESP32", snapshot.allowed(Filter(on=None)))
    assert meaning is not None
    first = {
        name: snapshot.paths[int(snapshot.document_of[np.argmax(sense.cosines(np.arange(2))[0])])]
        for name, sense in (("own", meaning.own), ("other", meaning.other))
    }
    assert first == {"own": "chinese.md", "other": "right.md"}


def test_vectors_of_the_parallel_sentences_move_with_the_others(empty_tree: Path, tmp_path: Path) -> None:
    write(empty_tree, "a.md", "# Pump\n\nText.\n")
    made = Retriever(empty_tree, tmp_path / "i")
    bag = BagEmbedder()
    made.use_embedder("bag", bag.dimensions, bag.one, bag.many)
    assert made.embed_missing(bag.many) == 1
    other = Retriever(empty_tree, tmp_path / "j")
    other.use_embedder("bag", bag.dimensions, bag.one, bag.many)
    assert other.adopt_vectors(tmp_path / "i") == 1
    before = bag.calls
    assert other.embed_missing(bag.many) == 0
    assert bag.calls == before
    assert (tmp_path / "j" / "vectors-bag.keys").stat().st_size == (2 * len(PAIRS) + 1) * 24
    made.close()
    other.close()
