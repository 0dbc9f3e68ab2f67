"""A JSON Schema `pattern` as a GBNF expression, for the plain part of regular expressions.

Anchored at both ends; literals, classes, `\\d`, `\\w`, groups, alternatives, `?`, `*`, `+`, `{m,n}`. Characters that a
JSON string would have to escape are refused, so that the text between the quotes is the string itself.
"""

from __future__ import annotations

import re

from kb.answer.gbnf import literal

_REPEAT = re.compile(r"[?*+]|\{(\d{1,4})(?:(,)(\d{1,4})?)?\}")
_CLASSES = {"d": "0-9", "w": "A-Za-z0-9_"}
_SPECIAL = set("\\^$.|?*+()[]{}")
_PLAIN_ESCAPES = set("\\^$.|?*+()[]{}/-")


def as_gbnf(pattern: str) -> str:
    """The expression for what `pattern` matches. ValueError when it uses more than the plain part."""
    if not (pattern.startswith("^") and pattern.endswith("$")) or pattern.endswith("\\$"):
        raise ValueError(f"a pattern must be anchored at both ends: {pattern}")
    reader = _Reader(pattern[1:-1])
    made = reader.alternatives()
    if reader.place != len(reader.text):
        raise ValueError(f"not understood in a pattern: {reader.text[reader.place :]}")
    return f"({made})"


class _Reader:
    """Reads a pattern from left to right."""

    def __init__(self, text: str) -> None:
        self.text = text
        self.place = 0

    def alternatives(self) -> str:
        """What stands between bars."""
        found = [self._sequence()]
        while self._next() == "|":
            self.place += 1
            found.append(self._sequence())
        return " | ".join(found)

    def _sequence(self) -> str:
        parts: list[str] = []
        while self._next() not in ("", "|", ")"):
            part = self._one()
            repeat = _REPEAT.match(self.text, self.place)
            if repeat:
                self.place = repeat.end()
                part += _repetition(repeat)
                if self._next() in ("?", "+"):
                    raise ValueError("lazy and possessive repetition is not understood in a pattern")
            parts.append(part)
        return " ".join(parts) or '""'

    def _one(self) -> str:
        char = self._next()
        self.place += 1
        if char == "(":
            if self.text.startswith("?:", self.place):
                self.place += 2
            elif self._next() == "?":
                raise ValueError("only plain groups are understood in a pattern")
            inside = self.alternatives()
            if self._next() != ")":
                raise ValueError("a group is not closed in a pattern")
            self.place += 1
            return f"({inside})"
        if char == "[":
            return self._class()
        if char == "\\":
            escaped = self._next()
            self.place += 1
            if escaped in _CLASSES:
                return f"[{_CLASSES[escaped]}]"
            if escaped in _PLAIN_ESCAPES:
                return literal(_harmless(escaped))
            raise ValueError(f"\\{escaped} is not understood in a pattern")
        if char in _SPECIAL:
            raise ValueError(f"{char} is not understood in a pattern")
        return literal(_harmless(char))

    def _class(self) -> str:
        """`[…]`: ranges and single characters, never negated (what is left out could need escapes in JSON)."""
        if self._next() == "^":
            raise ValueError("a negated class is not understood in a pattern")
        written = ""
        last = ""
        while self._next() != "]":
            char = self._next()
            self.place += 1
            if not char:
                raise ValueError("a class is not closed in a pattern")
            if char == "\\":
                char = self._next()
                self.place += 1
                if char in _CLASSES:
                    written += _CLASSES[char]
                    last = ""
                    continue
                if char not in _PLAIN_ESCAPES:
                    raise ValueError(f"\\{char} is not understood in a pattern")
            elif char == "-" and last and self._next() not in ("]", ""):
                end = self._next()
                self.place += 1
                if end == "\\" or ord(end) < ord(last) or any(ord(last) <= ord(bad) <= ord(end) for bad in '"\\'):
                    raise ValueError(f"{last}-{end} is not understood in a pattern")
                written += f"-{_in_class(_harmless(end))}"
                last = ""
                continue
            written += _in_class(_harmless(char))
            last = char
        self.place += 1
        if not written:
            raise ValueError("an empty class in a pattern")
        return f"[{written}]"

    def _next(self) -> str:
        return self.text[self.place : self.place + 1]


def _repetition(found: re.Match[str]) -> str:
    if found[1] is None:
        return found[0]
    least, most = int(found[1]), int(found[3]) if found[3] else None
    if most is not None and most < least:
        raise ValueError(f"{found[0]} is not understood in a pattern")
    if found[2] is None:
        return f"{{{least}}}"
    return f"{{{least},{'' if most is None else most}}}"


def _harmless(char: str) -> str:
    if char in '"\\' or ord(char) < 0x20 or ord(char) == 0x7F:
        raise ValueError("a character that JSON escapes is not understood in a pattern")
    return char


def _in_class(char: str) -> str:
    return f"\\x{ord(char):02X}" if char in "[]^-\\" else char
