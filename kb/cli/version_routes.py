"""`almanac rollback`, `promote`, `retire` and `route`: which release answers whom."""

from __future__ import annotations

import argparse
import dataclasses
from typing import cast

from kb.answer.release_runtime import index_builder
from kb.cli.output import Output
from kb.cli.version_wiring import actor, moment, now, source_of
from kb.config import Config
from kb.db import utc_text
from kb.errors import AlmanacError, ExitCode, KnowledgeError
from kb.plain import one_line
from kb.versions import publish, releases, routes, serving, snapshot
from kb.versions.registry import Registered, Registry
from kb.versions.routes import ENVIRONMENTS, Environment, Route


def where(arguments: argparse.Namespace) -> tuple[str, Environment]:
    """Agent and environment of a command line."""
    return arguments.agent, cast("Environment", arguments.env)


def route_line(route: Route, registry: Registry) -> dict[str, object]:
    """A route with the tags of its releases, for programs."""

    def tag(identifier: int | None) -> str | None:
        found = registry.by_id(identifier)
        return found.name if found is not None else None

    return {
        "agent": route.agent, "env": route.environment, "current": tag(route.current), "previous": tag(route.previous),
        "next": tag(route.next), "weight": route.weight, "starts": route.starts,
    }  # fmt: skip


def _show(route: Route, registry: Registry, output: Output) -> None:
    line = route_line(route, registry)
    agent = one_line(route.agent) or output.text("route_everybody")
    output.say(f"{route.environment:<5} {agent}  {line['current'] or '∅'}")
    if route.next is not None:
        output.say("      " + output.text("route_next", tag=line["next"], weight=route.weight, starts=route.starts))
    if route.previous is not None:
        output.say("      " + output.text("route_previous", tag=line["previous"]))


def _tell(route: Route, registry: Registry, output: Output, *, json: bool) -> int:
    if json:
        output.json({"schema": 1, "route": route_line(route, registry)})
    else:
        _show(route, registry, output)
    return ExitCode.OK


def _ready(arguments: argparse.Namespace, config: Config, registry: Registry, release: Registered) -> Registered:
    """The release, its folder whole: built again from its tag where it is not."""
    if release.is_built and releases.is_whole(config.home, release):
        return release
    output = Output(config)
    source = source_of(arguments, config)
    progress = output.progress()
    try:
        found = snapshot.read(source, release.tag)
        if found.digest != release.manifest:
            raise KnowledgeError("version_other_manifest", version=release.tag)
        build = index_builder(config, progress, source.root)
        made, _ = publish.make(config.home, registry, source, found, build, now=now(), report=progress)
    finally:
        progress.clear()
    return made


def run_rollback(arguments: argparse.Namespace, config: Config) -> int:
    """Back to the release before, or to --to."""
    output = Output(config)
    with Registry.open(config.home) as registry:
        moment_now = now()
        wanted = registry.named(arguments.to) if arguments.to else None
        target = wanted or registry.by_id(routes.fallback(routes.route(registry, *where(arguments)), moment_now))
        if target is not None:
            ready = _ready(arguments, config, registry, target)
            wanted = ready if wanted is not None else None
        route = routes.roll_back(registry, where(arguments), actor(arguments, config), now=moment_now, to=wanted)
        return _tell(route, registry, output, json=arguments.json)


def run_promote(arguments: argparse.Namespace, config: Config) -> int:
    """Complete a gradual release, or take what is live here to the next environment."""
    output = Output(config)
    agent, environment = where(arguments)
    with Registry.open(config.home) as registry:
        if not arguments.to:
            done = routes.complete(registry, (agent, environment), actor(arguments, config), now=now())
            if done is not None:
                return _tell(done, registry, output, json=arguments.json)
        place = ENVIRONMENTS.index(environment)
        if not arguments.to and environment == ENVIRONMENTS[-1]:
            raise AlmanacError("promote_nothing", ExitCode.USAGE, env=environment)
        target = cast("Environment", arguments.to) if arguments.to else ENVIRONMENTS[place + 1]
        live = registry.by_id(routes.answering(registry, agent, environment, "", now()))
        if live is None or ENVIRONMENTS.index(target) <= place:
            raise AlmanacError("promote_nothing", ExitCode.USAGE, env=environment)
        ready = _ready(arguments, config, registry, live)
        moved = routes.activate(registry, (agent, target), ready, actor(arguments, config), now=now(), action="promote")
        return _tell(moved, registry, output, json=arguments.json)


def run_retire(arguments: argparse.Namespace, config: Config) -> int:
    """Free the folder of a release, or of all that no route uses."""
    output = Output(config)
    with Registry.open(config.home) as registry:
        if arguments.unused:
            needed = routes.used(registry)
            chosen = [row for row in registry.snapshots() if row.is_built and row.id not in needed]
        else:
            chosen = [registry.named(arguments.tag)]
        freed: list[str] = []
        later: list[str] = []
        for release in chosen:
            gone = releases.retire(config.home, registry, release, utc_text(now()))
            (freed if gone else later).append(release.name)
    if arguments.json:
        output.json({"schema": 1, "freed": freed, "still_read": later})
        return ExitCode.OK
    for name in freed:
        output.tell("retire_freed", name=name)
    for name in later:
        output.tell("retire_later", name=name)
    if not chosen:
        output.tell("retire_none")
    return ExitCode.OK


def run_route(arguments: argparse.Namespace, config: Config) -> int:
    """Show and set routes."""
    actions = {"list": _list, "show": _who, "set": _set, "drop": _drop, "log": _log}
    with Registry.open(config.home) as registry:
        return actions[arguments.action](arguments, config, registry)


def _list(arguments: argparse.Namespace, config: Config, registry: Registry) -> int:
    output = Output(config)
    found, rows = routes.all_routes(registry), registry.snapshots()
    live = {release for route in found for release in (route.current, route.next)}
    states = {row.id: _state(row, live) for row in rows}
    if arguments.json:
        output.json(
            {
                "schema": 1,
                "routes": [route_line(route, registry) for route in found],
                "snapshots": [{**dataclasses.asdict(row), "name": row.name, "state": states[row.id]} for row in rows],
            }
        )
        return ExitCode.OK
    for route in found:
        _show(route, registry, output)
    if not found:
        output.tell("route_none")
    for row in rows:
        output.tell(
            "route_snapshot", tag=row.name, state=output.text(f"state_{states[row.id]}"), documents=row.documents,
            date=row.created[:10],
        )  # fmt: skip
    return ExitCode.OK


def _state(row: Registered, live: set[int | None]) -> str:
    if row.id in live:
        return "active"
    if row.retired:
        return "retired"
    return "built" if row.built else "named"


def _who(arguments: argparse.Namespace, config: Config, registry: Registry) -> int:
    output = Output(config)
    agent, environment = where(arguments)
    found = serving.serving(config.home, agent, environment, arguments.user)
    route = routes.effective(registry, agent, environment)
    if arguments.json:
        version = dataclasses.asdict(found.version) if found is not None else None
        output.json({"schema": 1, "user": arguments.user, "version": version, "route": route_line(route, registry)})
        return ExitCode.OK
    _show(route, registry, output)
    label = found.version.label if found is not None else output.text("version_unknown")
    output.tell("route_answers", version=label, user=one_line(arguments.user) or "∅")
    return ExitCode.OK


def _set(arguments: argparse.Namespace, config: Config, registry: Registry) -> int:
    if not arguments.tag:
        raise AlmanacError("route_needs_tag", ExitCode.USAGE)
    release = _ready(arguments, config, registry, registry.named(arguments.tag))
    route = routes.activate(
        registry, where(arguments), release, actor(arguments, config), now=now(), weight=arguments.weight,
        starts=moment(arguments.at), action="set",
    )  # fmt: skip
    return _tell(route, registry, Output(config), json=arguments.json)


def _drop(arguments: argparse.Namespace, config: Config, registry: Registry) -> int:
    routes.drop(registry, where(arguments), actor(arguments, config), now=now())
    return _tell(routes.effective(registry, *where(arguments)), registry, Output(config), json=arguments.json)


def _log(arguments: argparse.Namespace, config: Config, registry: Registry) -> int:
    output = Output(config)
    lines = registry.switches(arguments.top)
    if arguments.json:
        output.json({"schema": 1, "switches": [dataclasses.asdict(line) for line in lines]})
        return ExitCode.OK
    for line in lines:
        agent = one_line(line.agent) or output.text("route_everybody")
        change = f"{line.old or '∅'} → {line.new or '∅'}"
        share = f"  {line.weight}%" if line.weight < routes.ALL else ""
        starts = f"  ≥ {line.starts}" if line.starts else ""
        output.say(f"{line.at}  {line.environment} {agent}  {line.action}  {change}{share}{starts}  "
                   f"{one_line(line.who)}  {one_line(line.why)}".rstrip())  # fmt: skip
    return ExitCode.OK
