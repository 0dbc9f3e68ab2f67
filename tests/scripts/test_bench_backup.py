"""scripts/bench_backup.py: runs to its end on a small base and tells every figure."""

from __future__ import annotations

import subprocess
import sys

import pytest

from tests.helpers import PROJECT, has_git


@pytest.mark.slow
@pytest.mark.skipif(not has_git(), reason="there is no git program on this machine")
def test_every_job_has_its_line() -> None:
    command = [sys.executable, str(PROJECT / "scripts" / "bench_backup.py"), "--documents", "60", "--rows", "100"]
    done = subprocess.run(command, capture_output=True, text=True, timeout=300, check=True)
    rows = [line for line in done.stdout.splitlines() if line.startswith(("| almanac", "| git"))]
    assert len(rows) == 5
    assert all(float(line.split("|")[place]) >= 0 for line in rows for place in (2, 3, 4))
