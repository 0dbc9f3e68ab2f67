"""kb.answer.supply_desk: cards for tasks, with the models that the run has."""

from __future__ import annotations

import dataclasses
from collections.abc import Iterator
from pathlib import Path

import pytest

from kb import paths
from kb.answer.runtime import Runtime
from kb.answer.supply_desk import BYTES, SupplyDesk
from kb.config import Config
from kb.supply.budget import at_most
from kb.supply.chain import Kind
from kb.supply.inject import Task
from kb.supply.ledger import Ledger
from tests.conftest import Engine
from tests.helpers import PROJECT, write
from tests.supply.card_helpers import CARD, card_text
from tests.supply.supply_helpers import DAY

ON = DAY.replace(month=6)


@pytest.fixture
def desk(tree: Path, own_home: Path) -> Iterator[SupplyDesk]:
    write(tree, "cards/machinery/pump.yaml", CARD)
    runtime = Runtime(Config(home=own_home / "almanac", knowledge=tree, lang="en"))
    yield SupplyDesk(runtime)
    runtime.close()


def test_a_task_is_given_cards_and_that_is_written_down(desk: SupplyDesk) -> None:
    found = desk.inject(Task("t", text="E-07 停机后怎么复位"), on=ON)
    assert [given.card.id for given in found.given] == ["pump-e07-reset"]
    with Ledger(desk.runtime.config.home) as ledger:
        assert [row.entry.kind for row in ledger.rows()] == [Kind.TASK, Kind.INJECTION]
    desk.inject(Task("t", text="E-07"), on=ON, note_down=False)
    with Ledger(desk.runtime.config.home) as ledger:
        assert ledger.head()[0] == 2


def test_a_card_that_was_archived_a_moment_ago_is_not_given(desk: SupplyDesk) -> None:
    assert desk.search("E-07 停机", 3, ON)
    write(desk.runtime.root, "cards/machinery/pump.yaml", card_text(status="archived"))
    assert desk.inject(Task("t", text="E-07 停机"), on=ON).given == ()
    assert desk.search("E-07 停机", 3, ON) == []


def test_without_models_tokens_are_bounded(desk: SupplyDesk) -> None:
    assert desk.counter() == (at_most, BYTES)
    assert desk.cosines() is None


def test_with_models_tokens_are_counted_and_meaning_takes_part(engine: Engine, own_home: Path) -> None:
    config = Config(
        home=own_home / "almanac", knowledge=PROJECT / "docs", lang="en", answer_model=engine.assets.answer_model,
        embedder=engine.assets.embedder, llama_libs=engine.assets.llama_libs, self_command=paths.self_command(),
    )  # fmt: skip
    runtime = Runtime(config)
    try:
        desk = SupplyDesk(runtime)
        runtime.load_embedder()
        found = desk.inject(
            Task("t", text="customer asks how many days until the refund reaches her credit card"), on=DAY
        )
        assert [given.card.id for given in found.given][:1] == ["refund-arrival-credit-card"]
        count, name = desk.counter()
        assert name.endswith(".gguf")
        assert count(found.block) == found.tokens == engine.text_model.count(found.block)
        assert found.tokens < at_most(found.block)
        bare = SupplyDesk(Runtime(dataclasses.replace(config, use_model=False)))
        assert bare.counter()[1] == BYTES
    finally:
        runtime.close()
