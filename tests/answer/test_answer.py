"""kb.answer.answer: the values that an answer is made of."""

from __future__ import annotations

import dataclasses
import json

import pytest

from kb.answer.answer import Answer, Evidence, Way

EVIDENCE = Evidence(
    path="a.md",
    title="A",
    trail=("B",),
    lines=(3, 4),
    text="| 1 |",
    context="| n |",
    plain="n: 1",
    kind="table",
    version="1.10",
    valid_from="",
    valid_to="",
    date_updated="",
    references=(),
    score=0.9,
)


def test_the_checker_sees_context_and_quote() -> None:
    assert EVIDENCE.full == "| n |\n| 1 |"
    assert dataclasses.replace(EVIDENCE, context="").full == "| 1 |"


def test_an_answer_is_a_value_that_programs_can_read() -> None:
    answer = Answer("id", "q", "q", "t", False, 0.9, Way.QUOTE, (EVIDENCE,))
    with pytest.raises(dataclasses.FrozenInstanceError):
        answer.text = "other"  # type: ignore[misc]
    read = json.loads(json.dumps(dataclasses.asdict(answer)))
    assert read["way"] == "quote"
    assert read["evidence"][0]["version"] == "1.10"
