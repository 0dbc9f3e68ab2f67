"""deploy/worker: what a machine is told to run can be run."""

from __future__ import annotations

import os
import shutil
import subprocess
import xml.etree.ElementTree as ET
from pathlib import Path

import pytest

from kb.cli.parser import parse
from tests.helpers import PROJECT, Program, git, has_git, write

FOLDER = PROJECT / "deploy" / "worker"


def test_the_commands_fit_the_program() -> None:
    unit = (FOLDER / "almanac-worker.service").read_text("utf-8")
    line = next(line for line in unit.splitlines() if line.startswith("ExecStart="))
    task = ET.parse(FOLDER / "windows-task.xml").getroot()
    arguments = task.findtext(".//{*}Arguments") or ""
    cron = (FOLDER / "crontab").read_text("utf-8").splitlines()[-1].split(" >> ")[0].split("almanac ", 1)[1]
    for words in (line.split()[1:], arguments.split(), cron.replace('"', "").split()):
        found = parse(words, "en")
        assert (found.verb, found.action, found.once) == ("worker", "run", True)


@pytest.mark.skipif(shutil.which("systemd-analyze") is None, reason="there is no systemd-analyze on this machine")
def test_systemd_accepts_the_units(tmp_path: Path) -> None:
    for name in ("almanac-worker.service", "almanac-worker.timer"):
        text = (FOLDER / name).read_text("utf-8").replace("/usr/local/bin/almanac", "/bin/true")
        (tmp_path / name).write_text(text, "utf-8")
    done = subprocess.run(
        ["systemd-analyze", "verify", "--user", str(tmp_path / "almanac-worker.timer")],
        capture_output=True,
        text=True,
        check=False,
    )
    assert "almanac-worker" not in done.stderr, done.stderr


@pytest.mark.slow
@pytest.mark.skipif(not has_git(), reason="there is no git program on this machine")
def test_a_merge_tells_the_worker_what_was_released(program: Program, tmp_path: Path) -> None:
    """The hook as a person would install it, run by git."""
    tools = tmp_path / "bin"
    quoted = " ".join(f"'{word}'" for word in program.command())
    write(tools, "almanac", f'#!/bin/sh\nexec {quoted} "$@"\n').chmod(0o755)
    repository = tmp_path / "repository"
    repository.mkdir()
    git(repository, "init", "--quiet", "-b", "main")
    git(repository, "commit", "--quiet", "--allow-empty", "-m", "first")
    git(repository, "checkout", "--quiet", "-b", "work")
    git(repository, "commit", "--quiet", "--allow-empty", "-m", "done\n\nReleased: PUMP-12 PUMP-13")
    git(repository, "checkout", "--quiet", "main")
    hook = repository / ".git" / "hooks" / "post-merge"
    hook.parent.mkdir(exist_ok=True)
    shutil.copy(FOLDER / "post-merge", hook)
    environment = program.environment({"PATH": f"{tools}{os.pathsep}{os.environ['PATH']}"})
    for _ in range(2):
        subprocess.run(
            ["git", "-C", str(repository), "merge", "--quiet", "--ff-only", "work"],
            env=environment, check=True, capture_output=True, timeout=60,
        )  # fmt: skip
        subprocess.run([str(hook)], cwd=repository, env=environment, check=True, capture_output=True, timeout=60)
    events = sorted(path.name for path in Path(environment["ALMANAC_HOME"], "events").iterdir())
    assert len(events) == 2
    assert all(name.startswith("git-") for name in events)
