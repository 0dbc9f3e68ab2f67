"""kb.cli.grammar.cards: the actions of cards, review and worker."""

from __future__ import annotations

import pytest

from kb.cli.grammar import cards
from kb.cli.parser import parse
from kb.cli.usage import UsageError
from kb.supply.card import CardStatus, CardType, Layer


def test_the_choices_are_those_of_the_schema() -> None:
    assert tuple(CardStatus) == cards.STATUSES
    assert tuple(CardType) == cards.TYPES
    assert tuple(Layer) == cards.LAYERS


def test_every_action_takes_what_every_verb_takes() -> None:
    found = parse(["cards", "list", "--knowledge", "x", "--status", "active", "--json"], "en")
    assert (found.verb, found.action, found.knowledge, found.status, found.json) == (
        "cards",
        "list",
        "x",
        "active",
        True,
    )
    assert parse(["cards", "--knowledge", "x", "list"], "en").knowledge == "x"
    assert parse(["cards", "check", "a.yaml", "b.yaml"], "en").paths == ["a.yaml", "b.yaml"]


@pytest.mark.parametrize(
    "words", [["cards"], ["cards", "burn"], ["cards", "list", "--status", "gone"], ["cards", "show"]]
)
def test_what_does_not_fit_is_refused(words: list[str]) -> None:
    with pytest.raises(UsageError):
        parse(words, "en")


def test_the_worker() -> None:
    found = parse(["worker", "run", "--daemon", "--every", "5"], "en")
    assert (found.action, found.daemon, found.every) == ("run", True, 5)
    assert parse(["worker", "signal", "--requirement", "R", "--state", "S"], "en").id is None
    for words in (["run", "--every", "0"], ["run", "--every", "10081"], ["signal", "--state", "S"]):
        with pytest.raises(UsageError):
            parse(["worker", *words], "en")
