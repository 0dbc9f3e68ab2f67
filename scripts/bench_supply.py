"""The supply line in numbers: injection among many cards, what it judges by itself, ledger, figures over many rows.

    scripts/bench_supply.py [--cards 5000] [--rows 1000000] [--tasks 200] [--no-models]

Prints one table; nothing is kept. Quality is measured on tests/data/supply/tasks.jsonl over docs/cards, beside plain
BM25 and plain vector search over the same texts in the same run; of the tasks, those with an even number were used to
fit the weights, the others not.
"""

from __future__ import annotations

import argparse
import dataclasses
import datetime
import json
import statistics
import sys
import tempfile
import threading
import time
from collections.abc import Callable, Sequence
from pathlib import Path

import numpy as np

PROJECT = Path(__file__).resolve().parent.parent
sys.path.insert(0, str(PROJECT))

import bench_child  # noqa: E402
import bench_runtime  # noqa: E402
import bench_supply_judging  # noqa: E402

from kb.search.embedder import Embedder  # noqa: E402
from kb.supply.card import Card  # noqa: E402
from kb.supply.chain import Entry, Kind  # noqa: E402
from kb.supply.duplicates import Duplicates  # noqa: E402
from kb.supply.inject import Injector, Task  # noqa: E402
from kb.supply.ledger import Ledger  # noqa: E402
from kb.supply.metrics import report  # noqa: E402
from kb.supply.metrics_rollup import Rollup  # noqa: E402
from kb.supply.packs import PackSet  # noqa: E402
from kb.supply.retrieval import CardIndex, Cosines, Limits  # noqa: E402
from kb.supply.retrieval_live import LiveCards  # noqa: E402
from kb.supply.retrieval_meaning import CardMeaning  # noqa: E402
from kb.supply.store import read_cards  # noqa: E402
from kb.supply.worker import Worker  # noqa: E402
from kb.versions.git import Git  # noqa: E402
from kb.versions.plumbing import Repository  # noqa: E402

DAY = datetime.date(2026, 12, 1)
TOP = 5
Ranked = Callable[[str, str], Sequence[str]]
"""Ids of the cards for (task, repository), best first."""


def main() -> int:
    """Run what was asked for."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--cards", type=int, default=5000)
    parser.add_argument("--rows", type=int, default=1_000_000)
    parser.add_argument("--tasks", type=int, default=200)
    parser.add_argument("--seconds", type=float, default=3.0, help="how long each ledger run takes")
    parser.add_argument("--no-models", action="store_true")
    found = parser.parse_args()
    cards = read_cards(PROJECT / "docs").cards
    tasks = [json.loads(line) for line in (PROJECT / "tests/data/supply/tasks.jsonl").read_text("utf-8").splitlines()]
    with tempfile.TemporaryDirectory() as folder:
        work = Path(folder)
        embedder = None if found.no_models else bench_runtime.embedder()
        quality(cards, tasks, None if embedder is None else card_meaning(work, cards, embedder))
        embed = None if embedder is None else embedder.embed_passages
        bench_supply_judging.report(PROJECT / "tests/data/supply", cards, embed, say)
        injection(cards, tasks, found.cards, found.tasks, work)
        ledger(work / "ledger", found.seconds)
        figures(work / "figures", found.rows)
    return 0


def say(name: str, value: str) -> None:
    """One line of the table."""
    print(f"{name:<58} {value}")


def card_meaning(work: Path, cards: Sequence[Card], embedder: Embedder) -> CardMeaning:
    """The embedder's voice over `cards`."""
    identity = bench_runtime.model("embedder").identity
    made = CardMeaning(
        work / "vectors", identity, embedder.dimensions, embedder.embed_query, embedder.embed_passages
    )  # fmt: skip
    started = time.perf_counter()
    count = made.embed_missing(cards)
    say(f"vectors of {count} cards", f"{time.perf_counter() - started:.1f} s")
    return made


def quality(cards: Sequence[Card], tasks: Sequence[dict[str, object]], meaning: CardMeaning | None) -> None:
    """Share of tasks whose card is in the block, beside the plain methods."""
    index = CardIndex(cards)

    def ours(cosines: Cosines | None) -> Ranked:
        return lambda task, repo: [m.card.id for m in index.search(task, Limits(DAY, repo), TOP, cosines)]

    def admitted(repo: str) -> np.ndarray[tuple[int], np.dtype[np.bool_]]:
        limits = Limits(DAY, repo)
        return np.array([limits.admits(card) for card in cards], bool)

    def best(scores: np.ndarray[tuple[int], np.dtype[np.float32]], repo: str) -> list[str]:
        order = np.argsort(-np.where(admitted(repo), scores, -1), kind="stable")[:TOP]
        return [cards[n].id for n in order if admitted(repo)[n] and scores[n] > 0]

    ways: list[tuple[str, Ranked]] = [("plain BM25", lambda task, repo: best(index._text(task), repo))]
    if meaning is not None:
        ways.append(("plain vectors", lambda task, repo: best(meaning.cosines(index.cards, task), repo)))
        ways.append(("almanac", ours(meaning.cosines)))
    ways.append(("almanac, words alone", ours(None)))
    for half, name in ((0, "used for fitting"), (1, "not used for fitting")):
        some = [task for number, task in enumerate(tasks) if number % 2 == half]
        for way, ranked in ways:
            say(f"{way}, {len(some)} tasks {name}", _score(some, ranked))


def _score(tasks: Sequence[dict[str, object]], ranked: Ranked) -> str:
    hits = first = wanted = silent = other = size = 0
    for task in tasks:
        names = [str(name) for name in task["cards"]]  # type: ignore[attr-defined]
        got = list(ranked(str(task["task"]), str(task["repo"])))
        if names:
            wanted += 1
            hits += names[0] in got
            first += got[:1] == names
            size += len(got)
        else:
            other += 1
            silent += not got
    return (
        f"in the block {hits / wanted:.0%}  first {first / wanted:.0%}  cards a block {size / wanted:.1f}  "
        f"nothing where nothing fits {silent}/{other}"
    )


def injection(cards: Sequence[Card], tasks: Sequence[dict[str, object]], count: int, runs: int, work: Path) -> None:
    """How long one task takes among `count` cards, without models: index, packs, block, budget."""
    many = generated(cards, count)
    started = time.perf_counter()
    index = CardIndex(many)
    say(f"index of {len(many)} cards in memory", f"{time.perf_counter() - started:.2f} s")
    injector = Injector(index, PackSet((), ()))
    times = []
    for number in range(runs):
        words = str(tasks[number % len(tasks)]["task"])
        started = time.perf_counter()
        injector.prepare(Task(f"t-{number}", text=words), DAY)
        times.append((time.perf_counter() - started) * 1000)
    say(f"injection of one task among {len(many)} cards, p50 / p95", _percentiles(times))
    root = work / "root"
    for card in many:
        target = root / card.path
        target.parent.mkdir(parents=True, exist_ok=True)
        target.write_text(_yaml(card), "utf-8")
    started = time.perf_counter()
    live = LiveCards(root)
    live.index()
    say(f"{len(live.index().cards)} card files read and indexed from disk", f"{time.perf_counter() - started:.2f} s")
    upkeep(many, root)


def upkeep(cards: Sequence[Card], root: Path) -> None:
    """Looking for a duplicate among all cards; one pass of the worker over the files of `root` that changes nothing."""
    started = time.perf_counter()
    known = Duplicates(cards)
    say(f"words of {len(cards)} cards for the duplicate check", f"{time.perf_counter() - started:.2f} s")
    times = []
    for card in cards[:50]:
        started = time.perf_counter()
        known.nearest(card.title, card.conclusion)
        times.append((time.perf_counter() - started) * 1000)
    say("duplicate check of one draft, p50 / p95", _percentiles(times))
    git = Git.find(None)
    if git is None:
        return
    git.run(root, "init", "--quiet", "-b", "main")
    git.run(root, "add", ".")
    git.run(root, "-c", "user.name=bench", "-c", "user.email=bench@localhost", "commit", "--quiet", "-m", "cards")
    worker = Worker(Repository.open(root, git), root.parent / "home", trust_clock=True)
    started = time.perf_counter()
    done = worker.run(datetime.datetime.combine(DAY, datetime.time(8), datetime.UTC))
    say(f"worker pass over {done.cards} cards", f"{time.perf_counter() - started:.2f} s")


def generated(cards: Sequence[Card], count: int) -> list[Card]:
    """`count` cards: the real ones, then copies whose words are shifted, so that terms are as frequent as they are."""
    made = list(cards)[:count]
    number = 0
    while len(made) < count:
        one = cards[number % len(cards)]
        other = cards[(number * 7 + 3) % len(cards)]
        made.append(
            dataclasses.replace(
                one,
                id=f"made-{number}",
                path=f"cards/made/made-{number}.yaml",
                title=f"{other.title} {number}",
                conclusion=f"{one.conclusion[:40]} {number % 97} {other.conclusion[:30]}",
            )
        )
        number += 1
    return made


def _yaml(card: Card) -> str:
    def text(value: str) -> str:
        return json.dumps(value, ensure_ascii=False)

    def many(values: Sequence[str]) -> str:
        return "[" + ", ".join(map(text, values)) + "]"

    return (
        f"id: {card.id}\ntype: {card.type}\ntitle: {text(card.title)}\nstatus: {card.status}\n"
        f"confidence: {card.confidence}\napplicable:\n  scene: {many(card.applicable.scene)}\n"
        f"  repos: {many(card.applicable.repos)}\n  signals: {many(card.applicable.signals)}\n"
        f"conclusion: {text(card.conclusion)}\ndo: {many(card.do)}\ndont: {many(card.dont)}\n"
        f"evidence:\n  source: {text(card.evidence.source)}\n  links: {many(card.evidence.links)}\n"
        f"owner: {card.owner}\ncreated_at: {card.created_at}\nvalid_until: {card.valid_until}\nlayer: {card.layer}\n"
    )


def ledger(home: Path, seconds: float) -> None:
    """Durable appends a second, one row each, by one and by many threads."""
    for writers in (1, 16, 64):
        counts = [0] * writers
        with Ledger(home / str(writers)) as made:
            end = time.perf_counter() + seconds

            def work(number: int, made: Ledger = made, end: float = end, counts: list[int] = counts) -> None:
                while time.perf_counter() < end:
                    made.append([Entry(Kind.INJECTION, f"task-{number}", "agent", "card", position=1, tokens=90)])
                    counts[number] += 1

            started = time.perf_counter()
            threads = [threading.Thread(target=work, args=(number,)) for number in range(writers)]
            for thread in threads:
                thread.start()
            for thread in threads:
                thread.join()
            spent = time.perf_counter() - started
            assert made.verify() is None
        say(f"ledger, {writers} writers, durable rows a second", f"{sum(counts) / spent:.0f}")
    with Ledger(home / "tasks") as made:
        tasks = 0
        started = time.perf_counter()
        while time.perf_counter() - started < seconds:
            name = f"t-{tasks}"
            given = [Entry(Kind.INJECTION, name, "agent", f"card-{n}", position=n, tokens=90) for n in range(1, 5)]
            made.append([Entry(Kind.TASK, name, "agent", position=4, tokens=400), *given])
            tasks += 1
        rate = tasks / (time.perf_counter() - started)
        assert made.verify() is None
    say("ledger, 1 writer, tasks of 5 rows: tasks / rows a second", f"{rate:.0f} / {5 * rate:.0f}")


def figures(home: Path, rows: int) -> None:
    """The seven figures over `rows` rows: made once, brought up to date, asked."""
    start = datetime.datetime(2025, 1, 6, tzinfo=datetime.UTC).timestamp() * 1000
    with Ledger(home) as made:
        for first in range(0, rows, 10_000):
            made.append(
                [
                    _entry(number, int(start + number * 600_000_000 * 100 / rows))
                    for number in range(first, min(first + 10_000, rows))
                ]
            )
    started = time.perf_counter()
    with Rollup(home) as rollup:
        rollup.update()
    say(f"sums of {rows} rows made anew", f"{time.perf_counter() - started:.2f} s")
    with Ledger(home) as made:
        made.append([_entry(n, int(start)) for n in range(100)])
    times = []
    for _ in range(20):
        started = time.perf_counter()
        with Rollup(home) as rollup:
            rollup.update()
            report(rollup.weeks(), rollup.cards(), (), 0, DAY)
        times.append((time.perf_counter() - started) * 1000)
    say(f"figures over {rows} rows, the first with 100 new ones, p50 / p95", _percentiles(times))


def _entry(number: int, at: int) -> Entry:
    kind = (Kind.TASK, Kind.INJECTION, Kind.INJECTION, Kind.VERDICT, Kind.FEEDBACK, Kind.SEARCH)[number % 6]
    card = "" if kind in (Kind.TASK, Kind.SEARCH) else f"card-{number // 6 % 5000}"
    return Entry(
        kind, f"task-{number // 6}", "agent", card, position=1, at=at, tokens=90,
        adopted=(True, False, None)[number // 6 % 3] if kind is Kind.VERDICT else None,
        feedback=(1 if number % 5 else -1) if kind is Kind.FEEDBACK else 0,
        refers=number - 1 if kind is Kind.VERDICT else 0,
    )  # fmt: skip


def _percentiles(milliseconds: Sequence[float]) -> str:
    return f"{statistics.median(milliseconds):.1f} / {bench_child.percentile(milliseconds, 0.95):.1f} ms"


if __name__ == "__main__":
    sys.exit(main())
