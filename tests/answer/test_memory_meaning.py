"""kb.answer.memory_meaning: the meaning that knowledge and embedder lend to memory."""

from __future__ import annotations

from contextlib import closing
from dataclasses import replace
from pathlib import Path

import pytest

from kb.answer.memory_meaning import LazyMeaning, meaning_of
from kb.answer.runtime import Runtime
from kb.config import Config
from kb.paths import self_command
from tests.conftest import Engine


def _config(tmp_path: Path) -> Config:
    tree = tmp_path / "docs"
    tree.mkdir()
    (tree / "pump.md").write_text("# TX-80 pump\n\n## Hose\n\nThe suction hose is 8 m long.\n", "utf-8")
    return Config(home=tmp_path / "home", knowledge=tree, lang="en", self_command=self_command())


def test_without_an_embedder_it_is_silent(tmp_path: Path) -> None:
    with closing(LazyMeaning(_config(tmp_path))) as meaning:
        assert meaning.near("hose") == ()
        assert meaning.similarities("hose") is None


def test_without_knowledge_it_is_silent(tmp_path: Path) -> None:
    with closing(LazyMeaning(replace(_config(tmp_path), knowledge=tmp_path / "nowhere"))) as meaning:
        assert meaning.near("hose") == ()


@pytest.mark.slow
def test_the_real_embedder_lends_its_meaning(tmp_path: Path, engine: Engine) -> None:
    config = replace(_config(tmp_path), embedder=engine.assets.embedder, llama_libs=engine.assets.llama_libs)
    with closing(Runtime(config)) as runtime:
        runtime.load_embedder()
        assert runtime.embed_missing() > 0
    with closing(LazyMeaning(config)) as meaning:
        assert meaning.near("吸水管有多长")[0].path == "pump.md"
        similar = meaning.similarities("吸水管有多长")
        assert similar is not None
        hose, engine_power = similar(["The suction hose is 8 m long.", "The parties agree on a fee of 400 EUR."])
        assert hose > engine_power


def test_a_runtime_without_a_loaded_embedder_lends_nothing(tmp_path: Path) -> None:
    with closing(Runtime(_config(tmp_path))) as runtime:
        assert meaning_of(runtime) is None
