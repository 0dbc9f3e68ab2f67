"""Characters that break keyword lists apart in the wrong place, or not at all: 、，； and full-width letters.

A repair is offered only when the repaired front matter parses to exactly the list that a person meant, and to the
same values everywhere else.
"""

from __future__ import annotations

import re

from kb.tree import frontmatter
from kb.tree.contract.findings import Edit, Finding
from kb.tree.contract.fixing import edited
from kb.tree.contract.source import Source
from kb.tree.frontmatter import FrontMatterError, Value

LISTS = ("keywords", "tags", "affected_agents")
_SEPARATORS = "、，；"
# Full-width letters and digits, and the ideographic space; other full-width marks are ordinary Chinese punctuation.
_NARROW = {code: code - 0xFEE0 for code in (*range(0xFF10, 0xFF1A), *range(0xFF21, 0xFF3B), *range(0xFF41, 0xFF5B))}
_NARROW[0x3000] = 0x20
_BAD = re.compile(f"[{_SEPARATORS}{''.join(map(chr, _NARROW))}]")
_SCALAR = re.compile(r"^(?P<head>[A-Za-z_][\w-]*[ \t]*:[ \t]+)(?P<value>\S.*?)(?P<tail>[ \t]+#.*|[ \t]*)$")
_ITEM = re.compile(r"^(?P<head>[ \t]*-[ \t]+)(?P<value>\S.*?)(?P<tail>[ \t]+#.*|[ \t]*)$")


def check_keywords(source: Source) -> list[Finding]:
    """Findings for the lists of `source` whose items hold separators or full-width letters, with the repair."""
    found: list[Finding] = []
    for name in LISTS:
        value = (source.metadata or {}).get(name)
        items = [value] if isinstance(value, str) else value if isinstance(value, list) else []
        bad = sorted({char for item in items if isinstance(item, str) for char in _BAD.findall(item)})
        if not bad or source.metadata is None:
            continue
        first, last = source.fields.get(name, (1, 1))
        edits = _edits(source, first, last)
        if not _keeps_meaning(source, name, edits):
            edits = ()
        shown = " ".join("U+3000" if char == "\u3000" else char for char in bad)
        found.append(
            Finding(source.path, first, "keyword-characters", params={"field": name, "bad": shown}, edits=edits)
        )
    return found


def wanted(value: Value) -> list[str]:
    """The list that a person meant: items split at 、，； and in half-width letters."""
    items = [item for item in value if isinstance(item, str)] if isinstance(value, list) else frontmatter.as_list(value)
    pieces = [piece for item in items for piece in re.split(f"[{_SEPARATORS}]", item)]
    return [piece for piece in (part.translate(_NARROW).strip() for part in pieces) if piece]


def _edits(source: Source, first: int, last: int) -> tuple[Edit, ...]:
    """Edits for the field on lines `first`..`last`."""
    edits: list[Edit] = []
    for number in range(first, last + 1):
        line = source.lines[number - 1]
        matched = _ITEM.match(line) if number > first else _SCALAR.match(line)
        if matched is not None and _BAD.search(matched["value"]):
            start, end = matched.span("value")
            value = matched["value"]
            if number > first:
                text = _separate(value, f"\n{matched['head']}")
            elif value[0] in "[\"'":
                text = _separate(value, ", ")
                text = text if value[0] == "[" else f"[{text}]"
            else:
                text = "[" + ", ".join(wanted(value)) + "]"
            edits.append(Edit(number, start, end, text))
        elif matched is None and number > first and _BAD.search(line):
            # A list in brackets that goes on over several lines.
            code = line.split(" #", 1)[0]
            edits.append(Edit(number, 0, len(code), _separate(code, ", ")))
    return tuple(edits)


def _separate(value: str, separator: str) -> str:
    """`value` with `separator` for each run of 、，；, quotes closed and opened again around it."""
    made: list[str] = []
    quote = ""
    previous = ""
    for char in value:
        if char in _SEPARATORS:
            if previous not in _SEPARATORS or not previous:
                made.append(f"{quote}{separator}{quote}")
        else:
            if quote:
                quote = "" if char == quote and previous != "\\" else quote
            elif char in "\"'" and (not previous or previous in " [,、，；"):
                quote = char
            made.append(char.translate(_NARROW))
        previous = char
    return "".join(made)


def _keeps_meaning(source: Source, name: str, edits: tuple[Edit, ...]) -> bool:
    try:
        parts = frontmatter.split("\n".join(edited(source.lines, edits)))
        repaired = frontmatter.parse(parts.yaml or "")
    except FrontMatterError:
        return False
    before = dict(source.metadata or {})
    meant = wanted(before.pop(name))
    return repaired.pop(name, None) == meant and repaired == before
