"""Updates under kill -9, a full disk, a read-only one, a stick that fails, two at once.

Whatever happens: what answers is the old version or the new one, whole; the program's file is the old one or the new
one, whole and able to run; and the same update again does what it should have done.
"""

from __future__ import annotations

import os
import random
import resource
import shutil
import signal
import subprocess
import sys
from collections.abc import Callable, Iterator
from dataclasses import replace
from pathlib import Path

import pytest

from kb import fsio
from kb.errors import AlmanacError
from kb.versions.audit import check_home
from kb.versions.update import updating
from kb.versions.update.offers import Found, Kind, Machine, Outcome
from tests.faults.steps import dies_at, dies_some_time, exit_code, how_long
from tests.helpers import PROJECT, git, needs_mount, run_in_child
from tests.versions.update.conftest import Desk, answers, packed, vouch
from tests.versions.update.conftest import author as author
from tests.versions.update.conftest import installed as installed
from tests.versions.update.conftest import machine as machine
from tests.versions.update.conftest import stick as stick

pytestmark = pytest.mark.slow
_DONE, _SAID = 77, 0
OLD, NEW = ("kb-1.0.0", "5"), ("kb-1.1.0", "6")


def _take(machine: Machine, place: Path, kind: Kind = Kind.KNOWLEDGE) -> Outcome | None:
    """Everything that a person does: look, and put in place what is newer."""
    newer = [offer for offer in updating.find(machine, (place,)).newer if offer.kind is kind]
    return updating.apply(machine, newer[0]) if newer else None


@pytest.fixture
def old(author: Desk, machine: Machine) -> Machine:
    """Version 1.0.0 answers, 1.1.0 is on the stick."""
    _take(machine, author.edition(5).parent)
    author.edition(6)
    return machine


def _copied(template: Machine, place: Path) -> Machine:
    """The same home again, as it was, at `place`."""
    shutil.rmtree(place, ignore_errors=True)
    shutil.copytree(template.home, place, symlinks=True)
    return replace(template, home=place)


def _sound(state: Machine) -> None:
    """No finding but what the next run sweeps, and a store whose objects are whole."""
    found = [finding for finding in check_home(state.home) if not finding.place.startswith(".almanac-tmp-")]
    assert [finding for finding in found if finding.key != "release_stray"] == []
    if (state.folder / "knowledge" / ".git").is_dir():
        git(state.folder / "knowledge", "fsck", "--no-dangling", "--no-progress")


def _steps(stride: int, prepare: Callable[[], Machine], work: Callable[[Machine], object]) -> Iterator[Machine]:
    """The state after `work` died at each `stride`-th write step; of the last ones, after every one."""
    step, size = 1, stride
    while True:
        state = prepare()
        if dies_at(step, lambda: work(state)):  # noqa: B023  # called at once
            yield state
            step += size
        elif size == 1:
            break
        else:
            step, size = max(step - size + 1, 1), 1
    assert step > 5, "the work had hardly any step: nothing was tried"


def test_killed_at_the_steps_of_an_update_of_the_knowledge(author: Desk, old: Machine, tmp_path: Path) -> None:
    seen = set()
    for state in _steps(9, lambda: _copied(old, tmp_path / "try"), lambda state: _take(state, author.stick)):
        _sound(state)
        seen.add(answers(state))
        _take(state, author.stick)
        assert answers(state) == NEW
        _sound(state)
        assert check_home(state.home) == []
        assert sorted(path.name for path in state.folder.iterdir()) == ["knowledge", "lock"]
    assert seen == {OLD, NEW}


def test_killed_at_every_step_of_taking_it_back(author: Desk, old: Machine, tmp_path: Path) -> None:
    _take(old, author.stick)
    seen = set()

    def undo(state: Machine) -> None:
        updating.undo(state)
        fsio.write_text(tmp_path / "what follows", "")  # SQLite's own writes are no steps here

    for state in _steps(1, lambda: _copied(old, tmp_path / "try"), undo):
        _sound(state)
        before = answers(state)
        seen.add(before)
        if before == NEW:
            updating.undo(state)
        assert answers(state) == OLD
    assert seen == {OLD, NEW}


def test_killed_with_its_git_at_any_moment(author: Desk, old: Machine, tmp_path: Path) -> None:
    chance = random.Random(11)
    died = 0
    whole = _copied(old, tmp_path / "try")
    within = how_long(lambda: _take(whole, author.stick))
    for _ in range(12):
        state = _copied(old, tmp_path / "try")
        died += dies_some_time(chance, within, lambda state=state: _take(state, author.stick))  # type: ignore[misc]
        _sound(state)
        assert answers(state) in (OLD, NEW)
        _take(state, author.stick)
        assert answers(state) == NEW
        assert check_home(state.home) == []
    assert died > 2


def _program_at(template: Machine, place: Path) -> Machine:
    """The machine with its program, again as they were."""
    state = _copied(template, place / "home") if template.home.is_dir() else replace(template, home=place / "home")
    shutil.rmtree(place / "bin", ignore_errors=True)
    assert template.program is not None
    shutil.copytree(template.program.parent, place / "bin")
    return replace(state, program=place / "bin" / "almanac")


def _program(state: Machine, *whole: bytes) -> bytes:
    """The bytes of the program: one of `whole`, and it runs."""
    assert state.program is not None
    data = state.program.read_bytes()
    assert data in whole
    assert subprocess.run([str(state.program), "--version"], check=False, capture_output=True).returncode == 0
    return data


def test_killed_at_every_step_of_an_update_of_the_program(installed: Machine, stick: Path, tmp_path: Path) -> None:
    assert installed.program is not None
    before = installed.program.read_bytes()
    after = vouch(packed(stick / "almanac-2", "0.2.0")).read_bytes()
    seen = set()
    for state in _steps(
        1, lambda: _program_at(installed, tmp_path / "try"), lambda state: _take(state, stick, Kind.PROGRAM)
    ):
        seen.add(_program(state, before, after))
        _take(state, stick, Kind.PROGRAM)
        assert _program(state, after) == after
        assert state.program is not None
        assert state.program.with_name("almanac.previous").read_bytes() == before
        left = sorted(path.name for path in state.program.parent.iterdir() if not path.name.startswith("."))
        assert left == ["almanac", "almanac.previous"]
        assert updating.undo(state, Kind.PROGRAM).version == "0.1.0"
    assert seen == {before, after}


def test_killed_at_every_step_of_taking_the_program_back(installed: Machine, stick: Path, tmp_path: Path) -> None:
    assert installed.program is not None
    before = installed.program.read_bytes()
    after = vouch(packed(stick / "almanac-2", "0.2.0")).read_bytes()
    _take(installed, stick, Kind.PROGRAM)
    seen = set()
    for state in _steps(1, lambda: _program_at(installed, tmp_path / "try"), updating.undo):
        seen.add(_program(state, before, after))
    assert seen == {before, after}


@pytest.mark.parametrize("limit", [0, 700, 3_000, 12_000, 40_000])
def test_a_file_system_that_takes_no_more(
    author: Desk, old: Machine, installed: Machine, stick: Path, tmp_path: Path, limit: int
) -> None:
    """No file may grow beyond `limit` bytes: copying, git, SQLite and the index fail for real, each somewhere else."""
    vouch(packed(stick / "almanac-2", "0.2.0"))
    assert installed.program is not None
    before = installed.program.read_bytes()
    for kind, place in ((Kind.KNOWLEDGE, author.stick), (Kind.PROGRAM, stick)):
        state = _program_at(replace(installed, home=old.home), tmp_path / "try")

        def limited(state: Machine = state, kind: Kind = kind, place: Path = place) -> None:
            signal.signal(signal.SIGXFSZ, signal.SIG_IGN)
            resource.setrlimit(resource.RLIMIT_FSIZE, (limit, limit))
            try:
                _take(state, place, kind)
            except AlmanacError:
                return
            os._exit(_DONE)

        assert exit_code(limited) in ((_SAID,) if limit < 3_000 or kind is Kind.PROGRAM else (_SAID, _DONE))
        _sound(state)
        assert answers(state) in (OLD, NEW)
        _program(state, before)
        _take(state, place, kind)
        _sound(state)


def _read_only(places: list[Path], *words: str) -> subprocess.CompletedProcess[str]:
    """Run the program where `places` cannot be written, really."""
    script = (
        'set -e; while [ "$1" != -- ]; do mount --bind "$1" "$1"; mount -o remount,ro,bind "$1"; shift; done; shift; '
        'exec "$@"'
    )
    command = ["unshare", "--mount", "sh", "-c", script, "sh", *map(str, places), "--"]
    program = [sys.executable, str(PROJECT / "agent_main.py"), *words]
    environment = {**os.environ, "LANG": "C.UTF-8"}
    return subprocess.run([*command, *program], capture_output=True, text=True, check=False, env=environment)


@needs_mount
def test_a_read_only_stick_is_good_enough(author: Desk, old: Machine) -> None:
    words = ("update", "--from", str(author.stick), "--home", str(old.home), "--knowledge", str(old.knowledge))
    done = _read_only([author.stick], *words, "--yes", "--no-model")
    assert done.returncode == 0, done
    assert answers(old) == NEW


@needs_mount
def test_a_read_only_home_is_named_and_stays(author: Desk, old: Machine) -> None:
    words = ("update", "--from", str(author.stick), "--home", str(old.home), "--knowledge", str(old.knowledge))
    done = _read_only([old.home], *words, "--yes", "--no-model")
    assert done.returncode == 5 and str(old.home) in done.stderr and "Traceback" not in done.stderr, done
    assert answers(old) == OLD


@needs_mount
def test_a_stick_that_a_person_may_not_write_holds_no_new_update(author: Desk, tmp_path: Path) -> None:
    words = ("update", "make", str(author.stick), "--knowledge", str(author.source.root), "--home", str(tmp_path / "h"))
    author.edition(6)
    before = sorted(author.stick.iterdir())
    done = _read_only([author.stick], *words)
    assert done.returncode == 5 and str(author.stick) in done.stderr and "Traceback" not in done.stderr, done
    assert sorted(author.stick.iterdir()) == before


@needs_mount
@pytest.mark.skipif(shutil.which("mkfs.ext4") is None, reason="needs mkfs.ext4 to make a stick")
@pytest.mark.parametrize("left", [8_000_000, 1_000_000])
def test_a_stick_with_real_read_errors(author: Desk, old: Machine, tmp_path: Path, left: int) -> None:
    """A file system on a loop device that loses its end while it is mounted: reads of what lay there fail."""
    [bundle] = author.stick.glob("*.bundle")
    with bundle.open("ab") as file:
        file.write(os.urandom(12_000_000))
    vouch(bundle)
    script = (
        'set -e; truncate -s 24M "$1"; mkfs.ext4 -q -F "$1"; mkdir "$2"; mount -o loop "$1" "$2" || exit 99; '
        'cp "$3"/* "$2"; umount "$2"; mount -o loop,ro "$1" "$2"; truncate -s "$4" "$1"; shift 4; "$@"'
    )
    place = tmp_path / "mounted"
    program = [sys.executable, str(PROJECT / "agent_main.py"), "update", "--from", str(place), "--home", str(old.home),
               "--knowledge", str(old.knowledge), "--yes"]  # fmt: skip
    command = ["unshare", "--mount", "sh", "-c", script, "sh", str(tmp_path / "image"), str(place), str(author.stick)]
    environment = {**os.environ, "LANG": "C.UTF-8"}
    done = subprocess.run([*command, str(left), *program], capture_output=True, text=True, check=False, env=environment)
    if done.returncode == 99:
        pytest.skip("no loop device can be mounted here")
    assert done.returncode == 5 and "Put the stick in again" in done.stderr, done
    assert answers(old) == OLD
    assert sorted(path.name for path in old.folder.iterdir()) == ["knowledge", "lock"]


def test_a_stick_that_shrinks_while_it_is_read(author: Desk, old: Machine) -> None:
    """As one that was not copied to its end, or is pulled: fewer bytes come than the file has."""
    offer = updating.find(old, (author.stick,)).offers[0]
    with offer.file.open("ab") as file:
        file.truncate(5_000_000)
    vouch(offer.file)

    def cut(phase: str, done: int, total: int) -> None:
        if phase == "update" and 0 < done < 30:
            os.truncate(offer.file, 2_000_000)

    with pytest.raises(AlmanacError) as caught:
        updating.apply(replace(old, report=cut), replace(offer, sha256=""))
    assert caught.value.key == "update_medium"
    assert answers(old) == OLD
    assert sorted(path.name for path in old.folder.iterdir()) == ["knowledge", "lock"]


def test_two_at_once(author: Desk, old: Machine) -> None:
    """One does it, the others say why not, or find that it was done."""
    found: Found = updating.find(old, (author.stick,))

    def work() -> None:
        try:
            updating.apply(old, found.offers[0])
        except AlmanacError as error:
            assert error.key == "update_running"
            os._exit(_DONE)

    children = [run_in_child(work) for _ in range(4)]
    codes = [os.waitstatus_to_exitcode(os.waitpid(child, 0)[1]) for child in children]
    assert set(codes) <= {0, _DONE} and 0 in codes
    assert answers(old) == NEW
    assert check_home(old.home) == []


def test_readers_never_see_a_mix(author: Desk, old: Machine) -> None:
    """While it is updated and taken back, whoever asks gets one version with its own words."""

    def change() -> None:
        for _ in range(3):
            _take(old, author.stick)
            updating.undo(old)

    child = run_in_child(change)
    seen: list[tuple[str, str]] = []
    while os.waitpid(child, os.WNOHANG) == (0, 0):
        seen.append(answers(old))
    assert set(seen) <= {OLD, NEW}
    assert answers(old) == OLD
    assert len(seen) > 3
