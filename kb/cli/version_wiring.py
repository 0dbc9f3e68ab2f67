"""What the verbs about versions share: which repository, who acts, when."""

from __future__ import annotations

import argparse
import datetime

from kb.config import Config
from kb.db import utc_text
from kb.errors import AlmanacError, ExitCode
from kb.tree.walk import resolve_root
from kb.versions import working_tree
from kb.versions.git import Git
from kb.versions.routes import Actor
from kb.versions.source import Source


def source_of(arguments: argparse.Namespace, config: Config) -> Source:
    """The repository that a verb works on: --knowledge, else the tree of the newest snapshot, else what the program
    has."""
    known = [] if arguments.knowledge else working_tree.known(config.home)
    root = next((tree for tree in known if tree.is_dir()), config.knowledge)
    return Source.find(resolve_root(root), Git.find(config.git))


def who(arguments: argparse.Namespace, config: Config) -> str:
    """Who acts: --by, else the name that the system knows."""
    names = (arguments.by, *(config.environment.get(name) for name in ("USER", "LOGNAME", "USERNAME")))
    return next((name for name in names if name), "almanac")


def actor(arguments: argparse.Namespace, config: Config) -> Actor:
    """Who switches, and why."""
    return Actor(who(arguments, config), arguments.why)


def now() -> datetime.datetime:
    """This moment."""
    return datetime.datetime.now(datetime.UTC)


def moment(written: str | None) -> datetime.datetime | None:
    """The time of `--at`: 2026-12-01, 2026-12-01T06:00 (local time) or with an offset. AlmanacError for no time."""
    if written is None:
        return None
    try:
        found = datetime.datetime.fromisoformat(written).astimezone(datetime.UTC)
        utc_text(found)
    except (ValueError, OverflowError, OSError) as error:
        raise AlmanacError("bad_time", ExitCode.USAGE, value=written) from error
    return found
