"""Measuring in processes of their own: each job starts from a bare interpreter and answers with a line of JSON.

A script that measures calls `run(its own file, job)`; started with `--job`, it does the job and calls `answer`.
"""

from __future__ import annotations

import json
import os
import re
import resource
import subprocess
import sys
import time
from collections.abc import Iterator, Mapping, Sequence
from contextlib import contextmanager
from pathlib import Path
from typing import Any

import common

_MARK = "RESULT "
_SETTLE_S = 0.5
# A busy loop that ends with the process that started it, even if that one is killed.
_BUSY = "import os\nparent = os.getppid()\nwhile os.getppid() == parent:\n    sum(range(100000))"


def run(script: Path, job: Mapping[str, Any], progress: common.Progress, label: str) -> dict[str, Any]:
    """Do `job` in a fresh interpreter and return its answer; the lines it prints meanwhile become progress."""
    progress.update(label)
    found: list[str] = []

    def on_line(line: str) -> None:
        if line.startswith(_MARK):
            found.append(line.removeprefix(_MARK))
        elif line.strip():
            progress.update(f"{label}: {line.strip()}")

    output = common.run([sys.executable, script, "--job", json.dumps(job)], on_line=on_line)
    if not found:
        raise common.ScriptError(f"{label}: no result\n{output[-2000:]}")
    return dict(json.loads(found[-1]))


def answer(**values: Any) -> None:
    """Say the result of a job."""
    print(f"\n{_MARK}{json.dumps(values)}", flush=True)


def resident_mb() -> float:
    """Memory of this process that is in RAM now, mapped files included, in MB (10^6 bytes)."""
    resident = int(Path("/proc/self/statm").read_text("ascii").split()[1])
    return resident * os.sysconf("SC_PAGE_SIZE") / 1e6


def peak_mb() -> float:
    """The most that was in RAM at once so far, in MB."""
    found = re.search(r"VmHWM:\s+(\d+) kB", Path("/proc/self/status").read_text("utf-8"))
    return int(found[1]) * 1024 / 1e6 if found else 0.0


def helper_peak_mb() -> float:
    """The most that any one child process of this one had in RAM, in MB; 0 without children that have ended."""
    return resource.getrusage(resource.RUSAGE_CHILDREN).ru_maxrss * 1024 / 1e6


def disk_mb(folder: Path) -> float:
    """Bytes of all files below `folder`, in MB."""
    return sum(path.stat().st_size for path in folder.rglob("*") if path.is_file()) / 1e6


@contextmanager
def busy_cores() -> Iterator[list[subprocess.Popen[bytes]]]:
    """Keep every core of the machine occupied by a process that counts; yields these processes."""
    # Sessions of their own: Linux shares the processor by session first, and other people's programs have theirs.
    command = [sys.executable, "-c", _BUSY]
    loops = [subprocess.Popen(command, start_new_session=True) for _ in range(os.cpu_count() or 1)]
    try:
        time.sleep(_SETTLE_S)
        yield loops
    finally:
        for loop in loops:
            loop.kill()
        for loop in loops:
            loop.wait()


def percentile(values: Sequence[float], share: float) -> float:
    """The value below which `share` (0..1) of the values lie; NaN without values."""
    ordered = sorted(values)
    return ordered[min(len(ordered) - 1, int(share * len(ordered)))] if ordered else float("nan")
