"""kb.memory.audit: samples beside their sources, and judgements that hold."""

from __future__ import annotations

import json
from pathlib import Path

import pytest

from kb.errors import AlmanacError
from kb.memory import audit
from kb.memory.client import MemoryClient
from tests.memory.helpers import MANUAL, memory, take


def test_a_sample_is_the_same_for_the_same_seed(tmp_path: Path) -> None:
    store = memory(tmp_path, a=MANUAL)
    assert audit.sample(store, 5) == audit.sample(store, 5)
    assert {item.id for item in audit.sample(store, 3, 1)} != {item.id for item in audit.sample(store, 3, 2)}
    assert len(audit.sample(store, 10_000)) == store.documents()[0].records


def test_a_wrong_record_stays_hidden_when_its_document_is_read_again(tmp_path: Path) -> None:
    store = memory(tmp_path, a=MANUAL)
    client = MemoryClient(store)
    right, wrong = client.search_memory("XM-2000 额定功率 重量")[:2]
    assert audit.judge(store, [audit.Judgement(right.id, True), audit.Judgement(wrong.id, False, "no")], "desk") == 2
    take(store, MANUAL + "\n新的一行。\n", "a.md")
    assert wrong.id not in {item.id for item in client.search_memory("XM-2000 额定功率 重量")}
    assert audit.regression(store) == audit.Regression(1, (), 0, (wrong.text,))
    take(
        store,
        MANUAL.replace("| 额定功率 | 5.5 | kW | |\n", "").replace("| 重量 | 35 | kg | 不包括包装 |\n", ""),
        "a.md",
    )
    assert audit.regression(store) == audit.Regression(0, (right.text,), 1, ())


def test_judgements_from_a_file() -> None:
    entries = [{"id": "a", "right": True}, {"id": "b", "right": None}, {"record": "c", "right": False, "remark": "x"}]
    expected = [audit.Judgement("a", True), audit.Judgement("c", False, "x")]
    assert audit.parse_judgements(json.dumps({"records": entries}), "f") == expected
    assert audit.parse_judgements("\n".join(map(json.dumps, entries)), "f") == expected


@pytest.mark.parametrize("text", ["{", '[{"right": true}]', '[{"id": "a", "right": "yes"}]', "[1]", "nonsense"])
def test_a_bad_file_is_a_sentence(text: str) -> None:
    with pytest.raises(AlmanacError):
        audit.parse_judgements(text, "f")


def test_an_unknown_record_is_refused(tmp_path: Path) -> None:
    with pytest.raises(AlmanacError):
        audit.judge(memory(tmp_path), [audit.Judgement("none", True)], "")
