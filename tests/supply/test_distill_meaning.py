"""kb.supply.distill_meaning: it speaks only where rules see nothing; the heaviest sentence that can carries it."""

from __future__ import annotations

import base64
import json

import numpy as np
import pytest

from kb.supply import distill_weights
from kb.supply.distill_decide import Reason, decide
from kb.supply.distill_meaning import Lessons
from kb.supply.events import parse_event


def _said(text: str) -> Lessons:
    """Lessons for which every sentence that contains `text` is one, and no other."""
    direction = np.frombuffer(base64.b64decode(distill_weights.DIRECTION), np.int8).astype(np.float32)
    unit = direction / np.linalg.norm(direction)
    return Lessons(lambda texts: np.array([unit if text in one else 0 * unit for one in texts]))


@pytest.mark.parametrize(
    ("event", "reason"),
    [
        ({"kind": "delivery", "comments": ["滤网装反了。", "LESSON 滤网箭头朝泵"]}, Reason.LESSON),
        ({"kind": "delivery", "comments": ["好了。"]}, Reason.NOTHING),
        ({"kind": "delivery", "comments": ["可能 LESSON 要换滤网"]}, Reason.NOTHING),
        ({"kind": "delivery", "comments": ["LESSON 滤网箭头朝泵"], "outcome": "继续观察"}, Reason.OPEN),
        ({"kind": "delivery"}, Reason.NOTHING),
        ({"kind": "question", "question": "x", "asked": 1, "comments": ["LESSON 滤网箭头朝泵"]}, Reason.ANSWERED),
        ({"kind": "question", "question": "x", "asked": 5, "comments": ["好"]}, Reason.UNANSWERED),
        ({"kind": "question", "question": "x", "answered": True, "comments": ["LESSON 滤网箭头朝泵"]}, Reason.KNOWN),
    ],
)  # fmt: skip
def test_meaning_speaks_only_where_rules_see_nothing(event: dict[str, object], reason: Reason) -> None:
    decision = decide(parse_event(json.dumps({"id": "e", **event})), _said("LESSON"))
    assert decision.reason is reason
    assert decision.save is (reason in (Reason.LESSON, Reason.ANSWERED, Reason.UNANSWERED))
    assert all("LESSON" in one.span.text for one in decision.rules)
