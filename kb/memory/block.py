"""A block: the smallest piece of a document that was read, with the place where it stands."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import asdict, dataclass
from enum import StrEnum
from typing import Any

Box = tuple[float, float, float, float]
"""(x0, top, x1, bottom) in points (1/72 inch) from the top left corner of the page."""


class Kind(StrEnum):
    """What a block is."""

    HEADING = "heading"
    PARAGRAPH = "paragraph"
    ITEM = "item"
    TABLE = "table"
    CODE = "code"
    FORMULA = "formula"
    CAPTION = "caption"
    FOOTNOTE = "footnote"
    QUOTE = "quote"
    IMAGE = "image"
    COMMENT = "comment"


@dataclass(frozen=True, slots=True)
class Block:
    """One heading, paragraph, list item, table... of a document, in reading order.

    `text` is as the document has it (never folded or converted); a table is GitHub Markdown, an item keeps its own
    mark (`3.2`, `(a)`) in front and has none where the document shows a bullet. `page` counts from 1, 0 where a
    format has no pages; `box` is where the block stands on it. `level`: a heading's 1..6, an item's nesting from 0.
    `source` is the SHA-256 of the file. `note` is empty or what a reader must know: a revision's author, "deleted",
    how sure the text recognition was.
    """

    kind: Kind
    text: str
    page: int = 0
    box: Box | None = None
    level: int = 0
    source: str = ""
    note: str = ""


def to_record(block: Block) -> dict[str, Any]:
    """A block as JSON can hold it."""
    return asdict(block)


def from_record(record: Mapping[str, Any]) -> Block:
    """A block from `to_record`. Raises KeyError, TypeError or ValueError for anything else."""
    box = record.get("box")
    return Block(
        Kind(record["kind"]),
        str(record["text"]),
        int(record.get("page", 0)),
        None if box is None else _box(box),
        int(record.get("level", 0)),
        str(record.get("source", "")),
        str(record.get("note", "")),
    )


def _box(values: Any) -> Box:
    x0, top, x1, bottom = (float(value) for value in values)
    return x0, top, x1, bottom
