"""kb.memory.store_rows: what a record's row holds."""

from __future__ import annotations

import datetime
from pathlib import Path

from kb.memory.store_rows import IndexPolicy, day_text
from tests.memory.helpers import MANUAL, memory, read


def test_rows_are_found_by_heading_entity_alias_and_words(tmp_path: Path) -> None:
    store = memory(tmp_path, manual=MANUAL)
    row = store.connection.execute(
        "SELECT w.terms FROM words w JOIN records r ON r.number=w.rowid WHERE r.name='预热'"
    ).fetchone()
    assert {"启动", "热风", "预热", "xm-2000", "低于"} <= set(row[0].split())


def test_without_graph_or_words(tmp_path: Path) -> None:
    store = memory(tmp_path)
    document, found = read(MANUAL)
    policy = IndexPolicy(graph=False, words=False)
    store.ingest(document.doc_id, found.entities, found.relations, found.events, found.segments, policy)
    count = store.connection.execute("SELECT count(*) FROM words").fetchone()[0]
    kinds = {row[0] for row in store.connection.execute("SELECT DISTINCT kind FROM records")}
    assert count == 0
    assert kinds == {"attribute", "event"}
    assert IndexPolicy().identity != policy.identity


def test_days() -> None:
    assert day_text(datetime.date(2024, 3, 1)) == "2024-03-01"
    assert day_text(None) is None
