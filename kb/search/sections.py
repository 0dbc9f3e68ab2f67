"""Structure-first sections of a document: what is indexed, ranked and cited.

A line scanner finds the blocks (headings, paragraphs, list items, tables, code fences, quotes); sections follow
the headings, and a long one is cut between blocks, or inside a paragraph between sentences. A table, a list item
and a code fence are never cut, unless one alone is larger than HARD_LIMIT characters. Rules and comments are no blocks.
"""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence
from dataclasses import dataclass, replace
from itertools import pairwise

from kb.tree.document import Parsed

# Part of the index fingerprint: raise it when sections change.
VERSION = "6"

# The embedder reads 512 tokens, about 700 Chinese characters or 2,000 English ones; `weight` counts a Chinese
# character as 1 and others as 0.35, so that a section fits.
SOFT_LIMIT = 620.0
HARD_LIMIT = 12_000
# A comment that is not closed after so many lines is text: what is read for its end stays little.
COMMENT_LINES = 60

_ATX = re.compile(r"^ {0,3}(#{1,6})(?:[ \t]+(.*?))?[ \t]*#*[ \t]*$")
_SETEXT = re.compile(r"^ {0,3}(=+|-+)[ \t]*$")
_FENCE = re.compile(r"^ {0,3}(`{3,}|~{3,})")
_BULLET = re.compile(r"^( *)(?:[-*+•][ \t]+|\d{1,3}[.)][ \t]+|\d{1,3}、|[（(]\d{1,3}[)）])(?=\S)")
_TABLE_RULE = re.compile(r"^ *\|? *:?-{1,} *:?(?: *\| *:?-{1,} *:?)* *\|? *$")
# An English full stop behind one of these, or behind a single capital (a name's initial), ends no sentence.
_ABBREVIATED = """
approx ca no nos max min fig figs eq vs etc e.g i.e cf vol dr mr mrs ms prof st sp spp var cv ref sec tab p pp jan feb
mar apr jun jul aug sep sept oct nov dec u.s inc ltd co dept temp avg incl excl
"""
_ABBREVIATIONS = frozenset(_ABBREVIATED.split())
_RULE = re.compile(r"^ {0,3}(?:[-*_][ \t]*){3,}$")
_COMMENT = re.compile(r"^ {0,3}<!--")
# What a line ends with (emphasis aside), or a caption begins with, that belongs to the list, table, code or formula
# below it. The end alone is looked at: of all lines of a document few are such.
_ANNOUNCING = re.compile(r"(?:[:：]|(?:如下|as follows)[。.]?)$", re.IGNORECASE)
_LONGEST_ANNOUNCING = len("as follows.")
_CAPTION = re.compile(r"\**(?:表|table)\s?\d[^。]*$", re.IGNORECASE)
_LINK = re.compile(r"!?\[([^\]]*)\]\([^)]*\)")
_EMPHASIS = re.compile(r"(\*\*|__|`)(.+?)\1")
# What lines of these kinds begin with.
_BULLETS = frozenset("-*+•(（0123456789")
_FENCES = frozenset("`~")
_RULES = frozenset("-*_")
_SETEXTS = frozenset("=-")
# Not the question mark inside an address.
_SENTENCE_END = re.compile(
    r"(?:[。！？；]|[!?](?![A-Za-z0-9_%=&/#+]))(?:[”’」』）)]|\*+(?=\s|$))*|\.(?=\s+[A-Z\"'(\d])|\n"
)


@dataclass(frozen=True, slots=True)
class Block:
    """A piece of Markdown: `kind` is paragraph, item, table, code, quote or formula; lines count from 1.

    `lead` is what it has to be read with: the line that leads into a list, table, code or formula, a table's caption,
    and the items that a nested item stands below, one a line.
    """

    kind: str
    start: int
    end: int
    text: str
    lead: str = ""


@dataclass(frozen=True, slots=True)
class Section:
    """Consecutive blocks under one heading. `trail` holds the headings from the outermost inwards."""

    trail: tuple[str, ...]
    start: int
    end: int
    blocks: tuple[Block, ...]

    @property
    def text(self) -> str:
        """The section's own text, without headings."""
        return "\n".join(block.text for block in self.blocks)


def sections(text: str, first_line: int = 1, title: str = "") -> list[Section]:
    """The sections of `text`, a file whose body starts at `first_line` (front matter lies above).

    A document without a heading gives sections with the trail (`title`,), one without a body a bare one. A heading
    without text and without headings below it is a section without blocks; one with headings below stands in their
    trails.
    """
    lines = text.split("\n")
    found: list[Section] = []
    trail: list[tuple[int, str]] = []
    start = first_line
    blocks: list[Block] = []

    def close(end: int) -> None:
        names = tuple(name for _, name in trail) or ((title,) if title else ())
        found.extend(_divide(names, start, end, blocks))

    for entry in _scan(lines, first_line - 1):
        if isinstance(entry, Block):
            blocks.append(entry)
            continue
        level, name, line = entry
        if blocks or trail:
            close(line - 1)
        while trail and trail[-1][0] >= level:
            trail.pop()
        trail.append((level, name))
        start, blocks = line, []
    if blocks or trail:
        close(len(lines))
    if not found and title:
        # A document without a body can still be found by what its front matter says.
        found.append(Section((title,), first_line, first_line, ()))
    return [section for place, section in enumerate(found) if section.blocks or _is_bare(found, place)]


def document_sections(parsed: Parsed) -> list[Section]:
    """The sections of a document with the file's own line numbers."""
    return sections(parsed.text, parsed.body_line, parsed.facts.title)


def _is_bare(found: list[Section], place: int) -> bool:
    """Whether a heading without text has no section below it either, and so must be found by itself."""
    trail = found[place].trail
    following = found[place + 1].trail if place + 1 < len(found) else ()
    return following[: len(trail)] != trail


Heading = tuple[int, str, int]


def _scan(lines: list[str], index: int) -> Iterator[Block | Heading]:
    """Blocks and headings from line `index` (0-based) on."""
    total = len(lines)
    while index < total:
        line = lines[index]
        if not line.strip():
            index += 1
            continue
        # Cheap looks first: most lines are none of what the patterns are for.
        heading = _ATX.match(line) if "#" in line[:4] else None
        if heading:
            yield len(heading[1]), _clean(heading[2] or ""), index + 1
            index += 1
            continue
        end, kind = _extent(lines, index)
        if kind == "setext":
            level = 1 if lines[end - 1].strip().startswith("=") else 2
            yield level, _clean(" ".join(lines[index : end - 1])), index + 1
        elif kind not in ("rule", "comment"):
            yield Block(kind, index + 1, end, "\n".join(lines[index:end]).rstrip())
        index = end


def _extent(lines: list[str], index: int) -> tuple[int, str]:
    """Where the block that begins at `index` ends (exclusive), and what it is."""
    line = lines[index]
    first = line.lstrip()[:1]
    fence = _FENCE.match(line) if first in _FENCES else None
    if fence:
        return _until_fence(lines, index, fence[1]), "code"
    if line.strip().startswith("$$"):
        return _until_formula(lines, index), "formula"
    if "|" in line and index + 1 < len(lines) and "-" in lines[index + 1] and _TABLE_RULE.match(lines[index + 1]):
        end = index + 2
        while end < len(lines) and "|" in lines[end] and lines[end].strip():
            end += 1
        return end, "table"
    if first in _RULES and _RULE.match(line):
        return index + 1, "rule"
    if first == "<" and (end := comment_end(lines, index)):
        return end, "comment"
    item = _BULLET.match(line) if first in _BULLETS else None
    if item:
        return _until_item_ends(lines, index, len(item[1])), "item"
    end = index + 1
    while end < len(lines) and lines[end].strip():
        following = lines[end]
        first = following.lstrip()[:1]
        if first in _SETEXTS and _SETEXT.match(following) and "|" not in following:
            return end + 1, "setext"
        if _begins_block(following, first):
            break
        if "|" in following and end + 1 < len(lines) and _TABLE_RULE.match(lines[end + 1]):
            break
        end += 1
    return end, "quote" if line.lstrip().startswith(">") else "paragraph"


def _begins_block(line: str, first: str) -> bool:
    """Whether a line that begins with the character `first` ends the paragraph or item before it."""
    return (
        (first in _BULLETS and _BULLET.match(line) is not None)
        or (first == "#" and _ATX.match(line) is not None)
        or (first in _FENCES and _FENCE.match(line) is not None)
        or (first == "<" and _COMMENT.match(line) is not None)
    )


def _until_fence(lines: list[str], index: int, fence: str) -> int:
    for end in range(index + 1, len(lines)):
        closing = lines[end].strip()
        if closing.startswith(fence) and not closing.strip(fence[0]):
            return end + 1
    return len(lines)


def comment_end(lines: Sequence[str], index: int) -> int:
    """Where the HTML comment that begins at line `index` ends (exclusive).

    0 where none begins, or where one is followed by text on its last line, which is shown like any other.
    """
    if not _COMMENT.match(lines[index]):
        return 0
    start = lines[index].index("<!--") + 4
    for end in range(index, min(index + COMMENT_LINES, len(lines))):
        closing = lines[end].find("-->", start)
        if closing >= 0:
            return 0 if lines[end][closing + 3 :].strip() else end + 1
        start = 0
    return 0


def _until_formula(lines: list[str], index: int) -> int:
    if lines[index].count("$$") >= 2:
        return index + 1
    for end in range(index + 1, min(index + 60, len(lines))):
        if "$$" in lines[end]:
            return end + 1
    return index + 1


def _until_item_ends(lines: list[str], index: int, indent: int) -> int:
    """An item reaches to the next item, heading or fence, or a blank line before text that is not indented."""
    end = index + 1
    while end < len(lines):
        line = lines[end]
        if not line.strip():
            following = lines[end + 1] if end + 1 < len(lines) else ""
            if not re.match(rf"^ {{{indent + 2},}}\S", following) or _BULLET.match(following):
                return end
        elif _begins_block(line, line.lstrip()[:1]):
            return end
        end += 1
    return end


def _clean(heading: str) -> str:
    """A heading's words without emphasis marks and links."""
    if "](" in heading:
        heading = _LINK.sub(r"\1", heading)
    if "*" in heading or "_" in heading or "`" in heading:
        heading = _EMPHASIS.sub(r"\2", heading)
    return heading.strip()


def weight(text: str) -> float:
    """How long a text is for the embedder, in Chinese characters."""
    # Chinese characters take three bytes in UTF-8, Latin ones one: counted so, the weight costs a microsecond.
    wide = 0.0 if text.isascii() else (len(text.encode("utf-8", "replace")) - len(text)) / 2
    return wide + 0.35 * (len(text) - wide)


def _divide(trail: tuple[str, ...], start: int, end: int, blocks: list[Block]) -> list[Section]:
    """One section, or several where the blocks together are longer than SOFT_LIMIT."""
    if not blocks:
        return [Section(trail, start, max(start, end), ())]
    whole = list(with_leads(blocks))
    if sum(weight(block.text) for block in whole) <= SOFT_LIMIT:
        return [_section(trail, start, whole)]
    pieces = [piece for block in whole for piece in _cut(block)]
    parts: list[Section] = []
    chosen: list[Block] = []
    size = 0.0
    for piece in pieces:
        added = weight(piece.text)
        lead_in = chosen and chosen[-1].text.rstrip().endswith((":", "："))
        if chosen and size + added > SOFT_LIMIT and not lead_in:
            parts.append(_section(trail, start if not parts else chosen[0].start, chosen))
            chosen, size = [], 0.0
        chosen.append(piece)
        size += added
    parts.append(_section(trail, start if not parts else chosen[0].start, chosen))
    return parts


def with_leads(blocks: Sequence[Block]) -> Iterator[Block]:
    """The `blocks` under one heading, each with its `lead`."""
    lead = ""
    above: list[tuple[int, str]] = []
    for block in blocks:
        if block.kind == "item":
            indent = _indent(block.text)
            while above and above[-1][0] >= indent:
                above.pop()
            leads = [*([lead] if lead else []), *(line for _, line in above)]
            yield replace(block, lead="\n".join(leads)) if leads else block
            above.append((indent, block.text.split("\n", 1)[0].strip()))
            continue
        yield replace(block, lead=lead) if lead and block.kind not in ("paragraph", "quote") else block
        above.clear()
        last = block.text[block.text.rstrip().rfind("\n") + 1 :].strip()
        lead = last if block.kind == "paragraph" and _announces(last) else ""


def _indent(text: str) -> int:
    return len(text) - len(text.lstrip(" "))


def leads_in(text: str) -> bool:
    """Whether `text` ends with a line that only announces what comes after it."""
    return _announces(text.rstrip().rsplit("\n", 1)[-1].strip())


def _announces(line: str) -> bool:
    bare = line.rstrip("*")
    return bool(_ANNOUNCING.search(bare, max(0, len(bare) - _LONGEST_ANNOUNCING)) or _CAPTION.match(line))


def _section(trail: tuple[str, ...], start: int, blocks: list[Block]) -> Section:
    return Section(trail, start, blocks[-1].end, tuple(blocks))


def _cut(block: Block) -> list[Block]:
    """A long paragraph as several, cut between sentences; other blocks only beyond HARD_LIMIT, between lines."""
    if block.kind == "paragraph" and weight(block.text) > SOFT_LIMIT:
        return _cut_sentences(block)
    if len(block.text) <= HARD_LIMIT or block.kind == "table":
        return [block]
    return _cut_lines(block)


def _cut_sentences(block: Block) -> list[Block]:
    pieces: list[Block] = []
    current: list[str] = []
    size = 0.0
    line = first = block.start
    for sentence, newlines in split_sentences(block.text):
        added = weight(sentence)
        if current and size + added > SOFT_LIMIT:
            pieces.append(Block(block.kind, first, line - current[-1].endswith("\n"), "".join(current)))
            current, size, first = [], 0.0, line
        current.append(sentence)
        size += added
        line += newlines
    if "".join(current).strip():
        pieces.append(Block(block.kind, first, min(line, block.end), "".join(current)))
    return pieces


def _cut_lines(block: Block) -> list[Block]:
    pieces: list[Block] = []
    current: list[str] = []
    first = block.start
    size = 0
    for number, line in enumerate(block.text.split("\n"), start=block.start):
        if current and size + len(line) > HARD_LIMIT:
            pieces.append(replace(block, start=first, end=number - 1, text="\n".join(current)))
            current, first, size = [], number, 0
        current.append(line)
        size += len(line)
    pieces.append(replace(block, start=first, text="\n".join(current)))
    return pieces


def split_sentences(text: str) -> list[tuple[str, int]]:
    """The sentences of `text` with their trailing marks, each with the number of line feeds in it.

    Joined together they are `text` again. Abbreviations and decimals do not end a sentence: an English full
    stop counts only before white space and a capital, quote or digit.
    """
    cuts = [found.end() for found in _SENTENCE_END.finditer(text) if not _is_abbreviation(text, found.end())]
    bounds = [0, *(cut for cut in cuts if 0 < cut < len(text)), len(text)]
    parts = [text[a:b] for a, b in pairwise(bounds) if b > a]
    return [(part, part.count("\n")) for part in parts]


def _is_abbreviation(text: str, end: int) -> bool:
    """Whether the full stop before `end` belongs to an abbreviation or an initial."""
    if text[end - 1 : end] != ".":
        return False
    before = text[max(0, end - 13) : end - 1].split()
    word = before[-1].lstrip("([{\"'“‘") if before and not text[end - 2].isspace() else ""
    if word.lower() in _ABBREVIATIONS:
        return True
    # A letter behind a number is a unit: not longer than 8 m.
    unit = len(before) > 1 and before[-2][-1].isdigit()
    return len(word) == 1 and word.isalpha() and word.isascii() and not unit
