"""kb.answer.runtime: one run; what cannot be loaded leaves the rest working."""

from __future__ import annotations

import dataclasses
import hashlib
import json
import threading
from pathlib import Path

import pytest

from kb.answer import runtime as runtime_module
from kb.answer.answerer import Policy
from kb.answer.models import State
from kb.answer.runtime import Runtime, index_folder
from kb.config import Config, ModelFile, ProgressReport, Tree, no_progress
from kb.errors import KnowledgeError
from kb.memory import store_ingest
from kb.memory.store import MemoryStore
from kb.sdk import KnowledgeRetriever
from kb.search import trust as trust_module
from kb.sizing import Wishes
from kb.versions.damage import Trouble
from tests.conftest import Engine
from tests.helpers import write


def test_without_models_questions_are_answered_with_quotes(config: Config) -> None:
    runtime = Runtime(config)
    status = runtime.load()
    assert (status.answer, status.embedder) == (State.ABSENT, State.ABSENT)
    assert runtime.wait(0)
    assert "3-5厘米" in runtime.answerer.ask("大豆播种深度是多少").text
    assert runtime.embed_missing() == 0
    runtime.close()
    runtime.close()


def test_missing_libraries_are_a_problem_not_an_end(config: Config, damaged_model: ModelFile) -> None:
    runtime = Runtime(dataclasses.replace(config, embedder=damaged_model, answer_model=damaged_model))
    status = runtime.load()
    assert (status.answer, status.embedder) == (State.FAILED, State.FAILED)
    assert [problem.key for problem in status.problems] == ["native_missing"]
    assert not runtime.answerer.ask("大豆播种深度是多少").refused
    runtime.close()


def test_a_damaged_model_is_said_and_search_goes_on(config: Config, damaged_model: ModelFile, engine: Engine) -> None:
    libraries = engine.assets.llama_libs
    runtime = Runtime(dataclasses.replace(config, embedder=damaged_model, llama_libs=libraries))
    status = runtime.load()
    assert status.embedder is State.FAILED
    assert [problem.key for problem in status.problems] == ["model_damaged"]
    assert status.variant
    assert not runtime.answerer.ask("大豆播种深度是多少").refused
    runtime.close()


def test_a_model_that_is_gone_is_said(config: Config, tmp_path: Path, engine: Engine) -> None:
    gone = ModelFile("m", tmp_path / "gone.gguf", 0, 4, "0")
    runtime = Runtime(dataclasses.replace(config, embedder=gone, llama_libs=engine.assets.llama_libs))
    status = runtime.load()
    assert status.embedder is State.FAILED
    assert [problem.key for problem in status.problems] == ["unreadable"]
    runtime.close()


@pytest.mark.parametrize("how", ["changed", "cut"])
def test_a_damaged_dictionary_is_said_and_search_goes_on(config: Config, tmp_path: Path, how: str) -> None:
    lines = "sow\t播\ndepth\t深度\n".encode()
    (tmp_path / "words.tsv").write_bytes(lines[:-3] if how == "cut" else lines.replace(b"s", b"t", 1))
    source = ModelFile("words.tsv", tmp_path / "words.tsv", 0, len(lines), hashlib.sha256(lines).hexdigest())
    runtime = Runtime(dataclasses.replace(config, dictionary=source))
    assert not runtime.answerer.ask("大豆播种深度是多少").refused
    assert runtime.status.dictionary is State.FAILED
    assert [problem.key for problem in runtime.status.problems] == ["dictionary_damaged"]
    assert runtime.retriever.translated("sow") is None
    runtime.load()
    assert runtime.status.problems, "what the models do later takes nothing of it away"
    runtime.close()


def test_the_dictionary_is_verified_once_and_shared(config: Config, tree: Path, tmp_path: Path) -> None:
    lines = "sow\t播\ndepth\t深度\n".encode()
    (tmp_path / "words.tsv").write_bytes(lines)
    source = ModelFile("words.tsv", tmp_path / "words.tsv", 0, len(lines), hashlib.sha256(lines).hexdigest())
    runtime = Runtime(dataclasses.replace(config, dictionary=source))
    other = runtime.over(tree, tmp_path / "index", None)
    for one in (runtime, other):
        assert one.retriever.translated("sow depth") is not None
    assert runtime.status.dictionary is State.READY
    assert len(json.loads((config.home / "verified.json").read_text())) == 1
    other.close()
    runtime.close()


def test_the_real_models_load_in_the_background(
    config: Config, engine: Engine, monkeypatch: pytest.MonkeyPatch
) -> None:
    checked: list[str] = []
    monkeypatch.setattr(trust_module, "verify", lambda model, damaged: checked.append(model.name))
    full = dataclasses.replace(
        config, embedder=engine.assets.embedder, llama_libs=engine.assets.llama_libs, use_model=False
    )
    runtime = Runtime(full)
    runtime.start(embed_missing=False)
    assert runtime.wait(60)
    assert runtime.status.embedder is State.READY
    assert runtime.embed_missing() >= runtime.retriever.status().sections
    assert runtime.retriever.status().embedded == runtime.retriever.status().sections
    answer = runtime.answerer.ask("How deep are soybeans sown?")
    assert answer.nearest or answer.evidence
    runtime.close()
    again = Runtime(full)
    again.load()
    again.close()
    assert len(checked) == 1, "a model that was checked is remembered"
    assert len(json.loads((config.home / "verified.json").read_text())) == 1


def test_what_the_device_cannot_carry_is_not_loaded(config: Config, engine: Engine) -> None:
    assets = engine.assets
    small = dataclasses.replace(
        config, embedder=assets.embedder, answer_model=assets.answer_model, llama_libs=assets.llama_libs,
        wishes=Wishes(memory_mb=200),
    )  # fmt: skip
    runtime = Runtime(small)
    status = runtime.load(every_model=True)
    assert (status.answer, status.embedder, status.variant) == (State.ABSENT, State.ABSENT, "")
    assert runtime.load_embedder().embedder is State.ABSENT
    assert runtime.text_model is None and runtime.embedder is None
    assert "3-5厘米" in runtime.answerer.ask("大豆播种深度是多少").text
    runtime.close()


def test_context_threads_and_budget_are_as_decided(config: Config, engine: Engine) -> None:
    assets = engine.assets
    wished = dataclasses.replace(
        config, embedder=assets.embedder, answer_model=assets.answer_model, llama_libs=assets.llama_libs,
        wishes=Wishes(vectors=False, context_tokens=1024, threads=1),
    )  # fmt: skip
    runtime = Runtime(wished)
    status = runtime.load(every_model=True)
    assert (status.answer, status.embedder) == (State.READY, State.ABSENT)
    assert runtime.text_model is not None and runtime.text_model.context_tokens == 1024
    assert runtime.threads == 1
    assert runtime.answerer.policy.budget == 512
    assert not (config.home / "threads.json").exists(), "nothing is measured where a count is wished"
    runtime.close()


def test_a_thread_that_goes_on_computing_is_told_and_nothing_is_freed(
    config: Config, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(runtime_module, "PATIENCE_S", 0.01)
    runtime = Runtime(config)
    computing, done = threading.Event(), threading.Event()

    def load(report: ProgressReport = no_progress) -> None:
        computing.set()
        done.wait()

    monkeypatch.setattr(runtime, "load", load)
    freed: list[str] = []
    monkeypatch.setattr(runtime.retriever, "close", lambda: freed.append("retriever"))
    runtime.start(embed_missing=False)
    assert computing.wait(30)
    assert runtime.close() is False
    assert freed == []
    done.set()
    monkeypatch.setattr(runtime_module, "PATIENCE_S", 30.0)
    assert runtime.close() is True
    assert freed == ["retriever"]


def test_a_missing_tree_is_said_at_once(config: Config, tmp_path: Path) -> None:
    with pytest.raises(KnowledgeError):
        Runtime(dataclasses.replace(config, knowledge=tmp_path / "none"))


def test_the_index_lies_in_the_home_or_beside_unpacked_knowledge(config: Config, tree: Path, tmp_path: Path) -> None:
    assert index_folder(config, tree).parent == config.home / "index"
    assert KnowledgeRetriever(tree, home=config.home).retriever.folder == Runtime(config).retriever.folder
    packed = dataclasses.replace(config, prebuilt_index=tmp_path / "prebuilt")
    assert index_folder(packed, tree.resolve()) == tmp_path / "prebuilt"
    assert index_folder(packed, tmp_path / "other").parent == config.home / "index"


def test_damage_of_the_tree_that_people_keep_is_seen_while_a_release_answers(config: Config, tmp_path: Path) -> None:
    kept = tmp_path / "kept"
    (kept / ".git").mkdir(parents=True)
    assert Runtime(config).damage() is None
    found = Runtime(dataclasses.replace(config, tree=Tree(kept))).damage()
    assert found is not None and (found.what, found.path) == (Trouble.REPOSITORY, kept)


def test_the_version_is_found_once(config: Config, monkeypatch: pytest.MonkeyPatch) -> None:
    runtime = Runtime(config)
    first = runtime.version()
    monkeypatch.setattr(runtime.history, "version", lambda: pytest.fail("asked twice"))
    assert runtime.version() is first
    runtime.close()


def test_limits_that_memory_holds_come_along(tree: Path, tmp_path: Path) -> None:
    manual = write(tmp_path, "手册.md", "# XM-2000 手册\n\n## XM-2000\n\nXM-2000 仅适用于旱地作业。\n")
    config = Config(home=tmp_path / "home", knowledge=tree, lang="zh")
    with MemoryStore(config.home) as store:
        assert not store_ingest.ingest(store, store_ingest.file_jobs([manual])).failed
    runtime = Runtime(config, Policy(refuse_below=0.0))
    answer = runtime.answerer.ask("XM-2000 大豆播种深度是多少")
    runtime.close()
    assert [(limit.about, limit.kind) for limit in answer.limits] == [("XM-2000", "only")]
    assert "旱地" in answer.limits[0].text
    assert "手册" in answer.limits[0].path


def test_a_limit_counts_while_this_tree_says_it(tree: Path, tmp_path: Path) -> None:
    config = Config(home=tmp_path / "home", knowledge=tree, lang="zh")
    rule = "# XM-2000 手册\n\n## XM-2000\n\nXM-2000 **仅适用于旱地**作业。\n"
    write(tree, "手册.md", rule)
    with MemoryStore(config.home) as store:
        assert not store_ingest.ingest(store, store_ingest.tree_jobs(tree)).failed

    def limits(knowledge: Path) -> list[str]:
        runtime = Runtime(dataclasses.replace(config, knowledge=knowledge), Policy(refuse_below=0.0))
        answer = runtime.answerer.ask("XM-2000 大豆播种深度是多少")
        runtime.close()
        return [limit.path for limit in answer.limits]

    assert limits(tree) == ["手册.md"]
    other = tmp_path / "other"
    write(other, "soy.md", "# 大豆\n\n大豆播种深度 3-5 cm。\n")
    assert limits(other) == []
    write(tree, "手册.md", rule.replace("旱地", "水田"))
    assert limits(tree) == []
    write(tree, "手册.md", f"---\nvalid_to: 2020-12-31\n---\n{rule}")
    assert limits(tree) == []


def test_without_a_memory_nothing_is_made(tree: Path, tmp_path: Path) -> None:
    runtime = Runtime(Config(home=tmp_path / "home", knowledge=tree, lang="zh"))
    assert runtime.answerer.ask("大豆播种深度是多少").limits == ()
    runtime.close()
    assert not (tmp_path / "home" / "people" / "memory.db").exists()


@pytest.mark.parametrize("read_only", [False, True])
def test_a_second_copy_leaves_the_vectors_to_the_first(
    config: Config, monkeypatch: pytest.MonkeyPatch, read_only: bool
) -> None:
    asked: list[bool] = []
    monkeypatch.setattr(Runtime, "embed_missing", lambda self, report: asked.append(True))
    runtime = Runtime(dataclasses.replace(config, read_only=read_only))
    runtime.start()
    runtime.close()
    assert bool(asked) != read_only
