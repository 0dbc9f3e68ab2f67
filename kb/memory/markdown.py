"""Blocks as Markdown: what a person reads and Almanac's own search indexes.

Page numbers stand as comments (`<!-- page 3 -->`) before the first block of a page. A table over several pages is one
table with one header. Deleted text is not written, only that there was some: what a document no longer says must never
be found as if it said it.
"""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence

from kb.memory.block import Block, Kind
from kb.memory.reading.marks import NUMBER
from kb.memory.reading.pdf_flow import CONTINUED
from kb.memory.reading.tables import body_rows
from kb.texts import Lang, text
from kb.tree.document import language_of

# What would begin something else than a paragraph, and what would be taken for HTML.
_LEADING = re.compile(r"^(\s*)(#{1,6}(?=\s|$)|[-+*](?=\s|$)|>|`{3,}|~{3,}|\||=+\s*$|-{2,}\s*$|\d{1,9}(?=[.)](?:\s|$)))")
_TAG = re.compile(r"<(?=[A-Za-z/!?])")
_EMPHASIS = re.compile(r"(?<!\\)\*(?=\S[^*\n]*\*)|(?<=\S)(?<!\\)\*")
_OWN_NUMBER = re.compile(r"^\d{1,9}[.)](?=\s)")
_NOTES = {"scan", "unreadable", "turned"}
_MARK = re.compile(r"^(deleted|comment|inserted)(?: by (.+))?$")


def to_markdown(blocks: Sequence[Block], lang: Lang | None = None) -> str:
    """The blocks as a Markdown document without front matter, ending with a line feed; '' for no blocks.

    `lang` is the language of the few words that are not the document's own (default: the document's language).
    """
    if lang is None:
        lang = "zh" if language_of(" ".join(block.text for block in blocks)[:20_000]) == "zh" else "en"
    parts: list[str] = []
    page = 0
    before: Block | None = None
    depth = -1
    for place, block in enumerate(blocks):
        if block.kind == Kind.TABLE and block.note == CONTINUED and before is not None and before.kind == Kind.TABLE:
            parts[-1] += "".join(f"\n{row}" for row in body_rows(block.text))
            page = block.page
            continue
        if block.page and block.page != page:
            page = block.page
            last = _last_page(blocks, place)
            parts.append(f"<!-- page {page}-{last} -->" if last > page else f"<!-- page {page} -->")
            before = None
        if block.kind == Kind.ITEM:
            depth = min(block.level, depth + 1)
            line = _item(block.text, depth)
            if before is not None and before.kind == Kind.ITEM:
                parts[-1] += "\n" + line
            else:
                parts.append(line)
        else:
            written = "\n\n".join(_block(block, lang))
            if not written:
                continue
            parts.append(written)
            depth = -1
        before = block
    return "\n\n".join(parts) + "\n" if parts else ""


def _last_page(blocks: Sequence[Block], place: int) -> int:
    """The last page of a table that begins at `place`."""
    last = blocks[place].page
    for block in blocks[place + 1 :]:
        if block.kind != Kind.TABLE or block.note != CONTINUED:
            break
        last = block.page
    return last


def _block(block: Block, lang: Lang) -> Iterator[str]:
    if block.kind == Kind.HEADING:
        yield f"{'#' * min(max(block.level, 1), 6)} {_inline(' '.join(block.text.split()))}"
    elif block.kind == Kind.TABLE:
        yield block.text
    elif block.kind == Kind.CODE:
        fence = "`" * max(3, max((len(run) for run in re.findall(r"`+", block.text)), default=0) + 1)
        yield f"{fence}\n{block.text}\n{fence}"
    elif block.kind == Kind.FORMULA:
        for line in block.text.split("\n"):
            yield f"$$\n{line}\n$$"
    elif block.kind == Kind.QUOTE:
        yield "\n".join(f"> {_inline(line)}".rstrip() for line in block.text.split("\n"))
    elif block.kind == Kind.IMAGE:
        yield block.text
    elif block.kind == Kind.FOOTNOTE:
        yield " ".join(block.text.split("\n"))
    elif block.kind == Kind.COMMENT:
        written = _comment(block, lang)
        if written:
            yield f"> {written}"
    else:
        yield _lines(block.text)


def _comment(block: Block, lang: Lang) -> str:
    """A remark beside the text in the reader's words; '' for one that says nothing."""
    if block.note in _NOTES:
        return text(lang, f"reading_note_{block.note}", page=block.page)
    found = _MARK.match(block.note)
    kind, who = (found[1], found[2] or "PDF") if found else ("comment", "?")
    if kind == "deleted":
        return text(lang, "reading_note_deleted", who=who)
    return text(lang, "reading_note_comment", who=who, text=_inline(" ".join(block.text.split()))) if block.text else ""


def _lines(paragraph: str) -> str:
    """A paragraph; its own line ends stay line ends."""
    return "  \n".join(_leading(_inline(line)) for line in paragraph.split("\n"))


def _leading(line: str) -> str:
    found = _LEADING.match(line)
    if found is None:
        return line
    if found[2][0].isdigit():
        return f"{line[: found.end()]}\\{line[found.end() :]}"
    return f"{found[1]}\\{line[found.start(2) :]}"


def _inline(line: str) -> str:
    """Without what Markdown would take for HTML or emphasis."""
    if "<" in line:
        line = _TAG.sub(r"\\<", line)
    if line.count("*") > 1:
        line = _EMPHASIS.sub(r"\\*", line)
    return line


def _item(item: str, depth: int) -> str:
    """A list item, its further lines below its text. A number of the kind `1.` is Markdown's own; others stand in a
    bullet."""
    own = _OWN_NUMBER.match(item)
    first, *rest = item.split("\n")
    indent = "    " * depth
    body = _inline(first) if own or NUMBER.match(first) else _leading(_inline(first))
    mark = "" if own else "- "
    further = "".join(f"\n{indent}{' ' * (len(mark) or 3)}{_inline(line)}" for line in rest)
    return f"{indent}{mark}{body}{further}"
