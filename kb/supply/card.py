"""A knowledge card: one checked conclusion with when it applies, what follows from it, and what it rests on."""

from __future__ import annotations

import dataclasses
import datetime
import hashlib
import json
from collections.abc import Mapping
from dataclasses import dataclass
from enum import StrEnum
from types import MappingProxyType

CONCLUSION_CHARACTERS = 80
VALID_DAYS = 90


class CardType(StrEnum):
    """What kind of knowledge a card carries."""

    SPEC = "spec"
    PITFALL = "pitfall"
    PATTERN = "pattern"
    DECISION = "decision"
    FAQ = "faq"


class CardStatus(StrEnum):
    """Where a card is in its life. Only ACTIVE cards are handed to agents."""

    DRAFT = "draft"
    STAGING = "staging"
    ACTIVE = "active"
    ARCHIVED = "archived"


class Confidence(StrEnum):
    """How far a card was tried: HIGH in real use, MEDIUM by a reviewer, LOW not yet."""

    HIGH = "high"
    MEDIUM = "medium"
    LOW = "low"


class Layer(StrEnum):
    """How general a card is; each layer has an owner and a review interval (`docs/roster.yaml`)."""

    COMMON = "common"
    DOMAIN = "domain"
    SCENARIO = "scenario"
    EVENT = "event"


REVIEW_DAYS: Mapping[Layer, int] = MappingProxyType(
    {Layer.COMMON: 180, Layer.DOMAIN: 90, Layer.SCENARIO: 60, Layer.EVENT: 30}
)
"""How often, in days, a person looks at the cards of a layer where the roster says nothing else."""


@dataclass(frozen=True, slots=True)
class Applicable:
    """When to remember a card: situations, repositories or machines or fields, and what can be seen there."""

    scene: tuple[str, ...] = ()
    repos: tuple[str, ...] = ()
    signals: tuple[str, ...] = ()


@dataclass(frozen=True, slots=True)
class CardEvidence:
    """What a card rests on. A link is a document's path below the knowledge root, or `req:<id>`, `mr:<id>`, …"""

    source: str
    incident: str = ""
    links: tuple[str, ...] = ()

    @property
    def documents(self) -> tuple[str, ...]:
        """The links that name documents, without what follows `#`."""
        return tuple(link.partition("#")[0] for link in self.links if link_scheme(link) == "")

    @property
    def requirements(self) -> tuple[str, ...]:
        """The identifiers of the linked requirements."""
        return tuple(link.partition(":")[2] for link in self.links if link_scheme(link) == "req")


def link_scheme(link: str) -> str:
    """What stands before the colon of a link such as `req:PUMP-12`; empty for a document's path."""
    scheme, colon, _ = link.partition(":")
    return scheme if colon and scheme.isalnum() and "/" not in scheme else ""


@dataclass(frozen=True, slots=True)
class Metrics:
    """How often a card was handed out, followed, liked, as last written back from the ledger."""

    injected: int = 0
    adopted: int = 0
    liked: int = 0


@dataclass(frozen=True, slots=True)
class Card:
    """One card. `path` is relative to the knowledge root (`cards/<area>/<name>.yaml`)."""

    path: str
    id: str
    type: CardType
    title: str
    status: CardStatus
    confidence: Confidence
    applicable: Applicable
    conclusion: str
    do: tuple[str, ...]
    dont: tuple[str, ...]
    evidence: CardEvidence
    owner: str
    created_at: datetime.date
    valid_until: datetime.date
    layer: Layer
    metrics: Metrics = Metrics()

    @property
    def area(self) -> str:
        """The folder below `cards/`."""
        return self.path.split("/")[1]

    def expired_on(self, day: datetime.date) -> bool:
        """Whether `day` lies behind the last valid day."""
        return self.valid_until < day

    @property
    def version(self) -> str:
        """12 hexadecimal digits that change with the knowledge of the card, not with its life or its counters."""
        known = dataclasses.asdict(dataclasses.replace(self, path="", metrics=Metrics()))
        for name in ("path", "metrics", "status", "valid_until", "confidence"):
            del known[name]
        written = json.dumps(known, ensure_ascii=False, sort_keys=True, default=str)
        return hashlib.sha256(written.encode()).hexdigest()[:12]

    @property
    def text(self) -> str:
        """Everything that says what the card is about, one item a line: for search and comparison."""
        return "\n".join(
            (self.title, self.conclusion, *self.applicable.scene, *self.applicable.signals, *self.do, *self.dont)
        )
