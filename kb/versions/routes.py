"""Routes: which release answers for an agent in an environment, switched in one transaction.

A route holds the release that is live (`current`), the one before it (`previous`, kept for a rollback), and one that is
coming (`next`): for a share of the users (`weight`, in percent) from a moment on (`starts`). Agent '' is everybody who
has no route of their own.
"""

from __future__ import annotations

import datetime
import hashlib
from dataclasses import dataclass, replace
from typing import Literal

from kb.db import utc_text
from kb.errors import AlmanacError, ExitCode
from kb.versions.registry import Registered, Registry, Switch

Environment = Literal["dev", "test", "prod"]
ENVIRONMENTS: tuple[Environment, ...] = ("dev", "test", "prod")
EVERYBODY = ""
ALL = 100
_COLUMNS = "agent, environment, current, previous, next, weight, starts"


@dataclass(frozen=True, slots=True)
class Route:
    """The route of `agent` in `environment`; releases by their registry id. `starts` is UTC."""

    agent: str
    environment: Environment
    current: int | None = None
    previous: int | None = None
    next: int | None = None
    weight: int = ALL
    starts: str = ""

    def chosen(self, user: str, now: datetime.datetime) -> int | None:
        """The release that answers `user` at `now`. Somebody without a name gets the current one until all do."""
        if self.next is None or utc_text(now) < self.starts:
            return self.current
        if self.weight >= ALL or (user and share(f"{self.agent}\0{self.environment}\0{self.next}", user) < self.weight):
            return self.next
        return self.current

    def uses(self) -> set[int]:
        """The releases that must stay."""
        return {release for release in (self.current, self.previous, self.next) if release is not None}


@dataclass(frozen=True, slots=True)
class Actor:
    """Who switches, and why."""

    who: str
    why: str = ""


def share(rollout: str, user: str) -> int:
    """Where a user stands in a gradual release, 0..99: always the same, so a growing share keeps its users."""
    return int.from_bytes(hashlib.sha256(f"{rollout}\0{user}".encode("utf-8", "replace")).digest()[:8]) % ALL


def all_routes(registry: Registry) -> list[Route]:
    """Every route, everybody's first."""
    rows = registry.connection.execute(f"SELECT {_COLUMNS} FROM routes ORDER BY agent, environment")
    return [Route(*row) for row in rows]


def route(registry: Registry, agent: str, environment: Environment) -> Route:
    """The agent's own route, empty when there is none."""
    row = registry.connection.execute(
        f"SELECT {_COLUMNS} FROM routes WHERE agent=? AND environment=?", (agent, environment)
    ).fetchone()
    return Route(*row) if row else Route(agent, environment)


def effective(registry: Registry, agent: str, environment: Environment) -> Route:
    """The agent's own route where it leads anywhere, else everybody's."""
    own = route(registry, agent, environment)
    return own if agent == EVERYBODY or own.uses() else route(registry, EVERYBODY, environment)


def answering(
    registry: Registry, agent: str, environment: Environment, user: str, now: datetime.datetime
) -> int | None:
    """The release that answers: by the agent's own route, and where that says nothing (yet) by everybody's."""
    own = route(registry, agent, environment).chosen(user, now)
    if own is not None or agent == EVERYBODY:
        return own
    return route(registry, EVERYBODY, environment).chosen(user, now)


def used(registry: Registry) -> set[int]:
    """The releases that some route needs: live, coming, or kept for a rollback."""
    return {release for each in all_routes(registry) for release in each.uses()}


def activate(
    registry: Registry,
    where: tuple[str, Environment],
    release: Registered,
    actor: Actor,
    *,
    now: datetime.datetime,
    weight: int = ALL,
    starts: datetime.datetime | None = None,
    action: str = "publish",
) -> Route:
    """Make `release` live in one transaction: for all at once, for a share of the users, or from a moment on.

    AlmanacError for a share where nothing is live yet for the others.
    """
    with registry.writing():
        before = _settled(route(registry, *where), now)
        later = starts is not None and starts > now
        if weight < ALL and answering(registry, *where, "", now) is None:
            raise AlmanacError("route_first_is_whole", ExitCode.USAGE)
        if weight < ALL or later:
            after = replace(
                before, next=release.id, weight=weight, starts=utc_text(starts if later and starts else now)
            )
            if before.current == release.id:
                after = replace(before, next=None, weight=ALL, starts="")
        elif before.current == release.id:
            after = replace(before, next=None, weight=ALL, starts="")
        else:
            after = Route(*where, current=release.id, previous=before.current)
        _save(registry, after)
        _log(registry, action, before, after, actor, now)
    return after


def roll_back(
    registry: Registry,
    where: tuple[str, Environment],
    actor: Actor,
    *,
    now: datetime.datetime,
    to: Registered | None = None,
) -> Route:
    """Back to `to`, or to what was live before: a coming release is dropped, else the last two change places.

    AlmanacError when nothing was live before.
    """
    with registry.writing():
        found = route(registry, *where)
        started = found.next is not None and found.starts <= utc_text(now)
        if to is not None:
            before = _settled(found, now)
            previous = before.previous if before.current == to.id else before.current
            after = Route(*where, current=to.id, previous=previous)
        elif started and (found.current is not None or found.agent != EVERYBODY):
            before = found
            after = replace(found, next=None, weight=ALL, starts="")
        else:
            before = found
            if found.previous is None:
                raise AlmanacError("route_no_previous", ExitCode.USAGE, environment=found.environment)
            after = Route(*where, current=found.previous, previous=found.current)
        _save(registry, after)
        _log(registry, "rollback", before, after, actor, now)
    return after


def fallback(found: Route, now: datetime.datetime) -> int | None:
    """The release that `roll_back` would lead to; None where it only drops a coming one, or cannot."""
    started = found.next is not None and found.starts <= utc_text(now)
    return found.current if started else found.previous


def complete(
    registry: Registry, where: tuple[str, Environment], actor: Actor, *, now: datetime.datetime
) -> Route | None:
    """A gradual or dated release becomes everybody's now; None where none is under way."""
    with registry.writing():
        before = route(registry, *where)
        if before.next is None:
            return None
        after = Route(*where, current=before.next, previous=before.current)
        _save(registry, after)
        _log(registry, "promote", before, after, actor, now)
    return after


def drop(registry: Registry, where: tuple[str, Environment], actor: Actor, *, now: datetime.datetime) -> Route:
    """Take an agent's own route away: everybody's counts for it again."""
    with registry.writing():
        before = route(registry, *where)
        registry.connection.execute("DELETE FROM routes WHERE agent=? AND environment=?", where)
        _log(registry, "drop", before, Route(*where), actor, now)
    return before


def _settled(found: Route, now: datetime.datetime) -> Route:
    """The route after what has come into effect by itself: a dated release whose time has come is the current one."""
    if found.next is None or found.weight < ALL or utc_text(now) < found.starts:
        return found
    return Route(found.agent, found.environment, current=found.next, previous=found.current)


def _save(registry: Registry, saved: Route) -> None:
    registry.connection.execute(
        f"INSERT OR REPLACE INTO routes ({_COLUMNS}) VALUES (?,?,?,?,?,?,?)",
        (saved.agent, saved.environment, saved.current, saved.previous, saved.next, saved.weight, saved.starts),
    )


def _log(registry: Registry, action: str, before: Route, after: Route, actor: Actor, now: datetime.datetime) -> None:
    def tag(identifier: int | None) -> str:
        found = registry.by_id(identifier)
        return found.name if found is not None else ""

    coming = after.next if after.next is not None else after.current
    registry.log(
        Switch(utc_text(now), action, after.agent, after.environment, tag(before.current), tag(coming), after.weight,
               after.starts, actor.who, actor.why)
    )  # fmt: skip
