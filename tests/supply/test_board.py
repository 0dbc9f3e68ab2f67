"""kb.supply.board: contributions from authorship."""

from __future__ import annotations

import datetime

from kb.supply.board import Contribution, board
from kb.supply.metrics_rollup import CardSums
from kb.versions.history import Change
from tests.supply.supply_helpers import card

_NOW = datetime.datetime(2026, 11, 30, tzinfo=datetime.UTC)


def _change(author: str, *files: tuple[str, str]) -> Change:
    return Change("c" * 40, _NOW, author, "summary", files)


def test_authors_of_cards_with_what_became_of_them() -> None:
    changes = [
        _change("storage-desk", ("M", "cards/test/a.yaml"), ("M", "docs/x.md")),
        _change("Almanac worker", ("M", "cards/test/a.yaml")),
        _change(
            "irrigation-desk", ("A", "cards/test/a.yaml"), ("A", "cards/test/gone.yaml"), ("D", "cards/test/z.yaml")
        ),
        _change("writer", ("A", "agriculture/x.md")),
    ]
    found = board(changes, [card("a")], {"a": CardSums(injected=9, followed=4)})
    assert found == (Contribution("irrigation-desk", 2, 0, 9, 4), Contribution("storage-desk", 0, 1, 0, 0))


def test_nothing_gives_nothing() -> None:
    assert board([], [], {}) == ()
