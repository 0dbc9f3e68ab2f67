"""A document as memory reads it: its passages with headings and places, and what it says about itself."""

from __future__ import annotations

import bisect
import datetime
import re
from collections.abc import Iterator
from dataclasses import dataclass, field
from itertools import accumulate

from kb.memory.extract.dates import dates
from kb.memory.extract.written import Written, written
from kb.memory.schema import Authority, Precision, Segment, Source, text_digest
from kb.search.sections import document_sections
from kb.tree.document import Parsed

# Before the first block of a page in what kb.memory.markdown writes.
_PAGE = re.compile(r"^<!-- page (\d{1,5})(?:-\d{1,5})? -->$", re.MULTILINE)
_MOST_PAGES = 20_000
_STATES = {"draft": Authority.DRAFT, "reviewing": Authority.REVIEWING}
_OWN_DATE = re.compile(
    r"(?:会议(?:时间|日期)|时间|日期|签订(?:日期|时间)|签署日期|修订日期|发布日期|编制日期|报告日期|date(?: of "
    r"(?:meeting|issue|signing|agreement))?|"
    r"effective date|meeting date|issued|dated|revision date|signed on|日\s?期)\s?[:：]?\s?[^:：\n]{0,12}$",
    re.IGNORECASE,
)


@dataclass(frozen=True, slots=True)
class Passage:
    """A block of a document: `kind` as in kb.search.sections; a table keeps its `raw` text from `start` on."""

    kind: str
    start: int
    raw: str
    words: Written
    trail: tuple[str, ...]
    page: int = 0


@dataclass(frozen=True, slots=True)
class ReadDocument:
    """A document ready for extraction. `pages` are places in the text where a page begins (empty without pages).

    `stated_on` is the document's own date; what it says counts from `valid_from` to `valid_to`.
    """

    doc_id: str
    path: str
    title: str
    text: str
    passages: tuple[Passage, ...]
    stated_on: datetime.date | None = None
    valid_from: datetime.date | None = None
    valid_to: datetime.date | None = None
    authority: int = Authority.RELEASED
    pages: tuple[int, ...] = ()
    digest: str = ""
    _lines: list[int] = field(default_factory=list, repr=False)

    def source(self, span: tuple[int, int]) -> Source:
        """The source record of a span of the text."""
        start, end = span
        return Source(
            doc_id=self.doc_id,
            path=self.path,
            page=bisect.bisect_right(self.pages, start),
            lines=(bisect.bisect_right(self._lines, start), bisect.bisect_right(self._lines, max(start, end - 1))),
            start=start,
            end=end,
            digest=self.digest,
            quote=self.text[start:end],
        )

    def segments(self) -> tuple[Segment, ...]:
        """The passages as the pieces that records point into."""
        found = []
        for passage in self.passages:
            place = self.source((passage.start, passage.start + len(passage.raw)))
            found.append(Segment(passage.start, passage.raw, place.lines, passage.trail, place.page))
        return tuple(found)


def page_starts(text: str) -> tuple[int, ...]:
    """Where each page begins, in a document that was made of one with pages (`<!-- page 3 -->`)."""
    pages: list[int] = []
    for mark in _PAGE.finditer(text):
        number = int(mark[1])
        if len(pages) < number <= _MOST_PAGES:
            pages += [mark.start()] * (number - len(pages))
    return tuple(pages)


def line_starts(text: str) -> list[int]:
    """Where each line of `text` begins."""
    return [0, *accumulate(len(line) + 1 for line in text.split("\n"))][:-1]


def own_id(parsed: Parsed) -> str:
    """The id that a document's front matter gives it, '' where it gives none."""
    metadata = parsed.facts.metadata
    named = metadata.get("doc_id") or metadata.get("id")
    return named.strip() if isinstance(named, str) else ""


def from_markdown(parsed: Parsed, doc_id: str | None = None, path: str | None = None) -> ReadDocument:
    """A document of the knowledge tree. Its id is its path, unless the front matter or the caller names one; `path` is
    where it lies, when that is not below the tree."""
    facts, text = parsed.facts, parsed.text
    return assemble(
        doc_id or own_id(parsed) or facts.path,
        path or facts.path,
        facts.title,
        text,
        tuple(_passages(parsed)),
        stated_on=facts.date_updated,
        valid_from=facts.valid_from,
        valid_to=facts.valid_to,
        authority=_STATES.get(facts.status, Authority.RELEASED),
        pages=page_starts(text),
    )


def assemble(
    doc_id: str,
    path: str,
    title: str,
    text: str,
    passages: tuple[Passage, ...],
    *,
    stated_on: datetime.date | None = None,
    valid_from: datetime.date | None = None,
    valid_to: datetime.date | None = None,
    authority: int = Authority.RELEASED,
    pages: tuple[int, ...] = (),
) -> ReadDocument:
    """A document from its parts; its own date is looked for in its words where nobody gave one."""
    return ReadDocument(
        doc_id, path, title, text, passages, stated_on or own_date(passages), valid_from, valid_to, authority, pages,
        text_digest(text), line_starts(text),
    )  # fmt: skip


def _passages(parsed: Parsed) -> Iterator[Passage]:
    text = parsed.text
    starts = line_starts(text)
    for section in document_sections(parsed):
        place = starts[section.start - 1] if section.start <= len(starts) else 0
        for block in section.blocks:
            at = text.find(block.text, max(place, starts[block.start - 1]))
            if at < 0 or block.kind in ("code", "formula"):
                continue
            place = at
            if block.kind == "item" and "\n" in block.text:
                yield from _lines_of_item(block.text, at, section.trail)
                continue
            yield Passage(block.kind, at, block.text, _words(block.kind, block.text, at), section.trail)


def _words(kind: str, text: str, at: int) -> Written:
    return written("" if kind == "table" else text, at, item=kind == "item")


def _lines_of_item(text: str, at: int, trail: tuple[str, ...]) -> Iterator[Passage]:
    """A list item with items inside: each by itself."""
    pieces = re.split(r"\n(?=\s*(?:[-*+•]|\d{1,3}[.)、]))", text)
    for piece in pieces:
        yield Passage("item", at, piece, written(piece, at, item=True), trail)
        at += len(piece) + 1


def own_date(passages: tuple[Passage, ...]) -> datetime.date | None:
    """The day a document is dated, from the first labelled date in it (会议时间：, Date:), else from its only date."""
    labelled: list[datetime.date] = []
    seen: set[datetime.date] = set()
    for passage in passages:
        plain = passage.words.plain if passage.kind != "table" else passage.raw
        for found in dates(plain):
            if found.when is None or found.when.precision is not Precision.DAY:
                continue
            seen.add(found.when.first)
            if _OWN_DATE.search(plain[max(0, found.start - 40) : found.start]):
                labelled.append(found.when.first)
    if labelled:
        return labelled[0]
    return seen.pop() if len(seen) == 1 else None
