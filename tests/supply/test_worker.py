"""kb.supply.worker: a pass over real cards in a real repository, each change a commit with its reason."""

from __future__ import annotations

import datetime
import json
import multiprocessing
import os
import signal
from collections.abc import Mapping, Sequence
from pathlib import Path

import pytest

from kb import fsio
from kb.supply.card import CardStatus
from kb.supply.gates import GateStore
from kb.supply.lifecycle import Usage
from kb.supply.store import read_cards
from kb.supply.worker import AUTHOR, Pass, Worker
from kb.versions.git import Git
from kb.versions.plumbing import Repository
from tests.helpers import git, has_git, run_in_child, write
from tests.supply.card_helpers import card_text, repository

pytestmark = pytest.mark.skipif(not has_git(), reason="there is no git program on this machine")
WAITS = card_text(id="waits", status="staging", confidence="medium").replace("  links:\n", "  links:\n    - req:R-1\n")


def at(day: str) -> datetime.datetime:
    return datetime.datetime.fromisoformat(f"{day}T02:00:00+00:00")


class Given:
    """Usage as a test says it."""

    def __init__(self, **uses: Usage) -> None:
        self.uses = {name.replace("_", "-"): use for name, use in uses.items()}

    def __call__(self, cards: Sequence[str]) -> Mapping[str, Usage]:
        return self.uses


@pytest.fixture
def root(tmp_path: Path) -> Path:
    return repository(
        tmp_path / "知识 库",
        one=card_text(id="one", metrics="{injected: 0, adopted: 0, liked: 0}"),
        two=card_text(id="two", metrics="{injected: 7, adopted: 0, liked: 2}"),
        waits=WAITS,
    )


def run(root: Path, home: Path, day: str, usage: Given | None = None, **more: bool) -> Pass:
    worker = Worker(Repository.open(root, Git.find(None)), home, usage or Given(), trust_clock=True)
    return worker.run(at(day), **more)


def _states(root: Path) -> dict[str, str]:
    return {card.id: f"{card.status} {card.valid_until}" for card in read_cards(root).cards}


def _log(root: Path) -> list[str]:
    return git(root, "log", "--format=%an: %s", "--reverse").splitlines()[1:]


def test_while_everything_is_valid_nothing_happens(root: Path, tmp_path: Path) -> None:
    done = run(root, tmp_path / "home", "2026-07-30")
    assert (done.cards, done.changes, done.counted) == (3, (), 0)
    assert _log(root) == []
    assert [(card.id, state.waiting_for) for card, state in done.waiting] == [("waits", ("R-1",))]


def test_unused_goes_used_stays_each_with_its_reason(root: Path, tmp_path: Path) -> None:
    run(root, tmp_path / "home", "2026-07-31")
    assert _states(root) == {"one": "archived 2026-07-30", "two": "active 2026-10-29", "waits": "staging 2026-07-30"}
    assert _log(root) == [
        f"{AUTHOR}: policy(cards): archive one: expired 2026-07-30, not used for 90 days, no likes",
        f"{AUTHOR}: policy(cards): renew two: expired 2026-07-30, liked, valid until 2026-10-29",
    ]
    assert git(root, "status", "--porcelain") == ""
    assert git(root, "show", "--format=", "--numstat", "HEAD") == "1\t1\tcards/machinery/two.yaml\n"
    assert run(root, tmp_path / "home", "2026-07-31").changes == ()


def test_an_archived_card_that_is_found_comes_back(root: Path, tmp_path: Path) -> None:
    home = tmp_path / "home"
    run(root, home, "2026-07-31")
    assert run(root, home, "2026-08-01", Given(one=Usage(last_hit=at("2026-07-30")))).changes == ()
    run(root, home, "2026-08-02", Given(one=Usage(last_hit=at("2026-08-01"))))
    assert _states(root)["one"] == "active 2026-10-31"
    assert _log(root)[-1].endswith("revive one: found or liked after it was archived, valid until 2026-10-31")


def test_what_a_person_archived_stays_archived(root: Path, tmp_path: Path) -> None:
    """Uses from before the decision do not overrule it."""
    home = tmp_path / "home"
    used = Given(two=Usage(injected=9, last_injected=at("2026-06-01"), last_hit=at("2026-06-01")))
    run(root, home, "2026-06-02", used)
    write(root, "cards/machinery/two.yaml", card_text(id="two", status="archived"))
    git(root, "commit", "--quiet", "-am", "wrong")
    run(root, home, "2026-06-03", used)
    run(root, home, "2026-06-04", used)
    assert _states(root)["two"].startswith("archived")


def test_a_signal_opens_the_gate_by_itself(root: Path, tmp_path: Path) -> None:
    home = tmp_path / "home"
    event = {"id": "e1", "kind": "requirement", "requirement": "R-1", "state": "TESTING"}
    write(home, "events/a.jsonl", json.dumps(event) + "\n")
    assert run(root, home, "2026-06-01").events == 1
    assert _states(root)["waits"].startswith("staging")
    write(root, "events/b.jsonl", json.dumps(event | {"id": "e2", "state": "released"}) + "\nnonsense\n")
    done = run(root, home, "2026-06-02")
    assert (done.events, [bad.line for bad in done.bad_lines]) == (1, [2])
    waits = next(card for card in read_cards(root).cards if card.id == "waits")
    assert (waits.status, waits.confidence) == (CardStatus.ACTIVE, "high")
    assert _log(root) == [f"{AUTHOR}: policy(cards): promote waits: requirement R-1 released, ALM-PC200 linked"]
    assert run(root, home, "2026-06-03").events == 0


def test_a_card_that_expired_while_it_waited_is_valid_when_it_passes(root: Path, tmp_path: Path) -> None:
    event = {"id": "e1", "kind": "requirement", "requirement": "R-1", "state": "RELEASED"}
    write(tmp_path, "home/events/a.jsonl", json.dumps(event) + "\n")
    run(root, tmp_path / "home", "2026-09-01")
    assert _states(root)["waits"] == "active 2026-11-30"


def test_thirty_days_in_staging_ask_a_person(root: Path, tmp_path: Path) -> None:
    done = run(root, tmp_path / "home", "2026-05-31")
    assert [(card.id, step.reason) for card, step in done.clean_up] == [("waits", "30 days in staging")]
    assert _log(root) == []


def test_counters_are_added_in_one_commit(root: Path, tmp_path: Path) -> None:
    home = tmp_path / "home"
    usage = Given(one=Usage(injected=5, adopted=2), two=Usage(injected=1, liked=1))
    assert run(root, home, "2026-06-01", usage).counted == 2
    assert run(root, home, "2026-06-02", usage).counted == 0
    usage.uses["one"] = Usage(injected=6, adopted=2)
    run(root, home, "2026-06-03", usage)
    metrics = {card.id: card.metrics for card in read_cards(root).cards}
    assert (metrics["one"].injected, metrics["one"].adopted) == (6, 2)
    assert (metrics["two"].injected, metrics["two"].liked) == (8, 3)
    assert [line.split(": ", 1)[1] for line in _log(root)] == [
        "policy(cards): count uses of 2 cards",
        "policy(cards): count uses of 1 cards",
    ]


def test_what_a_person_is_editing_is_left_alone(root: Path, tmp_path: Path) -> None:
    mine = card_text(id="one", title="mine", metrics="{injected: 0, adopted: 0, liked: 0}")
    write(root, "cards/machinery/one.yaml", mine)
    write(root, "cards/machinery/new.yaml", card_text(id="new", metrics=""))
    done = run(root, tmp_path / "home", "2026-07-31", Given(one=Usage(adopted=1)))
    assert done.in_work == ("cards/machinery/new.yaml", "cards/machinery/one.yaml")
    assert (root / "cards/machinery/one.yaml").read_text("utf-8") == mine
    assert [change.card.id for change in done.changes] == ["two"]


def test_broken_cards_cost_only_themselves(root: Path, tmp_path: Path) -> None:
    write(root, "cards/machinery/broken.yaml", "id: [\n")
    done = run(root, tmp_path / "home", "2026-07-31")
    assert {finding.path for finding in done.findings} == {"cards/machinery/broken.yaml"}
    assert len(done.changes) == 2


def test_a_dry_run_writes_nothing(root: Path, tmp_path: Path) -> None:
    home = tmp_path / "home"
    event = {"id": "e1", "kind": "requirement", "requirement": "R-1", "state": "RELEASED"}
    write(home, "events/a.jsonl", json.dumps(event) + "\n")
    done = run(root, home, "2026-07-31", dry=True)
    assert [change.move for change in done.changes] == ["archive", "renew", "promote"]
    assert _log(root) == []
    assert run(root, home, "2026-07-31", dry=True).events == 1


def test_a_clock_that_jumped_archives_nothing(root: Path, tmp_path: Path) -> None:
    home = tmp_path / "home"
    worker = Worker(Repository.open(root, Git.find(None)), home, Given())
    today = datetime.datetime.now(datetime.UTC)
    assert worker.run(today - datetime.timedelta(days=9000)).clock is not None
    first = worker.run(today + datetime.timedelta(days=2))
    assert (first.clock, len(first.changes)) == (None, 2)
    behind = worker.run(today)
    assert behind.clock is not None
    assert not behind.clock.ahead
    ahead = worker.run(today + datetime.timedelta(days=3000))
    assert ahead.clock is not None
    assert ahead.clock.ahead
    assert ahead.changes == ()
    assert worker.run(today + datetime.timedelta(days=3)).clock is None


def test_a_second_worker_does_nothing_meanwhile(root: Path, tmp_path: Path) -> None:
    home = tmp_path / "home"
    with fsio.locked(home / "worker.lock"):
        assert run(root, home, "2026-07-31").busy
    assert _log(root) == []


@pytest.mark.slow
def test_two_workers_at_once_change_everything_once(root: Path, tmp_path: Path) -> None:
    context = multiprocessing.get_context("fork")
    both = [
        context.Process(target=run, args=(root, tmp_path / home, "2026-07-31")) for home in ("home", "home", "other")
    ]
    for worker in both:
        worker.start()
    for worker in both:
        worker.join(60)
    assert [worker.exitcode for worker in both] == [0, 0, 0]
    assert len(_log(root)) == 2
    assert git(root, "status", "--porcelain") == ""


@pytest.mark.slow
def test_killed_anywhere_the_next_pass_ends_in_the_same_state(root: Path, tmp_path: Path) -> None:
    home = tmp_path / "home"
    usage = Given(two=Usage(injected=1))
    for step in range(60):

        def work(step: int = step) -> None:
            run_git, left = Git._output, [step]

            def counted(self: Git, *words: object) -> bytes:
                left[0] -= 1
                if left[0] < 0:
                    os.kill(os.getpid(), signal.SIGKILL)
                return run_git(self, *words)  # type: ignore[arg-type]

            Git._output = counted  # type: ignore[method-assign, assignment]
            run(root, home, "2026-07-31", usage)

        _, status = os.waitpid(run_in_child(work), 0)
        if status == 0:
            break
    assert status == 0
    assert _states(root) == {"one": "archived 2026-07-30", "two": "active 2026-10-29", "waits": "staging 2026-07-30"}
    assert git(root, "status", "--porcelain") == ""
    moves = [line.split("(cards): ")[1].split(":")[0] for line in _log(root)]
    assert moves == ["archive one", "renew two", "count uses of 1 cards"]
    two = read_cards(root).get("two")
    assert two is not None
    assert two.metrics.injected == 8


@pytest.mark.slow
def test_killed_at_any_write_of_its_memory_uses_are_counted_once(root: Path, tmp_path: Path) -> None:
    """Ends the process before each statement to the worker's own database in turn, with uses that grow."""
    home, uses = tmp_path / "home", 0
    for step in range(200):
        uses += 1

        def work(step: int = step, uses: int = uses) -> None:
            left = [step]

            def trace(statement: str) -> None:
                left[0] -= 1
                if left[0] < 0:
                    os.kill(os.getpid(), signal.SIGKILL)

            begin = GateStore.__init__

            def traced(self: GateStore, home: Path) -> None:
                begin(self, home)
                self.connection.set_trace_callback(trace)

            GateStore.__init__ = traced  # type: ignore[method-assign]
            run(root, home, "2026-06-01", Given(two=Usage(injected=uses)))

        _, status = os.waitpid(run_in_child(work), 0)
        if status == 0:
            break
    assert status == 0
    two = read_cards(root).get("two")
    assert two is not None
    assert two.metrics.injected == 7 + uses
