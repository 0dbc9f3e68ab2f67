"""Which knowledge a run works on: the folder that was named, the release that is live, or the tree that people keep."""

from __future__ import annotations

from argparse import Namespace
from collections.abc import Callable
from dataclasses import dataclass, replace
from pathlib import Path
from typing import TYPE_CHECKING

from kb import installed, paths
from kb.config import Tree
from kb.db import PeopleData, people_path
from kb.errors import AlmanacError, ExitCode, KnowledgeError
from kb.paths import Assets

if TYPE_CHECKING:
    from kb.versions.serving import Serving

Route = Callable[[], tuple["Serving | None", object]]
"""Tells which release answers now, with its lease. (None, None) where none is live: then what came with the program
does, and is put back where somebody took it."""


@dataclass(frozen=True, slots=True)
class Asker:
    """Who asks: an agent's name, an environment, a user; '' where none is named."""

    agent: str
    environment: str
    user: str


@dataclass(frozen=True, slots=True)
class Chosen:
    """What a run reads (`knowledge`; `is_packed` when that came with the program) and what people keep (`tree`).

    `released` is the release that `knowledge` lies in, with its lease; `route` asks again which one is live.
    """

    knowledge: Path
    tree: Tree
    is_packed: bool = False
    released: Serving | None = None
    lease: object = None
    route: Route | None = None

    def index(self, assets: Assets) -> Path | None:
        """The index that lies ready for `knowledge`."""
        if self.released is not None:
            return self.released.index_folder
        return assets.prebuilt_index if self.is_packed else None


def choose(found: Namespace, home: Path, assets: Assets, asker: Asker, mend: Callable[[Chosen], bool]) -> Chosen:
    """The knowledge for a command line.

    `mend` is asked to make a release again that is live and gone. KnowledgeError when it cannot.
    """
    from kb.cli.parser import VERBS

    if found.knowledge:
        root = Path(found.knowledge).expanduser().absolute()
        return Chosen(root, Tree(root))
    packed = Tree(assets.knowledge or Path("docs").absolute(), assets.history_bundle, is_packed=True)
    own = paths.own_knowledge(home)
    in_use = Tree(own) if own is not None else packed
    tree = _kept(home, in_use)
    without = Chosen(in_use.root, tree, in_use.is_packed)
    if found.verb is not None and not VERBS[found.verb].serves:
        return Chosen(tree.root, tree, tree.is_packed) if tree.root.is_dir() else without
    live = _live(home, asker)
    route = _putting_back(home, live)
    try:
        released, lease = live()  # what came with the program was looked at a moment ago
    except KnowledgeError as error:
        if error.key not in ("release_missing", "release_other") or not mend(without):
            raise
        released, lease = live()
    if released is None:
        return replace(without, route=route)
    return Chosen(released.root, tree, released=released, lease=lease, route=route)


def _kept(home: Path, in_use: Tree) -> Tree:
    """The tree that people took snapshots of, also where it is gone; the one in use without such a one."""
    if not _has_registry(home):
        return in_use
    from kb.versions.working_tree import kept

    known = kept(home)
    if known is None or (not known.is_dir() and not in_use.is_packed):
        return in_use
    return Tree(known)


def _has_registry(home: Path) -> bool:
    return people_path(home, PeopleData.REGISTRY).is_file()


def _putting_back(home: Path, live: Route) -> Route:
    put_back = installed.putting_back(home)

    def route() -> tuple[Serving | None, object]:
        put_back()
        return live()

    return route


def _live(home: Path, asker: Asker) -> Route:
    def route() -> tuple[Serving | None, object]:
        if not _has_registry(home):
            return None, None
        from kb.versions.routes import ENVIRONMENTS
        from kb.versions.serving import hold

        environment = next((name for name in ENVIRONMENTS if name == asker.environment), None)
        if environment is None:
            raise AlmanacError("bad_environment", ExitCode.USAGE, value=asker.environment)
        return hold(home, asker.agent, environment, asker.user)

    return route
