"""The cards and packs of a knowledge root as they are now, with their index, for a process that lives on."""

from __future__ import annotations

import threading
import time
from pathlib import Path

from kb.errors import AlmanacError
from kb.supply.card import Card
from kb.supply.packs import PackSet, read_packs
from kb.supply.retrieval import CardIndex
from kb.supply.schema import Finding, parse_card
from kb.supply.store import CardStore
from kb.tree.textfile import read_text

# Files are looked at again at most this often, and never for more than a twentieth of the time.
_RECHECK_S = 1.0
_RECHECK_FACTOR = 20
_LARGE_S = 0.05


class LiveCards:
    """Cards, packs and index of `root`. Safe to use from several threads.

    Where looking at all files takes long, that happens beside the tasks; what is about to be handed out is compared
    with its file in any case (`unchanged`).
    """

    def __init__(self, root: Path) -> None:
        self.root = root
        self._store = CardStore(root)
        self._lock = threading.RLock()
        self._index: CardIndex | None = None
        self._packs = PackSet((), ())
        self._findings: tuple[Finding, ...] = ()
        self._checked = 0.0
        self._cost = 0.0
        self._checking = False

    @property
    def findings(self) -> tuple[Finding, ...]:
        """What is wrong with files of cards and packs."""
        self.index()
        return (*self._findings, *self._packs.findings)

    def index(self) -> CardIndex:
        """The index, after looking whether files changed."""
        with self._lock:
            if self._index is None:
                self.refresh()
            elif time.monotonic() - self._checked > max(_RECHECK_S, _RECHECK_FACTOR * self._cost):
                self._refresh_beside() if self._cost > _LARGE_S else self.refresh()
            assert self._index is not None
            return self._index

    def packs(self) -> PackSet:
        """The packs, as fresh as the index."""
        self.index()
        return self._packs

    def find(self, identifier: str) -> Card:
        """The card with this id as its file is now; KnowledgeError when there is none."""
        return self._store.read().find(identifier)

    def refresh(self) -> None:
        """Look at all files now; only the first time, and where that takes no time, under the lock of `index`."""
        started = time.monotonic()
        found, packs = self._store_read(), read_packs(self.root)
        with self._lock:
            if self._index is None or self._index.cards != found:
                self._index = CardIndex(found)
            self._packs = packs
            self._checked = time.monotonic()
            self._cost = self._checked - started

    def _store_read(self) -> tuple[Card, ...]:
        read = self._store.read()
        self._findings = read.findings
        return read.cards

    def _refresh_beside(self) -> None:
        if not self._checking:
            self._checking = True
            threading.Thread(target=self._refresh_in_thread, name="almanac-cards", daemon=True).start()

    def _refresh_in_thread(self) -> None:
        try:
            self.refresh()
        finally:
            with self._lock:
                self._checked = time.monotonic()
                self._checking = False

    def unchanged(self, cards: list[Card]) -> bool:
        """Whether the files of these cards still say the same; where they do not, everything is read again."""
        for card in cards:
            try:
                now = parse_card(card.path, read_text(self.root / card.path).text).card
            except AlmanacError:
                now = None
            if now != card:
                self.refresh()
                return False
        return True
