"""The part of JSON Schema that tools use: small enough to be checked and to be written as a grammar, exactly.

Types object (always closed), array, string, integer, number, boolean, null; enum, const, anyOf. A keyword outside
this part is refused when the tool is made, so that nothing is silently left unchecked.
"""

from __future__ import annotations

import re
from collections.abc import Mapping
from typing import Any

Schema = Mapping[str, Any]

_COMMON = {"type", "description", "title", "default", "examples"}
_KNOWN: dict[str, set[str]] = {
    "object": {"properties", "required", "additionalProperties", "minProperties"},
    "array": {"items", "minItems", "maxItems"},
    "string": {"minLength", "maxLength", "pattern"},
    "integer": {"minimum", "maximum"},
    "number": set(),
    "boolean": set(),
    "null": set(),
}


def refuse_unknown(schema: Schema, where: str = "") -> None:
    """ValueError for a schema outside the part that is understood, naming the place."""
    place = where or "schema"
    if not isinstance(schema, Mapping):
        raise ValueError(f"{place}: not an object")
    for word in ("enum", "const", "anyOf"):
        if word in schema:
            _only(schema, _COMMON | {word}, place)
            if word == "anyOf":
                for number, part in enumerate(_filled(schema, word, place)):
                    refuse_unknown(part, f"{place}.anyOf[{number}]")
            elif word == "enum":
                _filled(schema, word, place)
            return
    kind = schema.get("type")
    if not isinstance(kind, str) or kind not in _KNOWN:
        raise ValueError(f"{place}: type {kind!r} is not understood")
    _only(schema, _COMMON | _KNOWN[kind], place)
    if kind == "object":
        if schema.get("additionalProperties", False) is not False:
            raise ValueError(f"{place}: objects are closed; additionalProperties must be false")
        properties = schema.get("properties", {})
        unknown = set(schema.get("required", ())) - set(properties)
        if unknown:
            raise ValueError(f"{place}: required but not described: {sorted(unknown)}")
        for name, part in properties.items():
            refuse_unknown(part, f"{place}.{name}")
    elif kind == "array":
        refuse_unknown(schema.get("items", {}), f"{place}[]")
    elif kind == "string" and "pattern" in schema:
        try:
            re.compile(schema["pattern"])
        except re.error as error:
            raise ValueError(f"{place}: the pattern is broken: {error}") from error


def _only(schema: Schema, allowed: set[str], place: str) -> None:
    unknown = set(schema) - allowed
    if unknown:
        raise ValueError(f"{place}: not understood: {sorted(unknown)}")


def _filled(schema: Schema, word: str, place: str) -> list[Any]:
    values = list(schema[word])
    if not values:
        raise ValueError(f"{place}: {word} is empty")
    return values


def problem(schema: Schema, value: object, where: str = "") -> str:
    """The first thing in `value` that does not fit `schema`, '' when it fits. `schema` passed `refuse_unknown`."""
    name = where or "arguments"
    if "enum" in schema:
        return "" if any(_equal(value, known) for known in schema["enum"]) else f"{name}: not one of the choices"
    if "const" in schema:
        return "" if _equal(value, schema["const"]) else f"{name}: not the one value"
    if "anyOf" in schema:
        found = [problem(part, value, where) for part in schema["anyOf"]]
        return "" if "" in found else found[0]
    kind = schema["type"]
    if not _is(kind, value):
        return f"{name}: not of type {kind}"
    if isinstance(value, Mapping):
        return _object(schema, value, where)
    if isinstance(value, list):
        if not _within(len(value), schema.get("minItems"), schema.get("maxItems")):
            return f"{name}: {len(value)} entries"
        found = [problem(schema["items"], item, f"{name}[{place}]") for place, item in enumerate(value)]
        return next(filter(None, found), "")
    if isinstance(value, str):
        if not _within(len(value), schema.get("minLength"), schema.get("maxLength")):
            return f"{name}: {len(value)} characters"
        pattern = schema.get("pattern")
        return "" if pattern is None or _matches(pattern, value) else f"{name}: does not fit {pattern}"
    if kind == "integer" and not _within(value, schema.get("minimum"), schema.get("maximum")):
        return f"{name}: out of range"
    return ""


def _matches(pattern: str, value: str) -> bool:
    """As JSON Schema means it: `$` is the very end, not also the place before a last line feed."""
    if pattern.endswith("$") and not pattern.endswith("\\$"):
        pattern = pattern[:-1] + r"\Z"
    return re.search(pattern, value) is not None


def _object(schema: Schema, value: Mapping[str, object], where: str) -> str:
    properties = schema.get("properties", {})
    for name in schema.get("required", ()):
        if name not in value:
            return f"{name}: missing"
    for name, part in value.items():
        if name not in properties:
            return f"{name}: unknown"
        found = problem(properties[name], part, f"{where}.{name}" if where else str(name))
        if found:
            return found
    least = schema.get("minProperties", 0)
    return "" if len(value) >= least else f"{where or 'arguments'}: at least {least} of {', '.join(properties)}"


def _is(kind: str, value: object) -> bool:
    match kind:
        case "object":
            return isinstance(value, Mapping)
        case "array":
            return isinstance(value, list)
        case "string":
            return isinstance(value, str)
        case "boolean":
            return isinstance(value, bool)
        case "integer":
            return isinstance(value, int) and not isinstance(value, bool)
        case "number":
            return isinstance(value, (int, float)) and not isinstance(value, bool)
        case _:
            return value is None


def _equal(one: object, other: object) -> bool:
    """JSON's equality: true is not 1."""
    if isinstance(one, list) and isinstance(other, list):
        return len(one) == len(other) and all(map(_equal, one, other))
    if isinstance(one, Mapping) and isinstance(other, Mapping):
        return one.keys() == other.keys() and all(_equal(one[name], other[name]) for name in one)
    return isinstance(one, bool) == isinstance(other, bool) and one == other


def _within(size: Any, least: int | None, most: int | None) -> bool:
    return (least is None or size >= least) and (most is None or size <= most)
