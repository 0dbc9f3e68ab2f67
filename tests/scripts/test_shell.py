"""The shell scripts: they parse, explain themselves, and refuse what they cannot do before they touch anything."""

from __future__ import annotations

import os
import subprocess
from pathlib import Path

import pytest

from tests.helpers import PROJECT

SCRIPTS = sorted((PROJECT / "scripts").glob("*.sh"))


def _run(script: str, *words: str, **environment: str) -> subprocess.CompletedProcess[str]:
    return subprocess.run(
        ["bash", str(PROJECT / "scripts" / script), *words],
        capture_output=True, text=True, check=False, cwd=PROJECT, env={**os.environ, **environment},
    )  # fmt: skip


@pytest.mark.parametrize("script", SCRIPTS, ids=lambda path: path.name)
def test_bash_can_read_it(script: Path) -> None:
    assert subprocess.run(["bash", "-n", str(script)], check=False).returncode == 0


def test_the_arm_build_explains_itself_and_refuses_wrong_words() -> None:
    shown = _run("build_arm64.sh", "--help")
    assert shown.returncode == 0
    assert "dist/almanac-aarch64" in shown.stdout and "set -euo" not in shown.stdout
    for words in (("--wrong",), ("--only", "nothing")):
        done = _run("build_arm64.sh", *words)
        assert done.returncode == 2
        assert "step" in done.stderr or "--only" in done.stderr


def test_old_processors_need_an_executable(tmp_path: Path) -> None:
    done = _run("try_old_cpus.sh", str(tmp_path / "none"))
    assert done.returncode == 2
    assert "no executable" in done.stderr
