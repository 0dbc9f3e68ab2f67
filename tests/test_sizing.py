"""kb.sizing: what a device carries, as a table."""

from __future__ import annotations

from pathlib import Path

import pytest

from kb.config import ModelFile
from kb.device import Device
from kb.sizing import Sizing, Weights, Wishes, decide, default_threads, weigh

SHIPPED = Weights(answer_mb=253, embedder_mb=87, answer_file_mb=494, embedder_file_mb=494)
LARGE = Weights(answer_mb=2400, embedder_mb=87, answer_file_mb=2400, embedder_file_mb=87)
NO_MODEL = Weights(embedder_mb=87, embedder_file_mb=87)


def _decide(
    memory: int | None,
    cores: int = 4,
    *,
    weights: Weights = SHIPPED,
    wishes: Wishes | None = None,
    budget: int = 1500,
    addresses: int | None = None,
) -> Sizing:
    return decide(Device(memory, cores, addresses), weights, wishes or Wishes(), budget)


@pytest.mark.parametrize(
    ("memory", "weights", "model", "vectors", "context"),
    [
        (200, SHIPPED, False, False, None),  # words alone
        (300, SHIPPED, False, False, None),
        (400, SHIPPED, False, True, None),  # meaning, but no model
        (511, SHIPPED, False, True, None),
        (600, SHIPPED, False, True, None),  # above 512, but both do not fit
        (725, SHIPPED, True, True, 1024),
        (900, SHIPPED, True, True, 2048),
        (1500, SHIPPED, True, True, 2048),  # a Pi 4 with 2 GB
        (6500, SHIPPED, True, True, 2048),
        (None, SHIPPED, True, True, 2048),  # the system does not tell
        (1500, LARGE, False, True, None),
        (3700, LARGE, True, True, 1024),
        (6500, LARGE, True, True, 2048),
        (6500, NO_MODEL, False, True, None),
        (6500, Weights(), False, False, None),
    ],
)
def test_memory_and_models_decide(
    memory: int | None, weights: Weights, model: bool, vectors: bool, context: int | None
) -> None:
    found = _decide(memory, weights=weights)
    assert (found.use_model, found.use_vectors) == (model, vectors)
    if context is not None:
        assert found.context_tokens == context


@pytest.mark.parametrize("memory", range(0, 512, 37))
def test_below_512_mb_there_is_retrieval_only(memory: int) -> None:
    tiny = Weights(answer_mb=5, embedder_mb=5, answer_file_mb=5, embedder_file_mb=5)
    found = _decide(memory, weights=tiny)
    assert not found.use_model
    assert found.model_choice.needed_mb >= 512


def test_more_memory_never_takes_something_away() -> None:
    states = [_decide(memory) for memory in range(0, 4000, 10)]
    for what in ("use_model", "use_vectors"):
        used = [getattr(state, what) for state in states]
        assert used == sorted(used)


def test_what_is_needed_is_said_so_that_it_is_enough() -> None:
    found = _decide(400)
    assert found.model_choice.reason == "sizing_too_small"
    assert found.model_choice.lacking and not _decide(8000).model_choice.lacking
    assert _decide(found.model_choice.needed_mb).use_model
    assert not _decide(found.model_choice.needed_mb - 1).use_model
    assert _decide(_decide(100).vectors_choice.needed_mb).use_vectors


@pytest.mark.parametrize(
    ("addresses", "model", "vectors"), [(400, False, False), (950, False, True), (2500, True, True)]
)
def test_address_space_is_a_limit_of_its_own(addresses: int, model: bool, vectors: bool) -> None:
    found = _decide(8000, addresses=addresses)
    assert (found.use_model, found.use_vectors) == (model, vectors)
    if not model:
        assert found.model_choice.reason == "sizing_addresses"


@pytest.mark.parametrize(("cores", "threads"), [(1, 1), (2, 1), (3, 2), (4, 3), (64, 4)])
def test_one_core_is_left_over(cores: int, threads: int) -> None:
    assert default_threads(cores) == threads
    assert _decide(4000, cores).threads == threads
    assert _decide(4000, cores, wishes=Wishes(threads=7)).threads == 7


@pytest.mark.parametrize(
    ("wishes", "memory", "model", "vectors"),
    [
        (Wishes(model=True, vectors=True), 100, True, True),
        (Wishes(model=False, vectors=False), 8000, False, False),
        (Wishes(vectors=False), 600, True, False),  # what meaning does not take is there for the model
        (Wishes(memory_mb=400), 8000, False, True),
        (Wishes(memory_mb=8000), 400, False, True),  # at most: it makes no memory
    ],
)
def test_wishes_hold(wishes: Wishes, memory: int, model: bool, vectors: bool) -> None:
    found = _decide(memory, wishes=wishes)
    assert (found.use_model, found.use_vectors) == (model, vectors)


def test_a_wish_for_a_model_that_is_not_there_gives_none() -> None:
    assert not _decide(8000, weights=NO_MODEL, wishes=Wishes(model=True)).use_model


@pytest.mark.parametrize(
    ("budget", "memory", "context", "reason"),
    [
        (1500, 8000, 2048, "sizing_standard"),
        (3000, 8000, 4096, "sizing_budget"),
        (100_000, 8000, 8192, "sizing_budget"),
        (3000, 750, 2048, "sizing_shortened"),
        (1500, 730, 1024, "sizing_shortened"),
    ],
)
def test_the_context_follows_the_budget_as_far_as_memory_goes(
    budget: int, memory: int, context: int, reason: str
) -> None:
    found = _decide(memory, budget=budget)
    assert (found.context_tokens, found.context_choice) == (context, reason)
    assert found.token_budget(budget) <= context - 512


def test_the_standard_budget_is_not_cut() -> None:
    assert _decide(8000).token_budget(1500) == 1500
    assert _decide(8000, wishes=Wishes(context_tokens=512)).token_budget(1500) == 1


def test_nearer_wishes_win() -> None:
    flags = Wishes(threads=2, model=False)
    assert flags.over(Wishes(threads=4, context_tokens=1024)) == Wishes(model=False, context_tokens=1024, threads=2)


def test_models_are_weighed_with_the_files_they_lie_in(tmp_path: Path) -> None:
    inside = tmp_path / "almanac"
    with inside.open("wb") as file:
        file.truncate(494_000_000)
    answer = ModelFile("a", inside, 4096, 253_000_000, "")
    gone = ModelFile("e", tmp_path / "gone", 0, 87_000_000, "")
    assert weigh(answer, gone) == Weights(253, 87, 494, 87)
    assert weigh(None, None) == Weights()
