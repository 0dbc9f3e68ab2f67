"""Backup and restore killed with SIGKILL at every write step: nothing that was good before is lost.

A step is an fsync, a rename or an unlink; the process that works dies when it reaches the chosen one. Git's own
children end with it or do no harm: they write below temporary names.
"""

from __future__ import annotations

import os
import shutil
import signal
import subprocess
import sys
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import Any

import pytest

from kb.db import PeopleData
from kb.versions import chain, restore
from kb.versions.backup import Keeping
from tests.helpers import PROJECT, git, run_in_child, wait_for
from tests.versions.conftest import Base, files
from tests.versions.conftest import base as base  # a fixture

pytestmark = pytest.mark.slow

_STEPS = ("fsync", "rename", "replace", "unlink", "sync")


def _killed_at(step: int, work: Callable[[], object]) -> bool:
    """Do `work` in a process that kills itself at its `step`-th write; whether it got that far."""

    def dying() -> None:
        left = step

        def counted(real: Callable[..., Any]) -> Callable[..., Any]:
            def call(*arguments: Any, **named: Any) -> Any:
                nonlocal left
                left -= 1
                if left < 0:
                    os.kill(os.getpid(), signal.SIGKILL)
                return real(*arguments, **named)

            return call

        for name in _STEPS:
            setattr(os, name, counted(getattr(os, name)))
        work()

    _, status = os.waitpid(run_in_child(dying), 0)
    assert os.WIFSIGNALED(status) or os.WEXITSTATUS(status) == 0, "the work failed by itself"
    return os.WIFSIGNALED(status)


def _every_step(work: Callable[[], object], most: int = 80) -> Iterator[int]:
    """Kill `work` at its first step, its second, and so on until it ends without reaching the step."""
    for step in range(most):
        killed = _killed_at(step, work)
        yield step
        if not killed:
            return
    raise AssertionError("the work has more steps than expected")


def test_a_killed_backup_leaves_the_good_ones_and_the_next_one_works(base: Base) -> None:
    first = base.backup(Keeping(100))
    steps = 0
    for _ in _every_step(lambda: base.backup(Keeping(100))):
        steps += 1
        verdict = chain.verify(base.backups)
        assert verdict.good, verdict
        assert first.file in [backup.path for backup in verdict.backups if backup.state is chain.State.GOOD]
        for backup in verdict.backups:
            # Whatever bears a backup's name is one.
            restore.choose(backup.path)
    assert steps > 8
    made = base.backup(Keeping(100))
    verdict = chain.verify(base.backups)
    assert all(backup.state is chain.State.GOOD for backup in verdict.backups)
    assert made.file == verdict.backups[0].path
    assert not [path.name for path in base.backups.iterdir() if path.name.startswith(".almanac-tmp")]
    assert [path.name for path in (base.home / "scratch").iterdir()] == [".almanac-backup.lock"]


def test_retention_that_is_killed_never_takes_the_last_one(base: Base, tmp_path: Path) -> None:
    for _ in range(2):
        base.backup(Keeping(100))
    shutil.copytree(base.backups, tmp_path / "two")
    for _ in _every_step(lambda: base.backup(Keeping(1))):
        verdict = chain.verify(base.backups)
        assert verdict.good
        assert any(backup.state is chain.State.GOOD for backup in verdict.backups)
        shutil.rmtree(base.backups)
        shutil.copytree(tmp_path / "two", base.backups)
    base.backup(Keeping(1))
    assert chain.verify(base.backups).good
    assert len(list(base.backups.glob("kb-*.bundle"))) == 1


def test_a_killed_restore_left_the_old_base_or_is_finished_by_the_next_run(base: Base, tmp_path: Path) -> None:
    made = base.backup()
    saved = files(base.root)
    base.commit("later.md", "x", "docs(later): add")
    base.note(PeopleData.LEDGER, "later")
    old = files(base.root)
    original = tmp_path / "original"
    for name in ("知识", "home"):
        shutil.copytree(tmp_path / name, original / name)
    seen: set[str] = set()
    steps = 0
    for _ in _every_step(lambda: restore.restore(base.git, made.file, base.root, base.home)):
        steps += 1
        if restore.unfinished(base.home):
            seen.add("unfinished")
            done = restore.finish(base.home)
            assert done is not None
        if files(base.root) == old:
            seen.add("old")
            assert base.notes(PeopleData.LEDGER) == ["one", "two", "later"]
            git(base.root, "fsck", "--full", "--strict")
            done = restore.restore(base.git, made.file, base.root, base.home)
            assert done is not None
        assert files(base.root) == saved
        assert base.notes(PeopleData.LEDGER) == ["one", "two"]
        git(base.root, "fsck", "--full", "--strict")
        assert not base.root.with_name("知识.restoring").exists()
        assert not (base.home / "people.restoring").exists()
        for name in ("知识", "home"):
            shutil.rmtree(tmp_path / name)
            shutil.copytree(original / name, tmp_path / name)
    assert seen == {"old", "unfinished"}
    assert steps > 10


def test_ctrl_c_leaves_nothing_behind(base: Base) -> None:
    base.root.joinpath("big.bin").write_bytes(os.urandom(20_000_000))
    scratch = base.home / "scratch"
    command = [sys.executable, str(PROJECT / "agent_main.py"), "backup", str(base.backups)]
    command += ["--knowledge", str(base.root), "--home", str(base.home)]
    running = subprocess.Popen(command, stdout=subprocess.PIPE, stderr=subprocess.PIPE, text=True)
    wait_for(lambda: any(scratch.glob(".almanac-tmp-*/work.git")), "the work has begun")
    running.send_signal(signal.SIGINT)
    out, said = running.communicate(timeout=60)
    assert (running.returncode, out, said) == (130, "", "Stopped.\n")
    assert [path.name for path in scratch.iterdir()] == [".almanac-backup.lock"]
    assert [path.name for path in base.backups.iterdir()] == [".almanac-backup.lock"]
