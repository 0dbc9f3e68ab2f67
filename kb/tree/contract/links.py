"""Where a document names images and other documents, to the character, so that a link can be changed in place.

Blocks are found by the Markdown parser; code, formulas ($...$) and comments are masked; then each destination is
read from the text itself.
"""

from __future__ import annotations

import html
import re
from collections.abc import Iterator
from dataclasses import dataclass
from enum import StrEnum
from functools import cache
from urllib.parse import unquote

from markdown_it import MarkdownIt

_MAY_LINK = re.compile(r"\]\(|\]:|\[\[|<img\b", re.IGNORECASE)
_MAY_BE_CODE = re.compile(r"```|~~~|^[ >]*(?:    |\t)", re.MULTILINE)
_SAME_PARAGRAPH = r"(?:(?!\n[ \t]*\n)[\s\S])"
_MASKED = re.compile(
    rf"<!--{_SAME_PARAGRAPH}*?-->"
    rf"|(?<![\\`])(?P<ticks>`+)(?!`){_SAME_PARAGRAPH}+?(?<!`)(?P=ticks)(?!`)"
    rf"|(?<!\\)\$\${_SAME_PARAGRAPH}+?\$\$"
    r"|(?<![\\$\w])\$(?=[^\s$])(?:\\.|[^$\n\\])*?(?<=\S)\$(?!\d)"
)
# CommonMark: a destination in angle brackets, or without spaces and with balanced parentheses; then a title.
_DESTINATION = r"(?P<to><[^<>\n]*>|(?![<])[^\s()]*(?:\([^\s()]*\)[^\s()]*)*)"
_TITLE = r"(?:[ \t]*\n?[ \t]*(?:\"(?:\\.|[^\"\\])*\"|'(?:\\.|[^'\\])*'|\((?:\\.|[^()\\])*\)))?"
_INLINE = re.compile(rf"[ \t]*\n?[ \t]*{_DESTINATION}(?:(?=[ \t\n)]){_TITLE})[ \t]*\n?[ \t]*\)")
_SPACED = re.compile(r"[ \t]*(?P<to>[^\s()<>\"'][^()<>\"'\n]*?)[ \t]*\)")
_DEFINITION = re.compile(rf"^ {{0,3}}\[(?!\^)[^\]\n]+\]:[ \t]*\n?[ \t]*{_DESTINATION}", re.MULTILINE)
_WIKI = re.compile(r"(?P<image>!?)\[\[(?P<to>[^\[\]\n|]+)(?:\|[^\[\]\n]*)?\]\]")
_HTML_IMAGE = re.compile(r"<img\b[^>]*?\bsrc\s*=\s*(?P<quote>[\"'])(?P<to>.*?)(?P=quote)", re.IGNORECASE)
_ESCAPED = re.compile(r"\\([!-/:-@\[-`{-~])")
_IMAGE_NAME = re.compile(r"\.(?:png|jpe?g|svg|gif|webp|bmp)$", re.IGNORECASE)


class Kind(StrEnum):
    """How a target is named."""

    IMAGE = "image"
    LINK = "link"
    DEFINITION = "definition"
    SPACED = "spaced"
    WIKI = "wiki"
    HTML = "html"


@dataclass(frozen=True, slots=True)
class Link:
    """One destination. `text[start:end]` is how it is written; `target` what that means, without `#…` and `?…`.

    `line` counts from 1 in the text; `image` says whether a picture is wanted (for a definition: by its name).
    """

    kind: Kind
    target: str
    fragment: str
    start: int
    end: int
    line: int
    image: bool


def find_links(text: str, body_line: int = 1) -> list[Link]:
    """All destinations in `text` from line `body_line` on, in order."""
    if not _MAY_LINK.search(text):
        return []
    plain = masked(text, body_line)
    found = [*_inline(plain), *_definitions(plain), *_others(plain)]
    found.sort(key=lambda one: one[1])
    return [_link(kind, text, start, end, image) for kind, start, end, image in found]


_Place = tuple[Kind, int, int, bool]


def _inline(plain: str) -> Iterator[_Place]:
    position = plain.find("](")
    while position >= 0:
        opened = _opening(plain, position)
        if opened is not None:
            image = opened > 0 and plain[opened - 1] == "!" and not _escaped(plain, opened - 1)
            matched = _INLINE.match(plain, position + 2)
            if matched is not None:
                yield Kind.IMAGE if image else Kind.LINK, *matched.span("to"), image
            else:
                spaced = _SPACED.match(plain, position + 2)
                if spaced is not None and " " in spaced["to"] and "." in spaced["to"]:
                    yield Kind.SPACED, *spaced.span("to"), image
        position = plain.find("](", position + 2)


def _opening(plain: str, closing: int) -> int | None:
    """Where the bracket that `plain[closing]` closes was opened, in the same paragraph; None without one."""
    if _escaped(plain, closing):
        return None
    depth = 0
    lowest = max(plain.rfind("\n\n", 0, closing), closing - 2000, -1)
    for index in range(closing, lowest, -1):
        if plain[index] in "[]" and not _escaped(plain, index):
            depth += 1 if plain[index] == "]" else -1
            if depth == 0:
                return index
    return None


def _escaped(plain: str, index: int) -> bool:
    count = 0
    while index - count > 0 and plain[index - count - 1] == "\\":
        count += 1
    return count % 2 == 1


def _definitions(plain: str) -> Iterator[_Place]:
    for matched in _DEFINITION.finditer(plain):
        if matched["to"]:
            yield Kind.DEFINITION, *matched.span("to"), bool(_IMAGE_NAME.search(matched["to"].strip("<>")))


def _others(plain: str) -> Iterator[_Place]:
    for matched in _WIKI.finditer(plain):
        yield Kind.WIKI, *matched.span("to"), bool(matched["image"])
    for matched in _HTML_IMAGE.finditer(plain):
        yield Kind.HTML, *matched.span("to"), True


def _link(kind: Kind, text: str, start: int, end: int, image: bool) -> Link:
    target, fragment = meaning(text[start:end])
    return Link(kind, target, fragment, start, end, text.count("\n", 0, start) + 1, image)


def meaning(written: str) -> tuple[str, str]:
    """What a written destination names (decoded), and the `#…` or `?…` behind it as written."""
    inner = written[1:-1] if written.startswith("<") and written.endswith(">") else written
    cut = min((place for place in (inner.find("#"), inner.find("?")) if place >= 0), default=len(inner))
    return unquote(html.unescape(_ESCAPED.sub(r"\1", inner[:cut]))), inner[cut:]


def written(target: str, fragment: str = "") -> str:
    """`target` as a destination that every Markdown reader understands."""
    whole = target.replace("%", "%25") + fragment
    if any(char in whole for char in " \t()<>"):
        return "<" + whole.replace("<", "%3C").replace(">", "%3E") + ">"
    return whole


def masked(text: str, body_line: int = 1) -> str:
    """`text` with front matter, code, formulas and comments turned into spaces; places and lines stay the same."""
    lines = text.split("\n")
    hidden = set(range(body_line - 1))
    body = "\n".join(lines[body_line - 1 :])
    if _MAY_BE_CODE.search(body):
        for token in _blocks().parse(body):
            if token.type in ("fence", "code_block") and token.map:
                hidden.update(range(token.map[0] + body_line - 1, token.map[1] + body_line - 1))
    plain = "\n".join(" " * len(line) if number in hidden else line for number, line in enumerate(lines))
    return _MASKED.sub(lambda found: re.sub(r"[^\n]", " ", found[0]), plain)


@cache
def _blocks() -> MarkdownIt:
    """A parser of blocks only: it has no state between texts, and inline parsing is most of the work."""
    parser = MarkdownIt("commonmark").enable("table")
    parser.core.ruler.disable(["inline", "text_join"])
    return parser
