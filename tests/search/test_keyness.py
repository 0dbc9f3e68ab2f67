"""kb.search.keyness: words of the documents' field speak for a question, words of another field against it."""

from __future__ import annotations

import math
from pathlib import Path

import pytest

from kb.search.keyness import Keyness, Word, keyness, question_words
from kb.search.retriever import Retriever
from tests.conftest import Engine
from tests.helpers import document, write

# Rates as a unigram vocabulary has them: natural logarithms.
_RATES = {"播种": -10.0, "深度": -9.0, "的": -4.0, "sprayer": -14.0, "nozzle": -15.0, "screen": -10.0}


def _pieces(text: str) -> list[tuple[str, float]]:
    """Latin words whole, Chinese in pairs."""
    step = len(text) if text.isascii() else 2
    return [(piece, _RATES.get(piece, -12.0)) for piece in (text[at : at + step] for at in range(0, len(text), step))]


def test_words_are_those_that_say_something() -> None:
    found = question_words("How often does the nozzle of the sprayer clog?", _pieces)
    assert [word.terms for word in found] == [("often",), ("nozzl",), ("sprayer",), ("clog",)]
    assert found[1].rate == -15.0


def test_chinese_is_cut_as_the_vocabulary_cuts_it() -> None:
    assert question_words("播种深度多少？", _pieces) == (Word(("播种",), -10.0), Word(("深度",), -9.0))


def test_a_code_is_one_word_and_repeats_count_once() -> None:
    found = question_words("E-12 and again e-12", _pieces)
    assert [word.terms for word in found] == [("e-12",), ("again",)]


@pytest.mark.parametrize("question", ["", "？！", "how do I"])
def test_a_question_of_no_words_has_no_keyness(question: str) -> None:
    assert keyness(question_words(question, _pieces), lambda term: 0, 10) == Keyness(0.0, 0, 10)


def test_a_word_that_is_commoner_here_than_in_the_language_is_key() -> None:
    word = Word(("nozzl",), math.log(1e-6))
    rare, common = keyness([word], lambda term: 1, 100).nats, keyness([word], lambda term: 50, 100).nats
    assert 0.0 < rare < common


def test_a_word_that_no_section_holds_speaks_against_but_not_more_than_the_mixture_allows() -> None:
    for rate in (-2.0, -8.0, -20.0):
        assert keyness([Word(("screen",), rate)], lambda term: 0, 1000).nats == pytest.approx(math.log(0.1))


def test_all_terms_of_a_word_must_be_held() -> None:
    word = Word(("拖拉", "拉机"), -11.0)
    held = {"拖拉": 5, "拉机": 0}
    assert keyness([word], held.__getitem__, 10).nats == pytest.approx(math.log(0.1))


def test_the_rate_of_a_section_is_a_chance() -> None:
    assert 0.0 < Word(("a",), -60.0).expected < Word(("a",), -8.0).expected < Word(("a",), 0.0).expected < 1.0


def test_a_tree_tells_its_field_by_the_embedders_vocabulary(empty_tree: Path, tmp_path: Path, engine: Engine) -> None:
    for place in range(6):
        body = "The nozzle of the sprayer clogs when the filter of the tank is dirty."
        write(empty_tree, f"{place}.md", document(f"Sprayer {place}", body))
    retriever = Retriever(empty_tree, tmp_path / "index")
    try:
        assert retriever.keyness("Why does the nozzle clog?") is None
        retriever.use_vocabulary(engine.embedder.pieces)
        own = retriever.keyness("Why does the nozzle of the sprayer clog?")
        other = retriever.keyness("Which minister signed the treaty after the war?")
        assert own is not None
        assert other is not None
        assert (own.words, own.sections) == (3, 6)
        assert own.nats > 5.0 > 0.0 > other.nats
        assert retriever.keyness("喷头为什么堵塞") is None
    finally:
        retriever.close()
