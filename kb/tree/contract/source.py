"""A document as the checks see it: decoded, its front matter parsed, and the lines on which each field stands."""

from __future__ import annotations

import re
from collections.abc import Mapping
from dataclasses import dataclass

from kb.tree import frontmatter
from kb.tree.frontmatter import FrontMatterError, Value
from kb.tree.textfile import decode

_FIELD = re.compile(r"^([A-Za-z_][\w-]*)[ \t]*[:：]")
_CLOSE = re.compile(r"(?:---|\.\.\.)[ \t]*$")


@dataclass(frozen=True, slots=True)
class Source:
    """A document. `lines` are without line ends; `fields` gives for each field its first and last line (from 1).

    `metadata` is None when there is no front matter or it is broken (then `problem` says how). `body_line` is the
    first line of the body.
    """

    path: str
    encoding: str
    lines: tuple[str, ...]
    metadata: Mapping[str, Value] | None
    problem: FrontMatterError | None
    fields: Mapping[str, tuple[int, int]]
    body_line: int

    @property
    def body(self) -> str:
        """The text below the front matter."""
        return "\n".join(self.lines[self.body_line - 1 :])

    def line_of(self, name: str) -> int:
        """The line on which field `name` begins; the front matter's first line when it is absent."""
        return self.fields.get(name, (1, 1))[0]


def read_source(path: str, data: bytes) -> Source:
    """The document in `data`. Raises KnowledgeError when the bytes are no text that can be told."""
    decoded = decode(data, path)
    return source_of(path, decoded.text, decoded.encoding)


def source_of(path: str, text: str, encoding: str = "utf-8") -> Source:
    """As `read_source`, from decoded text with `\\n` line ends."""
    lines = tuple(text.split("\n"))
    try:
        parts = frontmatter.split(text)
    except FrontMatterError as error:
        return Source(path, encoding, lines, None, error, {}, len(lines) + 1)
    if parts.yaml is None:
        return Source(path, encoding, lines, None, None, {}, 1)
    fields = _fields(lines)
    try:
        return Source(path, encoding, lines, frontmatter.parse(parts.yaml), None, fields, parts.body_line)
    except FrontMatterError as error:
        return Source(path, encoding, lines, None, error, fields, parts.body_line)


def _fields(lines: tuple[str, ...]) -> dict[str, tuple[int, int]]:
    """The fields between the two lines `---`."""
    found: dict[str, tuple[int, int]] = {}
    name = ""
    for index in range(1, len(lines)):
        if _CLOSE.match(lines[index]):
            break
        matched = _FIELD.match(lines[index])
        if matched is not None:
            name = matched[1]
            found[name] = (index + 1, index + 1)
        elif name and lines[index].strip() and not lines[index].startswith("#"):
            found[name] = (found[name][0], index + 1)
    return found
