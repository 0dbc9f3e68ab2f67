"""Versions of many documents: snapshot, diff, publish, switch, rollback, verify; git alone for the same beside them.

    .venv/bin/python scripts/bench_versions.py                      10,000 made documents, search by words
    .venv/bin/python scripts/bench_versions.py --documents 500 --vectors

The documents come from make_scale.py of the public sets, about 9 KB each; without those the script says so and ends.
One in a hundred is changed between the two releases. Every figure is taken in a process of its own. With `--vectors`
the real embedder runs, and the table says how much it was given again.
"""

from __future__ import annotations

import argparse
import json
import os
import re
import shutil
import subprocess
import sys
import time
from collections.abc import Callable
from dataclasses import asdict, dataclass
from pathlib import Path
from typing import Any

import bench_child
import bench_sets
import common
import search_scale

PROJECT = Path(__file__).resolve().parent.parent
sys.path.insert(0, str(PROJECT))

from kb import paths  # noqa: E402
from kb.answer.release_numbers import read_numbers  # noqa: E402
from kb.answer.release_runtime import index_builder  # noqa: E402
from kb.cli.version_wiring import now  # noqa: E402
from kb.config import Config, no_progress  # noqa: E402
from kb.search.retriever import Retriever  # noqa: E402
from kb.versions import diff, publish, releases, routes, snapshot  # noqa: E402
from kb.versions.git import Git  # noqa: E402
from kb.versions.registry import Registry  # noqa: E402
from kb.versions.routes import Actor, Environment  # noqa: E402
from kb.versions.serving import reading  # noqa: E402
from kb.versions.snapshot import Author  # noqa: E402
from kb.versions.source import Source  # noqa: E402

PROD: tuple[str, Environment] = ("", "prod")
SWITCHES = 50
_BENCH = Actor("bench")
_PAUSE_S = 0.02
_QUIET_S = 3.0


@dataclass(frozen=True, slots=True)
class Job:
    """What a child process does with the repository `tree` and the home `home`; `tag` where it takes one."""

    phase: str
    tree: str
    home: str
    tag: str = ""
    vectors: bool = False


@dataclass(frozen=True, slots=True)
class Row:
    """A line of the table: seconds and peak memory (MB) of Almanac, seconds of git alone (None: git has no such)."""

    step: str
    seconds: float
    peak_mb: float
    git_s: float | None = None
    note: str = ""


# ---------------------------------------------------------------- in the child


def do(job: Job) -> None:
    """Do a job and answer."""
    source = Source.find(Path(job.tree), Git.find(None))
    phases: dict[str, Callable[[Job, Source], dict[str, Any]]] = {
        "snapshot": _snapshot, "diff": _diff, "publish": _publish, "rollback": _rollback, "verify": _verify,
        "read": _read,
    }  # fmt: skip
    started = time.perf_counter()
    found = phases[job.phase](job, source)
    bench_child.answer(**{"seconds": time.perf_counter() - started, "peak_mb": bench_child.peak_mb(), **found})


def _snapshot(job: Job, source: Source) -> dict[str, Any]:
    taken = snapshot.take(source, Author("bench"), include_changes=True)
    with Registry.open(Path(job.home)) as registry, registry.writing():
        registry.register(taken, source.root)
    return {"tag": taken.tag, "documents": len(taken.manifest.documents)}


def _diff(job: Job, source: Source) -> dict[str, Any]:
    first, second = job.tag.split()
    sides = [publish.side(source, snapshot.read(source, tag)) for tag in (first, second)]
    found = diff.compare(sides[0], sides[1], read_numbers)
    return {"documents": len(found.documents), "numbers": len(found.numbers)}


def _publish(job: Job, source: Source) -> dict[str, Any]:
    assets = paths.find_assets(Path(job.home)) if job.vectors else paths.Assets()
    config = Config(
        home=Path(job.home),
        knowledge=source.root,
        lang="en",
        embedder=assets.embedder,
        llama_libs=assets.llama_libs,
        self_command=paths.self_command(),
    )
    with Registry.open(config.home) as registry:
        taken = snapshot.read(source, job.tag)
        publish.plan(config.home, registry, source, taken, PROD, read_numbers, now=now(), leave_out_drafts=True)
        made, built = publish.make(config.home, registry, source, taken, index_builder(config, no_progress), now=now())
        started = time.perf_counter()
        routes.activate(registry, PROD, made, _BENCH, now=now())
        switched = time.perf_counter() - started
    return {"switch_ms": switched * 1000, "built": asdict(built) if built is not None else None}


def _rollback(job: Job, source: Source) -> dict[str, Any]:
    with Registry.open(Path(job.home)) as registry:
        routes.roll_back(registry, PROD, _BENCH, now=now())
    return {}


def _verify(job: Job, source: Source) -> dict[str, Any]:
    with Registry.open_to_read(Path(job.home)) as registry:
        release = releases.opened(Path(job.home), registry.named(job.tag))
    mismatch = releases.verified(release)
    if mismatch:
        raise common.ScriptError(f"the release differs: {mismatch.names[:5]}")
    return {}


def _read(job: Job, source: Source) -> dict[str, Any]:
    """A reader in a loop, first alone, then while another thread's process-wide switches go on (`SWITCHES` times)."""
    home = Path(job.home)
    question = "How deep should soybeans be sown?"
    kept: dict[Path, Retriever] = {}
    tags: set[str] = set()
    errors: list[str] = []

    def loop(until: Callable[[], bool]) -> tuple[list[float], list[float]]:
        routed: list[float] = []
        whole: list[float] = []
        while not until():
            started = time.perf_counter()
            try:
                with reading(home) as found:
                    if found is None:
                        raise common.ScriptError("nothing is routed")
                    routed.append(time.perf_counter() - started)
                    if found.root not in kept:
                        kept[found.root] = Retriever(found.root, found.index_folder)
                    kept[found.root].find(question, 3)
                    tags.add(found.version.tag)
            except Exception as error:  # noqa: BLE001  # each one counts: there should be none
                errors.append(repr(error))
            whole.append(time.perf_counter() - started)
        return routed, whole

    with Registry.open(home) as registry:
        both = [row for row in registry.snapshots() if row.is_built]
    for row in both:
        release = releases.opened(home, row)
        kept[release.docs] = Retriever(release.docs, release.index)
        kept[release.docs].find(question, 3)
    ended = time.monotonic() + _QUIET_S
    quiet = loop(lambda: time.monotonic() > ended)
    # Another process switches: readers and writers meet in SQLite's locks, as they do in the field.
    child = subprocess.Popen([sys.executable, __file__, "--switch", str(home)])
    busy = loop(lambda: child.poll() is not None)
    if child.returncode:
        raise common.ScriptError("switching failed")
    return {
        "errors": errors[:5], "error_count": len(errors), "tags": sorted(tags), "questions": len(busy[1]),
        "quiet_p50_ms": bench_child.percentile(quiet[0], 0.5) * 1000, "quiet_max_ms": max(quiet[0]) * 1000,
        "busy_p50_ms": bench_child.percentile(busy[0], 0.5) * 1000,
        "busy_p99_ms": bench_child.percentile(busy[0], 0.99) * 1000,
        "busy_max_ms": max(busy[0]) * 1000, "question_max_ms": max(busy[1]) * 1000,
        "quiet_question_max_ms": max(quiet[1]) * 1000,
    }  # fmt: skip


def switch(home: Path) -> None:
    """Switch between the built releases, `SWITCHES` times."""
    with Registry.open(home) as registry:
        rows = [row for row in registry.snapshots() if row.is_built]
        for number in range(SWITCHES):
            routes.activate(registry, PROD, rows[number % len(rows)], _BENCH, now=now())
            time.sleep(_PAUSE_S)


# ---------------------------------------------------------------- in the parent


def change(tree: Path, share: int = 100) -> int:
    """Change the first number of the body of every `share`th document; how many were changed."""
    documents = sorted(path for path in tree.rglob("*.md") if ".git" not in path.parts)
    chosen = documents[::share]
    for path in chosen:
        text = path.read_text("utf-8")
        start = text.find("\n---", 3) + 4
        body = re.sub(r"\d+", lambda found: str(int(found[0][:6]) + 1), text[start:], count=1)
        path.write_text(text[:start] + body + "\n\nThe rate was raised to 12 kg.\n", "utf-8")
    return len(chosen)


def git_s(folder: Path, *commands: tuple[str, ...]) -> float:
    """Seconds that git alone takes."""
    started = time.perf_counter()
    for command in commands:
        subprocess.run(
            ["git", "-C", str(folder), "-c", "user.name=bench", "-c", "user.email=bench@localhost",
             "-c", "core.fsync=all", *command],
            check=True, stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL,
        )  # fmt: skip
    return time.perf_counter() - started


def measure(tree: Path, work: Path, *, vectors: bool, progress: common.Progress) -> tuple[list[Row], dict[str, Any]]:
    """All rows, and what the reader in a loop saw. `tree` is copied to `work`, which must be empty."""
    base, alone, home = work / "knowledge", work / "alone", work / "home"
    shutil.copytree(tree, base)
    git_s(base, ("init", "--quiet", "-b", "main"), ("add", "--all"), ("commit", "--quiet", "-m", "docs(all): first"))
    shutil.copytree(base, alone)

    def job(phase: str, tag: str = "", place: Path = home) -> dict[str, Any]:
        asked = Job(phase, str(base), str(place), tag, vectors)
        return bench_child.run(Path(__file__).resolve(), asdict(asked), progress, f"{phase} {tag}".strip())

    def row(step: str, found: dict[str, Any], alone_s: float | None = None, note: str = "") -> Row:
        return Row(step, found["seconds"], found["peak_mb"], alone_s, note)

    tagged = git_s(alone, ("tag", "-a", "v1", "-m", "first"))
    rows = [row("snapshot, the first", job("snapshot"), tagged, "git: tag")]
    first = job("publish", "kb-1.0.0")
    archived = _archive(alone, "v1", work / "one")
    rows.append(row("publish, the first (index made whole)", first, archived, _built(first) + "; git: archive"))
    changed = change(base)
    change(alone)
    committed = git_s(alone, ("add", "--all"), ("commit", "--quiet", "-m", "second"), ("tag", "-a", "v2", "-m", "2"))
    rows.append(row(f"snapshot with {changed} changed", job("snapshot"), committed, "git: add, commit, tag"))
    compared = job("diff", "kb-1.0.0 kb-1.1.0")
    difference = git_s(alone, ("diff", "v1", "v2"))
    rows.append(row("diff", compared, difference, f"{compared['documents']} documents, {compared['numbers']} numbers"))
    second = job("publish", "kb-1.1.0")
    archived = _archive(alone, "v2", work / "two")
    rows.append(row(f"publish with {changed} changed", second, archived, _built(second) + "; git: archive"))
    whole = job("publish", "kb-1.1.0", work / "fresh")
    rows.append(row("the same, index made whole", whole, None, _built(whole)))
    back = job("rollback")
    checked_out = git_s(alone, ("checkout", "--quiet", "v1"))
    rows.append(row("rollback", back, checked_out, "git: checkout"))
    status = git_s(alone, ("fsck", "--no-progress"))
    rows.append(row("verify a release", job("verify", "kb-1.1.0"), status, "git: fsck"))
    seen = job("read")
    seen["switch_ms"] = second["switch_ms"]
    return rows, seen


def _archive(repository: Path, tag: str, target: Path) -> float:
    """Seconds for git and tar to lay a tag's files out."""
    target.mkdir()
    started = time.perf_counter()
    archive = subprocess.Popen(["git", "-C", str(repository), "archive", tag], stdout=subprocess.PIPE)
    subprocess.run(["tar", "-x", "-C", str(target)], stdin=archive.stdout, check=True)
    if archive.wait():
        raise common.ScriptError("git archive failed")
    os.sync()
    return time.perf_counter() - started


def _built(found: dict[str, Any]) -> str:
    built = found["built"]
    if built is None:
        return "nothing built"
    if not built["has_vectors"]:
        return f"{built['documents']} documents, words"
    return f"embedded {built['embedded']} of {built['chunks']}"


def table(rows: list[Row]) -> str:
    """The figures as Markdown."""
    lines = ["| step | s | peak MB | git alone s | |", "|---|---|---|---|---|"]
    for each in rows:
        alone = "" if each.git_s is None else f"{each.git_s:.2f}"
        lines.append(f"| {each.step} | {each.seconds:.2f} | {each.peak_mb:.0f} | {alone} | {each.note} |")
    return "\n".join(lines)


def told(seen: dict[str, Any]) -> str:
    """What the reader saw, in sentences."""
    return (
        f"Reader in a loop during {SWITCHES} switches by another process: {seen['questions']} questions, "
        f"{seen['error_count']} errors, releases {', '.join(seen['tags'])}. Finding the route took "
        f"{seen['busy_p50_ms']:.1f} ms (median; p99 {seen['busy_p99_ms']:.1f}, longest {seen['busy_max_ms']:.1f}); "
        f"without switches {seen['quiet_p50_ms']:.1f} (longest {seen['quiet_max_ms']:.1f}). Longest question "
        f"{seen['question_max_ms']:.0f} ms, without switches {seen['quiet_question_max_ms']:.0f}. The switch itself: "
        f"{seen['switch_ms']:.1f} ms." + "".join(f"\nError: {error}" for error in seen["errors"])
    )


def main() -> None:
    """Command line."""
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--documents", type=int, default=10_000, metavar="N", help="how many (default: 10,000)")
    parser.add_argument("--vectors", action="store_true", help="with the real embedder, which takes long at first")
    parser.add_argument("--job", help=argparse.SUPPRESS)
    parser.add_argument("--switch", help=argparse.SUPPRESS)
    options = parser.parse_args()
    if options.job:
        do(Job(**json.loads(options.job)))
        return
    if options.switch:
        switch(Path(options.switch))
        return
    place = bench_sets.folder()
    if place is None or not (place / "make_scale.py").is_file():
        print("bench-versions: skipped, make_scale.py is not here (../shared/bench or $ALMANAC_BENCH)")
        return
    progress = common.Progress()
    cache = PROJECT / "build" / "bench"
    tree = cache / f"scale-{options.documents}"
    search_scale.make_tree(place, tree, options.documents, progress)
    work = cache / "versions"
    shutil.rmtree(work, ignore_errors=True)
    work.mkdir(parents=True)
    try:
        rows, seen = measure(tree, work, vectors=options.vectors, progress=progress)
    finally:
        shutil.rmtree(work, ignore_errors=True)
    progress.close()
    print(f"\n{options.documents} documents\n\n{table(rows)}\n\n{told(seen)}")


if __name__ == "__main__":
    common.guarded_main(main)
