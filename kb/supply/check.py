"""All that is wrong with the cards of a knowledge root: in each file, and what only all of them together show."""

from __future__ import annotations

import datetime
from collections.abc import Iterable, Iterator
from dataclasses import dataclass
from pathlib import Path

from kb.errors import AlmanacError, KnowledgeError
from kb.supply.card import Card, CardStatus, Confidence
from kb.supply.check_words import copies_title, says_nothing
from kb.supply.roster import FILE_NAME, Roster, default_roster, load_roster
from kb.supply.schema import Finding, line_of
from kb.supply.store import CardSet, read_cards
from kb.tree.textfile import read_text
from kb.tree.walk import inside


@dataclass(frozen=True, slots=True)
class CheckReport:
    """The cards that can be used, the roster, and all findings in the order of their files and lines."""

    cards: tuple[Card, ...]
    roster: Roster
    findings: tuple[Finding, ...]

    @property
    def errors(self) -> tuple[Finding, ...]:
        """The findings that are not warnings."""
        return tuple(finding for finding in self.findings if not finding.warning)


def check_cards(root: Path, today: datetime.date, found: CardSet | None = None) -> CheckReport:
    """Check every card below `root`; `found` are its cards where they were read already."""
    cards = read_cards(root) if found is None else found
    findings = list(cards.findings)
    roster = default_roster()
    try:
        loaded = load_roster(root)
        if loaded is None and cards.cards:
            findings.append(Finding(FILE_NAME, 0, "card_no_roster", {"path": FILE_NAME}, warning=True))
        roster = loaded or roster
    except AlmanacError as error:
        findings.append(Finding(FILE_NAME, 0, error.key, error.params))
    findings += _layer_owners(roster)
    for card in cards.cards:
        findings += _located(root, card, check_card(root, card, roster, today))
    return CheckReport(cards.cards, roster, tuple(sorted(findings, key=lambda one: (one.path, one.line, one.key))))


def check_card(root: Path, card: Card, roster: Roster, today: datetime.date) -> Iterator[tuple[str, Finding]]:
    """What is wrong with one readable card, as pairs of the field and the finding (still without a line)."""

    def say(field: str, key: str, warning: bool = False, **params: object) -> tuple[str, Finding]:
        return field, Finding(card.path, 0, key, params, warning)

    whole = root.resolve()
    if roster.owners and card.owner and card.owner not in roster.owners:
        yield say("owner", "card_unknown_owner", owner=card.owner, path=FILE_NAME)
    for link in card.evidence.documents:
        try:
            inside(whole, link)
        except KnowledgeError as error:
            yield say("evidence.links", "card_link_outside" if error.key == "path_outside" else "card_link_missing",
                      link=link)  # fmt: skip
    if card.created_at > today:
        yield say("created_at", "card_created_later", True, date=card.created_at, today=today)
    for scene in card.applicable.scene:
        if copies_title(scene, card.title):
            yield say("applicable.scene", "card_scene_copies", True, scene=scene)
    if card.conclusion and says_nothing(card.conclusion):
        yield say("conclusion", "card_conclusion_empty", True)
    if card.status is CardStatus.STAGING and not (card.evidence.requirements and card.applicable.repos):
        yield say("status", "card_stays_staging", True)
    if card.status is CardStatus.ACTIVE and card.confidence is Confidence.LOW:
        yield say("confidence", "card_active_low", True)


def _layer_owners(roster: Roster) -> list[Finding]:
    return [
        Finding(FILE_NAME, 0, "card_layer_owner", {"layer": layer.value, "owner": rule.owner})
        for layer, rule in roster.layers.items()
        if rule.owner and rule.owner not in roster.owners
    ]


def _located(root: Path, card: Card, found: Iterable[tuple[str, Finding]]) -> list[Finding]:
    """The findings with their lines; the file is read again only where there are any."""
    pairs = list(found)
    if not pairs:
        return []
    try:
        written = read_text(root / card.path).text
    except AlmanacError:
        written = ""
    return [Finding(one.path, line_of(written, field), one.key, one.params, one.warning) for field, one in pairs]
