"""The interface follows what is published beside it: the next question is answered from the new release."""

from __future__ import annotations

import asyncio
import functools
from collections.abc import Iterator
from pathlib import Path

import pytest

from kb.answer.runtime import Runtime
from kb.config import Config
from kb.versions.serving import hold
from tests.helpers import Program, commit_all, document, git, has_git, write
from tests.tui.conftest import ask, opened, screen_text, until
from tui.session import Phase

pytestmark = [pytest.mark.slow, pytest.mark.skipif(not has_git(), reason="there is no git program on this machine")]
QUESTION = "How much does the wombat box weigh?"
HERE = "store/boxes/wombat_2024_v1.md"


class Publisher:
    """Publishes the tree with the program itself, in a process of its own."""

    def __init__(self, program: Program, root: Path, home: Path) -> None:
        self._program, self._root, self._home = program, root, home

    def publish(self, kilograms: int) -> None:
        """A release in which the box weighs so much."""
        write(self._root, HERE, document("Wombat box", f"The wombat box weighs {kilograms} kg."))
        commit_all(self._root)
        for verb in ("snapshot", "publish"):
            done = self._program(verb, "--knowledge", str(self._root), "--home", str(self._home), "--by", "desk")
            assert done.code == 0, done.err


@pytest.fixture
def publisher(program: Program, tmp_path: Path) -> Publisher:
    """A repository and a home whose first release is live: 5 kg."""
    root = tmp_path / "base"
    root.mkdir()
    git(root, "init", "--quiet", "-b", "main")
    made = Publisher(program, root, tmp_path / "home")
    made.publish(5)
    return made


@pytest.fixture
def released(publisher: Publisher, tmp_path: Path) -> Iterator[Runtime]:
    """A run over the live release, as the command line makes it."""
    home = tmp_path / "home"
    route = functools.partial(hold, home)
    found, lease = route()
    assert found is not None
    runtime = Runtime(
        Config(
            home=home, knowledge=found.root, prebuilt_index=found.index_folder, lang="en", lease=lease, released=route
        )
    )
    yield runtime
    runtime.close()


async def test_a_publish_beside_the_interface(released: Runtime, publisher: Publisher) -> None:
    async with opened(released) as (app, pilot):
        await ask(app, pilot, QUESTION)
        before = app.session.exchanges[-1].answer
        assert before is not None
        assert "5 kg" in before.text
        first = before.knowledge_version.tag
        assert first in screen_text(app)
        await asyncio.to_thread(publisher.publish, 6)
        await ask(app, pilot, QUESTION)
        after = app.session.exchanges[-1]
        assert after.phase is Phase.DONE
        assert after.answer is not None
        second = after.answer.knowledge_version.tag
        assert "6 kg" in after.answer.text
        assert second != first
        assert after.answer.evidence[0].path == HERE
        await until(pilot, lambda: f"Almanac  {second}" in " ".join(screen_text(app).split("\n")[:2]))
        assert app.runtime.version().tag == second
        # documents, history and reading are those of the new release too
        assert app.runtime.root != released.root
        await pilot.press("f2")
        await until(pilot, lambda: "Wombat" in screen_text(app) or "store" in screen_text(app).lower())
        app.following.close()


async def test_questions_asked_while_releases_change_never_see_a_mix(released: Runtime, publisher: Publisher) -> None:
    async with opened(released) as (app, pilot):
        said: dict[str, set[str]] = {}
        work = asyncio.create_task(asyncio.to_thread(publisher.publish, 7))
        while not work.done() or len(said) < 2:
            await ask(app, pilot, QUESTION)
            exchange = app.session.exchanges[-1]
            assert exchange.phase is Phase.DONE, exchange.error
            assert exchange.answer is not None
            said.setdefault(exchange.answer.knowledge_version.tag, set()).add(exchange.answer.text)
        await work
        assert len(said) == 2
        assert all(len(texts) == 1 for texts in said.values())
        assert "5 kg" in " ".join(next(iter(said.values())))
        assert "7 kg" in " ".join(list(said.values())[1])
        app.following.close()
