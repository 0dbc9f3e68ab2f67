"""What an update is, from the stick to its end: the machine it is for, what is offered, what became of it."""

from __future__ import annotations

import datetime
import threading
from collections.abc import Callable
from dataclasses import dataclass, field
from enum import StrEnum
from pathlib import Path

from kb.config import ProgressReport, no_progress
from kb.errors import AlmanacError, KnowledgeError
from kb.paths import UPDATES
from kb.versions.diff import Difference
from kb.versions.git import Git
from kb.versions.releases import IndexBuilder, Release
from kb.versions.routes import Actor
from kb.versions.sentences import NumberReader
from kb.versions.update import medium, signature
from kb.versions.update.medium import Digests
from kb.versions.update.signature import Signature


class Kind(StrEnum):
    """What is updated."""

    KNOWLEDGE = "knowledge"
    PROGRAM = "program"


class Age(StrEnum):
    """How what is offered stands to what is in place."""

    NEWER = "newer"
    SAME = "same"
    OLDER = "older"


class Relation(StrEnum):
    """Whether the knowledge on offer goes on from the one that answers now.

    `first`: so far only what came with the program answers, and it is of another history.
    """

    FOLLOWS = "follows"
    FIRST = "first"
    UNRELATED = "unrelated"


@dataclass(frozen=True, slots=True)
class Trial:
    """Questions put to a new release before it answers anybody: how many, which the live release answers and this one
    does not (`lost`), and the titles that do not lead to their own document (`unfound`)."""

    asked: int
    lost: tuple[str, ...] = ()
    unfound: tuple[str, ...] = ()

    @property
    def passed(self) -> bool:
        """At most one question in ten may be lost: documents are taken out on purpose too."""
        return 10 * (len(self.lost) + len(self.unfound)) <= self.asked


TryRelease = Callable[[Release | None, Release], Trial]
"""(the release that is live, the new one) -> what came of asking both."""


@dataclass(frozen=True, slots=True)
class Machine:
    """What an update meets here.

    `knowledge` answers where no release is live; it is `is_own` when people put it there, else it came with the
    program. `program` is the file that is replaced (None in a source checkout). The callables come from rooms above.
    """

    home: Path
    git: Git | None
    knowledge: Path
    is_own: bool
    program: Path | None
    read_numbers: NumberReader
    make_index: IndexBuilder
    try_release: TryRelease
    actor: Actor
    clock: Callable[[], datetime.datetime] = lambda: datetime.datetime.now(datetime.UTC)
    report: ProgressReport = no_progress
    stop: threading.Event = field(default_factory=threading.Event)

    @property
    def folder(self) -> Path:
        """Where updates keep what they need between runs."""
        return self.home / UPDATES


@dataclass(frozen=True, slots=True)
class Allowed:
    """What is refused unless somebody says so."""

    older: bool = False
    unrelated: bool = False


NOTHING = Allowed()


@dataclass(frozen=True, slots=True)
class Offer:
    """An update that was found and checked. `version` and `installed` are tags (kb-1.2.0) or program versions;
    `installed` is '' where nothing is in place. `signer` is the id of the key that signed it, '' for none.

    `difference` compares the knowledge that would answer with the one that does; None where it stays the same one,
    or where the offer is not newer and was not looked into.
    """

    kind: Kind
    file: Path
    sha256: str
    size: int
    version: str
    installed: str
    age: Age
    relation: Relation = Relation.FOLLOWS
    signer: str = ""
    comment: str = ""
    difference: Difference | None = None

    @property
    def changed_numbers(self) -> int:
        """How many numbers of documents become others."""
        return len(self.difference.numbers) if self.difference is not None else 0


@dataclass(frozen=True, slots=True)
class Refused:
    """A file that looks like an update and may not become one."""

    file: Path
    error: AlmanacError


@dataclass(frozen=True, slots=True)
class Found:
    """What lies in `places`: at most one offer of each kind, knowledge first."""

    places: tuple[Path, ...]
    offers: tuple[Offer, ...] = ()
    refused: tuple[Refused, ...] = ()

    @property
    def newer(self) -> tuple[Offer, ...]:
        """The offers that are newer than what is in place."""
        return tuple(offer for offer in self.offers if offer.age is Age.NEWER)


@dataclass(frozen=True, slots=True)
class Outcome:
    """An update that was put in place, or taken back. `previous` is what was there before ('' for nothing);
    `restart` says that programs which run now still are the old one."""

    kind: Kind
    version: str
    previous: str
    restart: bool = False
    trial: Trial | None = None


def vouched(home: Path, file: Path, digests: Digests) -> Signature | None:
    """Hold a file of a medium to what vouches for it: its digest beside it, its signature.

    KnowledgeError when one of them does not fit, or when there is none at all.
    """
    noted = medium.noted_digests(file)
    if noted and noted != {digests.sha256}:
        raise KnowledgeError("update_digest", path=file)
    written = medium.small(file.with_name(file.name + signature.SUFFIX), signature.MOST_BYTES)
    found = signature.check(home, file, written, digests.blake2b)
    if found is None and not noted:
        raise KnowledgeError("update_no_digest", path=file, name=file.name + medium.DIGEST_SUFFIX)
    return found
