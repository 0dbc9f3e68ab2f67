"""Who contributed which cards, from the history of the knowledge alone: nobody has to write it down."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from dataclasses import dataclass

from kb.supply import inbox, worker
from kb.supply.card import Card
from kb.supply.metrics_rollup import CardSums
from kb.supply.store import FOLDER
from kb.versions.history import Change

_AUTOMATIC = (worker.AUTHOR, inbox.AUTHOR)
"""Authors that are this program: its commits are upkeep, not contributions."""


@dataclass(frozen=True, slots=True)
class Contribution:
    """What one author did for the cards: `added` and `changed` cards, how often those added were given and followed."""

    author: str
    added: int
    changed: int
    given: int
    followed: int


def board(changes: Iterable[Change], cards: Iterable[Card], sums: Mapping[str, CardSums]) -> tuple[Contribution, ...]:
    """The authors of `changes` (newest first, as `History.changes` gives them), the most followed first.

    A card counts as added for whoever added its file, also under an earlier name; every later commit to it by somebody
    is one change.
    """
    known = {card.path: card for card in cards}
    added: dict[str, set[str]] = {}
    changed: dict[str, int] = {}
    for change in changes:
        if change.author in _AUTOMATIC:
            continue
        for status, path in change.files:
            if not path.startswith(f"{FOLDER}/"):
                continue
            if status == "A":
                added.setdefault(change.author, set()).add(path)
            elif status != "D":
                changed[change.author] = changed.get(change.author, 0) + 1
    found = []
    for author in added.keys() | changed.keys():
        own = [sums.get(known[path].id, CardSums()) for path in added.get(author, ()) if path in known]
        given, followed = sum(one.injected for one in own), sum(one.followed for one in own)
        found.append(Contribution(author, len(added.get(author, ())), changed.get(author, 0), given, followed))
    return tuple(sorted(found, key=lambda one: (-one.followed, -one.added, -one.changed, one.author)))
