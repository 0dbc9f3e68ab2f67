"""scripts/bootstrap.py: what an environment holds, and lock files that agree."""

from __future__ import annotations

import re
import sys
from pathlib import Path

import bootstrap
import pytest

from tests.helpers import PROJECT


def _pins(level: str) -> dict[str, str]:
    """Package and version of every line of a lock file."""
    text = bootstrap.lock_file(PROJECT, level).read_text("utf-8")
    return dict(re.findall(r"^([\w.-]+)==(\S+)", text, re.MULTILINE))


def _options(level: str, monkeypatch: pytest.MonkeyPatch) -> bootstrap.Options:
    monkeypatch.setattr(sys, "argv", ["bootstrap.py"] if level == "run" else ["bootstrap.py", f"--{level}"])
    return bootstrap.parse_options()


@pytest.mark.parametrize("level", bootstrap.LEVELS)
def test_an_environment_serves_for_its_level_and_lower_ones(
    level: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    for name in bootstrap.LEVELS:
        lock = bootstrap.lock_file(tmp_path, name)
        lock.parent.mkdir(exist_ok=True)
        lock.write_text(f"{name}==1\n")
    python = bootstrap.venv_python(tmp_path)
    python.parent.mkdir(parents=True)
    python.touch()
    stamp = {"venv": bootstrap.venv_digest(tmp_path, level)}
    ready = [name for name in bootstrap.LEVELS if bootstrap.venv_ready(tmp_path, _options(name, monkeypatch), stamp)]
    assert ready == list(bootstrap.LEVELS[: bootstrap.LEVELS.index(level) + 1])
    bootstrap.lock_file(tmp_path, level).write_text(f"{level}==2\n")
    assert not bootstrap.venv_ready(tmp_path, _options(level, monkeypatch), stamp)


@pytest.mark.parametrize(("lower", "higher"), [("run", "dev"), ("dev", "bench")])
def test_a_lock_file_holds_the_one_below_it(lower: str, higher: str) -> None:
    """Else `make test` after `make bench-search` would run with other versions than alone."""
    assert _pins(lower).items() <= _pins(higher).items()


@pytest.mark.parametrize("level", bootstrap.LEVELS)
def test_every_package_has_hashes(level: str) -> None:
    text = bootstrap.lock_file(PROJECT, level).read_text("utf-8")
    entries = re.split(r"^(?=[\w.-]+==)", text, flags=re.MULTILINE)[1:]
    assert entries
    assert all("--hash=sha256:" in entry for entry in entries)
