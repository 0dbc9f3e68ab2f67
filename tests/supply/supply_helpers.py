"""What the tests of the supply line share: cards and events made of a few words."""

from __future__ import annotations

import datetime
import json

from kb.supply.card import Applicable, Card, CardEvidence, CardStatus, CardType, Confidence, Layer
from kb.supply.events import Event, parse_event

DAY = datetime.date(2026, 12, 1)


def card(
    name: str,
    title: str = "",
    *,
    conclusion: str = "",
    scene: tuple[str, ...] = (),
    repos: tuple[str, ...] = (),
    signals: tuple[str, ...] = (),
    do: tuple[str, ...] = (),
    dont: tuple[str, ...] = (),
    kind: CardType = CardType.SPEC,
    status: CardStatus = CardStatus.ACTIVE,
    confidence: Confidence = Confidence.HIGH,
    valid_until: datetime.date = datetime.date(2027, 1, 31),
    created: datetime.date = datetime.date(2026, 11, 1),
    owner: str = "irrigation-desk",
    source: str = "sample",
) -> Card:
    """A card with only what a test is about."""
    return Card(
        f"cards/test/{name}.yaml", name, kind, title or name, status, confidence, Applicable(scene, repos, signals),
        conclusion or title or name, do, dont, CardEvidence(source, links=("a/b.md",)), owner, created, valid_until,
        Layer.DOMAIN,
    )  # fmt: skip


def event(**values: object) -> Event:
    """A delivery with these fields."""
    return parse_event(json.dumps({"id": "e", "kind": "delivery", **values}))
