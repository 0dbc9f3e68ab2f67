"""kb.supply.distill_decide: the default is no; precision and recall on events that were labelled by hand.

Rules were changed and weights fitted for the open events, never for the held ones.
"""

from __future__ import annotations

import json

import pytest

from kb.supply.distill_decide import REASON_CHARACTERS, Reason, decide
from kb.supply.events import parse_event
from kb.texts import CATALOGS
from tests.helpers import DATA

ROWS = [json.loads(line) for line in (DATA / "supply" / "events.jsonl").read_text("utf-8").splitlines()]


def _figures(which: str) -> tuple[int, int, int]:
    """True yes, false yes, false no."""
    counts = [0, 0, 0]
    for row in ROWS:
        if row["set"] == which:
            said = decide(parse_event(json.dumps(row["event"]))).save
            counts[0] += said and row["save"]
            counts[1] += said and not row["save"]
            counts[2] += not said and row["save"]
    return counts[0], counts[1], counts[2]


def test_the_labelled_set_is_balanced() -> None:
    assert len(ROWS) >= 40
    assert len({row["event"]["id"] for row in ROWS}) == len(ROWS)
    for which in ("open", "held"):
        labels = [row["save"] for row in ROWS if row["set"] == which]
        assert 0.4 <= sum(labels) / len(labels) <= 0.6


@pytest.mark.parametrize(("which", "precision", "recall"), [("open", 0.95, 0.70), ("held", 0.95, 0.30)])
def test_what_rules_save_is_worth_it(which: str, precision: float, recall: float) -> None:
    true, false, missed = _figures(which)
    assert true / (true + false) >= precision
    assert true / (true + missed) >= recall


@pytest.mark.parametrize(
    ("event", "reason"),
    [
        ({"kind": "delivery", "comments": ["改好了。"]}, Reason.NOTHING),
        ({"kind": "delivery", "comments": ["注意安全，认真对待。"]}, Reason.NOTHING),
        ({"kind": "incident", "request": "停机", "comments": ["先换滤网再看。"], "outcome": "继续观察"}, Reason.OPEN),
        ({"kind": "delivery", "request": "漏水", "comments": ["临时用胶带，必须先关阀再缠。"]}, Reason.ONCE),
        ({"kind": "delivery", "request": "漏水", "comments": ["可能要先换垫片再试。"]}, Reason.NOTHING),
        ({"kind": "delivery", "request": "漏水", "comments": ["垫片老化导致，先换垫片再试压 10 分钟。"]}, Reason.CAUSE),
        ({"kind": "delivery", "review": "每次换油一律换滤芯，不得只换油。"}, Reason.RULE),
        ({"kind": "delivery", "review": "卡片写错了，应为先查单再重试。"}, Reason.CORRECTION),
        ({"kind": "question", "question": "x", "asked": 3}, Reason.UNANSWERED),
        ({"kind": "question", "question": "x", "asked": 2}, Reason.RARE),
        ({"kind": "question", "question": "x", "asked": 9, "answered": True}, Reason.KNOWN),
        ({"kind": "question", "question": "x", "comments": ["先停机再查管路。"]}, Reason.ANSWERED),
        ({"kind": "question", "question": "x", "asked": "many"}, Reason.RARE),
        ({"kind": "delivery"}, Reason.NOTHING),
        ({"kind": "delivery", "comments": "一条文字：先停机再查管路，曾因此爆管。"}, Reason.CAUSE),
    ],
)  # fmt: skip
def test_one_reason_for_each(event: dict[str, object], reason: Reason) -> None:
    assert decide(parse_event(json.dumps({"id": "e", **event}))).reason is reason


def test_reasons_are_short_in_both_languages() -> None:
    for catalog in CATALOGS.values():
        for reason in Reason:
            assert len(catalog[f"card_reason_{reason.value}"]) <= REASON_CHARACTERS
