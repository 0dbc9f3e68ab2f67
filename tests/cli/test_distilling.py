"""kb.cli.distilling: the distiller with the models that there are."""

from __future__ import annotations

import dataclasses
from pathlib import Path

import pytest

from kb import paths
from kb.cli.distilling import open_distiller
from kb.cli.worker import open_repository
from kb.config import Config
from kb.supply.events import parse_event
from tests.conftest import Engine
from tests.helpers import has_git
from tests.supply.card_helpers import card_text, repository

pytestmark = pytest.mark.skipif(not has_git(), reason="there is no git program on this machine")
# No word of the rules stands in it.
LESSON = parse_event(
    '{"id": "i-1", "kind": "incident", "title": "Drying fan trips at night", "comments": '
    '["Two heaters on one phase start on the hour: the breaker sees 38 A.", '
    '"Stagger the heater timers by ten minutes."]}'
)


@pytest.fixture
def root(tmp_path: Path) -> Path:
    return repository(tmp_path / "knowledge", one=card_text(id="one"))


def test_without_models_rules_judge_alone(root: Path, tmp_path: Path) -> None:
    config = Config(home=tmp_path / "home", knowledge=root, lang="en")
    with open_distiller(config, open_repository(config)) as distiller:
        assert (distiller.word, distiller.judge, distiller.lessons) == (None, None, None)
        (found,) = distiller.propose([LESSON], dry=True)
    assert not found.distilled.decision.save


@pytest.mark.slow
def test_with_the_embedder_meaning_judges_too(root: Path, tmp_path: Path, engine: Engine) -> None:
    config = dataclasses.replace(
        Config(home=tmp_path / "home", knowledge=root, lang="en"),
        embedder=engine.assets.embedder, llama_libs=engine.assets.llama_libs, use_model=False,
        self_command=paths.self_command(),
    )  # fmt: skip
    with open_distiller(config, open_repository(config)) as distiller:
        (found,) = distiller.propose([LESSON], dry=True)
    assert found.distilled.draft is not None
    assert found.distilled.draft.conclusion == "Stagger the heater timers by ten minutes"
    assert found.distilled.draft.do == [], "a figure that was read is no step"
