"""Bringing a backup back: everything is cloned and checked beside what is there before anything is replaced.

Two halves. `restore` makes complete copies under names of their own and then writes the plan `restore.json` into
the home folder. `finish` carries the plan out by renames alone, each of which is skipped when it was done
already. So a restore that is killed has either changed nothing, or is finished by whoever calls `finish` next.
"""

from __future__ import annotations

import contextlib
import glob
import itertools
import json
import os
import threading
from collections.abc import Callable, Iterator
from dataclasses import asdict, dataclass
from pathlib import Path

from kb import fsio
from kb.config import ProgressReport, Tree, no_progress
from kb.db import PeopleData, people_path
from kb.errors import AlmanacError, ExitCode, KnowledgeError
from kb.paths import OWN_KNOWLEDGE
from kb.versions import chain
from kb.versions.backup_contents import Contents
from kb.versions.backup_steps import Steps
from kb.versions.bundle import file_digest, read_header
from kb.versions.git import Git
from kb.versions.people import SIDE_FILES
from kb.versions.restore_stage import Plan, Stage

PLAN = "restore.json"
_PEOPLE_STAGE = "people.restoring"


@dataclass(frozen=True, slots=True)
class Restored:
    """A finished restore: `aside` lists where what was there before lies now, `databases` those that came back.

    Beside a database of `aside` may lie the side files of SQLite.
    `documents` is the knowledge folder: `target`, or a folder in it when the repository holds more than knowledge.
    """

    bundle: Path
    target: Path
    aside: tuple[Path, ...]
    databases: tuple[str, ...]
    notes: tuple[tuple[str, str], ...]
    documents: Path


@dataclass(frozen=True, slots=True)
class Chosen:
    """A backup to restore, and those that were newer but are not good: (file name, state)."""

    bundle: Path
    passed_over: tuple[tuple[str, chain.State], ...] = ()


def choose(named: Path, stop: threading.Event | None = None) -> Chosen:
    """The bundle `named`, or in a folder of backups the newest whose digest is what its chain says.

    KnowledgeError when the folder has none, or when the file is no bundle; its digest is for `restore` to check.
    """
    if not named.is_dir():
        read_header(named)
        return Chosen(named)
    over: list[tuple[str, chain.State]] = []
    for backup in chain.backups(named):
        state = backup.state
        if state in (chain.State.GOOD, chain.State.UNLISTED):
            try:
                read_header(backup.path)
                wanted = noted_digests(backup.path)
                if not wanted or wanted == {file_digest(backup.path, stop=stop)}:
                    return Chosen(backup.path, tuple(over))
            except AlmanacError:
                pass
            state = chain.State.CHANGED
        over.append((backup.path.name, state))
    raise KnowledgeError("no_good_backup", path=str(named))


def noted_digests(bundle: Path) -> set[str]:
    """What the file beside the bundle and its line in the chain say its digest is: one, none, or at odds."""
    listed = None
    with contextlib.suppress(AlmanacError):
        listed = chain.read(bundle.parent).standing.get(bundle.name)
    beside = chain.noted_digest(bundle)
    return {digest for digest in (beside, listed.sha256 if listed else None) if digest is not None}


@contextlib.contextmanager
def _alone(home: Path) -> Iterator[None]:
    with fsio.locked(home / "restore.lock", wait=False) as free:
        if not free:
            raise AlmanacError("restore_running")
        yield


def restore(
    git: Git,
    bundle: Path,
    target: Path,
    home: Path,
    report: ProgressReport = no_progress,
    stop: threading.Event | None = None,
    agree: Callable[[Contents | None, Path], bool] = lambda contents, target: True,
) -> Restored | None:
    """Bring `bundle` back as the knowledge `target` and as people's data of `home`.

    A restore that was interrupted is finished first. `agree` is asked when everything is checked and before anything
    is replaced; None when it says no. KnowledgeError for a bundle that is damaged, foreign or would do harm.
    """
    with _alone(home):
        _finish(home)
        steps = Steps("restore", report)
        stage = Stage(_stage_beside(target, home), home / _PEOPLE_STAGE)
        stage.remove()
        try:
            bundle = bundle.absolute()
            plan, contents = stage.fill(git, bundle, _resolved(target), noted_digests(bundle), steps, stop)
            if not agree(contents, target):
                stage.remove()
                return None
            fsio.write_text(home / PLAN, json.dumps(asdict(plan), ensure_ascii=False, indent=1))
        except BaseException:
            # A plan without its copies would be taken for done.
            fsio.remove_file(home / PLAN)
            stage.remove()
            raise
        restored = _finish(home)
        steps.end()
        return restored


def target_of(home: Path, kept: Tree) -> Path:
    """Where knowledge is brought back when no place is named: where people kept it, else the home folder's own."""
    return home / OWN_KNOWLEDGE if kept.is_packed else kept.root


def unfinished(home: Path) -> bool:
    """Whether a restore was interrupted after everything was checked."""
    return (home / PLAN).is_file()


def finish(home: Path) -> Restored | None:
    """Finish a restore that was interrupted; None when there is none."""
    with _alone(home):
        return _finish(home)


def _resolved(target: Path) -> Path:
    return target.expanduser().resolve()


def _stage_beside(target: Path, home: Path) -> Path:
    """Where the copy is made. AlmanacError for a target whose place a renamed folder could not take."""
    target = _resolved(target)
    inside = home.resolve().is_relative_to(target) or target.is_relative_to((home / "people").resolve())
    if inside or target.is_mount() or not target.name:
        raise AlmanacError("restore_bad_target", ExitCode.USAGE, path=str(target))
    if target.exists() and not target.is_dir():
        raise AlmanacError("root_not_folder", ExitCode.USAGE, path=str(target))
    return target.parent / f"{target.name}.restoring"


# -- second half: renames, each of which may have been done before a kill ------------------------------------------


def _finish(home: Path) -> Restored | None:
    plan = _read_plan(home)
    if plan is None:
        return None
    stage, target = Path(plan.stage), Path(plan.target)
    if stage.is_dir():
        if os.path.lexists(target):
            fsio.move(target, _free(target, plan.stamp))
        fsio.move(stage, target)
    staged = home / _PEOPLE_STAGE
    for name in plan.databases:
        if (staged / name).is_file():
            _replace_database(staged / name, people_path(home, PeopleData(name)), plan.stamp)
    fsio.remove_tree(staged)
    fsio.remove_file(home / PLAN)
    mark = f".damaged-{plan.stamp}"
    found = (*target.parent.glob(f"{glob.escape(target.name + mark)}*"), *(home / "people").glob(f"*{mark}*"))
    aside = tuple(sorted(path for path in found if not path.name.endswith(SIDE_FILES)))
    return Restored(Path(plan.bundle), target, aside, plan.databases, plan.notes, target / plan.inner)


def _read_plan(home: Path) -> Plan | None:
    try:
        found = json.loads((home / PLAN).read_text("utf-8"))
        names = tuple(PeopleData(name).value for name in found["databases"])
        notes = tuple((str(key), str(detail)) for key, detail in found["notes"])
        texts = {key: str(found[key]) for key in ("bundle", "sha256", "stage", "target", "stamp", "inner")}
    except FileNotFoundError:
        return None
    except (OSError, ValueError, TypeError, KeyError) as error:
        raise AlmanacError("restore_plan_damaged", path=str(home / PLAN)) from error
    return Plan(databases=names, notes=notes, **texts)


def _replace_database(staged: Path, live: Path, stamp: str) -> None:
    """The database first, then its journal: a journal that is left alone with another database would spoil it."""
    fsio.make_folder(live.parent)
    aside = _free(live, stamp)
    if live.exists():
        fsio.move(live, aside)
    for suffix in SIDE_FILES:
        side = live.with_name(live.name + suffix)
        if side.exists():
            fsio.move(side, _free_side(aside, suffix))
    fsio.move(staged, live)


def _free(path: Path, stamp: str) -> Path:
    """A name for what was there before: `<name>.damaged-<time>`, numbered when that is taken."""
    names = itertools.chain([""], (f"-{number}" for number in itertools.count(2)))
    return next(
        made for end in names if not os.path.lexists(made := path.with_name(f"{path.name}.damaged-{stamp}{end}"))
    )


def _free_side(aside: Path, suffix: str) -> Path:
    side = aside.with_name(aside.name + suffix)
    return side if not side.exists() else side.with_name(f"{side.name}.{len(list(side.parent.glob(side.name + '*')))}")
