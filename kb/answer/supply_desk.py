"""The supply line of one run: its cards and packs, with the tokenizer and the embedder that the run has."""

from __future__ import annotations

import datetime
import logging
from dataclasses import replace

from kb import fsio
from kb.answer.runtime import Runtime
from kb.errors import AlmanacError
from kb.supply.budget import Count, at_most
from kb.supply.card import Card
from kb.supply.chain import Entry, Kind
from kb.supply.inject import Injection, Injector, Task, record
from kb.supply.ledger import Ledger
from kb.supply.retrieval import Cosines, Limits, Match
from kb.supply.retrieval_live import LiveCards
from kb.supply.retrieval_meaning import CardMeaning

_log = logging.getLogger(__name__)
_ATTEMPTS = 3
BYTES = "utf-8 bytes"
"""What counts tokens where there is no answer model: see `kb.supply.budget.at_most`."""


class SupplyDesk:
    """Cards for tasks, over the knowledge of `runtime`. Meaning takes part once the runtime's embedder is loaded."""

    def __init__(self, runtime: Runtime) -> None:
        self.runtime = runtime
        self.live = LiveCards(runtime.root)
        self._meaning: CardMeaning | None = None

    def inject(
        self, task: Task, *, budget: int | None = None, note_down: bool = True, on: datetime.date | None = None
    ) -> Injection:
        """The block for `task`, from cards as their files are now; with `note_down` it is written into the ledger."""
        day = on or datetime.date.today()
        count, cosines = self.counter()[0], self.cosines()
        for _ in range(_ATTEMPTS):
            injector = Injector(
                self.live.index(), self.live.packs(), self.runtime.version(), count, cosines, self.runtime.config.lang
            )
            prepared = injector.prepare(task, day, budget)
            if self.live.unchanged([given.card for given in prepared.given]):
                break
        if note_down:
            missed = self.missed(task.words, day)
            with Ledger(self.runtime.config.home) as ledger:
                record(prepared, ledger)
                ledger.append([replace(missed_entry(card), task=task.id, agent=task.agent) for card in missed])
        return prepared

    def missed(self, words: str, on: datetime.date) -> list[Card]:
        """The archived card that concerns `words` most, if one does: being missed brings it back."""
        limits = Limits(on, archived=True)
        return [match.card for match in self.live.index().search(words, limits, 1, self.cosines())]

    def search(self, words: str, top: int, on: datetime.date | None = None) -> list[Match]:
        """The cards that concern `words`, best first."""
        limits = Limits(on or datetime.date.today())
        for _ in range(_ATTEMPTS):
            found = self.live.index().search(words, limits, top, self.cosines())
            if self.live.unchanged([match.card for match in found]):
                break
        return found

    def counter(self) -> tuple[Count, str]:
        """What counts tokens, and its name: the answer model's tokenizer, or an upper bound."""
        config = self.runtime.config
        if config.use_model and config.answer_model is not None:
            try:
                count = self.runtime.token_counter()
                if count is not None:
                    return count, config.answer_model.name
            except AlmanacError as error:
                _log.warning("tokens are bounded, not counted: %s", error)
        return at_most, BYTES

    def cosines(self) -> Cosines | None:
        """The voice of meaning; the vectors that are missing are made first."""
        source, embedder = self.runtime.config.embedder, self.runtime.embedder
        cards = self.live.index().cards
        if source is None or embedder is None or not cards:
            return None
        try:
            if self._meaning is None:
                folder = fsio.make_folder(self.runtime.config.home / "index" / "cards")
                self._meaning = CardMeaning(
                    folder, source.identity, embedder.dimensions, embedder.embed_query, embedder.embed_passages
                )
            self._meaning.embed_missing(cards, self.runtime.stopped)
        except AlmanacError as error:
            _log.warning("cards are found by words only: %s", error)
            return None
        return self._meaning.cosines


def missed_entry(card: Card) -> Entry:
    """The ledger's row for an archived card that was missed."""
    return Entry(Kind.HIT, card=card.id, card_version=card.version)
