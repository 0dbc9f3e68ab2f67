"""kb.answer.live_runtime: each question is answered from the release that is live when it is asked."""

from __future__ import annotations

import dataclasses
import functools
from collections.abc import Iterator
from pathlib import Path

import pytest

from kb import fsio
from kb.answer.live_runtime import LiveRuntime
from kb.answer.runtime import Runtime
from kb.config import Config
from kb.errors import KnowledgeError
from kb.versions import releases
from kb.versions.registry import Registered
from kb.versions.serving import hold
from tests.conftest import Published
from tests.helpers import document

QUESTION = "How much does the wombat box weigh?"


def boxes(kilograms: int) -> dict[str, str]:
    """A document whose number tells releases apart."""
    return {"store/boxes/wombat_2024_v1.md": document("Wombat box", f"The wombat box weighs {kilograms} kg.")}


def configured(published: Published) -> Config:
    """A run that follows the releases of `published`, over the live one."""
    route = functools.partial(hold, published.home)
    found, lease = route()
    assert found is not None
    return Config(
        home=published.home, knowledge=found.root, prebuilt_index=found.index_folder, lang="en", lease=lease,
        released=route, keep_answers=False,
    )  # fmt: skip


@pytest.fixture
def first(published: Published) -> Iterator[Registered]:
    """A live release in which the box weighs 5 kg."""
    made, _ = published.make(boxes(5))
    published.switch(made)
    yield made


def _free(published: Published, release: Registered) -> bool:
    """Whether nobody holds a release."""
    folder = releases.folder_of(published.home, release)
    with fsio.locked(releases.lease_of(folder), wait=False) as ours:
        return ours


def test_the_next_question_sees_the_next_release(published: Published, first: Registered) -> None:
    seen: list[str] = []
    runtime = Runtime(configured(published))
    following = LiveRuntime(runtime, lambda now: seen.append(now.version().tag))
    with following.asking() as now:
        assert now is runtime
        second, _ = published.make(boxes(6))
        published.switch(second)
        # the question that is running keeps its release, whole
        answer = now.answerer.ask(QUESTION)
        assert ("5 kg" in answer.text, answer.knowledge_version.tag) == (True, first.tag)
        with following.asking() as later:
            answer = later.answerer.ask(QUESTION)
            assert ("6 kg" in answer.text, answer.knowledge_version.tag) == (True, second.tag)
            assert not _free(published, first)
    assert seen == [second.tag]
    assert following.runtime is not runtime
    assert _free(published, first)
    assert not _free(published, second)
    with following.asking() as same:
        assert same is following.runtime
    published.switch(first)
    with following.asking() as back:
        assert "5 kg" in back.answerer.ask(QUESTION).text
    assert seen == [second.tag, first.tag]
    following.close()
    runtime.close()


def test_knowledge_that_a_person_named_stays(published: Published, first: Registered) -> None:
    config = dataclasses.replace(configured(published), released=None)
    runtime = Runtime(config)
    following = LiveRuntime(runtime)
    second, _ = published.make(boxes(6))
    published.switch(second)
    with following.asking() as now:
        assert now is runtime
    runtime.close()


def test_the_first_release_takes_the_place_of_a_tree(published: Published, tmp_path: Path) -> None:
    route = functools.partial(hold, published.home)
    config = Config(home=published.home, knowledge=published.source.root, lang="en", released=route)
    runtime = Runtime(config)
    following = LiveRuntime(runtime)
    with following.asking() as now:
        assert now is runtime
    made, _ = published.make(boxes(5))
    published.switch(made)
    with following.asking() as now:
        assert now.version().tag == made.tag
        assert now.models is runtime.models
    following.close()
    runtime.close()


def test_a_damaged_release_answers_nothing(published: Published, first: Registered) -> None:
    runtime = Runtime(configured(published))
    following = LiveRuntime(runtime)
    second, _ = published.make(boxes(6))
    published.switch(second)
    stamp = next(releases.folder_of(published.home, second).glob("*.json"))
    stamp.write_text("{}", "utf-8")
    with pytest.raises(KnowledgeError), following.asking():
        pytest.fail("it was asked")
    runtime.close()
