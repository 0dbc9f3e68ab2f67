"""Updates from one place: `find` what a medium brings, `apply` it, `undo` the last one.

What the command line and the maintenance screen call. One update at a time in a home; nothing that is found is changed.
"""

from __future__ import annotations

import contextlib
import math
import time
from collections.abc import Callable, Iterator, Sequence
from pathlib import Path

from kb import fsio
from kb.errors import AlmanacError, ExitCode, KnowledgeError
from kb.versions.git import Git
from kb.versions.numbering import read_number
from kb.versions.update import knowledge, medium, program
from kb.versions.update.offers import NOTHING, Age, Allowed, Found, Kind, Machine, Offer, Outcome, Refused
from kb.versions.update.staging import version_of

_BUNDLES = ".bundle"
# Each is cloned and checked in full; a stick full of damaged ones must end some time.
_MOST_TRIED = 5
# Helpers of a process that was killed hold its lock until they notice.
_GRACE_S = 2.0


@contextlib.contextmanager
def _alone(machine: Machine) -> Iterator[None]:
    with contextlib.ExitStack() as held:
        until = time.monotonic() + _GRACE_S
        while not held.enter_context(fsio.locked(machine.folder / "lock", wait=False)):
            held.close()
            if time.monotonic() > until:
                raise AlmanacError("update_running")
            time.sleep(0.1)
        # Under the lock, every temporary folder here is of a process that was killed.
        fsio.sweep_temporaries(machine.folder, 0.0, math.inf)
        yield


def find(machine: Machine, named: Sequence[Path] = (), *, only: Kind | None = None, older: bool = False) -> Found:
    """What the folders or files `named` bring, else the removable media that are mounted: the newest sound one of each
    kind (or of the kind `only`). Those that are not newer are named, and looked into only with `older`.

    AlmanacError when nothing was named and no medium is there, a place cannot be read, or an update is running.
    """
    places = tuple(named) or tuple(medium.places())
    if not places:
        raise AlmanacError("update_no_medium", ExitCode.USAGE)
    refused: list[Refused] = []
    files = [file for place in places for file in _files(place, refused, named)]
    brought: list[Offer | None] = []
    with _alone(machine):
        if only is not Kind.PROGRAM:
            bundles = _by_number([file for file in files if file.name.endswith(_BUNDLES)], refused, named)
            brought.append(_knowledge(machine, machine.git, bundles, refused, older=older))
        if only is not Kind.KNOWLEDGE and machine.program is not None:
            programs = [file for file in files if program.is_program(machine, file)]
            brought.append(_program(machine, programs, refused))
    return Found(places, tuple(offer for offer in brought if offer is not None), tuple(refused))


def _files(place: Path, refused: list[Refused], named: Sequence[Path]) -> list[Path]:
    """The files of a folder, or one that was named itself. AlmanacError when a named one cannot be read."""
    if place.is_file() and not place.is_symlink():
        return [place]
    try:
        return medium.files(place)
    except AlmanacError as error:
        if named:
            raise
        refused.append(Refused(place, error))  # another medium may bring what is wanted
        return []


def _by_number(files: list[Path], refused: list[Refused], named: Sequence[Path]) -> list[Path]:
    """The bundles that say which version they bring, the highest first. AlmanacError when one cannot be read."""
    found = []
    for file in files:
        try:
            found.append((version_of(file), file))
        except AlmanacError as error:
            if error.key == "unreadable":
                raise AlmanacError("update_medium", path=file, reason=error.params["reason"]) from error
            if file in named or error.key != "bundle_foreign":
                refused.append(Refused(file, error))
    return [file for _, file in sorted(found, key=lambda pair: pair[0], reverse=True)]


def _knowledge(
    machine: Machine, git: Git | None, files: list[Path], refused: list[Refused], *, older: bool
) -> Offer | None:
    for file in files[:_MOST_TRIED]:
        if git is None:
            raise AlmanacError("git_missing")
        try:
            age = knowledge.glance(machine, file)
            if age is Age.NEWER or older:
                return knowledge.look(machine, git, file)
            return _named_only(machine, file, age)
        except KnowledgeError as error:
            refused.append(Refused(file, error))
    return None


def _named_only(machine: Machine, file: Path, age: Age) -> Offer:
    """An offer that nobody has looked into: its header says that it is not newer."""
    live = knowledge.live_release(machine)
    installed = live.tag if live is not None else ""
    return Offer(Kind.KNOWLEDGE, file, "", file.stat().st_size, version_of(file).tag, installed, age)


def _program(machine: Machine, files: list[Path], refused: list[Refused]) -> Offer | None:
    """The newest program among those that are sound."""
    offers = []
    for file in files[:_MOST_TRIED]:
        try:
            offers.append(program.look(machine, file))
        except KnowledgeError as error:
            refused.append(Refused(file, error))
        except AlmanacError as error:
            if error.key != "executable_damaged":
                raise
            refused.append(Refused(file, error))
    newer = [(number, offer) for offer in offers if offer.age is Age.NEWER and (number := read_number(offer.version))]
    return max(newer, key=lambda pair: pair[0])[1] if newer else next(iter(offers), None)


def apply(machine: Machine, offer: Offer, allowed: Allowed = NOTHING) -> Outcome:
    """Put what is offered in place, tried first; all of it or nothing, also after a power cut.

    Raises KnowledgeError when it is refused or its knowledge does not pass its trial, AlmanacError when its self-test
    fails or the disk does; then everything is as it was.
    """
    with _alone(machine):
        if offer.kind is Kind.PROGRAM:
            return program.apply(machine, offer, allowed)
        if machine.git is None:
            raise AlmanacError("git_missing")
        return knowledge.apply(machine, machine.git, offer, allowed)


def refuse(offer: Offer, allowed: Allowed = NOTHING) -> None:
    """KnowledgeError for an offer that `apply` would refuse: it is older, or does not go on from what answers here."""
    (program.refuse if offer.kind is Kind.PROGRAM else knowledge.refuse)(offer, allowed)


def undo(machine: Machine, kind: Kind | None = None) -> Outcome:
    """Take the last update back: of one kind, or the later of both. AlmanacError when there is none to take back."""
    with _alone(machine):
        ways: list[tuple[str, Callable[[], Outcome]]] = []
        switch = knowledge.last_update(machine) if kind is not Kind.PROGRAM else None
        if switch is not None:
            ways.append((switch.at, lambda: knowledge.undo(machine, machine.git)))
        record = program.last_update(machine) if kind is not Kind.KNOWLEDGE else None
        if record is not None:
            ways.append((record.at, lambda: program.undo(machine)))
        if not ways:
            raise AlmanacError("update_nothing_to_undo", ExitCode.USAGE)
        return max(ways, key=lambda way: way[0])[1]()
