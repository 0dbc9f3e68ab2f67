"""scripts/bench_reading.py: what it counts, and the floor below which reading of the made documents must not fall."""

from __future__ import annotations

import json
from pathlib import Path

import pytest
from bench_reading import Score, folded, markdown_tables, score
from make_manuals import make

from kb.memory.block import from_record
from kb.memory.markdown import to_markdown
from kb.memory.reading.child import RESULT, read_into
from kb.memory.reading.limits import Limits

_TRUTH = {
    "order": ["First.", "Second."], "absent": ["header"], "headings": [[1, "Title"]], "footnotes": ["note"],
    "tables": [[["a", "b"], ["1", "2"]]],
}  # fmt: skip


def _shares(text: str, tables: list[list[list[str]]], headings: list[str]) -> dict[str, float]:
    total = Score()
    score(_TRUTH, text, tables, headings, total)
    return {name: total.share(name) for name in total.of}


def test_everything_right_is_one() -> None:
    right = _shares("Title First. Second. note", [[["a", "b"], ["1", "2"]]], ["Title"])
    assert set(right.values()) == {1.0}


def test_each_fault_costs() -> None:
    wrong = _shares("header Second. First.", [[["a", "b"], ["2", "1"]]], [])
    assert wrong == {"found": 1.0, "order": 0.0, "cells": 0.5, "heads": 0.0, "clean": 0.0, "notes": 0.0}


def test_tables_of_a_markdown_text() -> None:
    assert markdown_tables("x\n\n| a | b\\|c |\n| --- | --- |\n| 1 | 2 |\n\ny") == [[["a", "b|c"], ["1", "2"]]]
    assert folded("a **b**[^1]\n<!-- page 2 --> c") == "abc"


@pytest.mark.slow
def test_made_documents_are_read_right(tmp_path: Path) -> None:
    documents = make(tmp_path / "made")
    assert len(documents) >= 30
    total = Score()
    for path in documents:
        read_into(path, tmp_path / path.name, Limits(), lambda said: None)
        record = json.loads((tmp_path / path.name / RESULT).read_text("utf-8"))
        text = to_markdown([from_record(each) for each in record["blocks"]])
        headings = [line.lstrip("#") for line in text.split("\n") if line.startswith("#")]
        truth = json.loads(path.with_suffix(f"{path.suffix}.json").read_text("utf-8"))
        score(truth, text, markdown_tables(text), headings, total)
    assert {name: share for name in total.of if (share := total.share(name)) < 0.99} == {}
