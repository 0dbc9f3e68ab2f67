"""How the executable behaves on small and busy machines: starts, questions, memory, one table a subject.

Every figure is of the file itself (`--executable`) in an empty environment. Conditions are made with what Linux has:
`taskset` for cores, spinning processes for busy ones, a memory cgroup for limits, /proc/sys/vm/drop_caches for a cold
disk. A condition that this machine does not allow is left out and said. Launches beside PyInstaller's default packing:
`make bench-launch`.
"""

from __future__ import annotations

import argparse
import contextlib
import functools
import json
import os
import shutil
import statistics
import subprocess
import sys
import tempfile
from collections.abc import Callable, Iterable, Iterator, Sequence
from dataclasses import dataclass
from pathlib import Path

PROJECT = Path(__file__).resolve().parent.parent
sys.path.insert(0, str(PROJECT))

import bench_child  # noqa: E402
import bench_launch  # noqa: E402

from kb.paths import read_parts  # noqa: E402

QUESTIONS = (
    "大豆R5期追施多少钾肥", "水稻浸种水温和时间", "三环唑安全间隔期几天", "E-12 是什么故障", "拖拉机机油多久换一次",
    "What torque for an M12 10.9 bolt?", "How deep should soybeans be planted?", "支付网关读取超时是多少",
)  # fmt: skip
_CGROUP = Path("/sys/fs/cgroup/memory/almanac-bench")
_DROP = Path("/proc/sys/vm/drop_caches")
_TIMEOUT_S = 300


@dataclass(frozen=True, slots=True)
class Run:
    """One process that answered one question: times in milliseconds, tokens a second, most resident MB, exit code."""

    wall: float
    evidence: float
    first_token: float | None
    pace: float | None
    memory: float
    ended: int


def ask(command: Sequence[str], home: Path, question: str, *words: str) -> Run:
    """Ask in a process of its own; its peak memory is of the process and its children (`ru_maxrss`)."""
    environment = {"HOME": str(home), "LANG": "C.UTF-8", "PATH": "/usr/bin:/bin"}
    code = (
        "import resource,subprocess,sys,time\n"
        "began=time.perf_counter()\n"
        "done=subprocess.run(sys.argv[1:],capture_output=True,text=True)\n"
        "spent=time.perf_counter()-began\n"
        "peak=resource.getrusage(resource.RUSAGE_CHILDREN).ru_maxrss\n"
        "print(spent,peak,done.returncode);print(done.stdout)"
    )
    done = subprocess.run(
        [sys.executable, "-c", code, *command, "ask", "--json", "--no-record", *words, question],
        env=environment, capture_output=True, text=True, timeout=_TIMEOUT_S, check=True,
    )  # fmt: skip
    head, _, answer = done.stdout.partition("\n")
    wall, peak, ended = head.split()
    timings = json.loads(answer)["timings"] if answer.strip() else {}
    evidence, first_token = timings.get("evidence_ms", 0.0), timings.get("first_token_ms")
    told = timings.get("tokens", 0) - 1
    pace = told / (timings["total_ms"] - first_token) * 1000 if first_token is not None and told > 1 else None
    return Run(float(wall) * 1000, evidence, first_token, pace, float(peak) / 1000, int(ended))


def questions(program: Path, home: Path) -> None:
    """Time to an answer under each condition, quoted and worded by the model: medians over QUESTIONS."""
    print(
        "\n| condition | wording | whole process ms | to evidence | to the first word | tokens/s | memory MB | failed |"
    )
    print("|---|---|---|---|---|---|---|---|")
    for label, condition in CONDITIONS:
        for way in ("quote", "select"):
            with condition() as before:
                if before is None:
                    print(f"| {label} | not possible on this machine | | | | | | |")
                    break
                runs = [ask([*before, str(program)], home, question, "--way", way) for question in QUESTIONS]
            failed = sum(run.ended not in (0, 3) for run in runs)
            print(
                f"| {label} | {way} | {_middle(run.wall for run in runs)} | {_middle(run.evidence for run in runs)} | "
                f"{_middle(run.first_token for run in runs if run.first_token is not None)} | "
                f"{_middle(run.pace for run in runs if run.pace is not None)} | "
                f"{max(run.memory for run in runs):.0f} | {failed} |",
                flush=True,
            )


def _middle(values: Iterable[float]) -> str:
    known = list(values)
    return f"{statistics.median(known):.0f}" if known else "-"


Before = list[str] | None
"""Words to put before a command, so that it runs under a condition; None where this machine does not allow it."""


@contextlib.contextmanager
def idle() -> Iterator[Before]:
    """Nothing special."""
    yield []


@contextlib.contextmanager
def one_core() -> Iterator[Before]:
    """The first core alone."""
    yield ["taskset", "--cpu-list", "0"] if shutil.which("taskset") else None


@contextlib.contextmanager
def busy() -> Iterator[Before]:
    """Every core is occupied by another process."""
    with bench_child.busy_cores():
        yield []


@contextlib.contextmanager
def limited(megabytes: int) -> Iterator[Before]:
    """A memory cgroup (version 1); pages of the file that are cached for it count too."""
    try:
        _CGROUP.mkdir(exist_ok=True)
        (_CGROUP / "memory.limit_in_bytes").write_text(str(megabytes * 1_000_000))
    except OSError:
        yield None
        return
    yield ["sh", "-c", f'echo $$ > {_CGROUP}/tasks; exec "$0" "$@"']
    with contextlib.suppress(OSError):
        _CGROUP.rmdir()


@contextlib.contextmanager
def cold_disk() -> Iterator[Before]:
    """Nothing of any file is in memory at each start."""
    os.sync()
    yield ["sh", "-c", f'echo 3 > {_DROP}; exec "$0" "$@"'] if os.access(_DROP, os.W_OK) else None


CONDITIONS: tuple[tuple[str, Callable[[], contextlib.AbstractContextManager[Before]]], ...] = (
    ("all cores, idle", idle), ("one core", one_core), ("all cores busy", busy),
    ("at most 2 GB", functools.partial(limited, 2000)), ("at most 1 GB", functools.partial(limited, 1000)),
    ("at most 500 MB", functools.partial(limited, 500)), ("cold disk", cold_disk),
)  # fmt: skip


def launches(program: Path, folder: Path) -> None:
    """Starts of the interface: first, later, on one core, with a cold disk."""
    print("| start of the interface | s to the prompt | written MB | resident MB |\n|---|---|---|---|")
    home = folder / "launch"
    home.mkdir()

    def row(name: str, count: int = 1) -> None:
        runs = [bench_launch.launch(program, home) for _ in range(count)]
        seconds = statistics.median(run.seconds for run in runs)
        written = statistics.median(run.written / 1e6 for run in runs)
        memory = statistics.median(run.memory for run in runs)
        print(f"| {name} | {seconds:.2f} | {written:.1f} | {memory:.0f} |", flush=True)

    row("first")
    row("later (median of 5)", 5)
    whole = os.sched_getaffinity(0)
    os.sched_setaffinity(0, {min(whole)})  # the programs that it starts keep to it too
    row("later, one core (median of 5)", 5)
    os.sched_setaffinity(0, whole)
    if os.access(_DROP, os.W_OK):  # last: what comes after it would still read from the disk
        os.sync()
        _DROP.write_text("3")
        row("later, cold disk")


def main() -> None:
    """Print the tables for BENCHMARKS.md."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--executable", type=Path, default=PROJECT / "dist" / "almanac")
    options = parser.parse_args()
    program = options.executable.resolve()
    with tempfile.TemporaryDirectory(prefix="almanac-bench-", dir=PROJECT / "build") as name:
        launches(program, Path(name))
        home = Path(name) / "questions"
        home.mkdir()
        ask([str(program)], home, QUESTIONS[0])
        questions(program, home)
    print("\n| part | MB |\n|---|---|")
    for part in read_parts(program):
        print(f"| {part.kind} ({part.name}) | {part.size / 1e6:.1f} |")
    print(f"| whole file | {program.stat().st_size / 1e6:.1f} |")


if __name__ == "__main__":
    main()
