"""Blocks of a PDF, Word or other file as a document that memory reads, with pages."""

from __future__ import annotations

import datetime
from collections.abc import Sequence

from kb.memory.block import Block, Kind
from kb.memory.extract.document import Passage, ReadDocument, assemble
from kb.memory.extract.written import written
from kb.memory.schema import Authority

# Text that is not the document's own voice, or no sentence.
_LEFT_OUT = frozenset((Kind.CODE, Kind.FORMULA, Kind.IMAGE, Kind.COMMENT))
_KINDS = {Kind.ITEM: "item", Kind.TABLE: "table", Kind.QUOTE: "quote"}
_DELETED = "deleted"


def from_blocks(
    blocks: Sequence[Block],
    doc_id: str,
    path: str,
    title: str = "",
    *,
    stated_on: datetime.date | None = None,
    valid_from: datetime.date | None = None,
    valid_to: datetime.date | None = None,
    authority: int = Authority.RELEASED,
) -> ReadDocument:
    """The document that `blocks` make. Its text is theirs, joined by blank lines; deleted revisions say nothing.

    Without a `title` the first heading is it, or the first short line, or `doc_id`.
    """
    pieces: list[str] = []
    passages: list[Passage] = []
    pages: list[int] = []
    trail: list[tuple[int, str]] = []
    place = 0
    for block in blocks:
        if block.note.startswith(_DELETED) or block.kind in _LEFT_OUT or not block.text.strip():
            continue
        while len(pages) < block.page:
            pages.append(place)
        if block.kind is Kind.HEADING:
            while trail and trail[-1][0] >= block.level:
                trail.pop()
            trail.append((block.level, written(block.text, 0).shown))
        else:
            kind = _KINDS.get(block.kind, "paragraph")
            words = written("" if kind == "table" else block.text, place, item=kind == "item")
            passages.append(Passage(kind, place, block.text, words, tuple(name for _, name in trail), block.page))
        pieces.append(block.text)
        place += len(block.text) + 2
    return assemble(
        doc_id,
        path,
        title or _title(blocks) or doc_id,
        "\n\n".join(pieces),
        tuple(passages),
        stated_on=stated_on,
        valid_from=valid_from,
        valid_to=valid_to,
        authority=authority,
        pages=tuple(pages),
    )


def _title(blocks: Sequence[Block]) -> str:
    """The first heading, else a first line that is short enough to be a title."""
    for block in blocks:
        if block.kind is Kind.HEADING and block.text.strip():
            return written(block.text, 0).shown
    first = next((block.text.strip() for block in blocks if block.text.strip()), "")
    return first if "\n" not in first and len(first) <= 60 else ""
