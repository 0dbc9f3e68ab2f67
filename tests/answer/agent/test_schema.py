"""kb.answer.agent.schema: checked as the jsonschema library checks; what is not understood is refused."""

from __future__ import annotations

from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from kb.answer.agent.schema import problem, refuse_unknown
from tests.answer.agent.schemas import closed, schemas, values

jsonschema = pytest.importorskip("jsonschema")

ORDER = {
    "type": "object",
    "properties": {
        "order_id": {"type": "string", "pattern": "^[0-9]{1,9}$", "description": "the number"},
        "limit": {"type": "integer", "minimum": 1, "maximum": 5},
    },
    "required": ["order_id"],
}


@given(st.data())
def test_it_agrees_with_the_library(data: st.DataObject) -> None:
    schema = data.draw(schemas())
    value = data.draw(values())
    refuse_unknown(schema)
    expected = jsonschema.Draft202012Validator(closed(schema)).is_valid(value)
    assert (problem(schema, value) == "") == expected


@pytest.mark.parametrize(
    ("value", "said"),
    [
        ({"order_id": "123"}, ""),
        ({"order_id": "123", "limit": 5}, ""),
        ({}, "order_id: missing"),
        ({"order_id": 123}, "order_id: not of type string"),
        ({"order_id": "12a"}, "order_id: does not fit"),
        ({"order_id": "1", "limit": 6}, "limit: out of range"),
        ({"order_id": "1", "limit": True}, "limit: not of type integer"),
        ({"order_id": "1", "rm": "-rf"}, "rm: unknown"),
        ({"order_id": "1\n"}, "order_id: does not fit"),
        ([], "arguments: not of type object"),
    ],
)
def test_the_first_problem_is_named(value: Any, said: str) -> None:
    refuse_unknown(ORDER)
    found = problem(ORDER, value)
    assert found.startswith(said) and bool(found) == bool(said)


def test_one_of_several_may_be_required() -> None:
    schema = {"type": "object", "properties": {"a": {"type": "null"}}, "minProperties": 1}
    assert problem(schema, {"a": None}) == ""
    assert "at least 1 of a" in problem(schema, {})


@pytest.mark.parametrize(
    "schema",
    [
        {}, {"type": "text"}, {"type": ["string", "null"]}, {"type": "string", "format": "date"}, {"$ref": "#/x"},
        {"type": "object", "additionalProperties": True}, {"type": "object", "required": ["a"]}, {"enum": []},
        {"type": "object", "properties": {"a": {"type": "string", "oneOf": []}}}, {"type": "array"}, {"anyOf": []},
        {"enum": [1], "pattern": "x"}, {"type": "array", "items": {"type": "integer", "multipleOf": 2}}, [],
    ],
)  # fmt: skip
def test_what_is_not_understood_is_refused(schema: Any) -> None:
    with pytest.raises(ValueError, match="schema"):
        refuse_unknown(schema)


def test_a_broken_pattern_is_refused() -> None:
    with pytest.raises(ValueError, match="broken"):
        refuse_unknown({"type": "string", "pattern": "^[a$"})
