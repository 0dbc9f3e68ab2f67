"""Evidence units: the smallest pieces of a document that can answer and be cited.

A sentence of a paragraph, a list item with the line that leads into its list, a table row with the header, a code
block, a formula with its legend. The text is the document's own, with Markdown marks left in place.
"""

from __future__ import annotations

import re
from dataclasses import dataclass

from kb.search.sections import Block, Section, split_sentences

MAX_UNIT = 900
_HAN = re.compile(r"[\u3400-\u9fff]")
_QUOTE_MARK = re.compile(r"^ {0,3}>+ ?", re.MULTILINE)


@dataclass(frozen=True, slots=True)
class Unit:
    """One piece: `text` verbatim, `context` (table header, lead-in), lines in the file, kind of block."""

    text: str
    context: str
    start: int
    end: int
    kind: str


def units(section: Section) -> list[Unit]:
    """The units of a section in reading order."""
    found: list[Unit] = []
    lead = ""
    for block in section.blocks:
        if block.kind == "table":
            found.extend(_rows(block, lead))
        elif block.kind == "item":
            found.append(Unit(shorten(block.text.strip(), MAX_UNIT), lead, block.start, block.end, "item"))
            continue
        elif block.kind in ("code", "formula"):
            found.append(Unit(shorten(block.text, MAX_UNIT), lead, block.start, block.end, block.kind))
        else:
            found.extend(_sentences(block))
        last = block.text.rstrip().split("\n")[-1].strip()
        lead = last if last.endswith((":", "：")) and block.kind == "paragraph" else ""
    return found


def _sentences(block: Block) -> list[Unit]:
    found: list[Unit] = []
    line = block.start
    text = ""
    start = line
    for sentence, feeds in split_sentences(block.text):
        text += sentence
        line += feeds
        # A line break inside a sentence is not its end: wait for a mark, or for the end of the block.
        ended = re.search(r"[。！？；.!?:：;]\W*$", sentence.rstrip()) or len(text) > MAX_UNIT
        if ended and len(text.strip()) > 1:
            found.append(_unit(text, start, line, block))
            text, start = "", line
    if text.strip():
        found.append(_unit(text, start, block.end, block))
    return found


def _unit(text: str, start: int, end: int, block: Block) -> Unit:
    if text.startswith("\n"):
        start += 1
    if text.endswith("\n"):
        end -= 1
    clean = _QUOTE_MARK.sub("", text).strip() if block.kind == "quote" else text.strip()
    return Unit(shorten(clean, MAX_UNIT), "", min(start, block.end), max(start, min(end, block.end)), block.kind)


def _rows(block: Block, lead: str) -> list[Unit]:
    """Each data row with the header row as its context."""
    lines = block.text.split("\n")
    header = lines[0].strip()
    context = f"{lead}\n{header}" if lead else header
    return [
        Unit(line.strip(), context, block.start + number, block.start + number, "table")
        for number, line in enumerate(lines)
        if number > 1 and line.strip()
    ] or [Unit(header, lead, block.start, block.end, "table")]


def shorten(text: str, limit: int) -> str:
    """At most `limit` characters of `text`, cut after a clause, else before a word or number, never inside one."""
    if len(text) <= limit:
        return text
    clause = max(text.rfind(mark, 0, limit) for mark in "。；！？\n，,;")
    if clause > limit // 2:
        return text[: clause + 1]
    cut = limit
    while cut > limit // 2 and not (text[cut - 1].isspace() or text[cut].isspace()):
        cut -= 1
    return text[:cut].rstrip()


def cells(row: str) -> list[str]:
    """The cells of a table row; `\\|` is a bar inside a cell."""
    inner = row.strip().strip("|")
    return [cell.strip().replace("\\|", "|") for cell in re.split(r"(?<!\\)\|", inner)]


def readable(unit_text: str, context: str, kind: str) -> str:
    """A unit as prose for a person or a model: a table row becomes `header: cell; header: cell`, with the marks of
    its language."""
    if kind != "table":
        return _plain_markdown(unit_text)
    header = cells(context.split("\n")[-1]) if context else []
    values = cells(unit_text)
    colon, semicolon = ("：", "；") if _HAN.search(context + unit_text) else (": ", "; ")
    if len(header) != len(values):
        return _plain_markdown(semicolon.join(values))
    named = (f"{name}{colon}{value}" for name, value in zip(header, values, strict=True) if value)
    return _plain_markdown(semicolon.join(named))


def _plain_markdown(text: str) -> str:
    text = re.sub(r"!\[([^\]]*)\]\([^)]*\)", r"\1", text)
    text = re.sub(r"\[([^\]]+)\]\([^)]*\)", r"\1", text)
    text = re.sub(r"(\*\*|__|`)(.+?)\1", r"\2", text)
    text = re.sub(r"(?<![\w*])\*(?![\s*])([^*\n]+)(?<!\s)\*(?![\w*])", r"\1", text)  # not the `*` of a product
    return re.sub(r"^\s*(?:[-*+•]|\d{1,3}[.)、]|#{1,6}|>)\s+", "", text, flags=re.MULTILINE).strip()
