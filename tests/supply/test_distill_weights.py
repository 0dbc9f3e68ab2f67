"""kb.supply.distill_weights: what the fitted weights find among labelled events, with the embedder they belong to."""

from __future__ import annotations

import json

import pytest

from kb.supply.distill_decide import decide
from kb.supply.distill_meaning import Lessons
from kb.supply.events import parse_event
from tests.conftest import Engine
from tests.helpers import DATA


@pytest.mark.slow
@pytest.mark.parametrize("which", ["open", "held"])
def test_meaning_finds_what_rules_have_no_word_for(which: str, engine: Engine) -> None:
    assert engine.assets.embedder is not None
    if not Lessons.fits(engine.assets.embedder.identity):
        pytest.skip("the weights belong to another embedder: scripts/fit_distill.py --write")
    lessons = Lessons(engine.embedder.embed_passages)
    rows = [json.loads(line) for line in (DATA / "supply" / "events.jsonl").read_text("utf-8").splitlines()]
    said = [
        (decide(parse_event(json.dumps(row["event"])), lessons).save, row["save"])
        for row in rows
        if row["set"] == which
    ]  # fmt: skip
    right = sum(save and wanted for save, wanted in said)
    assert right / sum(save for save, _ in said) >= 0.95
    assert right / sum(wanted for _, wanted in said) >= 0.85
