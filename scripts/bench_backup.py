"""Backup, verify and restore of a large knowledge base, beside git alone: `make bench-backup`.

Each part runs in a process of its own, whose peak memory is told with its children's largest (git). Git alone does
less: it copies history, and looks neither at people's data nor at what is not committed, and checks nothing.
"""

from __future__ import annotations

import argparse
import json
import platform
import random
import resource
import shutil
import sqlite3
import subprocess
import sys
import tempfile
import time
from collections.abc import Callable
from contextlib import closing
from pathlib import Path
from typing import Any

import bench_child
import common

sys.path.insert(0, str(Path(__file__).resolve().parent.parent))

from kb.db import PeopleData, open_people
from kb.versions import chain, restore
from kb.versions.backup import Keeping, make
from kb.versions.backup_collect import BackupSource
from kb.versions.git import Git

DOCUMENTS = 10_000
COMMITS = 50
ROWS = 100_000
SEED = 20261130
_WORDS = (
    *("大豆", "播种", "深度", "厘米", "追肥", "氯化钾", "公斤", "每公顷", "灌水", "土壤"),
    *("pump", "pressure", "bar", "check", "valve", "seal", "oil", "litre", "week"),
)


def main() -> None:
    """Make the base, run the jobs, print a table."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--documents", type=int, default=DOCUMENTS)
    parser.add_argument("--rows", type=int, default=ROWS, help="rows of people's data")
    parser.add_argument("--job", help=argparse.SUPPRESS)
    arguments = parser.parse_args()
    if arguments.job:
        _child(json.loads(arguments.job))
        return
    progress = common.Progress()
    with tempfile.TemporaryDirectory(prefix="almanac-bench-") as folder:
        place = Path(folder)
        progress.update("making the base")
        _make_base(place, arguments.documents, arguments.rows)
        found = {}
        for job in JOBS:
            found[job] = bench_child.run(Path(__file__), {"name": job, "place": folder}, progress, job)
    progress.close()
    _print(found, arguments.documents, arguments.rows)


def _make_base(place: Path, documents: int, rows: int) -> None:
    """A repository with `documents` in COMMITS commits, a tag, people's data; the same on every machine."""
    chance = random.Random(SEED)
    root = place / "base"
    root.mkdir()
    _git(root, "init", "--quiet", "-b", "main")
    for number in range(documents):
        path = root / f"domain{number % 9}" / f"category{number % 97}" / f"item{number}_2026_v1.md"
        path.parent.mkdir(parents=True, exist_ok=True)
        text = " ".join(chance.choices(_WORDS, k=250))
        path.write_text(f"---\ntitle: Item {number}\nversion: 2026_v1\n---\n\n# Item {number}\n\n{text}\n", "utf-8")
        if (number + 1) % max(documents // COMMITS, 1) == 0:
            _git(root, "add", "-A")
            _git(root, "commit", "--quiet", "-m", f"docs(items): to {number}")
    _git(root, "tag", "kb-1.0.0")
    with closing(open_people(place / "home", PeopleData.LEDGER)) as connection:
        connection.execute("CREATE TABLE entries (id INTEGER PRIMARY KEY, said TEXT, number REAL)")
        connection.execute("BEGIN")
        connection.executemany(
            "INSERT INTO entries (said, number) VALUES (?, ?)",
            ((" ".join(chance.choices(_WORDS, k=12)), chance.random()) for _ in range(rows)),
        )
        connection.execute("COMMIT")


def _git(folder: Path, *arguments: str) -> None:
    command = ["git", "-C", str(folder), "-c", "user.name=B", "-c", "user.email=b@localhost", "-c", "gc.auto=0"]
    subprocess.run([*command, *arguments], check=True, capture_output=True)


def _program() -> Git:
    found = Git.find(None)
    if found is None:
        raise common.ScriptError("there is no git program")
    return found


def _backup(place: Path) -> dict[str, Any]:
    made = make(_program(), BackupSource(place / "home", place / "base"), place / "backups", Keeping(3))
    return {"mb": made.size / 1e6}


def _verify(place: Path) -> dict[str, Any]:
    assert chain.verify(place / "backups").good
    return {}


def _restore(place: Path) -> dict[str, Any]:
    chosen = restore.choose(place / "backups")
    done = restore.restore(_program(), chosen.bundle, place / "restored", place / "home2")
    assert done is not None
    return {"mb": bench_child.disk_mb(place / "restored")}


def _bundle_alone(place: Path) -> dict[str, Any]:
    _git(place / "base", "bundle", "create", str(place / "alone.bundle"), "--all")
    return {"mb": (place / "alone.bundle").stat().st_size / 1e6}


def _clone_alone(place: Path) -> dict[str, Any]:
    _git(place, "clone", "--quiet", str(place / "alone.bundle"), "cloned")
    return {"mb": bench_child.disk_mb(place / "cloned")}


JOBS: dict[str, Callable[[Path], dict[str, Any]]] = {
    "almanac backup": _backup,
    "almanac backup --verify": _verify,
    "almanac restore": _restore,
    "git bundle create": _bundle_alone,
    "git clone": _clone_alone,
}


def _child(job: dict[str, Any]) -> None:
    started = time.perf_counter()
    found = JOBS[job["name"]](Path(job["place"]))
    seconds = time.perf_counter() - started
    children = resource.getrusage(resource.RUSAGE_CHILDREN).ru_maxrss * 1024 / 1e6
    bench_child.answer(seconds=seconds, own_mb=bench_child.peak_mb(), git_mb=children, **found)


def _print(found: dict[str, dict[str, Any]], documents: int, rows: int) -> None:
    version = subprocess.run(["git", "--version"], check=True, capture_output=True, text=True).stdout.strip()
    print(f"{documents} documents, {COMMITS} commits, {rows} rows of people's data; {platform.machine()}, {version},")
    print(f"SQLite {sqlite3.sqlite_version}, {shutil.disk_usage(tempfile.gettempdir()).free // 10**9} GB free\n")
    print(f"| {'':<24} | seconds | peak MB | git's peak MB | MB written |")
    print("|---|---|---|---|---|")
    for job, row in found.items():
        size = f"{row['mb']:.1f}" if "mb" in row else ""
        print(f"| {job:<24} | {row['seconds']:.2f} | {row['own_mb']:.0f} | {row['git_mb']:.0f} | {size} |")


if __name__ == "__main__":
    common.guarded_main(main)
