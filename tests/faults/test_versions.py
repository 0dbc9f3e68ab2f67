"""Versions under kill -9, a full disk, a read-only one, two processes at once; `kb.versions.audit` is the oracle.

Whatever happens: a tag is complete or absent, a release is whole or absent, what was live stays live until it is
switched, and the same command run again does what it should have done.
"""

from __future__ import annotations

import functools
import os
import random
import resource
import shutil
import signal
from collections.abc import Callable, Iterator
from dataclasses import replace
from pathlib import Path

import pytest

from kb.errors import AlmanacError
from kb.search.retriever import Retriever
from kb.versions import publish, releases, routes, snapshot
from kb.versions.audit import check_home, check_tags
from kb.versions.registry import Registered, Registry
from kb.versions.routes import Actor, Environment
from kb.versions.serving import reading
from kb.versions.snapshot import Author
from tests.conftest import Published
from tests.faults.steps import dies_at, dies_some_time, exit_code, how_long
from tests.helpers import MOMENT, document, git, run_in_child, write

pytestmark = pytest.mark.slow
DESK = Author("agronomy-desk")
PROD: tuple[str, Environment] = ("", "prod")
_DONE = 77
# A snapshot of the sample tree needs no file larger than this.
_ENOUGH = 9_000
BOX = "store/boxes/wombat.md"


def _box(kilograms: int) -> str:
    return document("Wombat box", f"The wombat box weighs {kilograms} kg.")


@pytest.fixture
def live(published: Published) -> Published:
    """Release 1.0.0 (5 kg) is live, the tree says 6 kg and is not committed; `git gc` leaves it alone."""
    first, _ = published.make({BOX: _box(5)})
    published.switch(first)
    write(published.source.root, BOX, _box(6))
    return published


def _restored(template: Published, place: Path) -> Published:
    """The template's repository and home again, as they were, at `place`."""
    shutil.rmtree(place, ignore_errors=True)
    shutil.copytree(template.source.root, place / "knowledge", symlinks=True)
    shutil.copytree(template.home, place / "home")
    root = place / "knowledge"
    source = replace(template.source, repository=root, root=root)
    return Published(place / "home", source, template.index)


def _snapshot(live: Published) -> snapshot.Snapshot:
    taken = snapshot.take(live.source, DESK, include_changes=True)
    with Registry.open(live.home) as registry, registry.writing():
        registry.register(taken, live.source.root)
    return taken


def _publish(live: Published, tag: str = "kb-1.1.0") -> Registered:
    with Registry.open(live.home) as registry:
        taken = snapshot.read(live.source, tag)
        made, _ = publish.make(live.home, registry, live.source, taken, live.index, now=MOMENT)
        routes.activate(registry, PROD, made, Actor("agronomy-desk"), now=MOMENT)
        releases.sweep(live.home, registry)
        return made


def _roll_back(live: Published) -> None:
    with Registry.open(live.home) as registry:
        routes.roll_back(registry, PROD, Actor("agronomy-desk"), now=MOMENT)


def _answers(live: Published) -> str:
    """The tag that answers now; what it says is its own."""
    with reading(live.home) as found:
        assert found is not None
        retriever = Retriever(found.root, found.index_folder)
        try:
            text = retriever.find("How much does the wombat box weigh?")[0].section.text
        finally:
            retriever.close()
        kilograms = {"kb-1.0.0": "5 kg", "kb-1.1.0": "6 kg"}[found.version.tag]
        assert kilograms in text
        return found.version.tag


def _sound(live: Published) -> None:
    """No finding but what the next run sweeps: temporaries, and a folder that was placed and not yet registered."""
    found = [finding for finding in check_home(live.home) if not finding.place.startswith(".almanac-tmp-")]
    assert found == []
    assert check_tags(live.source, every=True) == []
    git(live.source.repository, "fsck", "--no-dangling", "--no-progress")  # raises when an object is damaged


def _each_step(
    template: Published, place: Path, stride: int, work: Callable[[Published], object]
) -> Iterator[Published]:
    """The state after `work` died at each `stride`-th write step; of the last ones, after every one."""
    step = 1
    size = stride
    while True:
        state = _restored(template, place)
        if dies_at(step, lambda: work(state)):  # noqa: B023  # called at once
            yield state
            step += size
        elif size == 1:
            break
        else:
            step, size = step - size + 1, 1
    assert step > 5, "the work had hardly any step: nothing was tried"


def test_killed_at_every_step_of_a_snapshot(live: Published, tmp_path: Path) -> None:
    tagged = 0
    for state in _each_step(live, tmp_path / "try", 1, _snapshot):
        assert state.source.tags() in (["kb-1.0.0"], ["kb-1.0.0", "kb-1.1.0"])
        _sound(state)
        tagged += len(state.source.tags()) - 1
        taken = _snapshot(state)
        assert taken.tag == "kb-1.1.0"
        assert git(state.source.repository, "status", "--porcelain") == ""
        assert _answers(state) == "kb-1.0.0"
    assert tagged > 0


def test_killed_at_the_steps_of_publishing(live: Published, tmp_path: Path) -> None:
    _snapshot(live)
    switched = 0
    for state in _each_step(live, tmp_path / "try", 7, _publish):
        _sound(state)
        switched += _answers(state) == "kb-1.1.0"
        _publish(state)
        assert _answers(state) == "kb-1.1.0"
        assert check_home(state.home) == []
    assert switched > 0


def test_killed_at_every_step_of_a_rollback(live: Published, tmp_path: Path) -> None:
    _snapshot(live)
    _publish(live)

    def several(state: Published) -> None:
        for _ in range(3):
            _roll_back(state)

    for state in _each_step(live, tmp_path / "try", 1, several):
        before = _answers(state)
        _sound(state)
        _roll_back(state)
        assert _answers(state) != before


def test_killed_at_the_steps_of_retiring(live: Published, tmp_path: Path) -> None:
    _snapshot(live)
    with Registry.open(live.home) as registry:
        taken = snapshot.read(live.source, "kb-1.1.0")
        publish.make(live.home, registry, live.source, taken, live.index, now=MOMENT)

    def retire(state: Published) -> None:
        with Registry.open(state.home) as registry:
            releases.retire(state.home, registry, registry.named("1.1.0"), "2026-06-01T08:00:00Z")

    for state in _each_step(live, tmp_path / "try", 4, retire):
        assert _answers(state) == "kb-1.0.0"
        _sound(state)
        retire(state)
        assert check_home(state.home) == []
        assert [path.name[:8] for path in (state.home / "releases").iterdir() if path.is_dir()] == ["kb-1.0.0"]


def test_killed_with_its_git_at_any_moment(live: Published, tmp_path: Path) -> None:
    """git itself dies too, and leaves its lock files."""
    chance = random.Random(7)
    died = 0

    def everything(state: Published) -> None:
        _snapshot(state)
        _publish(state)
        _roll_back(state)

    whole = _restored(live, tmp_path / "try")
    within = how_long(lambda: everything(whole))
    for _ in range(25):
        state = _restored(live, tmp_path / "try")
        died += dies_some_time(chance, within, functools.partial(everything, state))
        _sound(state)
        assert _answers(state) in ("kb-1.0.0", "kb-1.1.0")
        assert _snapshot(state).tag == "kb-1.1.0"
        assert _publish(state).tag == "kb-1.1.0"
        assert _answers(state) == "kb-1.1.0"
        assert check_home(state.home) == []
    assert died > 5


@pytest.mark.parametrize("limit", [0, 500, 2_000, 9_000, 30_000])
def test_a_file_system_that_takes_no_more(live: Published, tmp_path: Path, limit: int) -> None:
    """No file may grow beyond `limit` bytes: git, SQLite and our own writes fail for real, each somewhere else."""
    taken = _restored(live, tmp_path / "taken")
    _snapshot(taken)
    for template, work in ((live, _snapshot), (taken, _publish)):
        state = _restored(template, tmp_path / "try")

        def limited(state: Published = state, work: Callable[[Published], object] = work) -> None:
            signal.signal(signal.SIGXFSZ, signal.SIG_IGN)
            resource.setrlimit(resource.RLIMIT_FSIZE, (limit, limit))
            try:
                work(state)
            except AlmanacError:
                return
            os._exit(_DONE)

        code = exit_code(limited)
        assert code in ((0,) if limit < _ENOUGH else (0, _DONE)), "neither done nor said"
        _sound(state)
        assert _answers(state) in ("kb-1.0.0", "kb-1.1.0")
        work(state)
        _sound(state)


@pytest.mark.skipif(os.getuid() != 0, reason="becomes another user, which only root may")
def test_a_place_that_may_not_be_written(live: Published, tmp_path: Path) -> None:
    for folder in (tmp_path, *tmp_path.parents):
        if folder != Path("/") and folder != Path("/tmp"):
            folder.chmod(folder.stat().st_mode | 0o055)
    taken = _restored(live, tmp_path / "taken")
    _snapshot(taken)
    keys = {}
    for state, work in ((live, _snapshot), (taken, _publish)):
        before = sorted(path for path in state.home.rglob("*"))

        def as_nobody(state: Published = state, work: Callable[[Published], object] = work) -> None:
            os.setgroups([])
            os.setgid(65534)
            os.setuid(65534)
            try:
                work(state)
            except AlmanacError as error:
                assert error.key in ("not_writable", "git_failed", "registry_unusable", "write_failed"), error
                return
            raise AssertionError("it was written")

        keys[work.__name__] = exit_code(as_nobody)
        _sound(state)
        assert sorted(path for path in state.home.rglob("*")) == before
        assert _answers(state) == "kb-1.0.0"
    assert set(keys.values()) == {0}


def test_two_at_once(live: Published) -> None:
    for work, tag in ((_snapshot, "kb-1.0.0"), (_publish, "kb-1.1.0"), (_publish, "kb-1.1.0")):
        children = [run_in_child(lambda work=work: work(live)) for _ in range(3)]  # type: ignore[misc]
        codes = [os.waitstatus_to_exitcode(os.waitpid(child, 0)[1]) for child in children]
        assert codes == [0, 0, 0]
        _sound(live)
        assert live.source.tags() == ["kb-1.0.0", "kb-1.1.0"]
        assert _answers(live) == tag
    assert check_home(live.home) == []
