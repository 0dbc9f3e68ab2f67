"""A reader of GBNF as kb.answer.agent.grammar writes it: does a text fit, and what texts does the grammar make."""

from __future__ import annotations

import random
import re
from collections.abc import Callable
from dataclasses import dataclass, field

_TOKEN = re.compile(r'"(?:[^"\\]|\\.)*"|\[(?:[^\]\\]|\\.)*\]|\{\d+(?:,\d*)?\}|[?*+|()]|[a-z][a-z0-9-]*|\s+')
_ESCAPE = re.compile(r"\\(?:x([0-9A-Fa-f]{2})|(.))", re.DOTALL)
_NAMED = {"n": "\n", "r": "\r", "t": "\t"}
# What a class that leaves characters out may give, if it does not leave these out.
_OTHERS = "aZ09 /{}:,.\u4e2d\u00e9\U0001f600'-_[]\"\\\n\t\x00\x1f\x7f"


@dataclass(frozen=True)
class Node:
    """`kind`: text, chars, name, all, any, repeat."""

    kind: str
    text: str = ""
    parts: tuple[Node, ...] = ()
    least: int = 1
    most: int | None = 1
    ranges: tuple[tuple[str, str], ...] = ()
    negated: bool = False


@dataclass
class Grammar:
    """Rules by name, the first being `root`."""

    rules: dict[str, Node] = field(default_factory=dict)

    @classmethod
    def read(cls, text: str) -> Grammar:
        """Read a grammar; AssertionError when it is not one."""
        made = cls()
        for line in text.splitlines():
            name, _, body = line.partition(" ::= ")
            tokens: list[str] = []
            place = 0
            while place < len(body):
                found = _TOKEN.match(body, place)
                assert found, body[place:]
                place = found.end()
                if found[0].strip():
                    tokens.append(found[0])
            reader = _Reader(tokens)
            made.rules[name] = reader.alternatives()
            assert reader.done, line
        return made

    def fits(self, text: str) -> bool:
        """Whether the whole of `text` is made by the grammar."""
        return len(text) in self._ends(self.rules["root"], text, 0)

    def _ends(self, node: Node, text: str, start: int) -> set[int]:
        match node.kind:
            case "text":
                return {start + len(node.text)} if text.startswith(node.text, start) else set()
            case "chars":
                return {start + 1} if start < len(text) and _in(node, text[start]) else set()
            case "name":
                return self._ends(self.rules[node.text], text, start)
            case "any":
                return set().union(*(self._ends(part, text, start) for part in node.parts))
            case "all":
                places = {start}
                for part in node.parts:
                    places = set().union(*(self._ends(part, text, place) for place in places))
                return places
            case _:
                places, found = {start}, {start} if node.least == 0 else set()
                for count in range(1, (node.most or len(text) + 1) + 1):
                    places = set().union(*(self._ends(node.parts[0], text, place) for place in places))
                    if not places - found and count > node.least:
                        break
                    if count >= node.least:
                        found |= places
                return found

    def make(self, chance: random.Random) -> str:
        """A text of the grammar."""
        return self._make(self.rules["root"], chance)

    def _make(self, node: Node, chance: random.Random) -> str:
        match node.kind:
            case "text":
                return node.text
            case "chars":
                if node.negated:
                    return chance.choice([char for char in _OTHERS if _in(node, char)])
                low, high = chance.choice(node.ranges)
                return chr(chance.randint(ord(low), ord(high)))
            case "name":
                return self._make(self.rules[node.text], chance)
            case "any":
                return self._make(chance.choice(node.parts), chance)
            case "all":
                return "".join(self._make(part, chance) for part in node.parts)
            case _:
                most = node.least + 4 if node.most is None else node.most
                # Both ends of a length are the places where it goes wrong.
                count = chance.choice([node.least, most, chance.randint(node.least, most)])
                return "".join(self._make(node.parts[0], chance) for _ in range(count))


def _in(node: Node, char: str) -> bool:
    return any(low <= char <= high for low, high in node.ranges) != node.negated


class _Reader:
    def __init__(self, tokens: list[str]) -> None:
        self._tokens = tokens
        self._place = 0

    @property
    def done(self) -> bool:
        return self._place == len(self._tokens)

    def _take(self, wanted: Callable[[str], bool]) -> str:
        if not self.done and wanted(self._tokens[self._place]):
            self._place += 1
            return self._tokens[self._place - 1]
        return ""

    def alternatives(self) -> Node:
        ways = [self._sequence()]
        while self._take(lambda token: token == "|"):
            ways.append(self._sequence())
        return ways[0] if len(ways) == 1 else Node("any", parts=tuple(ways))

    def _sequence(self) -> Node:
        parts: list[Node] = []
        while not self.done and self._tokens[self._place] not in ("|", ")"):
            part = self._one()
            while times := self._take(lambda token: token in "?*+" or token.startswith("{")):
                least, most = _times(times)
                part = Node("repeat", parts=(part,), least=least, most=most)
            parts.append(part)
        assert parts, "an empty sequence"
        return Node("all", parts=tuple(parts))

    def _one(self) -> Node:
        token = self._take(lambda token: True)
        if token == "(":
            inside = self.alternatives()
            assert self._take(lambda token: token == ")")
            return inside
        if token.startswith('"'):
            return Node("text", _plain(token[1:-1]))
        if token.startswith("["):
            return _class(token[1:-1])
        assert re.fullmatch(r"[a-z][a-z0-9-]*", token), token
        return Node("name", token)


def _times(token: str) -> tuple[int, int | None]:
    if token in "?*+":
        return {"?": (0, 1), "*": (0, None), "+": (1, None)}[token]
    least, comma, most = token[1:-1].partition(",")
    return int(least), (int(most) if most else None) if comma else int(least)


def _plain(text: str) -> str:
    return _ESCAPE.sub(lambda found: chr(int(found[1], 16)) if found[1] else _NAMED.get(found[2], found[2]), text)


def _class(text: str) -> Node:
    negated = text.startswith("^")
    pieces = [
        (_plain(found[0]), found[0] == "-")
        for found in re.finditer(r"\\x[0-9A-Fa-f]{2}|\\.|.", text[negated:], re.DOTALL)
    ]
    ranges: list[tuple[str, str]] = []
    place = 0
    while place < len(pieces):
        char = pieces[place][0]
        if place + 2 < len(pieces) and pieces[place + 1][1]:
            ranges.append((char, pieces[place + 2][0]))
            place += 3
        else:
            ranges.append((char, char))
            place += 1
    return Node("chars", ranges=tuple(ranges), negated=negated)
