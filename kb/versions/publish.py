"""Publishing: what a release would do is planned first, its index built beside the live one, then one switch."""

from __future__ import annotations

import datetime
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from pathlib import Path

from kb.config import ProgressReport, no_progress
from kb.db import utc_text
from kb.errors import AlmanacError, ExitCode, KnowledgeError
from kb.tree.document import RELEASED
from kb.tree.walk import resolve_root
from kb.versions import diff, releases
from kb.versions.diff import Difference, DocumentChange, Side
from kb.versions.git import Git
from kb.versions.manifest import DocumentEntry, Manifest
from kb.versions.numbering import read_number
from kb.versions.registry import Registered, Registry
from kb.versions.releases import BuiltIndex, IndexBuilder
from kb.versions.routes import Environment, answering, used
from kb.versions.sentences import NumberReader
from kb.versions.snapshot import NAMED, Snapshot, described, read
from kb.versions.source import Source

REVIEWING = "reviewing"


@dataclass(frozen=True, slots=True)
class Standing:
    """How the documents of a version stand on one day. Each document is in exactly one list."""

    answering: tuple[DocumentEntry, ...]
    drafts: tuple[DocumentEntry, ...]
    reviewing: tuple[DocumentEntry, ...]
    expired: tuple[DocumentEntry, ...]
    coming: tuple[DocumentEntry, ...]


@dataclass(frozen=True, slots=True)
class AgentView:
    """What one agent will see differently; agent '' stands for documents that name none, which all agents see."""

    agent: str
    changes: tuple[DocumentChange, ...]


@dataclass(frozen=True, slots=True)
class Plan:
    """What publishing `snapshot` for (`agent`, `environment`) means. `live` is the tag that answers there now."""

    snapshot: Snapshot
    agent: str
    environment: Environment
    live: str
    standing: Standing
    difference: Difference
    agents: tuple[AgentView, ...]
    is_built: bool


def standing(manifest: Manifest, day: datetime.date) -> Standing:
    """Sort the documents of a version by whether they may answer on `day`."""
    lists: dict[str, list[DocumentEntry]] = {
        name: [] for name in ("answering", "drafts", "reviewing", "expired", "coming")
    }
    today = day.isoformat()
    for entry in manifest.documents:
        if entry.status == REVIEWING:
            kind = "reviewing"
        elif entry.status != RELEASED:
            kind = "drafts"
        elif entry.valid_to and entry.valid_to < today:
            kind = "expired"
        elif entry.valid_from > today:
            kind = "coming"
        else:
            kind = "answering"
        lists[kind].append(entry)
    return Standing(**{name: tuple(entries) for name, entries in lists.items()})


def by_agent(difference: Difference) -> tuple[AgentView, ...]:
    """The changes by the agents that documents name, those for all agents first."""
    found: dict[str, list[DocumentChange]] = {}
    for change in difference.documents:
        for agent in change.agents or ("",):
            found.setdefault(agent, []).append(change)
    return tuple(AgentView(agent, tuple(found[agent])) for agent in sorted(found))


def side(source: Source, snapshot: Snapshot) -> Side:
    """A snapshot as one side of a comparison, its files read from git."""

    def contents(paths: Sequence[str]) -> Iterator[bytes]:
        stored = {entry.path: entry for entry in source.files(snapshot.commit)} if paths else {}
        return source.blobs([stored[path] for path in paths])

    return Side(snapshot.tag, snapshot.manifest, contents)


def side_of(source: Source, reference: str) -> Side:
    """A snapshot's tag by its manifest; any other commit by its files, for the manifest in it is of an earlier state.

    AlmanacError when there is none of this name, KnowledgeError when the tag names another manifest.
    """
    if read_number(reference) is not None:
        try:
            return side(source, read(source, reference))
        except KnowledgeError as error:
            if error.key != "version_without_manifest":
                raise
    commit = source.commit_of(reference)
    return side(source, Snapshot(reference, commit, "", described(source, commit)))


def plan(
    home: Path,
    registry: Registry,
    source: Source,
    snapshot: Snapshot,
    where: tuple[str, Environment],
    read_numbers: NumberReader,
    *,
    now: datetime.datetime,
    leave_out_drafts: bool = False,
) -> Plan:
    """What would happen. KnowledgeError for drafts in the version, unless they are to be left out."""
    found = standing(snapshot.manifest, now.astimezone().date())
    if found.drafts and not leave_out_drafts:
        names = "\n  ".join(f"{entry.path} ({entry.status})" for entry in found.drafts[:NAMED])
        raise KnowledgeError("publish_drafts", tag=snapshot.tag, count=len(found.drafts), names=names)
    live = registry.by_id(answering(registry, *where, "", now))
    before = _live_side(source, live)
    difference = diff.compare(before, side(source, snapshot), read_numbers)
    known = [row for row in registry.snapshots() if (row.tag, row.manifest) == (snapshot.tag, snapshot.digest)]
    return Plan(
        snapshot,
        *where,
        live=live.tag if live is not None else "",
        standing=found,
        difference=difference,
        agents=by_agent(difference),
        is_built=any(row.is_built and releases.folder_of(home, row).is_dir() for row in known),
    )


def _live_side(source: Source, live: Registered | None) -> Side:
    """What is live as one side; empty where nothing is, or where it came from another repository."""
    if live is not None:
        try:
            snapshot = read(source, live.tag)
        except AlmanacError:
            pass  # its tag is not in this repository
        else:
            if snapshot.digest == live.manifest:
                return side(source, snapshot)
    return Side(live.tag if live is not None else "", Manifest("", "", ()), lambda paths: iter(()))


def make(
    home: Path,
    registry: Registry,
    source: Source,
    snapshot: Snapshot,
    make_index: IndexBuilder,
    *,
    now: datetime.datetime,
    report: ProgressReport = no_progress,
) -> tuple[Registered, BuiltIndex | None]:
    """The release folder of a snapshot, made where it is not there whole; None when there was nothing to make."""
    with releases.building(home):
        with registry.writing():
            registered = registry.register(snapshot, source.root)
        built = None
        if not releases.is_whole(home, registered):
            earlier = _earlier(home, registry, registered)
            built = releases.build(home, registered, source, snapshot, make_index, earlier, report)
        elif registered.is_built:
            return registered, None
        with registry.writing():
            registry.mark_built(registered, utc_text(now))
        return registry.named(registered.name), built


def remake(
    home: Path,
    registry: Registry,
    git: Git | None,
    registered: Registered,
    make_index: IndexBuilder,
    *,
    now: datetime.datetime,
    report: ProgressReport = no_progress,
) -> Registered:
    """A release whose folder is gone, from the repository it came from. KnowledgeError when that has it no more."""
    source = Source.find(resolve_root(registered.source), git)
    snapshot = read(source, registered.tag)
    if snapshot.digest != registered.manifest:
        raise KnowledgeError("version_other_manifest", version=registered.tag)
    made, _ = make(home, registry, source, snapshot, make_index, now=now, report=report)
    return made


def make_missing(
    home: Path,
    registry: Registry,
    git: Git | None,
    make_index: IndexBuilder,
    *,
    now: datetime.datetime,
    report: ProgressReport = no_progress,
) -> tuple[Registered, ...]:
    """`remake` every release that a route needs and whose folder is not there; those that could be made."""
    needed = used(registry)
    made: list[Registered] = []
    for registered in (row for row in registry.snapshots() if row.id in needed):
        try:
            releases.opened(home, registered)
        except KnowledgeError:
            try:
                made.append(remake(home, registry, git, registered, make_index, now=now, report=report))
            except KnowledgeError:
                continue  # its route says so when somebody asks
            except AlmanacError as error:
                if error.exit_code is not ExitCode.USAGE:  # no such version
                    raise
    return tuple(made)


def _earlier(home: Path, registry: Registry, registered: Registered) -> tuple[Path, ...]:
    """The index folders of the releases that are there, newest first: their work is taken over."""
    return tuple(
        folder / "index"
        for row in registry.snapshots()
        if row.is_built and row.id != registered.id and (folder := releases.folder_of(home, row)).is_dir()
    )
