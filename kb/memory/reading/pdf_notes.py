"""Footnotes of a PDF: which lines they are, and the marks in the text that refer to them."""

from __future__ import annotations

import re
from dataclasses import replace

from kb.memory.block import Block, Box, Kind
from kb.memory.reading.marks import NOTE, NUMBER, plain_mark
from kb.memory.reading.pdf_headings import Fonts
from kb.memory.reading.pdf_layout import PageLayout
from kb.memory.reading.pdf_lines import Line

_SMALLER = 0.93


def note_lines(page: PageLayout, fonts: Fonts) -> set[int]:
    """The lines of footnotes: small, marked, at the lower end of their column."""
    found: set[int] = set()
    ending = True
    small: list[int] = []
    for index in range(len(page.elements) - 1, -1, -1):
        element = page.elements[index]
        if index + 1 < len(page.elements) and page.edges[index] != page.edges[index + 1]:
            ending, small = True, []
        if not ending:
            continue
        if isinstance(element, Line) and element.size <= _SMALLER * fonts.body and element.base > 0.4 * page.height:
            small.append(index)
            if NOTE.match(element.text) and not NUMBER.match(element.text.replace("①", "")):
                found.update(small)
        else:
            ending = False
    return found


class Labels:
    """Footnotes get labels that are unique in the document, in the text and below it."""

    def __init__(self) -> None:
        self._used: set[str] = set()

    def note(self, blocks: list[Block], text: str, page: int, box: Box) -> Block:
        """The footnote `text` as a block; its mark in `blocks` of the same page becomes `[^label]`."""
        found = NOTE.match(text)
        mark = found["mark"] if found else ""
        body = text[found.end() :] if found else text
        label = plain_mark(mark) or "note"
        if label in self._used:
            label = f"{page}-{label}"
        while label in self._used:
            label += "a"
        self._used.add(label)
        raised = (
            mark.translate(str.maketrans("0123456789", "⁰¹²³⁴⁵⁶⁷⁸⁹")) if mark.isdigit() and mark.isascii() else mark
        )
        for place in range(len(blocks) - 1, -1, -1):
            block = blocks[place]
            if block.page < page - 1:
                break
            spot = _reference(block.text, raised) if raised and block.kind != Kind.FOOTNOTE else -1
            if spot >= 0:
                marked = f"{block.text[:spot]}[^{label}]{block.text[spot + len(raised) :]}"
                blocks[place] = replace(block, text=marked)
                break
        return Block(Kind.FOOTNOTE, f"[^{label}]: {body}", page, box)


def _reference(text: str, mark: str) -> int:
    """Where `mark` refers to a note: as a whole superscript behind a word, not a power of a unit."""
    for found in re.finditer(re.escape(mark), text):
        before, after = text[: found.start()], text[found.end() :]
        if before and before[-1] not in "⁰¹²³⁴⁵⁶⁷⁸⁹⁻⁺" and after[:1] not in tuple("⁰¹²³⁴⁵⁶⁷⁸⁹"):
            if re.search(r"(?:^|[\s\d/·(（])(?:[kcmdµμ]?m|hm|10|ha|s)$", before) and mark in "²³":
                continue
            return found.start()
    return -1
