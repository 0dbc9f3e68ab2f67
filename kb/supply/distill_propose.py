"""From what was distilled to a proposal: a new card, or a change of the card that says the same already."""

from __future__ import annotations

import datetime
from collections.abc import Callable, Sequence
from dataclasses import dataclass

from kb.errors import AlmanacError
from kb.search.quantities import quantities
from kb.supply.card import Card, CardStatus
from kb.supply.distill import Distilled, distil
from kb.supply.distill_meaning import Lessons
from kb.supply.distill_model import Judge, Word
from kb.supply.duplicates import Duplicates, Nearest
from kb.supply.events import Event
from kb.supply.lifecycle import renewed
from kb.supply.proposals import Proposal, Proposals
from kb.supply.roster import Roster
from kb.supply.schema import ID_CHARACTERS
from kb.supply.store_edit import NewValue, add_item, edit, transformed
from kb.supply.store_new import card_path
from kb.texts import Lang
from kb.versions.plumbing import Repository

AUTHOR = "Almanac distiller"


@dataclass(frozen=True, slots=True)
class Outcome:
    """What became of an event: what was distilled, the card that is like it, and the proposal (None: none was made)."""

    distilled: Distilled
    match: Nearest | None = None
    proposal: Proposal | None = None


@dataclass(frozen=True, slots=True)
class Distiller:
    """Judges events and proposes cards in one repository."""

    repository: Repository
    known: Duplicates
    roster: Roster
    lang: Lang
    word: Word | None = None
    judge: Judge | None = None
    lessons: Lessons | None = None
    clock: Callable[[], datetime.datetime] = lambda: datetime.datetime.now(datetime.UTC)

    def propose(self, events: Sequence[Event], *, dry: bool = False) -> list[Outcome]:
        """Judge events one by one; `dry`: without making proposals."""
        proposals = Proposals(self.repository)
        outcomes: list[Outcome] = []
        for event in events:
            found = distil(event, tuple(self.roster.owners), self.lang, self.word, self.judge, self.lessons)
            if found.draft is None:
                outcomes.append(Outcome(found))
                continue
            match = self.known.nearest(found.draft.title, found.draft.conclusion)
            made = None
            if not dry and match is not None and match.same:
                made = self._change(proposals, found, match)
            elif not dry:
                made = self._new(proposals, found)
            outcomes.append(Outcome(found, match, made))
        return outcomes

    def _new(self, proposals: Proposals, found: Distilled) -> Proposal | None:
        draft = found.draft
        assert draft is not None
        now = self.clock()
        layer = self.roster.layers[draft.layer]
        reviewer = layer.owner or draft.owner
        text = draft.render(now.date(), self.lang)
        return proposals.propose(
            draft.id, {card_path(found.area, draft.id): text.encode()},
            f"docs(cards): propose {draft.id}: {draft.title}",
            reviewer=reviewer, origin=f"{found.event.kind} {found.event.id}", author=AUTHOR, now=now,
            why=f"SHOULD_SAVE yes: {found.reason}",
        )  # fmt: skip

    def _change(self, proposals: Proposals, found: Distilled, match: Nearest) -> Proposal | None:
        """The card with what the event adds; None where its file cannot be changed."""
        card, now = match.card, self.clock()
        try:
            data = self.repository.content(self.repository.head().commit, card.path)
            if data is None:
                return None
            changed = transformed(card.path, data, lambda text: _with_news(card, found, text, now.date()))
        except AlmanacError:
            return None
        name = f"{card.id[: ID_CHARACTERS - 8]}-{found.draft.id[-6:] if found.draft else ''}"
        return proposals.propose(
            name, {card.path: changed}, f"docs(cards): update {card.id}: {card.title}",
            reviewer=self.roster.reviewer(card), origin=f"{found.event.kind} {found.event.id}", author=AUTHOR, now=now,
            updates=card.id, why=f"SHOULD_SAVE yes: {found.reason}; {match.similarity:.2f} like this card",
        )  # fmt: skip


def _with_news(card: Card, found: Distilled, text: str, today: datetime.date) -> str:
    text = edit(card.path, text, _news(card, found, today))
    for link in found.draft.links if found.draft else ():
        text = add_item(card.path, text, "evidence.links", link)
    return text


def _news(card: Card, found: Distilled, today: datetime.date) -> dict[str, NewValue]:
    """What an event changes in a card that says the same: its end, the incident, and the figures if they differ."""
    draft = found.draft
    assert draft is not None
    values: dict[str, NewValue] = {"valid_until": max(card.valid_until, renewed(today))}
    if card.status is CardStatus.ARCHIVED:
        values["status"] = CardStatus.ACTIVE.value
    if draft.incident and not card.evidence.incident:
        values["evidence.incident"] = draft.incident
    said, now_said = quantities(card.conclusion), quantities(draft.conclusion)
    if draft.conclusion and any(one not in said for one in now_said):
        values["conclusion"] = draft.conclusion
    return values
