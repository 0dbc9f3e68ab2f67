"""scripts/bench_supply_judging.py: precision and recall are counted for the answer that is asked about."""

from __future__ import annotations

import json

import bench_supply_judging as judging

from tests.helpers import DATA


def test_each_answer_is_counted_by_itself() -> None:
    said: list[tuple[object, object]] = [(True, True), (True, None), (False, False), (None, True), (None, None)]
    assert judging._figures(said, True) == "precision 1/2 recall 1/2"
    assert judging._figures(said, False) == "precision 1/1 recall 1/1"
    assert judging._figures(said, None) == "precision 1/2 recall 1/2"


def test_without_models_rules_alone_are_reported_on_held_rows() -> None:
    rows = [json.loads(line) for line in (DATA / "supply" / "events.jsonl").read_text("utf-8").splitlines()]
    lines: list[str] = []
    judging.events(rows, None, lambda name, value: lines.append(name))
    held = sum(row["set"] == "held" for row in rows)
    assert lines == [f"distiller, {held} held events, rules"]
