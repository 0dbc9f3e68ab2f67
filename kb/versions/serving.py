"""Which release answers now: the route of an agent and user, read once for a whole question."""

from __future__ import annotations

import contextlib
import datetime
import sqlite3
import time
from collections.abc import Iterator
from dataclasses import dataclass
from pathlib import Path

from kb import fsio
from kb.errors import AlmanacError, KnowledgeError
from kb.versions import registry as registries
from kb.versions.history import KnowledgeVersion
from kb.versions.registry import Registry, is_busy
from kb.versions.releases import Release, lease_of, opened
from kb.versions.routes import Environment, answering

_ATTEMPTS = 20
# How long a switch that is being written is waited for, and how long until the next look.
_PATIENCE_S = 5.0
_MOMENT_S = 0.0005


@dataclass(frozen=True, slots=True)
class Serving:
    """What a question is answered from: documents, their index, and the version that every result carries."""

    root: Path
    index_folder: Path
    version: KnowledgeVersion

    @classmethod
    def of(cls, release: Release | None) -> Serving | None:
        """From a release folder; None without one."""
        return None if release is None else cls(release.docs, release.index, release.version)


def serving(
    home: Path,
    agent: str = "",
    environment: Environment = "prod",
    user: str = "",
    now: datetime.datetime | None = None,
) -> Serving | None:
    """The release that answers `user` of `agent`; None where nothing is routed.

    KnowledgeError when the release that the route names is gone or is another one: no answer without its version.
    """
    return Serving.of(_routed(home, agent, environment, user, now))


@contextlib.contextmanager
def reading(
    home: Path,
    agent: str = "",
    environment: Environment = "prod",
    user: str = "",
    now: datetime.datetime | None = None,
) -> Iterator[Serving | None]:
    """As `serving`, with the release's lease: while the block runs, nobody removes it."""
    with contextlib.ExitStack() as held:
        yield Serving.of(_routed(home, agent, environment, user, now, held))


def hold(
    home: Path, agent: str = "", environment: Environment = "prod", user: str = ""
) -> tuple[Serving | None, contextlib.ExitStack]:
    """As `reading`, for a run that answers from one release: the lease lasts until the stack is closed or dropped."""
    held = contextlib.ExitStack()
    return Serving.of(_routed(home, agent, environment, user, None, held)), held


def _routed(
    home: Path,
    agent: str,
    environment: Environment,
    user: str,
    now: datetime.datetime | None,
    held: contextlib.ExitStack | None = None,
) -> Release | None:
    """The release, looked for again while a switch is being written: that takes less than SQLite's own first waits."""
    if not registries.exists(home):
        return None
    moment = now or datetime.datetime.now(datetime.UTC)
    ended = time.monotonic() + _PATIENCE_S
    while True:
        try:
            return _chosen(home, agent, environment, user, moment, held)
        except (sqlite3.OperationalError, AlmanacError) as error:
            cause = error.__cause__ if isinstance(error, AlmanacError) else error
            if not is_busy(cause):
                raise
            if time.monotonic() > ended:
                raise AlmanacError("registry_unusable", path=home / "people", reason=str(cause)) from error
        time.sleep(_MOMENT_S)


def _chosen(
    home: Path,
    agent: str,
    environment: Environment,
    user: str,
    moment: datetime.datetime,
    held: contextlib.ExitStack | None,
) -> Release | None:
    with Registry.open_to_read(home, busy_ms=0) as registry:
        for attempt in range(_ATTEMPTS):
            chosen = registry.by_id(answering(registry, agent, environment, user, moment))
            if chosen is None:
                return None
            try:
                found = opened(home, chosen)
                if held is not None:
                    _hold(found, held)
                    found = opened(home, chosen)  # it may have gone before the lease was there
                return found
            except KnowledgeError:
                # The route can have moved on, and the release with it, since it was read.
                if attempt == _ATTEMPTS - 1:
                    raise
                time.sleep(_MOMENT_S)
        return None


def _hold(release: Release, held: contextlib.ExitStack) -> None:
    # On a medium that cannot be written nobody removes a release either.
    with contextlib.suppress(AlmanacError):
        held.enter_context(fsio.shared(lease_of(release.folder)))
