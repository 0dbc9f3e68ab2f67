"""Many questions through one running process: memory, files, descriptors and threads must stay level.

A shift of twelve hours asks some hundreds of questions; ten thousand stand for weeks. Asks, searches and opens
documents in turn, in Chinese and English, with follow-ups, refusals and hostile input, keeping answers as a person's
copy does. Prints a row every tenth of the run and exits with 1 when something grows.
"""

from __future__ import annotations

import argparse
import contextlib
import dataclasses
import gc
import statistics
import sys
import tempfile
import threading
import time
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from pathlib import Path

PROJECT = Path(__file__).resolve().parent.parent
sys.path.insert(0, str(PROJECT))

from kb.answer import journal  # noqa: E402
from kb.answer.followup import Session  # noqa: E402
from kb.answer.runtime import Runtime  # noqa: E402
from kb.config import Config  # noqa: E402
from kb.errors import AlmanacError  # noqa: E402
from kb.paths import find_assets, self_command  # noqa: E402
from kb.supply.questions import KEPT as EVENTS_KEPT  # noqa: E402
from kb.tree import document  # noqa: E402

SUBJECTS = (
    "大豆",
    "水稻",
    "玉米",
    "小麦",
    "马铃薯",
    "拖拉机",
    "喷雾机",
    "奶牛",
    "猪",
    "滴灌",
    "soybean",
    "maize",
    "pump",
    "calf",
)
WANTS = (
    "播种深度是多少", "追施多少钾肥", "怎么防治病害", "什么时候收获", "贮藏温度", "安全间隔期几天", "how deep",
    "what dose", "when to harvest", "which oil", "maintenance interval", "price of",
)  # fmt: skip
HOSTILE = (
    "\x1b]52;c;aGk=\x07 水泵",
    "[/] [bold [1]",
    "(a+)+$",
    "--output=/x",
    "../../etc/passwd",
    "E-07" * 500,
    "zebra trombone",
)
# What may grow between the first tenth and the last, which the first tenth's filling of caches does not explain.
MEMORY_KB_A_THOUSAND = 2048
# The answers of a home are bounded by number; a kept answer with its evidence takes some kilobytes.
HOME_KB_AN_ANSWER = 16


@dataclass(frozen=True, slots=True)
class Sample:
    """What one look at the process saw, after `asked` operations; memory in KB is anonymous memory only."""

    asked: int
    memory_kb: int
    descriptors: int
    threads: int
    home_kb: int
    home_files: int
    temporary_files: int
    median_ms: float


def questions() -> Iterator[str]:
    """An endless mix, the same in every run; a number keeps most from being the same question again."""
    for number in range(sys.maxsize):
        subject, want = SUBJECTS[number % len(SUBJECTS)], WANTS[number // len(SUBJECTS) % len(WANTS)]
        if number % 17 == 16:
            yield HOSTILE[number // 17 % len(HOSTILE)]
        elif number % 5 == 4:
            yield f"那{subject}呢？" if number % 2 else f"and {subject}?"
        else:
            yield f"{subject}{want} {number % 1000}" if number % 3 else f"{subject} {want}"


def soak(runtime: Runtime, temporary: Path, count: int, looks: int = 10) -> list[Sample]:
    """Do `count` operations, two thirds of them questions; a sample at the start and `looks` more."""
    paths = sorted(runtime.retriever.snapshot().paths)
    session, samples, took = Session(), list[Sample](), [0.0]
    mix = questions()
    for number in range(count + 1):
        if number % max(1, count // looks) == 0:
            samples.append(_look(runtime.config.home, temporary, number, took))
            took = [0.0]
        started = time.perf_counter()
        with contextlib.suppress(AlmanacError):
            if number % 6 == 4:
                runtime.retriever.find_documents(next(mix), 10)
            elif number % 6 == 5:
                document.load(runtime.root, paths[number % len(paths)])
            else:
                session = session.after(runtime.answerer.ask(next(mix), session).resolved)
        took.append((time.perf_counter() - started) * 1000)
    return samples


def _look(home: Path, temporary: Path, asked: int, took: Sequence[float]) -> Sample:
    gc.collect()
    status = dict(line.split(":", 1) for line in Path("/proc/self/status").read_text().splitlines() if ":" in line)
    files = [path for path in home.rglob("*") if path.is_file()]
    return Sample(
        asked=asked,
        memory_kb=int(status["RssAnon"].split()[0]),
        descriptors=sum(1 for _ in Path("/proc/self/fd").iterdir()),
        threads=threading.active_count(),
        home_kb=sum(path.stat().st_size for path in files) // 1024,
        home_files=len(files),
        temporary_files=sum(1 for _ in temporary.rglob("*")),
        median_ms=round(statistics.median(took), 1),
    )


def faults(samples: Sequence[Sample]) -> list[str]:
    """What grew, in words; empty when everything stayed level.

    The first third warms up: caches fill, allocators settle. From there on the slope of memory, by the median of the
    slopes between all pairs of samples, counts.
    """
    level = samples[max(1, len(samples) // 3) :]
    found: list[str] = []
    slope = slope_kb(level)
    if slope > MEMORY_KB_A_THOUSAND:
        found.append(f"memory grows by {slope:.0f} KB a thousand operations")
    # Each unanswered question may be a file for the distiller, up to a number.
    spare = {"home_files": EVENTS_KEPT}
    for name in ("descriptors", "threads", "home_files", "temporary_files"):
        values = [getattr(sample, name) for sample in level]
        if max(values) > values[0] + spare.get(name, 0):
            found.append(f"{name} grew from {values[0]} to {max(values)}")
    allowed = samples[0].home_kb + 1024 + HOME_KB_AN_ANSWER * min(samples[-1].asked, journal.KEPT)
    if samples[-1].home_kb > allowed:
        found.append(f"the home folder holds {samples[-1].home_kb} KB, {allowed} KB are expected at most")
    return found


def slope_kb(samples: Sequence[Sample]) -> float:
    """KB of memory that a thousand operations add (Theil-Sen: no single sample decides)."""
    slopes = [
        1000.0 * (later.memory_kb - earlier.memory_kb) / (later.asked - earlier.asked)
        for place, earlier in enumerate(samples)
        for later in samples[place + 1 :]
    ]
    return statistics.median(slopes) if slopes else 0.0


def opened(home: Path, *, models: bool) -> Runtime:
    """A runtime over the knowledge of this checkout, ready to answer."""
    assets = find_assets(home)
    config = Config(
        home=home,
        knowledge=PROJECT / "docs",
        lang="zh",
        embedder=assets.embedder if models else None,
        llama_libs=assets.llama_libs if models else None,
        use_model=False,
        self_command=self_command(),
    )
    runtime = Runtime(dataclasses.replace(config, keep_answers=True))
    runtime.retriever.update()
    if models:
        for problem in runtime.load().problems:
            raise problem
        runtime.embed_missing()
    return runtime


def main() -> int:
    """Command line: how many operations, with or without the embedder."""
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--count", type=int, default=15_000, help="operations; two thirds are questions")
    parser.add_argument("--no-models", action="store_true", help="search by words only")
    arguments = parser.parse_args()
    with tempfile.TemporaryDirectory(prefix="soak-") as folder:
        home, temporary = Path(folder, "home"), Path(folder, "tmp")
        temporary.mkdir()
        tempfile.tempdir = str(temporary)
        runtime = opened(home, models=not arguments.no_models)
        print(f"{arguments.count} operations, {sum(1 for n in range(arguments.count) if n % 6 < 4)} of them questions")
        started = time.perf_counter()
        try:
            samples = soak(runtime, temporary, arguments.count)
        finally:
            runtime.close()
            tempfile.tempdir = None
    names = [field.name for field in dataclasses.fields(Sample)]
    print("| " + " | ".join(name.replace("_", " ") for name in names) + " |\n|" + "---|" * len(names))
    for sample in samples:
        print("| " + " | ".join(str(getattr(sample, name)) for name in names) + " |")
    level = samples[max(1, len(samples) // 3) :]
    print(f"memory: {slope_kb(level):+.0f} KB a thousand operations; {time.perf_counter() - started:.0f} s")
    found = faults(samples)
    for fault in found:
        print(f"FAULT: {fault}")
    return 1 if found else 0


if __name__ == "__main__":
    sys.exit(main())
