"""`almanac publish`: plan, build beside the live release, look at the impact, switch."""

from __future__ import annotations

import argparse
import dataclasses
from pathlib import Path

from kb.answer.release_numbers import read_numbers
from kb.answer.release_runtime import asking, index_builder
from kb.cli.output import Output, Progress
from kb.cli.version_routes import route_line, where
from kb.cli.version_wiring import actor, moment, now, source_of
from kb.cli.version_words import plan_json, show_built, show_impact, show_plan
from kb.config import Config
from kb.errors import AlmanacError, ExitCode, KnowledgeError
from kb.versions import impact, publish, releases, routes, snapshot
from kb.versions.impact import ChangedAnswer
from kb.versions.numbering import newest
from kb.versions.publish import Plan
from kb.versions.registry import Registered, Registry
from kb.versions.releases import BuiltIndex
from kb.versions.source import Source


def run(arguments: argparse.Namespace, config: Config) -> int:
    """Make a tag live; ExitCode.BAD_KNOWLEDGE when answers change and nobody said --yes."""
    output = Output(config)
    source = source_of(arguments, config)
    starts = moment(arguments.at)
    if arguments.questions:
        arguments.impact = True
    with Registry.open(config.home) as registry:
        taken = snapshot.read(source, arguments.tag or _newest(source))
        plan = publish.plan(
            config.home, registry, source, taken, where(arguments), read_numbers,
            now=now(), leave_out_drafts=arguments.leave_out_drafts,
        )  # fmt: skip
        if not arguments.json:
            show_plan(plan, output)
        if arguments.dry_run and not arguments.impact:
            if arguments.json:
                output.json({"schema": 1, "switched": False, "plan": plan_json(plan)})
            return ExitCode.OK
        progress = output.progress()
        try:
            build = index_builder(config, progress, source.root)
            registered, built = publish.make(
                config.home, registry, source, taken, build, now=now(), report=progress
            )  # fmt: skip
        finally:
            progress.clear()
        changed = None
        if arguments.impact:
            changed = _impact(arguments, config, registry, source, registered, progress)
        stopped = arguments.dry_run or bool(changed and not arguments.yes)
        if not stopped:
            routes.activate(
                registry, where(arguments), registered, actor(arguments, config),
                now=now(), weight=arguments.weight, starts=starts,
            )  # fmt: skip
            releases.sweep(config.home, registry)
        _say(arguments, output, registry, plan, built, changed, switched=not stopped)
    return ExitCode.BAD_KNOWLEDGE if stopped and not arguments.dry_run else ExitCode.OK


def _newest(source: Source) -> str:
    number = newest(source.tags())
    if number is None:
        raise KnowledgeError("publish_no_tag", path=source.root)
    return number.tag


def _say(
    arguments: argparse.Namespace,
    output: Output,
    registry: Registry,
    plan: Plan,
    built: BuiltIndex | None,
    changed: list[ChangedAnswer] | None,
    *,
    switched: bool,
) -> None:
    """What was done."""
    live = routes.route(registry, *where(arguments))
    if arguments.json:
        output.json(
            {
                "schema": 1, "switched": switched, "plan": plan_json(plan),
                "built": dataclasses.asdict(built) if built is not None else None,
                "impact": None if changed is None else [dataclasses.asdict(change) for change in changed],
                "route": route_line(live, registry),
            }
        )  # fmt: skip
        return
    output.say()
    show_built(built, output)
    if switched and live.next is not None:
        output.tell(
            "publish_gradual", tag=plan.snapshot.tag, env=plan.environment, live=plan.live or "∅", weight=live.weight,
            starts=live.starts,
        )  # fmt: skip
    elif switched:
        output.tell("publish_done", tag=plan.snapshot.tag, env=plan.environment, live=plan.live or "∅")
    elif not arguments.dry_run:
        output.tell("publish_stopped")


def _impact(
    arguments: argparse.Namespace,
    config: Config,
    registry: Registry,
    source: Source,
    registered: Registered,
    progress: Progress,
) -> list[ChangedAnswer]:
    """The saved questions whose answers change between what is live and what is to be."""
    output = Output(config)
    path = impact.find_questions(source.root, Path(arguments.questions) if arguments.questions else None)
    questions = impact.load_questions(path)
    live = registry.by_id(routes.answering(registry, *where(arguments), "", now()))
    if live is None:
        raise AlmanacError("impact_nothing_live", ExitCode.USAGE)
    said = []
    for place, each in enumerate((live, registered)):
        release = releases.opened(config.home, each)
        with asking(config, release.docs, release.index) as ask:

            def report(done: int, place: int = place) -> None:
                progress("impact", place * len(questions) + done, 2 * len(questions))

            said.append(impact.ask_all(questions, ask, report))
    progress.clear()
    changed = impact.compare(*said)
    if not arguments.json:
        show_impact(changed, len(questions), output)
    return changed
