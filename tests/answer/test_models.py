"""kb.answer.models: loaded once; what cannot be loaded is said, and each retriever gets the embedder."""

from __future__ import annotations

import dataclasses
from pathlib import Path

from kb.answer.answer import Way
from kb.answer.models import Models, State
from kb.config import Config, ModelFile
from kb.search.retriever import Retriever
from tests.conftest import Engine


def _models(config: Config, **changes: object) -> Models:
    return Models(dataclasses.replace(config, **changes), lambda: None)  # type: ignore[arg-type]


def test_without_models_there_is_nothing_to_wait_for(config: Config) -> None:
    models = _models(config)
    assert models.load().answer is State.ABSENT
    assert models.wait(0)
    assert (models.embedder, models.text_model, models.token_counter()) == (None, None, None)
    models.close()
    models.close()


def test_missing_libraries_are_a_problem(config: Config, damaged_model: ModelFile) -> None:
    models = _models(config, embedder=damaged_model, answer_model=damaged_model)
    assert (models.status.answer, models.status.embedder) == (State.LOADING, State.LOADING)
    status = models.load()
    assert (status.answer, status.embedder) == (State.FAILED, State.FAILED)
    assert [problem.key for problem in status.problems] == ["native_missing"], "one reason for both is said once"
    assert models.wait(0)


def test_each_retriever_gets_the_embedder_whenever_it_comes(
    config: Config, tree: Path, tmp_path: Path, engine: Engine
) -> None:
    models = _models(config, embedder=engine.assets.embedder, llama_libs=engine.assets.llama_libs, use_model=False)
    early, late = (Retriever(tree, tmp_path / name) for name in ("early", "late"))
    models.attach(early)
    assert early.similarities("大豆播种") is None
    models.load()
    models.attach(late)
    embedder = models.embedder
    assert embedder is not None
    for retriever in (early, late):
        retriever.update()
        assert retriever.embed_missing(embedder.embed_passages) > 0
        assert retriever.similarities("大豆播种") is not None
        retriever.close()
    models.close()
    assert models.embedder is None


def test_loading_ends_when_it_is_told_to(config: Config, damaged_model: ModelFile, engine: Engine) -> None:
    models = _models(config, embedder=damaged_model, llama_libs=engine.assets.llama_libs)
    models.stop()
    models.load()
    assert models.embedder is None
    assert not models.status.problems


def test_a_base_model_is_not_loaded_for_sentences_that_it_cannot_write(config: Config, engine: Engine) -> None:
    real = dataclasses.replace(config, answer_model=engine.assets.answer_model, llama_libs=engine.assets.llama_libs)
    models = Models(real, lambda: Way.COMPOSE)
    assert models.load().answer is State.SPARE
    assert models.text_model is None
    models.close()
