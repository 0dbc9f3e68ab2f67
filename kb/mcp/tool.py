"""What a server offers: tools with their schemas, as plain values. Nothing here knows the SDK."""

from __future__ import annotations

import datetime
from collections.abc import Callable, Mapping
from dataclasses import dataclass
from typing import Any

from kb.errors import AlmanacError, ExitCode

Schema = dict[str, Any]
"""A JSON schema."""
Arguments = Mapping[str, Any]
"""What a client sent, after it was found to fit the tool's schema."""
Result = dict[str, Any]
"""A JSON object that fits the tool's result schema."""

MAX_TEXT = 4000
"""Characters of an argument where a tool says nothing else."""


@dataclass(frozen=True, slots=True)
class Tool:
    """One tool. Its title and description are the texts `mcp_<name>_title` and `mcp_<name>`.

    `run` raises AlmanacError for what the caller can do something about. `reads_only`: it changes nothing.
    `repeatable`: calling it again with the same arguments changes nothing more.
    """

    name: str
    parameters: Schema
    result: Schema
    run: Callable[[Arguments], Result]
    reads_only: bool = True
    repeatable: bool = True


def _nothing() -> None:
    """For servers that hold nothing open."""


@dataclass(frozen=True, slots=True)
class Toolbox:
    """The tools of one server, its name (`almanac-<domain>`), and what closes what they hold."""

    domain: str
    tools: tuple[Tool, ...]
    close: Callable[[], object] = _nothing


def mapping(properties: Mapping[str, Schema], *required: str) -> Schema:
    """The schema of an object with these properties and no others."""
    return {
        "type": "object",
        "properties": dict(properties),
        "required": list(required),
        "additionalProperties": False,
    }


def result(**properties: Schema) -> Schema:
    """The schema of a result: all properties are always there."""
    return mapping(properties, *properties)


def text(description: str = "", longest: int = MAX_TEXT, *, empty: bool = False, pattern: str = "") -> Schema:
    """The schema of a text argument."""
    schema: Schema = {"type": "string", "maxLength": longest, "description": description}
    if not empty:
        schema["minLength"] = 1
    if pattern:
        schema["pattern"] = pattern
    return schema


def whole(description: str, lowest: int, highest: int, default: int) -> Schema:
    """The schema of a whole number within bounds."""
    return {
        "type": "integer", "minimum": lowest, "maximum": highest, "default": default, "description": description,
    }  # fmt: skip


def choice(description: str, *values: str | int) -> Schema:
    """The schema of one of a few values."""
    return {"enum": list(values), "description": description}


def day(description: str) -> Schema:
    """The schema of a date such as 2026-11-30."""
    return {"type": "string", "pattern": r"^\d{4}-\d{2}-\d{2}$", "description": description}


def given_day(given: Arguments, name: str) -> datetime.date | None:
    """The date of an argument, None where it was not given; AlmanacError when there is no such day."""
    written = given.get(name)
    try:
        return None if written is None else datetime.date.fromisoformat(written)
    except ValueError as error:
        raise AlmanacError("bad_day", ExitCode.USAGE, value=written) from error


STRING: Schema = {"type": "string"}
INTEGER: Schema = {"type": "integer"}
NUMBER: Schema = {"type": "number"}
BOOLEAN: Schema = {"type": "boolean"}


def listing(of: Schema) -> Schema:
    """The schema of a list."""
    return {"type": "array", "items": of}


VERSION: Schema = result(tag=STRING, manifest=STRING, commit=STRING, date=STRING)
"""Which knowledge an answer is from: see `kb.versions.history.KnowledgeVersion`."""
CITATION: Schema = result(
    path=STRING, title=STRING, heading=listing(STRING), lines=listing(INTEGER), version=STRING, status=STRING,
    valid_from=STRING, valid_to=STRING,
)  # fmt: skip
"""Where a passage stands."""
