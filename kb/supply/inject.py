"""Before an agent starts: task -> packs -> cards -> one block of text under a token budget, written into the ledger."""

from __future__ import annotations

import datetime
import re
import unicodedata
from collections.abc import Callable, Sequence
from dataclasses import dataclass, field

from kb.errors import AlmanacError, ExitCode, KnowledgeError
from kb.plain import one_line
from kb.supply.budget import Count, at_most, fill
from kb.supply.card import Card, Confidence
from kb.supply.chain import Entry, Kind
from kb.supply.ledger import Ledger
from kb.supply.packs import Include, Pack, PackSet
from kb.supply.retrieval import CardIndex, Cosines, Limits, Match
from kb.texts import Lang, text
from kb.versions.history import KnowledgeVersion

BUDGET = 2000
"""Tokens of a block where neither task nor pack says otherwise."""
UNCONFIRMED = "[待验证]"
"""Stands before a card of medium confidence: a reviewer agreed, real use has not shown it yet."""
_TAG = "team_knowledge"
# A card's text must not end the block early, whatever hides between the letters.
_BREAKING = re.compile(rf"<(?=\s*/?\s*{_TAG})", re.IGNORECASE)
_INCLUDE_SHARE = 0.25
"""How much the pack's own query counts beside the task's text."""


@dataclass(frozen=True, slots=True)
class Task:
    """What an agent is about to do. `id` names it in the ledger; the rest may be empty, but not title and text both."""

    id: str
    title: str = ""
    text: str = ""
    repo: str = ""
    type: str = ""
    agent: str = ""

    @property
    def words(self) -> str:
        """Title and text: what cards are compared with."""
        return f"{self.title}\n{self.text}".strip()


@dataclass(frozen=True, slots=True)
class Given:
    """A card in a block: its place from 1, its tokens, and why it is there (`match` is None for a pinned card)."""

    card: Card
    position: int
    tokens: int
    match: Match | None


@dataclass(frozen=True, slots=True)
class Injection:
    """The block for a task ('' where no card fits), its tokens, and the cards in it and left out for lack of room."""

    task: Task
    block: str
    tokens: int
    budget: int
    packs: tuple[Pack, ...]
    given: tuple[Given, ...]
    left: tuple[Card, ...]
    version: KnowledgeVersion = field(default_factory=KnowledgeVersion)


@dataclass(frozen=True, slots=True)
class _Candidate:
    card: Card
    match: Match | None
    score: float


class Injector:
    """Fills blocks from `index` and `packs`. `count` gives the tokens of a text, `cosines` lets meaning take part."""

    def __init__(
        self,
        index: CardIndex,
        packs: PackSet,
        version: KnowledgeVersion | None = None,
        count: Count = at_most,
        cosines: Cosines | None = None,
        lang: Lang = "zh",
    ) -> None:
        self._index = index
        self._packs = packs
        self._version = version or KnowledgeVersion()
        self._count = count
        self._cosines = cosines
        self._lang: Lang = lang
        self._by_id = {card.id: card for card in index.cards}

    def prepare(self, task: Task, on: datetime.date, budget: int | None = None) -> Injection:
        """The block for `task` on the day `on`; nothing is written down.

        KnowledgeError when a pinned card cannot be in it: unknown, inactive, expired, of low confidence, too large.
        """
        if not task.words:
            raise AlmanacError("inject_empty_task", ExitCode.USAGE)
        packs = self._packs.fitting(task.agent, task.repo, task.type)
        room = budget or max((pack.budget for pack in packs if pack.budget), default=BUDGET)
        pinned = self._pinned(packs, on)
        chosen = [*pinned, *self._ranked(task, packs, on, {item.card.id for item in pinned})]
        cards = [item.card for item in chosen]

        def whole(numbers: Sequence[int]) -> int:
            return self._count(self.render([cards[number] for number in numbers])) if numbers else 0

        # A part's own size only says what is worth trying; `whole` decides.
        sizes = [self._count(self._entry(1, card)) for card in cards]
        filled = fill(sizes, whole, room, must=len(pinned))
        if pinned and filled.tokens > room:
            names = ", ".join(item.card.id for item in pinned)
            raise KnowledgeError("inject_pinned_too_large", cards=names, tokens=filled.tokens, budget=room)
        given = tuple(
            Given(chosen[number].card, place, sizes[number], chosen[number].match)
            for place, number in enumerate(filled.taken, start=1)
        )
        left = tuple(cards[number] for number in filled.left)
        block = self.render([item.card for item in given]) if given else ""
        return Injection(task, block, filled.tokens, room, packs, given, left, self._version)

    def _pinned(self, packs: Sequence[Pack], on: datetime.date) -> list[_Candidate]:
        found: dict[str, _Candidate] = {}
        for pack in packs:
            for include in pack.includes:
                for name in include.cards:
                    card = self._by_id.get(name)
                    if card is None:
                        raise KnowledgeError("inject_pinned_unknown", card=name, pack=pack.path)
                    reason = Limits(on).refuses(card)
                    if reason:
                        raise KnowledgeError(f"inject_pinned_{reason}", card=name, pack=pack.path)
                    found.setdefault(name, _Candidate(card, None, float("inf")))
        return list(found.values())

    def _ranked(self, task: Task, packs: Sequence[Pack], on: datetime.date, known: set[str]) -> list[_Candidate]:
        """The cards that the packs' queries choose for the task, best first, each once."""
        best: dict[str, _Candidate] = {}
        for include in (include for pack in packs for include in pack.includes if include.top_k):
            for match in self._of_include(task, include, on):
                if match.card.id not in known:
                    before = best.get(match.card.id)
                    if before is None or before.score < match.score:
                        best[match.card.id] = _Candidate(match.card, match, match.score)
        return sorted(best.values(), key=lambda item: (-item.score, item.card.id))

    def _of_include(self, task: Task, include: Include, on: datetime.date) -> list[Match]:
        """What the task itself finds, ordered with a look at what the pack asks for."""
        limits = Limits(on, task.repo, include.types)
        more = include.top_k * 4 if include.query else include.top_k
        found = self._index.search(task.words, limits, more, self._cosines)
        if not include.query:
            return found
        wanted = self._index.search(include.query, limits, len(self._index.cards), self._cosines, floor=0.0)
        extra = {match.card.id: _INCLUDE_SHARE * match.score for match in wanted}
        found.sort(key=lambda match: -match.score - extra.get(match.card.id, 0.0))
        return found[: include.top_k]

    def render(self, cards: Sequence[Card]) -> str:
        """The block with these cards."""
        label = self._version.label
        head = f'<{_TAG} version="{_safe(label)}">' if label else f"<{_TAG}>"
        note = text(self._lang, "inject_note", mark=UNCONFIRMED)
        entries = [self._entry(place, card) for place, card in enumerate(cards, start=1)]
        return "\n".join([head, note, *entries, f"</{_TAG}>"])

    def _entry(self, place: int, card: Card) -> str:
        mark = f"{UNCONFIRMED} " if card.confidence is Confidence.MEDIUM else ""
        lines = [f"{place}. {mark}{_safe(card.title)} ({card.id}, {card.type})", f"   {_safe(card.conclusion)}"]
        for key, items in (("inject_do", card.do), ("inject_dont", card.dont)):
            if items:
                lines.append(f"   {text(self._lang, key)}{'; '.join(_safe(item) for item in items)}")
        links = ", ".join(_safe(link) for link in card.evidence.links[:3])
        lines.append(f"   {text(self._lang, 'inject_source')}{_safe(card.evidence.source)} [{links}]")
        return "\n".join(lines)


def _safe(written: str) -> str:
    """Card text inside the block: one line, no control or invisible characters, no tag of the block."""
    shown = "".join(char for char in one_line(written) if unicodedata.category(char) != "Cf")
    return _BREAKING.sub("&lt;", shown)


def record(injection: Injection, ledger: Ledger, now: Callable[[], int] | None = None) -> list[int]:
    """Write an injection into the ledger: one row for the task, one for each card; their numbers."""
    task, version = injection.task, injection.version

    def entry(kind: Kind, **facts: str | int) -> Entry:
        made = Entry(kind, task.id, task.agent, at=now() if now else 0, **facts)  # type: ignore[arg-type]
        return made.of(version)

    names = " ".join(pack.path for pack in injection.packs if pack.path)
    rows = [entry(Kind.TASK, position=len(injection.given), tokens=injection.tokens, note=names)]
    rows += [
        entry(
            Kind.INJECTION, card=item.card.id, card_version=item.card.version, position=item.position,
            tokens=item.tokens,
        )
        for item in injection.given
    ]  # fmt: skip
    return ledger.append(rows)
