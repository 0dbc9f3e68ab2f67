"""The knowledge that ships, asked as people ask: what must be answered, and what must be refused."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path

import pytest

from kb.answer.answerer import Answerer
from kb.answer.runtime import Runtime
from kb.config import Config
from kb.paths import self_command
from kb.search.retriever import Retriever
from kb.search.snapshot import Filter
from tests.conftest import Engine
from tests.eval.sample_questions import ACROSS, ANSWERED, HARDER, NEAR_ACROSS, NEAR_MISSES, NOT_ANSWERED

DOCS = Path(__file__).resolve().parent.parent.parent / "docs"


@pytest.fixture(scope="module")
def answerer(tmp_path_factory: pytest.TempPathFactory) -> Answerer:
    """Quotes alone: no embedder, no model."""
    retriever = Retriever(DOCS, tmp_path_factory.mktemp("index"))
    retriever.update()
    return Answerer(retriever)


@pytest.fixture(scope="module")
def by_meaning(engine: Engine, tmp_path_factory: pytest.TempPathFactory) -> Iterator[Answerer]:
    """Quotes with the embedder that ships."""
    config = Config(
        home=tmp_path_factory.mktemp("home"),
        knowledge=DOCS,
        lang="en",
        self_command=self_command(),
        embedder=engine.assets.embedder,
        dictionary=engine.assets.dictionary,
        llama_libs=engine.assets.llama_libs,
    )
    runtime = Runtime(config)
    runtime.load()
    runtime.embed_missing()
    yield runtime.answerer.without_journal()
    runtime.close()


@pytest.mark.slow
def test_by_meaning_near_misses_are_refused_and_answers_stay(by_meaning: Answerer) -> None:
    """Another animal, crop, substance or quantity than the documents speak of: at most one in ten is answered."""
    answered = [question for question in NEAR_MISSES if not by_meaning.ask(question).refused]
    assert len(answered) <= len(NEAR_MISSES) / 10, answered
    wrong = [question for question in NOT_ANSWERED if not by_meaning.ask(question).refused]
    assert len(wrong) <= 1, wrong
    refused = [question for question, _, _ in ANSWERED if by_meaning.ask(question).refused]
    assert len(refused) <= 1, refused


@pytest.mark.slow
def test_a_limit_to_one_language_holds(by_meaning: Answerer) -> None:
    question, _ = ACROSS[0]
    free, held = (by_meaning.ask(question, limits=Filter(on=None, lang=lang)) for lang in (None, "zh"))
    assert any("_en_" in item.path for item in free.evidence)
    assert not any("_en_" in item.path for item in held.evidence)


@pytest.mark.slow
@pytest.mark.parametrize(("question", "held"), ACROSS)
def test_the_other_language_is_asked_where_the_own_has_no_answer(
    by_meaning: Answerer, question: str, held: str
) -> None:
    answer = by_meaning.ask(question)
    assert not answer.refused
    assert held in answer.evidence[0].full


@pytest.mark.slow
def test_what_neither_language_says_is_refused(by_meaning: Answerer) -> None:
    answered = [question for question in NEAR_ACROSS if not by_meaning.ask(question).refused]
    assert len(answered) <= 1, answered


def test_most_questions_get_the_right_evidence(answerer: Answerer) -> None:
    right = [
        question
        for question, path, held in ANSWERED
        for answer in [answerer.ask(question)]
        if not answer.refused and any(e.path.endswith(path) and held in e.full for e in answer.evidence[:3])
    ]
    assert len(right) >= 0.85 * len(ANSWERED), sorted({q for q, _, _ in ANSWERED} - set(right))


def test_table_cells_ranges_and_reasons_are_found(answerer: Answerer) -> None:
    right = [
        question
        for question, held in HARDER
        for answer in [answerer.ask(question)]
        if any(held in item.full for item in answer.evidence[:3])
    ]
    assert len(right) >= 0.85 * len(HARDER), [question for question, _ in HARDER if question not in right]


def test_most_near_misses_are_refused(answerer: Answerer) -> None:
    """By words alone."""
    answered = [question for question in NEAR_MISSES if not answerer.ask(question).refused]
    assert len(answered) <= 0.15 * len(NEAR_MISSES), answered


def test_hardly_anything_is_answered_that_the_documents_do_not_say(answerer: Answerer) -> None:
    wrong = [question for question in NOT_ANSWERED if not answerer.ask(question).refused]
    assert len(wrong) <= 1, wrong


def test_every_number_of_an_answer_stands_in_its_evidence(answerer: Answerer) -> None:
    for question, _, _ in ANSWERED:
        answer = answerer.ask(question)
        if not answer.refused:
            assert answer.text.rstrip(" …") in answer.evidence[0].plain, question
