"""A document as pieces to show: each knows its lines in the file, and its text is harmless already."""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator
from dataclasses import dataclass, field, replace
from urllib.parse import unquote

from markdown_it import MarkdownIt
from markdown_it.rules_block import StateBlock
from markdown_it.token import Token
from mdit_py_plugins.dollarmath import dollarmath_plugin
from rich.style import Style
from rich.text import Text

from kb.search.sections import COMMENT_LINES, comment_end
from kb.tree.document import Facts, Parsed
from kb.tree.walk import is_document
from tui import formula
from tui.words import shown

# Beyond this many characters a document is cut at blank lines only: parsing it would take many seconds.
PARSE_LIMIT = 1_500_000
_HAN = re.compile(r"[\u2e80-\u9fff\uff00-\uffef]")
_BOLD, _ITALIC, _STRIKE = Style(bold=True), Style(italic=True), Style(strike=True)


def _skip_comment(state: StateBlock, first: int, end: int, silent: bool) -> bool:
    """A rule of the Markdown parser: an HTML comment by itself makes no token (the mark of a page is one)."""
    below = state.getLines(first, min(end, first + COMMENT_LINES), state.blkIndent, False).split("\n")
    length = comment_end(below, 0)
    if length and not silent:
        state.line = first + length
    return length > 0


_MARKDOWN = MarkdownIt("commonmark", {"html": False}).enable(["table", "strikethrough"])
dollarmath_plugin(_MARKDOWN, allow_space=False, allow_digits=False, double_inline=True)
_MARKDOWN.block.ruler.before("paragraph", "comment", _skip_comment, {"alt": ["paragraph", "reference", "blockquote"]})


@dataclass(frozen=True, slots=True)
class Row:
    """A table row: its line in the file and its cells."""

    line: int
    cells: tuple[Text, ...]


@dataclass(frozen=True, slots=True)
class Piece:
    """One piece of a page.

    `kind` is heading, text, code, formula, table, picture or rule. `level` is a heading's level; `indent` and
    `marker` place a list item; `links` are the documents that the style meta `link` of the text points to.
    """

    kind: str
    first: int
    last: int
    text: Text = field(default_factory=Text)
    level: int = 0
    indent: int = 0
    marker: str = ""
    quoted: bool = False
    rows: tuple[Row, ...] = ()
    target: str = ""
    links: tuple[str, ...] = ()

    def touches(self, lines: tuple[int, int]) -> bool:
        """Whether the piece stands in these lines."""
        return self.first <= lines[1] and lines[0] <= self.last


@dataclass(frozen=True, slots=True)
class Page:
    """A document to show: its facts, its pieces, and its source lines for searching in it."""

    facts: Facts
    pieces: tuple[Piece, ...]
    lines: tuple[str, ...]
    body_line: int
    simplified: bool = False


def page_of(parsed: Parsed) -> Page:
    """The page of a document."""
    lines = parsed.lines
    body = "\n".join(lines[parsed.body_line - 1 :])
    simplified = len(body) > PARSE_LIMIT
    found = _simple(lines, parsed.body_line) if simplified else _pieces(body, parsed.body_line)
    pieces = list(found)
    if pieces and pieces[0].kind == "heading" and pieces[0].text.plain.strip() == shown(parsed.facts.title).strip():
        pieces.pop(0)
    return Page(parsed.facts, tuple(pieces), tuple(lines), parsed.body_line, simplified)


def _simple(lines: list[str], body_line: int) -> Iterator[Piece]:
    """Paragraphs and headings by blank lines and # alone."""
    start: int | None = None
    comment = 0
    for number in range(body_line, len(lines) + 2):
        content = lines[number - 1] if number <= len(lines) else ""
        if content.startswith("<!--"):
            comment = max(comment, comment_end(lines, number - 1))
        if number <= comment:
            content = ""
        if content.strip() and not content.startswith("#") and (start is None or number - start < 40):
            start = number if start is None else start
            continue
        if start is not None:
            yield Piece("text", start, number - 1, Text(shown("\n".join(lines[start - 1 : number - 1]))))
            start = None
        if content.startswith("#"):
            title = content.lstrip("#")
            yield Piece("heading", number, number, Text(shown(title.strip())), level=len(content) - len(title))
        elif content.strip():
            start = number


def _pieces(body: str, body_line: int) -> Iterator[Piece]:
    tokens = _MARKDOWN.parse(body)
    lists: list[int | None] = []
    quotes = 0
    marker = ""
    position = 0
    while position < len(tokens):
        token = tokens[position]
        first, last = _lines(token, body_line)
        indent = max(len(lists) - 1, 0)
        if token.type in ("bullet_list_open", "ordered_list_open"):
            lists.append(int(token.attrs.get("start", 1)) if token.type[0] == "o" else None)
        elif token.type in ("bullet_list_close", "ordered_list_close"):
            lists.pop()
        elif token.type == "list_item_open":
            number = lists[-1]
            marker = "•" if number is None else f"{number}."
            lists[-1] = None if number is None else number + 1
        elif token.type == "blockquote_open":
            quotes += 1
        elif token.type == "blockquote_close":
            quotes -= 1
        elif token.type == "table_open":
            end = next(i for i in range(position, len(tokens)) if tokens[i].type == "table_close")
            yield Piece("table", first, last, rows=tuple(_rows(tokens[position:end], body_line)))
            position = end
        elif token.type == "heading_open":
            text, _, _ = _inline(tokens[position + 1])
            yield Piece("heading", first, last, text, level=int(token.tag[1]))
        elif token.type == "inline" and tokens[position - 1].type == "paragraph_open":
            for piece in _paragraph(token, first, last):
                if piece.kind == "text":
                    piece = replace(
                        piece, indent=indent if lists else 0, marker=marker, quoted=quotes > 0,
                        level=1 if lists else 0,
                    )  # fmt: skip
                    marker = ""
                yield piece
        elif token.type in ("fence", "code_block"):
            code = Text(shown(token.content.rstrip("\n")))
            yield Piece("code", first, last, code, indent=len(lists))
        elif token.type in ("math_block", "math_block_label"):
            yield Piece("formula", first, last, Text(shown(formula.readable(token.content))))
        elif token.type == "hr":
            yield Piece("rule", first, last)
        position += 1


def _lines(token: Token, body_line: int) -> tuple[int, int]:
    start, end = token.map or (0, 1)
    return start + body_line, max(end, start + 1) + body_line - 1


def _rows(tokens: list[Token], body_line: int) -> Iterator[Row]:
    line = 0
    cells: list[Text] = []
    for token in tokens:
        if token.type == "tr_open":
            line, cells = _lines(token, body_line)[0], []
        elif token.type == "inline":
            cells.append(_inline(token)[0])
        elif token.type == "tr_close":
            yield Row(line, tuple(cells))


def _paragraph(token: Token, first: int, last: int) -> Iterator[Piece]:
    """A paragraph, and each picture in it as a piece of its own."""
    text, links, pictures = _inline(token)
    if text.plain.strip():
        text.rstrip()
        yield Piece("text", first, last, text, links=links)
    for target, alt in pictures:
        yield Piece("picture", first, last, Text(alt), target=target)


def _inline(token: Token) -> tuple[Text, tuple[str, ...], list[tuple[str, str]]]:
    """An inline token as text, the documents it links to, and its pictures as (target, alt)."""
    text = Text(end="")
    links: list[str] = []
    pictures: list[tuple[str, str]] = []
    styles: list[Style] = []

    def add(value: str, style: Style | None = None) -> None:
        combined = Style.combine([*styles, style] if style else styles) if styles or style else Style()
        text.append(shown(value), combined)

    children = token.children or []
    for place, child in enumerate(children):
        if child.type == "text":
            add(child.content)
        elif child.type == "code_inline":
            add(child.content, _BOLD)
        elif child.type in ("math_inline", "math_inline_double"):
            add(formula.readable(child.content), _ITALIC)
        elif child.type == "softbreak":
            add(_joint(text.plain, children[place + 1 : place + 2]))
        elif child.type == "hardbreak":
            add("\n")
        elif child.type == "image":
            pictures.append((unquote(str(child.attrs.get("src", ""))), shown(child.content)))
        elif child.type in ("strong_open", "em_open", "s_open"):
            styles.append({"s": _BOLD, "e": _ITALIC}[child.type[0]] if child.type != "s_open" else _STRIKE)
        elif child.type in ("strong_close", "em_close", "s_close", "link_close"):
            if styles:
                styles.pop()
        elif child.type == "link_open":
            target = unquote(str(child.attrs.get("href", "")))
            if is_document_link(target):
                styles.append(Style(underline=True, meta={"link": len(links)}))
                links.append(target)
            else:
                styles.append(Style())
        elif child.content:
            add(child.content)
    return text, tuple(links), pictures


def _joint(before: str, following: Iterable[Token]) -> str:
    """What a line break inside a paragraph becomes: nothing between Chinese characters, else a space."""
    after = next((token.content[:1] for token in following), "")
    return "" if before and (_HAN.match(before[-1]) or (after and _HAN.match(after))) else " "


def is_document_link(target: str) -> bool:
    """Whether a link may lead to another document: a relative path to Markdown."""
    path = target.split("#", 1)[0]
    return is_document(path) and not re.match(r"^[a-zA-Z][a-zA-Z0-9+.-]*:", path) and not path.startswith(("/", "\\"))


def linked_path(document: str, target: str) -> str | None:
    """The path below the root that `target` names from `document`; None when it leads outside."""
    parts = document.split("/")[:-1]
    for part in target.split("#", 1)[0].split("/"):
        if part == "..":
            if not parts:
                return None
            parts.pop()
        elif part not in ("", "."):
            parts.append(part)
    return "/".join(parts) or None


def outline(page: Page) -> list[Piece]:
    """The headings of a page."""
    return [piece for piece in page.pieces if piece.kind == "heading"]


def places(page: Page, typed: str, limit: int = 500) -> list[tuple[int, int]]:
    """The lines of the page that hold `typed`, ignoring case, as ranges of one line."""
    wanted = typed.casefold().strip()
    if not wanted:
        return []
    found: list[tuple[int, int]] = []
    for number, content in enumerate(page.lines[page.body_line - 1 :], page.body_line):
        if wanted in content.casefold():
            found.append((number, number))
            if len(found) >= limit:
                break
    return found
