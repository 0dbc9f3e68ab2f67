"""kb.search.abroad: how much of a question sections in the other language tell."""

from __future__ import annotations

from pathlib import Path

import numpy as np
import pytest

from kb.search.abroad import Abroad, rarity
from kb.search.dictionary import Dictionary
from kb.search.index import Index
from kb.search.matching import Matches
from kb.search.retriever import Retriever
from kb.search.snapshot import Filter, Snapshot
from kb.search.translation import translate
from kb.tree.taxonomy import load_taxonomy
from tests.helpers import DAY, document, write
from tests.search.words import dictionary


@pytest.fixture
def words(tmp_path: Path) -> Dictionary:
    return dictionary(
        tmp_path, "奶牛\tmilk cow;dairy cow", "妊娠\tgestation;pregnancy", "绵羊\tsheep", "水泵\twater pump;pump",
        "gestation\t妊娠", "ewe\t母羊", "sheep\t羊;绵羊",
    )  # fmt: skip


@pytest.fixture
def tree(empty_tree: Path) -> Path:
    write(empty_tree, "a/cow.md", document("Gestation of cattle", "A dairy cow carries her calf for 283 days. " * 3))
    write(empty_tree, "a/ewe.md", document("Ewes", "Gestation of a sheep takes 147 days."))
    write(empty_tree, "a/pump.md", document("Pump", "The pump delivers 30 litres."))
    write(empty_tree, "b/羊舍.md", document("羊舍", "羊舍冬季温度不低于 5 度。"))
    return empty_tree


@pytest.fixture
def snapshot(tree: Path, tmp_path: Path) -> Snapshot:
    index = Index.open(tree, tmp_path / "index")
    index.update(load_taxonomy(tree))
    return Snapshot(index)


def _told(snapshot: Snapshot, words: Dictionary, question: str) -> dict[str, tuple[float, float, float]]:
    abroad = Abroad(snapshot, translate(question, "zh", words))
    sections = np.arange(snapshot.sections)
    strength, covered = abroad.text(Matches(snapshot, abroad.terms), sections)
    facts = abroad.facts(snapshot, snapshot.document_of[sections].astype(np.int64))
    paths = [snapshot.paths[row] for row in snapshot.document_of.tolist()]
    return {path: tuple(map(float, row)) for path, *row in zip(paths, strength, covered, facts, strict=True)}  # type: ignore[misc]


def test_a_section_that_tells_more_of_the_question_is_stronger(snapshot: Snapshot, words: Dictionary) -> None:
    told = _told(snapshot, words, "奶牛妊娠")
    assert told["a/cow.md"][0] > told["a/ewe.md"][0] > 0.0 == told["a/pump.md"][0]
    assert told["a/cow.md"][1] > told["a/ewe.md"][1] > 0.0


def test_titles_and_keywords_are_heard(snapshot: Snapshot, words: Dictionary) -> None:
    told = _told(snapshot, words, "妊娠")
    assert told["a/cow.md"][2] > 0.0 == told["a/ewe.md"][2]


def test_what_the_tree_does_not_tell_lowers_familiarity(snapshot: Snapshot, words: Dictionary) -> None:
    def familiar(question: str) -> float:
        return Abroad(snapshot, translate(question, "zh", words)).familiar

    assert familiar("奶牛妊娠") == pytest.approx(1.0)
    assert 0.0 < familiar("水泵E-99") < 1.0
    assert familiar("魑魅") == 0.0


def test_a_word_is_as_rare_as_its_commonest_way(snapshot: Snapshot, words: Dictionary) -> None:
    abroad = Abroad(snapshot, translate("水泵", "zh", words))
    (pump,) = abroad.translation.words
    assert rarity(pump, abroad.known) == snapshot.term("pump").idf


def test_documents_in_the_other_language_are_found_by_words_alone(
    tree: Path, tmp_path: Path, words: Dictionary
) -> None:
    retriever = Retriever(tree, tmp_path / "found")
    limits = Filter(on=DAY)
    assert retriever.find("奶牛妊娠", 3, limits) == []
    retriever.use_dictionary(words)
    found = retriever.find("奶牛妊娠", 3, limits)
    assert found[0].path == "a/cow.md"
    assert "dairy cow" in found[0].passage
    assert retriever.find("sheep in winter", 3, Filter(on=DAY, lang="zh"))[0].path == "b/羊舍.md"
    retriever.close()
