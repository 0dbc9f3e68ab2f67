"""kb.answer.constrained_decoding with the real model: only what the grammar allows is written, and it ends."""

from __future__ import annotations

import json

import pytest

from tests.conftest import Engine

CHOICE = 'root ::= "甲" | "乙" | "third"'
CALL = """root ::= "{" "\\"tool\\": " name ", \\"n\\": " number "}"
name ::= "\\"lookup\\"" | "\\"log\\""
number ::= [1-9] [0-9]? [0-9]?
"""


def test_only_what_is_allowed_is_written(engine: Engine) -> None:
    for prompt in ("天空是什么颜色？", "List of words:", "{}[]"):
        assert engine.text_model.complete(prompt, 12, ("\0",), grammar=CHOICE).text in ("甲", "乙", "third")


def test_structure_is_always_valid(engine: Engine) -> None:
    done = engine.text_model.complete("Call a tool as JSON:\n", 40, ("\0",), grammar=CALL)
    found = json.loads(done.text)
    assert found["tool"] in ("lookup", "log")
    assert 1 <= found["n"] <= 999


def test_the_likeliest_allowed_answer_is_chosen(engine: Engine) -> None:
    asked = "Text: The gate is red.\nQuestion: What colour is the gate?\nAnswer:"
    for order in ('" blue" | " red" | " green"', '" red" | " green" | " blue"'):
        assert engine.text_model.complete(asked, 8, ("\0",), grammar=f"root ::= {order}").text == "red"


def test_a_broken_grammar_is_told_and_the_model_goes_on(engine: Engine) -> None:
    with pytest.raises(ValueError, match="grammar"):
        engine.text_model.complete("x", 4, grammar="root ::= (")
    assert engine.text_model.complete("1 2 3", 4).tokens > 0


def test_a_grammar_without_end_stops_at_the_limit(engine: Engine) -> None:
    done = engine.text_model.complete("1 2 3 4 5 6", 24, ("\0",), grammar="root ::= [ 0-9]+")
    assert done.tokens == 24
    assert set(done.text) <= set(" 0123456789")
