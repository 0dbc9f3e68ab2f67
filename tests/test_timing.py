"""kb.timing: the phases of a start."""

from __future__ import annotations

import json
import subprocess
import sys
from pathlib import Path

import pytest

from kb.timing import PHASES, Timing, process_age


def test_the_marks_are_written_when_the_last_phase_is_reached(tmp_path: Path) -> None:
    timing = Timing(tmp_path / "t.json")
    assert [timing.mark(phase) for phase in PHASES[:-1]] == [False] * (len(PHASES) - 1)
    assert not (tmp_path / "t.json").exists()
    first = timing.mark(PHASES[0])
    assert not first
    assert timing.mark(PHASES[-1])
    marks = json.loads((tmp_path / "t.json").read_text())
    assert list(marks) == list(PHASES)
    assert list(marks.values()) == sorted(marks.values())


def test_an_unknown_phase_is_a_fault(tmp_path: Path) -> None:
    with pytest.raises(ValueError, match="nonsense"):
        Timing(tmp_path / "t.json").mark("nonsense")


@pytest.mark.slow
@pytest.mark.skipif(not Path("/proc/self/stat").exists(), reason="needs /proc")
def test_the_age_counts_from_the_start_of_the_process_and_survives_exec() -> None:
    code = "import os,sys,time; time.sleep(0.3); os.execv(sys.executable, [sys.executable, '-c', sys.argv[1]])"
    after = "from kb.timing import process_age; print(process_age())"
    done = subprocess.run([sys.executable, "-c", code, after], capture_output=True, text=True, check=True)
    assert float(done.stdout) >= 0.28
    assert process_age() > 0
