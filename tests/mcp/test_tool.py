"""kb.mcp.tool: schemas as tools write them."""

from __future__ import annotations

import datetime

import pytest

from kb.errors import AlmanacError
from kb.mcp import tool
from kb.mcp.sdk import load


def _fits(schema: tool.Schema, value: object) -> bool:
    load().validator.check_schema(schema)
    return bool(load().validator(schema).is_valid(value))


def test_arguments_are_bounded() -> None:
    schema = tool.mapping(
        {
            "words": tool.text("", 5),
            "count": tool.whole("", 1, 9, 3),
            "on": tool.day(""),
            "how": tool.choice("", 1, -1),
        },
        "words",
    )
    assert _fits(schema, {"words": "abc", "count": 9, "on": "2026-11-30", "how": -1})
    refused: tuple[object, ...] = (
        {}, {"words": ""}, {"words": "abcdef"}, {"words": 3}, {"words": "a", "count": 0}, {"words": "a", "count": 1.5},
        {"words": "a", "on": "30.11.2026"}, {"words": "a", "how": 0}, {"words": "a", "other": 1}, [], None,
    )  # fmt: skip
    for wrong in refused:
        assert not _fits(schema, wrong), wrong


def test_a_result_has_all_it_promises() -> None:
    schema = tool.result(found=tool.BOOLEAN, names=tool.listing(tool.STRING))
    assert _fits(schema, {"found": True, "names": ["a"]})
    assert not _fits(schema, {"found": True})


@pytest.mark.parametrize("schema", [tool.VERSION, tool.CITATION])
def test_shared_schemas_are_schemas(schema: tool.Schema) -> None:
    load().validator.check_schema(schema)


def test_a_pattern_and_an_empty_text() -> None:
    assert _fits(tool.text("", pattern="^[a-z]+$"), "abc")
    assert not _fits(tool.text("", pattern="^[a-z]+$"), "../x")
    assert _fits(tool.text("", empty=True), "")


def test_the_day_of_an_argument() -> None:
    assert tool.given_day({"on": "2026-11-30"}, "on") == datetime.date(2026, 11, 30)
    assert tool.given_day({}, "on") is None
    with pytest.raises(AlmanacError) as caught:
        tool.given_day({"on": "2026-02-30"}, "on")
    assert caught.value.key == "bad_day"
