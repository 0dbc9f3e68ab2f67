"""Newer knowledge: compared with what answers now, built beside it, tried, and made live in one transaction."""

from __future__ import annotations

import contextlib
from collections.abc import Callable, Iterable, Iterator, Sequence
from dataclasses import dataclass
from pathlib import Path

from kb.db import utc_text
from kb.errors import AlmanacError, ExitCode, KnowledgeError
from kb.tree.walk import resolve_root
from kb.versions import diff, publish, releases, routes, serving
from kb.versions import manifest as manifests
from kb.versions import registry as registries
from kb.versions.diff import Side
from kb.versions.git import Git
from kb.versions.history import History
from kb.versions.manifest import Manifest
from kb.versions.numbering import Number, read_number
from kb.versions.registry import Registered, Registry
from kb.versions.releases import Release
from kb.versions.routes import EVERYBODY, Environment
from kb.versions.source import Source
from kb.versions.update.making import is_ancestor
from kb.versions.update.offers import Age, Allowed, Kind, Machine, Offer, Outcome, Relation, Trial
from kb.versions.update.staging import STORE, Staged, keep, staged, store, version_of

WHERE: tuple[str, Environment] = (EVERYBODY, "prod")
ACTION = "update"
"""What the registry's log calls a switch that an update made."""


@dataclass(frozen=True, slots=True)
class Standing:
    """What answers everybody now: its label ('' for nothing), commit ('' where unknown), and the files it has.

    `live` is the release; None where no release is live. Then `is_own` tells what people put there from what came with
    the program.
    """

    label: str
    commit: str
    side: Side
    live: Registered | None = None
    is_own: bool = False

    @property
    def number(self) -> Number | None:
        """The number of a release that is live."""
        return read_number(self.live.tag) if self.live is not None else None


def standing(machine: Machine) -> Standing:
    """What answers now."""
    live = live_release(machine)
    if live is not None:
        release = releases.opened(machine.home, live)
        return Standing(live.tag, live.commit, _release_side(release), live)
    root = resolve_root(machine.knowledge)
    version = History(root, machine.git).version()
    return Standing(version.label, version.commit, folder_side(version.label, root), None, machine.is_own)


def live_release(machine: Machine) -> Registered | None:
    """The release that answers everybody; None where none does."""
    if not registries.exists(machine.home):
        return None
    with Registry.open_to_read(machine.home) as registry:
        return registry.by_id(routes.answering(registry, *WHERE, "", machine.clock()))


def _release_side(release: Release) -> Side:
    data = (release.docs / manifests.FILE_NAME).read_bytes()
    manifest = manifests.parse(data, str(release.docs / manifests.FILE_NAME))
    return Side(release.version.tag, manifest, _reader(release.docs))


def folder_side(label: str, root: Path) -> Side:
    """The documents of a folder as one side of a comparison."""
    files = ((path, (root / path).read_bytes()) for path in manifests.listed(root))
    return Side(label, _described(files), _reader(root))


def _described(files: Iterable[tuple[str, bytes]]) -> Manifest:
    """The manifest of files that no release vouches for; documents that cannot be read answer nobody and stay out."""
    parts: list[Manifest] = []
    for entry in files:
        with contextlib.suppress(KnowledgeError):
            parts.append(manifests.build("", "", [entry]))
    return Manifest(
        "", "", tuple(entry for part in parts for entry in part.documents),
        tuple(entry for part in parts for entry in part.files),
    )  # fmt: skip


def _reader(root: Path) -> Callable[[Sequence[str]], Iterator[bytes]]:
    def contents(paths: Sequence[str]) -> Iterator[bytes]:
        return ((root / path).read_bytes() for path in paths)

    return contents


def glance(machine: Machine, file: Path) -> Age:
    """How a bundle stands to what is live, from its header alone: nothing in it is trusted yet."""
    live = live_release(machine)
    number = read_number(live.tag) if live is not None else None
    return _age(version_of(file), number)


def _age(number: Number, live: Number | None) -> Age:
    if live is None or number > live:
        return Age.NEWER
    return Age.SAME if number == live else Age.OLDER


def look(machine: Machine, git: Git, file: Path) -> Offer:
    """The offer that a bundle makes, checked in full, with all that would change. KnowledgeError when it is unsound."""
    now = standing(machine)
    with staged(machine, git, file) as found:
        return _offer(machine, git, file, found, now)


def _offer(machine: Machine, git: Git, file: Path, found: Staged, now: Standing) -> Offer:
    snapshot = found.snapshot
    age = _age(found.number, now.number)
    if age is Age.SAME and now.live is not None and now.live.manifest != snapshot.digest:
        raise KnowledgeError("update_tag_moved", tag=snapshot.tag)
    difference = diff.compare(now.side, publish.side(found.source, snapshot), machine.read_numbers)
    signer = found.signature
    return Offer(
        Kind.KNOWLEDGE, file, found.digests.sha256, found.digests.size, snapshot.tag, now.label, age,
        _relation(machine, git, found, now, age), signer.key_id if signer else "", signer.comment if signer else "",
        difference,
    )  # fmt: skip


def _relation(machine: Machine, git: Git, found: Staged, now: Standing, age: Age) -> Relation:
    if age is Age.OLDER:
        kept = machine.folder / STORE
        places = [found.source] + ([store(machine, git)] if (kept / ".git").is_dir() else [])
        follows = any(is_ancestor(place, found.snapshot.commit, now.commit) for place in places)
    else:
        follows = bool(now.commit) and is_ancestor(found.source, now.commit, found.snapshot.commit)
    if follows:
        return Relation.FOLLOWS
    return Relation.UNRELATED if now.live is not None or now.is_own else Relation.FIRST


def refuse(offer: Offer, allowed: Allowed) -> None:
    """KnowledgeError for an offer that is not to be put in place without being told so."""
    if offer.age is Age.OLDER and not allowed.older:
        raise KnowledgeError("update_older", version=offer.version, installed=offer.installed)
    if offer.relation is Relation.UNRELATED and not allowed.unrelated:
        raise KnowledgeError("update_unrelated", path=offer.file, version=offer.version, installed=offer.installed)


def apply(machine: Machine, git: Git, offer: Offer, allowed: Allowed) -> Outcome:
    """Put the knowledge of `offer` in place, for everybody, and try it first.

    All is read and checked again, since a stick may have been exchanged. KnowledgeError when it is refused, or when it
    does not pass its trial: then what was live still is.
    """
    now = standing(machine)
    with staged(machine, git, offer.file, offer.sha256) as found:
        current = _offer(machine, git, offer.file, found, now)
        refuse(current, allowed)
        source = keep(machine, git, found)
        snapshot = found.snapshot
    with Registry.open(machine.home) as registry:
        moment = machine.clock()
        made, _ = publish.make(
            machine.home, registry, source, snapshot, machine.make_index, now=moment, report=machine.report
        )
        trial = _tried(machine, registry, made, now)
        routes.activate(registry, WHERE, made, machine.actor, now=moment, action=ACTION)
        _look_again(machine, registry, made)
        _tidy(machine, registry, source)
    return Outcome(Kind.KNOWLEDGE, made.tag, now.label, restart=False, trial=trial)


def _tried(machine: Machine, registry: Registry, made: Registered, now: Standing) -> Trial:
    """The trial of a release that answers nobody yet; one that does not pass is taken away again."""
    before = releases.opened(machine.home, now.live) if now.live is not None else None
    try:
        trial = machine.try_release(before, releases.opened(machine.home, made))
    except AlmanacError:
        _take_away(machine, registry, made)
        raise
    if not trial.passed:
        _take_away(machine, registry, made)
        names = "\n  ".join((*trial.lost, *trial.unfound)[:10])
        count = len(trial.lost) + len(trial.unfound)
        raise KnowledgeError("update_trial", version=made.tag, asked=trial.asked, count=count, names=names)
    return trial


def _look_again(machine: Machine, registry: Registry, made: Registered) -> None:
    """What the switch led to, seen as a reader sees it; when it is not there, what was live before is live again."""
    try:
        found = serving.serving(machine.home, *WHERE, now=machine.clock())
        if found is None or found.version.manifest != made.manifest:
            raise KnowledgeError("release_other", tag=made.tag, path=releases.folder_of(machine.home, made))
    except AlmanacError:
        _back(registry, machine)
        raise


def _back(registry: Registry, machine: Machine, to: Registered | None = None) -> None:
    """The release before answers again, or what came with the program where none was."""
    if routes.route(registry, *WHERE).previous is None and to is None:
        routes.drop(registry, WHERE, machine.actor, now=machine.clock())
    else:
        routes.roll_back(registry, WHERE, machine.actor, now=machine.clock(), to=to)


def _take_away(machine: Machine, registry: Registry, made: Registered) -> None:
    if made.id not in routes.used(registry):
        releases.retire(machine.home, registry, made, utc_text(machine.clock()))


def _tidy(machine: Machine, registry: Registry, source: Source) -> None:
    """Free the releases that updates brought and no route needs any more: a memory card is small."""
    needed = routes.used(registry)
    brought = machine.folder / STORE
    for row in registry.snapshots():
        if row.is_built and row.id not in needed and Path(row.source).is_relative_to(brought):
            releases.retire(machine.home, registry, row, utc_text(machine.clock()))
    releases.sweep(machine.home, registry)


def last_update(machine: Machine) -> registries.Switch | None:
    """The switch that an update made, when it is the last one and still holds; None otherwise."""
    if not registries.exists(machine.home):
        return None
    with Registry.open_to_read(machine.home) as registry:
        own = [switch for switch in registry.switches(1000) if (switch.agent, switch.environment) == WHERE]
        live = registry.by_id(routes.route(registry, *WHERE).current)
        holds = bool(own) and own[0].action == ACTION and live is not None and live.name == own[0].new
        return own[0] if holds else None


def undo(machine: Machine, git: Git | None) -> Outcome:
    """Take the last update of the knowledge back. AlmanacError when there is none to take back."""
    switch = last_update(machine)
    if switch is None:
        raise AlmanacError("update_nothing_to_undo", ExitCode.USAGE)
    with Registry.open(machine.home) as registry:
        target = registry.named(switch.old) if switch.old else None
        if target is not None and not (target.is_built and releases.is_whole(machine.home, target)):
            target = publish.remake(
                machine.home, registry, git, target, machine.make_index, now=machine.clock(), report=machine.report
            )
        undone = registry.named(switch.new)
        _back(registry, machine, target)
        return Outcome(Kind.KNOWLEDGE, target.tag if target is not None else "", undone.tag, restart=False)


def packed_side(label: str, files: dict[str, bytes]) -> Side:
    """Documents that lie inside another program, by path, as one side of a comparison."""
    return Side(label, _described(sorted(files.items())), lambda paths: (files[path] for path in paths))
