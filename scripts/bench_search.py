"""Almanac's search beside other methods, on the public question sets or, with --scale, on many made documents.

Every method is built and asked in processes of its own. Tables go to standard output, progress to standard error.

    hit@n      share of questions with a right document among the first n; a document stands where its best section does
    MRR@10     mean of 1 / rank of the first right document, 0 below rank 10
    ms         one question after another, each once, after a few others for warming up: mean and 95th percentile
    build s    from files to a whole index. Vectors are kept between runs and count with the time they once took
    disk MB    all files of the index, models aside
    memory MB  resident after all questions minus resident of the bare interpreter, mapped files and models included
"""

from __future__ import annotations

import argparse
import json
import shutil
import time
from collections.abc import Sequence
from dataclasses import asdict, dataclass
from pathlib import Path
from typing import Any

import bench_child
import bench_sets
import common
import search_methods
import search_scale

PROJECT = Path(__file__).resolve().parent.parent
_HALVES = {"all": slice(None), "fit": slice(0, None, 2), "report": slice(1, None, 2)}
_TOP = 10
_WARMING = 5


@dataclass(frozen=True, slots=True)
class Job:
    """What a child process does: `build` the index or `ask` the questions of a set."""

    phase: str
    method: str
    set: str
    folder: str
    cache: str
    half: str
    limit: int


@dataclass(frozen=True, slots=True)
class Row:
    """The figures of one method on one set; shares are 0..1."""

    method: str
    first: float
    five: float
    reciprocal: float
    mean_ms: float
    p95_ms: float
    build_s: float
    disk_mb: float
    memory_mb: float


def chosen(questions: Sequence[bench_sets.Question], half: str, limit: int) -> list[bench_sets.Question]:
    """The questions of a half, at most `limit` of them (0: all), evenly spread over the set."""
    members = questions[_HALVES[half]]
    if not limit or limit >= len(members):
        return list(members)
    return [members[place * len(members) // limit] for place in range(limit)]


def rank_of(paths: Sequence[str], gold: Sequence[str]) -> int | None:
    """The place, from 0, of the first right path; None if there is none."""
    return next((place for place, path in enumerate(paths) if path in gold), None)


def quality(ranks: Sequence[int | None]) -> tuple[float, float, float]:
    """hit@1, hit@5 and MRR@10 of the places of the right documents."""
    found = [rank for rank in ranks if rank is not None]
    count = max(len(ranks), 1)
    return (
        sum(rank == 0 for rank in found) / count,
        sum(rank < 5 for rank in found) / count,
        sum(1 / (rank + 1) for rank in found if rank < 10) / count,
    )


# ---------------------------------------------------------------- in the child


def do(job: Job) -> None:
    """Do a job and answer."""
    before = bench_child.resident_mb()
    entry = next(bench_sets.load((job.set,)))
    method = search_methods.methods(Path(job.cache))[job.method][1]
    folder = Path(job.folder)
    if job.phase == "build":
        started = time.perf_counter()
        carried = method.build(entry.docs, folder)
        bench_child.answer(seconds=time.perf_counter() - started + carried)
        return
    questions = chosen(entry.questions, job.half, job.limit)
    ranks: list[int | None] = []
    times: list[float] = []
    with method.open(entry.docs, folder) as search:
        for question in questions[-_WARMING:]:
            search(question.text, _TOP)
        for question in questions:
            started = time.perf_counter()
            paths = search(question.text, _TOP)
            times.append((time.perf_counter() - started) * 1000)
            ranks.append(rank_of(paths, question.gold))
        memory = bench_child.resident_mb() - before
    bench_child.answer(
        quality=quality(ranks),
        mean_ms=sum(times) / max(len(times), 1),
        p95_ms=bench_child.percentile(times, 0.95),
        memory_mb=memory,
    )


# ---------------------------------------------------------------- in the parent


class Comparison:
    """All methods on all sets; an index that two sets share is built once."""

    def __init__(self, cache: Path, half: str, limit: int) -> None:
        self._cache = cache
        self._half = half
        self._limit = limit
        self._progress = common.Progress()
        self._built: dict[tuple[str, Path], tuple[Path, float]] = {}

    def row(self, entry: bench_sets.BenchSet, method: str) -> Row:
        """Build if need be, ask, measure."""
        label = f"{entry.name}, {method}"
        folder, build_s = self._build(entry, method, label)
        found = self._child("ask", entry, method, folder, label)
        first, five, reciprocal = found["quality"]
        return Row(
            method, first, five, reciprocal, found["mean_ms"], found["p95_ms"],
            build_s, bench_child.disk_mb(folder), found["memory_mb"],
        )  # fmt: skip

    def _build(self, entry: bench_sets.BenchSet, method: str, label: str) -> tuple[Path, float]:
        known = self._built.get((method, entry.docs))
        if known is not None:
            return known
        folder = self._cache / entry.docs.relative_to(bench_sets.folder() or entry.docs.anchor) / method
        shutil.rmtree(folder, ignore_errors=True)
        folder.mkdir(parents=True)
        seconds = float(self._child("build", entry, method, folder, label)["seconds"])
        self._built[method, entry.docs] = (folder, seconds)
        return folder, seconds

    def _child(self, phase: str, entry: bench_sets.BenchSet, method: str, folder: Path, label: str) -> dict[str, Any]:
        job = Job(phase, method, entry.name, str(folder), str(self._cache), self._half, self._limit)
        return bench_child.run(Path(__file__).resolve(), asdict(job), self._progress, f"{label}: {phase}")


def table(rows: Sequence[Row], labels: dict[str, str]) -> str:
    """The figures of one set as Markdown."""
    lines = [
        "| method | hit@1 | hit@5 | MRR@10 | ms mean | ms p95 | build s | disk MB | memory MB |",
        "|---|---|---|---|---|---|---|---|---|",
    ]
    lines += [
        f"| {labels[row.method]} | {row.first:.3f} | {row.five:.3f} | {row.reciprocal:.3f} | {row.mean_ms:.2f} "
        f"| {row.p95_ms:.2f} | {row.build_s:.1f} | {row.disk_mb:.1f} | {row.memory_mb:.0f} |"
        for row in rows
    ]
    return "\n".join(lines)


def summary(results: dict[str, list[Row]], labels: dict[str, str]) -> str:
    """hit@1 / hit@5 / MRR@10 of every method on every set as Markdown."""
    names = list(results)
    lines = [f"| hit@1 / hit@5 / MRR@10 | {' | '.join(names)} |", "|---|" + "---|" * len(names)]
    for place, row in enumerate(results[names[0]]):
        cells = [results[name][place] for name in names]
        text = " | ".join(f"{cell.first:.3f} / {cell.five:.3f} / {cell.reciprocal:.3f}" for cell in cells)
        lines.append(f"| {labels[row.method]} | {text} |")
    return "\n".join(lines)


def compare(sets: Sequence[str], names: Sequence[str], half: str, limit: int, cache: Path) -> None:
    """Print a table for each set, as soon as it is there, and a summary."""
    labels = {name: label for name, (label, _) in search_methods.methods(cache).items()}
    comparison = Comparison(cache, half, limit)
    results: dict[str, list[Row]] = {}
    for entry in bench_sets.load(tuple(sets)):
        rows = [comparison.row(entry, name) for name in names]
        results[entry.name] = rows
        asked = len(chosen(entry.questions, half, limit))
        print(f"\n### {entry.name}: {asked} questions\n\n{table(rows, labels)}", flush=True)
    if len(results) > 1:
        print(f"\n### All sets\n\n{summary(results, labels)}", flush=True)


def main() -> None:
    """Command line."""
    cache = PROJECT / "build" / "bench" / "peers"
    known = list(search_methods.methods(cache))
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--sets", nargs="*", default=[], metavar="SET", help="names such as zh-agri; default: all")
    parser.add_argument("--methods", nargs="*", default=known, choices=known, metavar="METHOD", help=", ".join(known))
    parser.add_argument("--limit", type=int, default=0, metavar="N", help="questions a set; 0: all")
    parser.add_argument("--half", choices=list(_HALVES), default="all", help="every second question, or all")
    parser.add_argument("--scale", type=int, default=0, metavar="N", help="instead: search among N made documents")
    parser.add_argument("--fresh", action="store_true", help="forget the vectors kept from earlier runs")
    parser.add_argument("--job", help=argparse.SUPPRESS)
    options = parser.parse_args()
    if options.job:
        do(Job(**json.loads(options.job)))
        return
    place = bench_sets.folder()
    if place is None:
        print("bench-search: skipped, the public question sets are not here (../shared/bench or $ALMANAC_BENCH)")
        return
    if options.fresh:
        (cache / "vectors.db").unlink(missing_ok=True)
    if options.scale:
        search_scale.measure(options.scale, place, PROJECT / "build" / "bench")
        return
    unknown = set(options.sets) - {entry.name for entry in bench_sets.load()}
    if unknown:
        parser.error(f"no such set: {', '.join(sorted(unknown))}")
    compare(options.sets, options.methods, options.half, options.limit, cache)


if __name__ == "__main__":
    common.guarded_main(main)
