"""kb.answer.agent.grammar: whatever a grammar makes parses and fits its schema, and what fits can be made."""

from __future__ import annotations

import json
import random

import pytest
from hypothesis import given
from hypothesis import strategies as st

from kb.answer.agent.grammar import schema_grammar
from kb.answer.agent.schema import problem
from tests.answer.agent.gbnf import Grammar
from tests.answer.agent.schemas import call_schema, fitting, schemas
from tests.conftest import Engine

TOOLS = [
    {
        "name": "order_status",
        "parameters": {
            "type": "object",
            "properties": {"order_id": {"type": "string", "pattern": "^[0-9]{1,9}$"}},
            "required": ["order_id"],
        },
    },
    {
        "name": "log_search",
        "parameters": {
            "type": "object",
            "properties": {
                "query": {"type": "string", "minLength": 2, "maxLength": 12},
                "limit": {"type": "integer", "minimum": 1, "maximum": 20},
                "files": {"type": "array", "items": {"enum": ["payment.log", "网关.log"]}, "maxItems": 2},
                "all": {"type": "boolean"},
            },
            "required": [],
            "minProperties": 1,
        },
    },
]


@given(st.data())
def test_whatever_is_made_parses_and_fits(data: st.DataObject) -> None:
    schema = data.draw(schemas())
    grammar = Grammar.read(schema_grammar(schema))
    chance = random.Random(data.draw(st.integers(0, 10**6)))
    for _ in range(8):
        made = grammar.make(chance)
        assert problem(schema, json.loads(made)) == "", made


@given(st.data())
def test_what_fits_can_be_made(data: st.DataObject) -> None:
    schema = data.draw(schemas())
    value = data.draw(fitting(schema))
    assert problem(schema, value) == ""
    assert Grammar.read(schema_grammar(schema)).fits(json.dumps(value, ensure_ascii=False))


def test_calls_name_a_tool_and_fit_its_parameters() -> None:
    schema = call_schema(TOOLS)
    grammar = Grammar.read(schema_grammar(schema))
    chance = random.Random(3)
    made = [json.loads(grammar.make(chance)) for _ in range(300)]
    assert {call["tool"] for call in made} == {"order_status", "log_search"}
    assert all(problem(schema, call) == "" for call in made)
    assert all(call["arguments"] for call in made)
    assert grammar.fits('{"tool": "order_status", "arguments": {"order_id": "123"}}')
    for wrong in (
        '{"tool": "rm", "arguments": {"order_id": "123"}}',
        '{"tool": "order_status", "arguments": {"order_id": "12a"}}',
        '{"tool": "order_status", "arguments": {}}',
        '{"tool": "log_search", "arguments": {}}',
        '{"tool": "log_search", "arguments": {"limit": 21}}',
        '{"tool": "log_search", "arguments": {"all": true}} ',
    ):
        assert not grammar.fits(wrong)


@pytest.mark.parametrize(
    "schema",
    [
        {"type": "integer", "minimum": 1},
        {"type": "integer", "minimum": 1, "maximum": 9_999},
        {"type": "string", "pattern": "^a+$", "maxLength": 3},
        {"type": "string", "minLength": 3, "maxLength": 2},
        {"type": "object", "properties": {}, "minProperties": 1},
        {"type": "object", "properties": {"a": {"type": "null"}, "b": {"type": "null"}}, "minProperties": 2},
        {"type": "string", "pattern": "^.$"},
    ],
)
def test_what_a_grammar_cannot_promise_is_refused(schema: dict[str, object]) -> None:
    with pytest.raises(ValueError, match=r"."):
        schema_grammar(schema)


def test_the_real_decoder_keeps_to_it(engine: Engine) -> None:
    """The base model is no planner, but whatever it writes under the grammar is a valid call."""
    schema = call_schema(TOOLS)
    grammar = schema_grammar(schema)
    for prompt in ("工具：order_status\n调用：", "Say anything at all: ", '{"rm": "-rf"}\n', ""):
        done = engine.text_model.complete(prompt or " ", 200, stop=("\0",), grammar=grammar)
        assert problem(schema, json.loads(done.text)) == "", done.text
