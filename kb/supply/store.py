"""The cards of a knowledge root: all usable ones, and what is wrong with the files of the others."""

from __future__ import annotations

import os
from collections.abc import Iterator
from dataclasses import dataclass
from pathlib import Path

from kb.errors import AlmanacError, KnowledgeError
from kb.supply.card import Card
from kb.supply.schema import Finding, Reading, parse_card
from kb.tree.textfile import read_text

FOLDER = "cards"
_SUFFIX = ".yaml"


@dataclass(frozen=True, slots=True)
class CardSet:
    """All usable cards of a root, in the order of their paths, and what is wrong with the others' files."""

    cards: tuple[Card, ...]
    findings: tuple[Finding, ...]

    def get(self, identifier: str) -> Card | None:
        """The card with this id."""
        return next((card for card in self.cards if card.id == identifier), None)

    def find(self, identifier: str) -> Card:
        """The card with this id; KnowledgeError when there is none."""
        card = self.get(identifier)
        if card is None:
            raise KnowledgeError("card_unknown", id=identifier[:100])
        return card


class CardStore:
    """Reads the cards of `root` again and again; a file that did not change is parsed once."""

    def __init__(self, root: Path) -> None:
        self.root = root
        self._known: dict[str, tuple[tuple[int, int, int], Reading]] = {}

    def read(self) -> CardSet:
        """The cards as they are on disk now. A broken file costs its own card only."""
        known: dict[str, tuple[tuple[int, int, int], Reading]] = {}
        findings: list[Finding] = []
        for path, state in sorted(_files(self.root, findings)):
            before = self._known.get(path)
            known[path] = before if before and before[0] == state else (state, _read(self.root, path))
        self._known = known
        return _joined((reading for _, reading in known.values()), findings)


def read_cards(root: Path) -> CardSet:
    """The cards below `root`/cards; none when there is no such folder. Broken files are findings."""
    return CardStore(root).read()


def find_card(root: Path, identifier: str) -> Card:
    """The card with this id; KnowledgeError when there is none."""
    return read_cards(root).find(identifier)


def _files(root: Path, findings: list[Finding]) -> Iterator[tuple[str, tuple[int, int, int]]]:
    """Path and state of every card file: exactly two folders deep, links only to files inside the root."""
    top, whole = root / FOLDER, root.resolve()
    if not top.is_dir() or not top.resolve().is_relative_to(whole):
        return
    for folder, names, files in os.walk(top):
        names[:] = sorted(name for name in names if not name.startswith("."))
        inner = Path(folder).relative_to(root)
        # On Windows the walk may enter a junction.
        here = Path(folder).resolve().is_relative_to(whole)
        for name in sorted(files):
            path = (inner / name).as_posix()
            if name.startswith(".") or not name.lower().endswith((_SUFFIX, ".yml")):
                continue
            if len(inner.parts) != 2 or not name.endswith(_SUFFIX):
                findings.append(Finding(path, 0, "card_misplaced"))
                continue
            state = _state(root, whole, path) if here else None
            if state is None:
                findings.append(Finding(path, 0, "card_outside"))
            else:
                yield path, state


def _state(root: Path, whole: Path, path: str) -> tuple[int, int, int] | None:
    """Size, time and inode of a file inside the root; None when it lies elsewhere or its name cannot be written.

    `whole` is the root with its links resolved. Its folder lies inside, so only the file itself can lead out.
    """
    target = root / path
    try:
        path.encode()
        if target.is_symlink() and not target.resolve().is_relative_to(whole):
            return None
        found = target.stat()
    except (OSError, RuntimeError, UnicodeEncodeError):
        return None
    return found.st_size, found.st_mtime_ns, found.st_ino


def _read(root: Path, path: str) -> Reading:
    try:
        return parse_card(path, read_text(root / path).text)
    except AlmanacError as error:
        return Reading(None, (Finding(path, 0, error.key, error.params),))


def _joined(readings: Iterator[Reading], findings: list[Finding]) -> CardSet:
    """All cards; of two with the same id the first path keeps it."""
    cards: list[Card] = []
    owners: dict[str, str] = {}
    for reading in readings:
        findings += reading.findings
        card = reading.card
        if card is None:
            continue
        if card.id in owners:
            findings.append(Finding(card.path, 1, "card_duplicate_id", {"id": card.id, "other": owners[card.id]}))
            continue
        owners[card.id] = card.path
        cards.append(card)
    return CardSet(tuple(cards), tuple(findings))
