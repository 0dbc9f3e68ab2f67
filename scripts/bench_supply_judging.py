"""What the supply line judges by itself, on labelled data: is an event worth a card, was a card followed.

Called by bench_supply.py; both by rules alone and with the embedder. «held» rows took no part in making rules, weights
and thresholds; all rows were written by one hand.
"""

from __future__ import annotations

import json
from collections.abc import Callable, Sequence
from pathlib import Path

from kb.supply import adoption
from kb.supply.adoption import Judgement
from kb.supply.adoption_meaning import Meaning
from kb.supply.card import Card
from kb.supply.distill_decide import decide
from kb.supply.distill_meaning import Lessons
from kb.supply.duplicates import EmbedTexts
from kb.supply.events import parse_event

Say = Callable[[str, str], None]


def report(data: Path, cards: Sequence[Card], embed: EmbedTexts | None, say: Say) -> None:
    """Print precision and recall; `data` is the folder of labelled files."""
    events(_rows(data / "events.jsonl"), embed, say)
    known = {card.id: card for card in cards}
    ways: list[tuple[str, Callable[[Card, str], Judgement]]] = [("rules", adoption.judge)]
    if embed is not None:
        ways.append(("rules and meaning", Meaning(embed).judge))
    same_words = [
        row
        for name in ("adoption_pairs", "adoption_held_out", "adoption_last")
        for row in _rows(data / f"{name}.jsonl")
    ]  # fmt: skip
    other_words = _rows(data / "adoption_paraphrase.jsonl")
    held = [row for row in other_words if row["set"] == "held"]
    for name, rows in (("the card's words", same_words), ("other words, held", held)):
        for way, judge in ways:
            said = [(judge(known[str(row["card"])], str(row["text"])).adopted, row["adopted"]) for row in rows]
            figures = "  ".join(f"{label} {_figures(said, side)}" for side, label in _VERDICTS)
            say(f"adoption, {len(rows)} texts in {name}, {way}", figures)


_VERDICTS = ((True, "follows"), (False, "contradicts"), (None, "unrelated"))


def events(rows: Sequence[dict[str, object]], embed: EmbedTexts | None, say: Say) -> None:
    """SHOULD_SAVE on the held events."""
    held = [row for row in rows if row["set"] == "held"]
    for name, lessons in (("rules", None), ("rules and meaning", Lessons(embed) if embed is not None else None)):
        if name == "rules" or lessons is not None:
            said = [(decide(parse_event(json.dumps(row["event"])), lessons).save, row["save"]) for row in held]
            say(f"distiller, {len(held)} held events, {name}", f"SHOULD_SAVE {_figures(said, True)}")


def _figures(said: Sequence[tuple[object, object]], side: bool | None) -> str:
    """Precision and recall of one answer, with the counts behind them."""
    given = [wanted for found, wanted in said if found is side]
    wanted = sum(label is side for _, label in said)
    right = sum(label is side for label in given)
    return f"precision {right}/{len(given)} recall {right}/{wanted}"


def _rows(path: Path) -> list[dict[str, object]]:
    return [json.loads(line) for line in path.read_text("utf-8").splitlines()]
