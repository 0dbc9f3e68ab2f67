"""Random schemas of the part that tools use, and values that fit them or do not."""

from __future__ import annotations

import json
import string
from collections.abc import Mapping, Sequence
from typing import Any

from hypothesis import strategies as st

_WORDS = st.text(alphabet=string.ascii_lowercase + "_中", min_size=1, max_size=4)
_TEXT = st.text(alphabet=st.characters(codec="utf-8"), max_size=6)
_SCALARS = st.none() | st.booleans() | st.integers(-9, 9) | _TEXT


def values() -> st.SearchStrategy[Any]:
    """Any small JSON value."""
    return st.recursive(
        _SCALARS, lambda inner: st.lists(inner, max_size=3) | st.dictionaries(_WORDS, inner, max_size=3), max_leaves=6
    )


@st.composite
def _strings(draw: st.DrawFn) -> dict[str, Any]:
    if draw(st.booleans()):
        return {"type": "string", "pattern": draw(st.sampled_from(["^[a-z]{1,4}$", r"^E-\d{2}$", "^(a|bb)+$"]))}
    least = draw(st.integers(0, 3))
    return {"type": "string", "minLength": least, "maxLength": least + draw(st.integers(0, 4))}


@st.composite
def _objects(draw: st.DrawFn, inner: st.SearchStrategy[dict[str, Any]]) -> dict[str, Any]:
    properties: dict[str, Any] = draw(st.dictionaries(_WORDS, inner, max_size=4))
    flags: list[bool] = draw(st.lists(st.booleans(), min_size=len(properties), max_size=len(properties)))
    required = [name for name, flag in zip(properties, flags, strict=True) if flag]
    schema: dict[str, Any] = {"type": "object", "properties": properties, "required": required}
    if draw(st.booleans()) and properties:
        schema["minProperties"] = 1
    return schema


@st.composite
def _arrays(draw: st.DrawFn, inner: st.SearchStrategy[dict[str, Any]]) -> dict[str, Any]:
    least = draw(st.integers(0, 2))
    schema: dict[str, Any] = {"type": "array", "items": draw(inner), "minItems": least}
    if draw(st.booleans()):
        schema["maxItems"] = least + draw(st.integers(0, 2))
    return schema


@st.composite
def _integers(draw: st.DrawFn) -> dict[str, Any]:
    low = draw(st.integers(-12, 9))
    return {"type": "integer", "minimum": low, "maximum": low + draw(st.integers(0, 12))}


def schemas() -> st.SearchStrategy[dict[str, Any]]:
    """Any schema that is understood, three or so levels deep."""
    leaves = st.one_of(
        st.sampled_from([{"type": kind} for kind in ("integer", "number", "boolean", "null", "string")]),
        _strings(), _integers(), st.builds(lambda found: {"enum": found}, st.lists(_SCALARS, min_size=1, max_size=3)),
        st.builds(lambda found: {"const": found}, values()),
    )  # fmt: skip
    return st.recursive(
        leaves,
        lambda inner: st.one_of(
            _objects(inner),
            _arrays(inner),
            st.builds(lambda ways: {"anyOf": ways}, st.lists(inner, min_size=1, max_size=3)),
        ),
        max_leaves=8,
    )


@st.composite
def fitting(draw: st.DrawFn, schema: dict[str, Any]) -> Any:
    """A value that fits `schema`, with its properties in the schema's order."""
    if "enum" in schema:
        return draw(st.sampled_from(schema["enum"]))
    if "const" in schema:
        return schema["const"]
    if "anyOf" in schema:
        return draw(fitting(draw(st.sampled_from(schema["anyOf"]))))
    match schema["type"]:
        case "object":
            names = [n for n in schema["properties"] if n in schema["required"] or draw(st.booleans())]
            if not names and schema.get("minProperties"):
                names = [next(iter(schema["properties"]))]
            return {name: draw(fitting(schema["properties"][name])) for name in names}
        case "array":
            least = schema["minItems"]
            count = draw(st.integers(least, schema.get("maxItems", least + 2)))
            return [draw(fitting(schema["items"])) for _ in range(count)]
        case "string" if "pattern" in schema:
            return draw(st.from_regex(schema["pattern"].replace(r"\d", "[0-9]"), fullmatch=True))
        case "string":
            # Without control characters: JSON would write them as escapes of six characters, which models never need.
            alphabet = st.characters(codec="utf-8", exclude_categories=("Cc", "Cs"))
            return draw(st.text(alphabet, min_size=schema.get("minLength", 0), max_size=schema.get("maxLength", 9)))
        case "integer":
            return draw(st.integers(schema.get("minimum", -999), schema.get("maximum", 999)))
        case "number":
            return draw(st.integers(-999, 999) | st.sampled_from([0.5, -12.25, 3.125]))
        case "boolean":
            return draw(st.booleans())
        case _:
            return None


def closed(schema: Any) -> Any:
    """The same schema with its objects closed in words, as other libraries need it."""
    copy = json.loads(json.dumps(schema))

    def close(part: Any) -> None:
        if not isinstance(part, dict) or "const" in part or "enum" in part:
            return
        if part.get("type") == "object":
            part["additionalProperties"] = False
            for inner in part.get("properties", {}).values():
                close(inner)
        close(part.get("items"))
        for inner in part.get("anyOf", []):
            close(inner)

    close(copy)
    return copy


def call_schema(definitions: Sequence[Mapping[str, Any]]) -> dict[str, Any]:
    """The schema of one call: {"tool": name, "arguments": {…}} of one of the tools."""
    return {
        "anyOf": [
            {
                "type": "object",
                "properties": {"tool": {"const": tool["name"]}, "arguments": tool["parameters"]},
                "required": ["tool", "arguments"],
            }
            for tool in definitions
        ]
    }
