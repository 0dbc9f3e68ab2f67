"""JSON Schema as a GBNF grammar for llama.cpp: what a model writes under it parses and fits the schema, always.

Objects are written in the order of their properties with one space after `:` and `,`, as `json.dumps` does. What a
grammar cannot promise (a long range of numbers, a pattern together with a length) is refused with ValueError.
The notation: https://github.com/ggml-org/llama.cpp/blob/master/grammars/README.md
"""

from __future__ import annotations

import json
from collections.abc import Callable
from typing import Any

from kb.answer.agent.pattern import as_gbnf
from kb.answer.agent.schema import Schema, refuse_unknown
from kb.answer.gbnf import literal

# Integers between bounds are listed one by one, so only short ranges are possible.
_MAX_RANGE = 200
_MAX_REPEAT = 2_000
# One character of a JSON string; escapes of one character only, so that lengths count right.
_RULES = {
    "char": r'[^"\\\x00-\x1F\x7F] | "\\" ["\\/bfnrt]',
    "integer": r'"-"? ("0" | [1-9] [0-9]{0,14})',
    "number": r'"-"? ("0" | [1-9] [0-9]{0,14}) ("." [0-9]{1,15})?',
    "boolean": '"true" | "false"',
    "null": '"null"',
}


def schema_grammar(schema: Schema) -> str:
    """The grammar of JSON texts that fit `schema`; root rule `root`."""
    refuse_unknown(schema)
    writer = _Writer()
    root = writer.expression(schema)
    return "\n".join([f"root ::= {root}", *(f"{name} ::= {rule}" for name, rule in writer.rules.items())]) + "\n"


class _Writer:
    """Collects named rules while expressions are made."""

    def __init__(self) -> None:
        self.rules: dict[str, str] = {}
        self._count = 0

    def expression(self, schema: Schema) -> str:
        """What stands for `schema` inside a rule."""
        if "enum" in schema:
            return "(" + " | ".join(_constant(value) for value in schema["enum"]) + ")"
        if "const" in schema:
            return _constant(schema["const"])
        if "anyOf" in schema:
            return "(" + " | ".join(self._named(part) for part in schema["anyOf"]) + ")"
        makers: dict[str, Callable[[Schema], str]] = {
            "object": self._object,
            "array": self._array,
            "string": self._string,
            "integer": self._integer,
        }
        kind = schema["type"]
        return makers[kind](schema) if kind in makers else self._shared(kind)

    def _named(self, schema: Schema) -> str:
        return self._rule(self.expression(schema))

    def _rule(self, body: str) -> str:
        self._count += 1
        name = f"r{self._count}"
        self.rules[name] = body
        return name

    def _shared(self, name: str) -> str:
        self.rules[name] = _RULES[name]
        return name

    def _object(self, schema: Schema) -> str:
        properties = schema.get("properties", {})
        names = list(properties)
        required = set(schema.get("required", ()))
        least = schema.get("minProperties", 0)
        if least > max(1, len(required)):
            raise ValueError("minProperties above 1 is possible only when they are required")
        pairs = {name: f"{_constant(name)} {literal(': ')} {self._named(properties[name])}" for name in names}
        made: dict[tuple[int, bool], str] = {}

        def members(place: int, begun: bool) -> str | None:
            """The properties from `place` on; None when there is no way to end. `begun`: one stands before them."""
            if place == len(names):
                return None if least and not begun else '""'
            if (place, begun) in made:
                return made[place, begun]
            name = names[place]
            comma = f"{literal(', ')} " if begun else ""
            taken = members(place + 1, True)
            ways = [f"{comma}{pairs[name]} {taken}"]
            left = None if name in required else members(place + 1, begun)
            if left is not None:
                ways.append(left)
            made[place, begun] = self._rule(" | ".join(ways))
            return made[place, begun]

        inside = members(0, False)
        if inside is None:
            raise ValueError("an object with nothing in it cannot have properties")
        return f"{literal('{')} {inside} {literal('}')}"

    def _array(self, schema: Schema) -> str:
        item = self._named(schema["items"])
        least, most = schema.get("minItems", 0), schema.get("maxItems")
        _bounds(least, most)
        if most == 0:
            return literal("[]")
        more = f"({literal(', ')} {item}){_times(max(least - 1, 0), None if most is None else most - 1)}"
        filled = f"{item} {more}"
        inside = filled if least else f"({filled})?"
        return f"{literal('[')} {inside} {literal(']')}"

    def _string(self, schema: Schema) -> str:
        if "pattern" in schema:
            if "minLength" in schema or "maxLength" in schema:
                raise ValueError("a pattern with a length: write the length into the pattern")
            return f"{literal(chr(34))} {as_gbnf(schema['pattern'])} {literal(chr(34))}"
        least, most = schema.get("minLength", 0), schema.get("maxLength")
        _bounds(least, most)
        return f"{literal(chr(34))} {self._shared('char')}{_times(least, most)} {literal(chr(34))}"

    def _integer(self, schema: Schema) -> str:
        low, high = schema.get("minimum"), schema.get("maximum")
        if low is None and high is None:
            return self._shared("integer")
        if low is None or high is None or not 0 <= high - low <= _MAX_RANGE:
            raise ValueError(f"a range of integers needs both ends, at most {_MAX_RANGE} apart")
        return "(" + " | ".join(literal(str(value)) for value in range(low, high + 1)) + ")"


def _bounds(least: int, most: int | None) -> None:
    if least < 0 or (most is not None and most < least) or max(least, most or 0) > _MAX_REPEAT:
        raise ValueError(f"lengths must lie between 0 and {_MAX_REPEAT}")


def _times(least: int, most: int | None) -> str:
    return f"{{{least},{'' if most is None else most}}}"


def _constant(value: Any) -> str:
    return literal(json.dumps(value, ensure_ascii=False))
