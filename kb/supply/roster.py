"""Who answers for cards: the roles that may own one, and for each layer its owner and review interval (roster.yaml)."""

from __future__ import annotations

import datetime
from collections.abc import Collection, Iterable, Mapping
from dataclasses import dataclass
from pathlib import Path

from kb.errors import KnowledgeError
from kb.supply.card import REVIEW_DAYS, Card, Layer
from kb.texts import Lang
from kb.tree import frontmatter
from kb.tree.frontmatter import Value
from kb.tree.walk import inside
from kb.versions.history import Change

FILE_NAME = "roster.yaml"
_MOST_DAYS = 3650


@dataclass(frozen=True, slots=True)
class LayerRule:
    """Who owns a layer (empty: nobody named) and after how many days its cards are looked at again."""

    owner: str
    review_days: int


@dataclass(frozen=True, slots=True)
class Roster:
    """`owners`: identifier of a role -> its name in each language."""

    owners: Mapping[str, Mapping[str, str]]
    layers: Mapping[Layer, LayerRule]

    def name(self, owner: str, lang: Lang) -> str:
        """The owner's name in `lang`, or the identifier."""
        return self.owners.get(owner, {}).get(lang) or owner

    def reviewer(self, card: Card) -> str:
        """Who judges a change of this card: the owner of its layer, else the card's own."""
        return self.layers[card.layer].owner or card.owner

    def due_on(self, card: Card, looked_at: datetime.date | None = None) -> datetime.date:
        """The day on which a person is to look at `card` again; `looked_at`: when one last did, else its creation."""
        interval = datetime.timedelta(days=self.layers[card.layer].review_days)
        return (looked_at or card.created_at) + interval


def looked_at(changes: Iterable[Change], workers: Collection[str]) -> dict[str, datetime.date]:
    """When a person last changed each card: `changes` newest first, those of `workers` (names of authors) left out."""
    found: dict[str, datetime.date] = {}
    for change in changes:
        if change.author not in workers:
            for _, path in change.files:
                found.setdefault(path, change.date.date())
    return found


def default_roster() -> Roster:
    """Without a roster: nobody is named, the intervals are those of REVIEW_DAYS."""
    return Roster({}, {layer: LayerRule("", days) for layer, days in REVIEW_DAYS.items()})


def load_roster(root: Path) -> Roster | None:
    """The roster of a knowledge root, None without one; KnowledgeError says what is wrong with a broken one."""
    if not (root / FILE_NAME).exists():
        return None
    path = inside(root.resolve(), FILE_NAME)
    loaded = frontmatter.read_file(path, FILE_NAME)
    return Roster(_owners(loaded.get("owners")), _layers(loaded.get("layers")))


def _owners(value: Value | None) -> dict[str, dict[str, str]]:
    if not isinstance(value, dict) or not value:
        raise KnowledgeError("card_roster_owners", path=FILE_NAME)
    return {
        owner: {lang: name for lang, name in names.items() if isinstance(name, str)} if isinstance(names, dict) else {}
        for owner, names in value.items()
    }


def _layers(value: Value | None) -> dict[Layer, LayerRule]:
    rules = dict(default_roster().layers)
    for name, rule in (value if isinstance(value, dict) else {}).items():
        try:
            layer = Layer(name)
            fields = rule if isinstance(rule, dict) else {}
            days = int(frontmatter.as_text(fields.get("review_days")) or REVIEW_DAYS[layer])
        except ValueError as error:
            raise KnowledgeError("card_roster_layer", path=FILE_NAME, layer=name, layers=", ".join(Layer)) from error
        if not 1 <= days <= _MOST_DAYS:
            raise KnowledgeError("card_roster_layer", path=FILE_NAME, layer=name, layers=", ".join(Layer))
        rules[layer] = LayerRule(frontmatter.as_text(fields.get("owner")), days)
    return rules
