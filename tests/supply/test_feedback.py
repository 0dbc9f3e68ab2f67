"""kb.supply.feedback: likes, dislikes and verdicts are rows of the ledger."""

from __future__ import annotations

from pathlib import Path

import pytest

from kb.errors import AlmanacError
from kb.supply.chain import Entry, Kind
from kb.supply.feedback import judge_task, record_feedback
from kb.supply.ledger import Ledger
from kb.versions.history import KnowledgeVersion
from tests.supply.supply_helpers import card

OIL = card("oil", conclusion="机油每 250 小时更换", dont=("只换机油不换滤芯",))


def test_likes_and_dislikes_are_written_once_an_item(tmp_path: Path) -> None:
    with Ledger(tmp_path) as ledger:
        version = KnowledgeVersion("kb-1.0.0")
        assert record_feedback(ledger, ["oil", "a/b.md", "oil"], True, task="answer-1", version=version) == [1, 2]
        assert record_feedback(ledger, ["oil"], False, note="滤芯型号不对", agent="workshop-desk") == [3]
        assert record_feedback(ledger, [], True) == []
        rows = ledger.rows()
    assert [(row.entry.card, row.entry.feedback) for row in rows] == [("oil", 1), ("a/b.md", 1), ("oil", -1)]
    assert rows[0].entry.tag == "kb-1.0.0"
    assert (rows[2].entry.note, rows[2].entry.agent) == ("滤芯型号不对", "workshop-desk")


def test_a_task_is_judged_against_every_card_it_was_given(tmp_path: Path) -> None:
    with Ledger(tmp_path) as ledger:
        ledger.append(
            [Entry(Kind.INJECTION, "t", "agent", name, "v1", tag="kb-1", position=1) for name in ("oil", "gone")]
        )
        ledger.append([Entry(Kind.INJECTION, "t", "agent", "oil", "v2", tag="kb-2", position=1)])
        found = judge_task(ledger, [OIL], "t", "这次只换机油不换滤芯。")
        assert [(row.entry.card, judgement.adopted) for row, judgement in found] == [("oil", False), ("gone", None)]
        verdicts = ledger.rows(kind=Kind.VERDICT)
        assert [(row.entry.card, row.entry.adopted, row.entry.refers) for row in verdicts] == [
            ("oil", False, 3), ("gone", None, 2),
        ]  # fmt: skip
        assert "只换机油不换滤芯" in verdicts[0].entry.note
        assert verdicts[0].entry.card_version == "v2"
        assert ledger.verify() is None


def test_a_task_that_was_given_nothing_is_an_error(tmp_path: Path) -> None:
    with Ledger(tmp_path) as ledger, pytest.raises(AlmanacError, match="t-none"):
        judge_task(ledger, [OIL], "t-none", "text")
