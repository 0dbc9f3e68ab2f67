"""`almanac worker`: cards pass their gates, age and come back by themselves; signals from outside are put down."""

from __future__ import annotations

import argparse
import contextlib
import datetime
from collections.abc import Callable, Mapping, Sequence
from typing import TYPE_CHECKING

from kb.cli.output import Output, parse_day
from kb.config import Config
from kb.errors import AlmanacError, ExitCode
from kb.plain import one_line
from kb.supply import metrics_rollup
from kb.supply.card import Card
from kb.supply.events import FOLDER, Event, EventKind, write_event
from kb.supply.gates import Gate
from kb.supply.lifecycle import UsageOf
from kb.supply.worker import Distil, Pass, Verdict, Worker
from kb.tree.walk import resolve_root
from kb.versions.git import Git
from kb.versions.plumbing import Repository

if TYPE_CHECKING:
    from kb.supply.distill_propose import Distiller


def run(arguments: argparse.Namespace, config: Config) -> int:
    """Do one action of `almanac worker`."""
    actions: Mapping[str, Callable[[argparse.Namespace, Config, Output], int]] = {"run": _run, "signal": _signal}
    return actions[arguments.action](arguments, config, Output(config))


def open_repository(config: Config) -> Repository:
    """The repository of the knowledge root; AlmanacError when cards cannot be changed there."""
    git = Git.find(config.git, config.environment.get("PATH"))
    return Repository.open(resolve_root(config.knowledge), git)


def usage_of(config: Config) -> UsageOf:
    """How cards were used, from the ledger of this home."""
    return lambda cards: metrics_rollup.usage_of(config.home, cards)


def distil_with(config: Config, repository: Repository, kept: contextlib.ExitStack) -> Distil:
    """Judges events with a distiller that is made for the first of them, as models take time, and lives in `kept`."""
    made: list[Distiller] = []

    def distil(events: Sequence[Event]) -> list[Verdict]:
        from kb.cli.distilling import open_distiller

        if not made:
            made.append(kept.enter_context(open_distiller(config, repository)))
        return [
            Verdict(
                one.distilled.event.id, "" if one.proposal is None else one.proposal.name, one.distilled.reason
            )
            for one in made[0].propose(events)
        ]  # fmt: skip

    return distil


def _run(arguments: argparse.Namespace, config: Config, output: Output) -> int:
    repository = open_repository(config)
    day = parse_day(arguments.on)

    def once() -> Pass:
        now = datetime.datetime.now(datetime.UTC)
        if day is not None:
            now = datetime.datetime.combine(day, now.timetz())
        with contextlib.ExitStack() as kept:
            distil = distil_with(config, repository, kept)
            worker = Worker(repository, config.home, usage_of(config), distil, bool(arguments.trust_clock))
            done = worker.run(now, dry=bool(arguments.dry_run))
        if arguments.json:
            output.json(_as_json(done, bool(arguments.dry_run)))
        else:
            _show(done, bool(arguments.dry_run), output)
        return done

    if not arguments.daemon:
        done = once()
        return ExitCode.BAD_KNOWLEDGE if any(not one.warning for one in done.findings) else ExitCode.OK
    while not config.stop.is_set():
        try:
            once()
        except AlmanacError as error:
            # What is wrong now (a full disk, a branch that moved) may be right at the next pass.
            output.tell(error.key, **error.params)
        config.stop.wait(arguments.every * 60)
    return ExitCode.INTERRUPTED


def _show(done: Pass, dry: bool, output: Output) -> None:
    if done.busy:
        output.tell("worker_busy")
        return
    if done.clock is not None:
        key = "worker_clock_ahead" if done.clock.ahead else "worker_clock_back"
        output.tell(key, now=f"{done.clock.now:%Y-%m-%d %H:%M}", known=f"{done.clock.known:%Y-%m-%d %H:%M}")
    for change in done.changes:
        output.say(f"{change.move:<8} {one_line(change.card.id)}: {one_line(change.reason)}")
    if done.counted:
        output.tell("worker_counted", count=done.counted)
    for card, step in done.clean_up:
        output.tell("worker_clean_up", id=one_line(card.id), reason=step.reason)
    for card, state in done.waiting:
        output.say(_waits(card, state, output))
    for path in done.in_work:
        output.tell("worker_in_work", path=one_line(path))
    for verdict in done.verdicts:
        if verdict.proposal:
            output.tell("worker_proposed", name=one_line(verdict.proposal))
        else:
            output.tell("worker_no_card", event=one_line(verdict.event), reason=one_line(verdict.reason))
    for bad in done.bad_lines:
        output.say(f"{one_line(bad.file)}:{bad.line}: {one_line(output.text(bad.key, **bad.params))}")
    broken = len({one.path for one in done.findings if not one.warning})
    if broken:
        output.tell("card_some_broken", count=broken)
    key = "worker_would" if dry else "worker_done"
    output.tell(key, cards=done.cards, changes=len(done.changes), events=done.events)


def _waits(card: Card, state: Gate, output: Output) -> str:
    reasons = []
    if state.waiting_for:
        reasons.append(output.text("gate_waits_for", requirements=one_line(", ".join(state.waiting_for))))
    if state.no_requirement:
        reasons.append(output.text("gate_links_no_requirement"))
    if state.no_repository:
        reasons.append(output.text("gate_links_no_repository"))
    return output.text("worker_waits", id=one_line(card.id), reason="; ".join(reasons))


def _as_json(done: Pass, dry: bool) -> dict[str, object]:
    return {
        "schema": 1,
        "dry_run": dry,
        "busy": done.busy,
        "clock": None if done.clock is None else {
            "now": done.clock.now.isoformat(), "known": done.clock.known.isoformat(), "ahead": done.clock.ahead,
        },
        "cards": done.cards,
        "changes": [
            {"id": one.card.id, "path": one.card.path, "move": one.move, "values": dict(one.values),
             "reason": one.reason}
            for one in done.changes
        ],
        "counted": done.counted,
        "clean_up": [{"id": card.id, "path": card.path, "reason": step.reason} for card, step in done.clean_up],
        "waiting": [
            {"id": card.id, "requirements": state.waiting_for, "no_requirement": state.no_requirement,
             "no_repository": state.no_repository}
            for card, state in done.waiting
        ],
        "in_work": done.in_work,
        "proposals": done.proposals,
        "verdicts": [
            {"event": one.event, "proposal": one.proposal or None, "reason": one.reason} for one in done.verdicts
        ],
        "events": done.events,
        "bad_lines": [{"file": bad.file, "line": bad.line, "rule": bad.key} for bad in done.bad_lines],
        "broken": sorted({one.path for one in done.findings if not one.warning}),
    }  # fmt: skip


def _signal(arguments: argparse.Namespace, config: Config, output: Output) -> int:
    """Put down that a requirement reached a state; the next pass of the worker reads it."""
    at = arguments.at or datetime.datetime.now(datetime.UTC).isoformat(timespec="microseconds")
    event = {
        "id": arguments.id or f"{arguments.requirement}-{arguments.state}-{at}",
        "kind": EventKind.REQUIREMENT.value,
        "requirement": arguments.requirement,
        "state": arguments.state,
        "at": at,
    }
    path = write_event(config.home / FOLDER, event)
    output.tell(
        "worker_signal", requirement=one_line(arguments.requirement), state=one_line(arguments.state), path=path
    )
    return ExitCode.OK
