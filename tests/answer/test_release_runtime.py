"""kb.answer.release_runtime: what releases are given from search and answers."""

from __future__ import annotations

import shutil
from dataclasses import replace
from pathlib import Path

import pytest

from kb import paths
from kb.answer.release_runtime import asking, complete, index_builder, make_again
from kb.config import Config, no_progress
from kb.db import PeopleData, people_path
from kb.errors import AlmanacError, ExitCode
from kb.versions import releases
from kb.versions.registry import Registry
from tests.conftest import Engine, Published
from tests.helpers import document, write


def _config(home: Path, knowledge: Path) -> Config:
    return Config(home=home, knowledge=knowledge, lang="en", environment={"USER": "field-desk"})


def test_an_index_without_embedder_is_made_over_an_earlier_one(published: Published, tmp_path: Path) -> None:
    builder = index_builder(_config(published.home, published.source.root), no_progress)
    made, _ = replace(published, index=builder).make()  # type: ignore[arg-type]
    first = releases.opened(published.home, made)
    write(published.source.root, "store/new.md", document("Wombat box", "The wombat box weighs 5 kg."))
    second, built = replace(published, index=builder).make()  # type: ignore[arg-type]
    assert built is not None
    assert (built.has_vectors, built.embedded, built.documents) == (False, 0, 10)
    release = releases.opened(published.home, second)
    segments = [{path.name for path in each.index.glob("*.seg")} for each in (first, release)]
    assert segments[0] < segments[1]
    with asking(_config(published.home, published.source.root), release.docs, release.index) as ask:
        said = ask("How much does the wombat box weigh?")
        assert (said.refused, said.text) == (False, "The wombat box weighs 5 kg.")
        assert said.citation == "store/new.md"
        assert ask("zebra pancake trombone").refused
        assert ask("?").refused


def test_trying_a_release_keeps_no_gap(published: Published) -> None:
    made, _ = published.make()
    release = releases.opened(published.home, made)
    config = replace(_config(published.home, published.source.root), keep_gaps=True)
    with asking(config, release.docs, release.index) as ask:
        assert ask("zebra pancake trombone").refused
    assert not people_path(published.home, PeopleData.ANSWERS).exists()


def test_what_is_gone_answers_by_words_at_once_and_by_meaning_later(
    engine: Engine, published: Published, tmp_path: Path
) -> None:
    made, _ = published.make()
    published.switch(made)
    unused, _ = published.make({"store/new.md": document("Wombat box", "The wombat box weighs 5 kg.")})
    shutil.rmtree(releases.releases_folder(published.home))
    config = replace(
        _config(published.home, published.source.root), embedder=engine.assets.embedder,
        llama_libs=engine.assets.llama_libs, self_command=paths.self_command(),
    )  # fmt: skip
    assert [again.name for again in make_again(config, no_progress)] == [made.name]
    assert not releases.folder_of(published.home, unused).exists(), "no route needs it"
    assert make_again(config, no_progress) == ()
    assert complete(config, made, no_progress) > 0
    assert complete(config, made, no_progress) == 0


def test_an_interrupted_build_leaves_no_release(published: Published) -> None:
    config = _config(published.home, published.source.root)
    config.stop.set()
    with pytest.raises(AlmanacError) as caught:
        replace(published, index=index_builder(config, no_progress)).make()  # type: ignore[arg-type]
    assert caught.value.exit_code == ExitCode.INTERRUPTED
    with Registry.open(published.home) as registry:
        assert not registry.named("1.0.0").is_built
        assert not releases.folder_of(published.home, registry.named("1.0.0")).exists()


def test_with_the_real_embedder_only_what_changed_is_embedded(
    engine: Engine, published: Published, tmp_path: Path
) -> None:
    assets = engine.assets
    config = replace(
        _config(published.home, published.source.root),
        embedder=assets.embedder,
        llama_libs=assets.llama_libs,
        self_command=paths.self_command(),
    )
    real = replace(published, index=index_builder(config, no_progress))  # type: ignore[arg-type]
    made, first = real.make()
    _, second = real.make({"store/new.md": document("Wombat box", "The wombat box weighs 5 kg.")})
    assert first is not None
    assert second is not None
    assert first.embedded == first.chunks
    # another machine has made nothing yet, but its program came with an index of the same words
    shipped = releases.opened(published.home, made).index
    with_program = replace(config, home=tmp_path / "other", program_index=shipped)
    _, there = replace(
        published, home=tmp_path / "other", index=index_builder(with_program, no_progress)  # type: ignore[arg-type]
    ).make()  # fmt: skip
    assert there is not None
    assert (there.embedded, there.chunks) == (1, second.chunks)
    assert (second.embedded, second.chunks, second.has_vectors) == (1, first.chunks + 1, True)
