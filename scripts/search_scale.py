"""Search among thousands of made documents, words alone: Almanac and tantivy on the same files and questions.

The documents come from make_scale.py of the public sets, about 9 KB each, one in 500 with a planted fact (a needle).
`bench_search.py --scale N` calls `measure`; every figure is taken in a process of its own.
"""

from __future__ import annotations

import argparse
import json
import os
import shutil
import statistics
import sys
import time
from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import asdict, dataclass
from pathlib import Path
from typing import Any

import bench_child
import bench_sets
import common
from search_methods import Almanac, SectionTantivy
from search_peers import Method, Tantivy

PROJECT = Path(__file__).resolve().parent.parent
_TOP = 10
# Questions drawn from each set: 300 that are timed, and others before them for warming up.
_DRAWN = {"zh-agri": 75, "zh-reading": 75, "en-reading": 75, "device-faq zh": 38, "device-faq en": 37}
_WARMING = 10
# Words that stand nowhere, each added to another file for the time of one update.
_PROBES = ("zyxalba", "zyxbora", "zyxcena", "zyxdova", "zyxelra")
# Times that the index is opened.
_OPENED = 5
# Opening an index, in an interpreter that has loaded nothing else: tree and folder are its arguments.
_OPENING = """
import sys, time
def memory(name):
    lines = open("/proc/self/status").read().splitlines()
    return next(int(line.split()[1]) for line in lines if line.startswith(name)) * 1024 / 1e6
before = memory("VmRSS")
started = time.perf_counter()
{importing}
imported = time.perf_counter()
{opening}
ended = time.perf_counter()
print((imported - started) * 1000, (ended - started) * 1000, memory("VmRSS") - before, memory("VmHWM") - before)
"""
_MAPPING = ("import tantivy", "searcher = tantivy.Index.open(sys.argv[2]).searcher()")
_OPENERS = {
    "almanac": (
        "from pathlib import Path\nfrom kb.search.retriever import Retriever",
        "retriever = Retriever(Path(sys.argv[1]), Path(sys.argv[2]))\nretriever.snapshot()",
    ),
    "tantivy": _MAPPING,
    "tantivy-sections": _MAPPING,
}
_LABELS = {"almanac": "Almanac", "tantivy": "tantivy", "tantivy-sections": "tantivy, the same sections"}


@dataclass(frozen=True, slots=True)
class Job:
    """What a child process does: `build`, `ask`, `needles`, `change` or `hybrid`, with the documents in `tree`."""

    phase: str
    method: str
    tree: str
    folder: str


def make_tree(place: Path, tree: Path, count: int, progress: common.Progress) -> None:
    """Have `count` documents in `tree`, with needles.jsonl; made if absent, whole or not at all."""
    if tree.is_dir():
        return
    progress.update(f"making {count} documents")
    half_made = tree.with_name(f".{tree.name}.tmp")
    shutil.rmtree(half_made, ignore_errors=True)
    half_made.parent.mkdir(parents=True, exist_ok=True)
    common.run([sys.executable, place / "make_scale.py", half_made, str(count)])
    half_made.rename(tree)


def draw() -> tuple[list[str], list[str]]:
    """The questions for warming up and the 300 to be timed: evenly spread over each set, the same at every run."""
    warming: list[str] = []
    timed: list[str] = []
    for entry in bench_sets.load(tuple(_DRAWN)):
        wanted = _DRAWN[entry.name] + _WARMING
        spread = [entry.questions[place * len(entry.questions) // wanted].text for place in range(wanted)]
        warming += spread[:_WARMING]
        timed += spread[_WARMING:]
    return warming, timed


def needles(tree: Path) -> list[tuple[str, str]]:
    """Question and path of every planted fact."""
    lines = (tree / "needles.jsonl").read_text("utf-8").splitlines()
    return [(item["question"], item["gold"][0]) for item in map(json.loads, lines)]


# ---------------------------------------------------------------- in the child


def methods() -> dict[str, Method]:
    """Those that are measured at scale."""
    return {"almanac": Almanac(None, sections=_TOP), "tantivy": Tantivy(), "tantivy-sections": SectionTantivy()}


def do(job: Job) -> None:
    """Do a job and answer."""
    tree, folder, method = Path(job.tree), Path(job.folder), methods()[job.method]
    if job.phase == "build":
        started = time.perf_counter()
        method.build(tree, folder)
        seconds = time.perf_counter() - started
        bench_child.answer(seconds=seconds, peak_mb=bench_child.peak_mb(), helper_mb=bench_child.helper_peak_mb())
    elif job.phase == "ask":
        _ask(method, tree, folder)
    elif job.phase == "needles":
        _find_needles(method, tree, folder)
    elif job.phase == "change":
        _change(tree, folder)
    elif job.phase == "hybrid":
        _hybrid(tree, folder)


def _ask(method: Method, tree: Path, folder: Path) -> None:
    """Median and 95th percentile in ms of the drawn questions, ten results each, after others for warming up."""
    warming, timed = draw()
    before = bench_child.resident_mb()
    times: list[float] = []
    with method.open(tree, folder) as search:
        for question in warming:
            search(question, _TOP)
        for question in timed:
            started = time.perf_counter()
            search(question, _TOP)
            times.append((time.perf_counter() - started) * 1000)
        memory = bench_child.resident_mb() - before
    bench_child.answer(
        count=len(times),
        median_ms=statistics.median(times),
        p95_ms=bench_child.percentile(times, 0.95),
        memory_mb=memory,
    )


def _find_needles(method: Method, tree: Path, folder: Path) -> None:
    """hit@1 and hit@5 of the planted facts."""
    first = five = 0
    planted = needles(tree)
    with method.open(tree, folder) as search:
        for question, path in planted:
            paths = search(question, _TOP)
            first += path in paths[:1]
            five += path in paths[:5]
    bench_child.answer(count=len(planted), first=first / len(planted), five=five / len(planted))


def _change(tree: Path, folder: Path) -> None:
    """Seconds for an update of Almanac's index without a change; medians with one changed file: of an update, which
    looks at all files, and of the file alone, as a question does that meets it."""
    sys.path.insert(0, str(PROJECT))
    from kb.search.index import Index
    from kb.search.retriever import Retriever
    from kb.search.snapshot import Filter

    retriever = Retriever(tree, folder)
    retriever.update()
    taxonomy, index = retriever.taxonomy, Index.open(tree, folder)
    started = time.perf_counter()
    retriever.update()
    unchanged = time.perf_counter() - started
    times: list[float] = []
    alone: list[float] = []
    found = 0
    files = sorted(tree.rglob("*.md"))
    for number, word in enumerate(_PROBES):
        path = files[(2 * number + 1) * len(files) // (2 * len(_PROBES))]
        with _changed(path, word):
            started = time.perf_counter()
            retriever.update()
            times.append(time.perf_counter() - started)
            best = retriever.find(word, 1, Filter(on=None, released_only=False))
            found += [item.path for item in best] == [path.relative_to(tree).as_posix()]
        started = time.perf_counter()
        index.refresh([path.relative_to(tree).as_posix()], taxonomy)
        alone.append(time.perf_counter() - started)
    index.close()
    retriever.close()
    bench_child.answer(
        unchanged_s=unchanged,
        changed_s=statistics.median(times),
        alone_s=statistics.median(alone),
        found=found,
        count=len(times),
    )


@contextmanager
def _changed(path: Path, word: str) -> Iterator[None]:
    """A file with a sentence more, put back as it was at the end."""
    data, state = path.read_bytes(), path.stat()
    try:
        path.write_bytes(data + f"\n\nThe {word} was added.\n".encode())
        yield
    finally:
        path.write_bytes(data)
        os.utime(path, ns=(state.st_atime_ns, state.st_mtime_ns))


# ---------------------------------------------------------------- in the parent


def opening(method: str, tree: Path, folder: Path) -> tuple[float, ...]:
    """Open an index in bare interpreters, one after another; the medians of four figures.

    ms for importing; ms from the bare interpreter to an index that can be asked; MB over the interpreter then, at most.
    """
    importing, opener = _OPENERS[method]
    code = _OPENING.format(importing=importing, opening=opener)
    command = [sys.executable, "-c", code, str(tree), str(folder)]
    runs = [[float(word) for word in common.run(command, cwd=PROJECT).split()[-4:]] for _ in range(_OPENED)]
    return tuple(statistics.median(values) for values in zip(*runs, strict=True))


class Scale:
    """The figures of one method among many documents, by the names of the table's lines."""

    def __init__(self, method: str, tree: Path, folder: Path, documents: int) -> None:
        self._method = method
        self._tree = tree
        self._folder = folder
        self._documents = documents
        self._progress = common.Progress()
        self.median_ms = float("nan")

    def _child(self, phase: str, note: str = "") -> dict[str, Any]:
        job = Job(phase, self._method, str(self._tree), str(self._folder))
        return bench_child.run(Path(__file__).resolve(), asdict(job), self._progress, f"{self._method}: {phase}{note}")

    def figures(self) -> dict[str, str]:
        """Build, open, ask in quiet and beside busy cores, find the needles, change a file."""
        shutil.rmtree(self._folder, ignore_errors=True)
        self._folder.mkdir(parents=True)
        built = self._child("build")
        lines = {
            "build s": f"{built['seconds']:.1f}",
            "documents a second": f"{self._documents / built['seconds']:.0f}",
            "memory while building, peak MB (of a helper)": f"{built['peak_mb']:.0f} ({built['helper_mb']:.0f})",
            "disk MB": f"{bench_child.disk_mb(self._folder):.1f}",
        }
        import_ms, open_ms, memory, peak = opening(self._method, self._tree, self._folder)
        lines |= {
            "open ms (of that, importing)": f"{open_ms:.0f} ({import_ms:.0f})",
            "open, MB over the bare interpreter (peak)": f"{memory:.0f} ({peak:.0f})",
        }
        quiet = self._child("ask")
        self.median_ms = quiet["median_ms"]
        with bench_child.busy_cores():
            loud = self._child("ask", " beside busy cores")
        for name, found in (("", quiet), ("every core busy: ", loud)):
            lines |= {f"{name}median ms": f"{found['median_ms']:.2f}", f"{name}p95 ms": f"{found['p95_ms']:.2f}"}
        lines |= {
            "every core busy: times as long, median (p95)": f"{loud['median_ms'] / quiet['median_ms']:.2f} "
            f"({loud['p95_ms'] / quiet['p95_ms']:.2f})",
            f"memory after {quiet['count']} questions MB": f"{quiet['memory_mb']:.0f}",
        }
        planted = self._child("needles")
        lines[f"{planted['count']} needles, hit@1 / hit@5"] = f"{planted['first']:.3f} / {planted['five']:.3f}"
        if self._method == "almanac":
            changed = self._child("change")
            if changed["found"] != changed["count"]:
                raise common.ScriptError(f"after a change only {changed['found']} of {changed['count']} were found")
            lines |= {
                "one changed file read again, ms": f"{changed['alone_s'] * 1000:.0f}",
                "update (all files looked at), one file changed, ms": f"{changed['changed_s'] * 1000:.0f}",
                "update, nothing changed, ms": f"{changed['unchanged_s'] * 1000:.0f}",
            }
        return lines


def table(columns: dict[str, dict[str, str]]) -> str:
    """Lines of figures, a column a method, as Markdown; a dash where a method has no such figure."""
    names = list(columns)
    lines = [f"| words alone | {' | '.join(names)} |", "|---|" + "---|" * len(names)]
    for title in dict.fromkeys(title for column in columns.values() for title in column):
        lines.append(f"| {title} | {' | '.join(columns[name].get(title, '-') for name in names)} |")
    return "\n".join(lines)


def measure(count: int, place: Path, cache: Path) -> None:
    """Print the table for `count` documents. `place`: folder of the public sets; `cache`: build/bench."""
    tree = cache / f"scale-{count}"
    make_tree(place, tree, count, common.Progress())
    size = bench_child.disk_mb(tree)
    scales = {name: Scale(name, tree, cache / "peers" / f"scale-{count}" / name, count) for name in _LABELS}
    columns = {_LABELS[name]: scale.figures() for name, scale in scales.items()}
    print(f"\n### {count} made documents, {size:.0f} MB\n\n{table(columns)}", flush=True)
    peers = {_LABELS[name]: scale.median_ms for name, scale in scales.items() if name != "almanac"}
    hybrid(count, tree, cache, peers)


def hybrid(count: int, tree: Path, cache: Path, peer_ms: dict[str, float]) -> None:
    """Print what words and meaning take on the index that `measure` has built; `peer_ms`: the medians of others."""
    folder = cache / "peers" / f"scale-{count}" / "almanac"
    job = Job("hybrid", "almanac", str(tree), str(folder))
    quiet = bench_child.run(Path(__file__).resolve(), asdict(job), common.Progress(), "words and meaning")
    with bench_child.busy_cores():
        loud = bench_child.run(
            Path(__file__).resolve(), asdict(job), common.Progress(), "words and meaning, cores busy"
        )
    print(f"\n| {quiet['chunks']} made vectors, {quiet['count']} questions | median ms | p95 ms | every core busy |")
    print("|---|---|---|---|")
    for name in (
        "words alone, ranking",
        "question to vector",
        "words and meaning, ranking",
        "ten results, read and ready",
    ):
        median, p95 = quiet[name]
        print(f"| {name} | {median:.1f} | {p95:.1f} | {loud[name][0]:.1f} / {loud[name][1]:.1f} |")
    median = quiet["words alone, ranking"][0]
    for peer, milliseconds in peer_ms.items():
        print(f"\nWords alone, ranking: {median / milliseconds:.1f} times as long as {peer} (medians).")
    print(f"Memory with all vectors: {quiet['memory_mb']:.0f} MB over the interpreter with the libraries loaded.")


def _hybrid(tree: Path, folder: Path) -> None:
    """Times of the parts of a hybrid question. Real questions and the real embedder; the chunks' vectors are made up
    (random ones in a cone, as an embedder's lie): to embed them would take hours, and time does not depend on them."""
    sys.path.insert(0, str(PROJECT))
    import numpy as np
    from bench_runtime import embedder

    from kb.search import ranking
    from kb.search.retriever import Retriever
    from kb.search.snapshot import Filter
    from kb.search.vectors import VectorStore

    model = embedder()
    before = bench_child.resident_mb()
    retriever = Retriever(tree, folder)
    retriever.update()
    snapshot = retriever.snapshot()
    store = VectorStore(folder, "made-up", model.dimensions)
    digests = snapshot.chunk_keys()
    dice = np.random.default_rng(1)
    cone = dice.normal(size=model.dimensions)
    missing = np.flatnonzero(store.rows_of(digests) < 0)
    for start in range(0, len(missing), 8192):
        chosen = missing[start : start + 8192]
        rows = cone * 2 + dice.normal(size=(len(chosen), model.dimensions))
        rows /= np.linalg.norm(rows, axis=1, keepdims=True)
        store.append(digests[chosen], rows.astype(np.float32))
    retriever.use_embedder("made-up", model.dimensions, model.embed_query)
    limits = Filter(on=None, released_only=False)
    warming, timed = draw()
    for question in warming:
        retriever.find(question, _TOP, limits)
    passed = snapshot.allowed(limits)
    found: dict[str, list[float]] = {}

    def clock(name: str, started: float) -> None:
        found.setdefault(name, []).append((time.perf_counter() - started) * 1000)

    for question in timed:
        started = time.perf_counter()
        asked = retriever.question(snapshot, question)
        ranking.rank(snapshot, asked, passed, None, 60)
        clock("words alone, ranking", started)
        started = time.perf_counter()
        model.embed_query(question)
        clock("question to vector", started)
        started = time.perf_counter()
        meaning = retriever.meaning(snapshot, question, passed)
        ranking.rank(snapshot, asked, passed, meaning, 60)
        clock("words and meaning, ranking", started)
    for question in timed[::-1]:
        started = time.perf_counter()
        retriever.find(question, _TOP, limits)
        clock("ten results, read and ready", started)
    figures = {name: (statistics.median(times), bench_child.percentile(times, 0.95)) for name, times in found.items()}
    bench_child.answer(chunks=len(digests), count=len(timed), memory_mb=bench_child.resident_mb() - before, **figures)


def main() -> None:
    """A child's work; people call bench_search.py --scale."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--job", required=True, help=argparse.SUPPRESS)
    do(Job(**json.loads(parser.parse_args().job)))


if __name__ == "__main__":
    common.guarded_main(main)
