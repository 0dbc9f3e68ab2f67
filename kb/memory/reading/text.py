"""Markdown and plain text as blocks."""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence
from itertools import pairwise
from pathlib import Path

from markdown_it import MarkdownIt
from markdown_it.token import Token

from kb.memory.block import Block, Kind
from kb.memory.reading.marks import CAPTION, ENDS_SENTENCE, NUMBER, SECTION, section_level, split_bullet
from kb.memory.reading.pdf_lines import join_texts
from kb.memory.reading.tables import markdown_table
from kb.tree import frontmatter
from kb.tree.textfile import read_text

_IMAGE_ONLY = re.compile(r"^!\[[^\]]*\]\([^)]*\)$")
_UNDERLINE = re.compile(r"^[=\-~*]{4,}$")
# CommonMark takes a footnote for the definition of a link, and leaves it out.
_FOOTNOTE = re.compile(r"^\\?\[(\^[^\]\s]{1,40})\]:[ \t]*", re.MULTILINE)
_ITEM_MARK = re.compile(r"^\s*(?:[-*+]|(\d{1,9}[.)]))\s+")


def read_markdown(path: Path) -> list[Block]:
    """The blocks of a Markdown file, front matter left out. Raises KnowledgeError when it cannot be decoded."""
    text = read_text(path).text
    try:
        body = frontmatter.split(text).body
    except frontmatter.FrontMatterError:
        body = text
    return list(_of_tokens(body))


def _of_tokens(body: str) -> Iterator[Block]:
    body = _FOOTNOTE.sub(r"\\[\1]: ", body)
    lines = body.split("\n")
    tokens = MarkdownIt("commonmark", {"maxNesting": 60}).enable("table").parse(body)
    depth = 0
    quoted = 0
    skip_to = -1
    for place, token in enumerate(tokens):
        if token.type in ("bullet_list_open", "ordered_list_open"):
            depth += 1
        elif token.type in ("bullet_list_close", "ordered_list_close"):
            depth -= 1
        elif token.type == "blockquote_open":
            quoted += 1
            if quoted == 1 and token.map:
                yield Block(Kind.QUOTE, _unquoted(lines[token.map[0] : token.map[1]]))
        elif token.type == "blockquote_close":
            quoted -= 1
        if quoted or not token.map or token.map[0] < skip_to:
            continue
        if token.type == "heading_open":
            yield Block(Kind.HEADING, _inline(tokens, place), level=int(token.tag[1]))
        elif token.type in ("fence", "code_block"):
            yield Block(Kind.CODE, token.content.rstrip("\n"))
        elif token.type == "table_open":
            yield Block(Kind.TABLE, markdown_table(_cells(tokens, place)))
            skip_to = token.map[1]
        elif token.type == "html_block":
            yield from _html(token)
        elif token.type == "paragraph_open":
            raw = "\n".join(lines[token.map[0] : token.map[1]]).strip()
            yield from _paragraph(_inline(tokens, place), raw, depth, _opens_item(tokens, place))


def _inline(tokens: Sequence[Token], place: int) -> str:
    """The words of the block that opens at `place`, without emphasis marks and link targets."""
    return _words(tokens[place + 1]) if place + 1 < len(tokens) else ""


def _words(token: Token) -> str:
    parts: list[str] = []
    for child in token.children or ():
        if child.type in ("text", "code_inline"):
            parts.append(child.content)
        elif child.type in ("softbreak", "hardbreak"):
            parts.append("\n")
        elif child.type == "image":
            parts.append(child.content)
    return "".join(parts).strip()


def _cells(tokens: Sequence[Token], place: int) -> list[list[str]]:
    """The rows of the table that opens at `place`."""
    rows: list[list[str]] = []
    for token, following in pairwise(tokens[place:]):
        if token.type == "table_close":
            break
        if token.type == "tr_open":
            rows.append([])
        elif token.type in ("th_open", "td_open"):
            rows[-1].append(_words(following))
    return rows


def _opens_item(tokens: Sequence[Token], place: int) -> bool:
    return place > 0 and tokens[place - 1].type == "list_item_open"


def _paragraph(text: str, raw: str, depth: int, opens: bool) -> Iterator[Block]:
    """A paragraph, item, note, picture or formula; `raw` is as the file has it."""
    if _FOOTNOTE.match(raw):
        yield Block(Kind.FOOTNOTE, text)
    elif raw.startswith("$$") and raw.endswith("$$") and len(raw) > 4:
        yield Block(Kind.FORMULA, raw.strip("$").strip())
    elif _IMAGE_ONLY.match(raw):
        yield Block(Kind.IMAGE, raw)
    elif depth and opens:
        mark = _ITEM_MARK.match(raw)
        number = f"{mark[1]} " if mark and mark[1] else ""
        yield Block(Kind.ITEM, number + text, level=min(depth - 1, 6))
    elif text:
        yield Block(Kind.PARAGRAPH, text)


def _html(token: Token) -> Iterator[Block]:
    text = re.sub(r"<!--.*?-->", "", token.content, flags=re.DOTALL)
    text = " ".join(re.sub(r"<[^<>]{0,500}>", " ", text).split())
    if text:
        yield Block(Kind.PARAGRAPH, text)


def _unquoted(lines: Sequence[str]) -> str:
    return "\n".join(re.sub(r"^\s{0,3}>\s?", "", line) for line in lines).strip()


# -- plain text ----------------------------------------------------------------------------------------------------


def read_plain(path: Path) -> list[Block]:
    """The blocks of a text file: paragraphs, headings by their number or underline, items, tables of tabs."""
    return list(_of_lines(read_text(path).text.replace("\f", "\n\n").split("\n")))


def _of_lines(lines: Sequence[str]) -> Iterator[Block]:
    lengths = sorted(len(line.rstrip()) for line in lines if len(line.strip()) > 20)
    full = lengths[int(0.8 * (len(lengths) - 1))] if lengths else 0
    index = 0
    while index < len(lines):
        if not lines[index].strip():
            index += 1
            continue
        end = _tabular(lines, index)
        if end - index >= 2:
            rows = [[cell.strip() for cell in line.strip("\n").split("\t")] for line in lines[index:end]]
            yield Block(Kind.TABLE, markdown_table(rows))
            index = end
            continue
        text = lines[index].strip()
        following = lines[index + 1].strip() if index + 1 < len(lines) else ""
        alone = (index == 0 or not lines[index - 1].strip()) and not following
        if _UNDERLINE.match(following) and len(following) >= min(len(text), 4):
            yield Block(Kind.HEADING, text, level=1 if following[0] == "=" else 2)
            index += 2
            continue
        if _UNDERLINE.match(text):
            index += 1
            continue
        if _is_heading(text, alone):
            yield Block(Kind.HEADING, text, level=section_level(text) or 1)
            index += 1
            continue
        block, index = _gathered(lines, index, full)
        yield block


def _is_heading(text: str, alone: bool) -> bool:
    found = SECTION.match(text)
    if len(text) > 40 or text[-1] in "。.;；，,:：、!！?？" or split_bullet(text) is not None:
        return False
    if found and (found["chapter"] or found["part"] or found["section"] or found["english"]):
        return True
    return alone and bool(found) and not NUMBER.match(text)


def _tabular(lines: Sequence[str], index: int) -> int:
    """Where lines with the same number of tabs end."""
    count = lines[index].strip("\n").count("\t")
    end = index
    while count and end < len(lines) and lines[end].strip("\n").count("\t") == count:
        end += 1
    return end


def _gathered(lines: Sequence[str], index: int, full: int) -> tuple[Block, int]:
    """A paragraph or item from line `index` on. Lines that fill the usual width are parts of one paragraph; shorter
    ones end it."""
    first = lines[index]
    text = first.strip()
    bare = split_bullet(text)
    item = bare is not None or bool(NUMBER.match(text))
    indent = len(first) - len(first.lstrip())
    text = bare if bare is not None else text
    end = index + 1
    last = first.rstrip()
    while end < len(lines) and lines[end].strip():
        line = lines[end].strip()
        if split_bullet(line) is not None or NUMBER.match(line) or SECTION.match(line) or _UNDERLINE.match(line):
            break
        if len(last) < 0.75 * full or (ENDS_SENTENCE.search(last) and len(last) < 0.9 * full) or full > 400:
            break
        text = join_texts(text, line)
        last = lines[end].rstrip()
        end += 1
    kind = Kind.ITEM if item else Kind.CAPTION if CAPTION.match(text) and len(text) < 80 else Kind.PARAGRAPH
    return Block(kind, text, level=min(indent // 2, 6) if item else 0), end
