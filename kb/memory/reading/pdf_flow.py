"""Pages in reading order to blocks: paragraphs, items, headings, notes, tables over several pages."""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence
from dataclasses import dataclass, field, replace

from kb.memory.block import Block, Box, Kind
from kb.memory.reading.marks import (
    CAPTION,
    ENDS_SENTENCE,
    LEADERS,
    NOTE,
    NUMBER,
    split_bullet,
)
from kb.memory.reading.pdf_aligned import Table
from kb.memory.reading.pdf_furniture import without_furniture
from kb.memory.reading.pdf_headings import Fonts, is_heading, levels, measure
from kb.memory.reading.pdf_layout import PageLayout, box_of
from kb.memory.reading.pdf_lines import Line, is_cjk, join_texts, vocabulary
from kb.memory.reading.pdf_notes import Labels, note_lines
from kb.memory.reading.pdf_page import Picture
from kb.memory.reading.tables import joined_header, markdown_table, split_title

CONTINUED = "continued"
"""The note of a table that goes on from the page before; its header stands in it again."""

_CONTINUED_CAPTION = re.compile(
    r"^(?:续表|表\s*[\d.\-–]+\s*[（(]?续|Table\s+[\d.\-–]+\s*\(?(?:cont|continued))", re.IGNORECASE
)


@dataclass(slots=True)
class _Open:
    """A block under construction, with the last line taken into it."""

    kind: Kind
    text: str
    page: int
    box: Box
    last: Line
    first: Line
    edges: tuple[float, float]
    lines: int = 1


@dataclass(slots=True)
class _Table:
    """A table part with the rows that are to be written."""

    rows: Sequence[Sequence[str]]
    page: int
    box: Box
    xs: tuple[float, ...]
    note: str = ""


@dataclass(slots=True)
class _Flow:
    fonts: Fonts
    words: frozenset[str]
    done: list[_Open | _Table | Block] = field(default_factory=list)
    open: _Open | None = None
    resumable: _Open | None = None  # a paragraph that the end of a column or a table interrupts

    def close(self) -> None:
        if self.open is not None:
            self.resumable = self.open if self.open.kind in (Kind.PARAGRAPH, Kind.ITEM) else self.resumable
            self.open = None


def assemble(pages: Sequence[PageLayout], pictures: dict[tuple[int, int], str] | None = None) -> list[Block]:
    """The blocks of a document. `pictures` names the image file of (page, index of the object)."""
    without_furniture(pages)
    texts = (element.text for page in pages for element in page.elements if isinstance(element, Line))
    flow = _Flow(measure(pages), vocabulary(texts))
    for page in pages:
        _page(flow, page, pictures or {})
    flow.close()
    return list(_finished(flow))


def _page(flow: _Flow, page: PageLayout, pictures: dict[tuple[int, int], str]) -> None:
    notes_from = note_lines(page, flow.fonts)
    elements = page.elements
    fresh = True  # a new page or column: what came before can go on here
    for index, element in enumerate(elements):
        if index and page.edges[index] != page.edges[index - 1]:
            fresh = True
        if isinstance(element, Table):
            flow.close()
            _table(flow, element, page.number)
            fresh = True
        elif isinstance(element, Picture):
            flow.close()
            name = pictures.get((page.number, element.index))
            if name:
                flow.done.append(Block(Kind.IMAGE, name, page.number, _rounded(element.box)))
                fresh = True
        else:
            after = elements[index + 1] if index + 1 < len(elements) else None
            _line(flow, page, element, after, page.edges[index], fresh, index in notes_from)
            fresh = False
    flow.close()


def _line(
    flow: _Flow, page: PageLayout, line: Line, after: Line | Table | Picture | None,
    edges: tuple[float, float], fresh: bool, note: bool,
) -> None:  # fmt: skip
    text = LEADERS.sub(" … ", line.text).strip()
    if not text:
        return
    line = replace(line, text=text)
    before = flow.open
    gap = (line.base - before.last.base) / line.size if before and not fresh else 9.0
    following = after if isinstance(after, Line) else None
    start: _Open | None = None
    if note:
        if before and before.kind == Kind.FOOTNOTE and not NOTE.match(text):
            _grow(flow, before, line)
            return
        start = _new(Kind.FOOTNOTE, line, page.number, edges)
    elif line.mono and not CAPTION.match(text):
        if before and before.kind == Kind.CODE and gap < 2.6:
            indent = max(0, round((line.x0 - before.first.x0) / (0.6 * line.size)))
            blank = "\n" if gap > 1.7 * flow.fonts.leading else ""
            _grow(flow, before, line, f"{before.text}\n{blank}{' ' * indent}{text}")
            return
        start = _new(Kind.CODE, line, page.number, edges)
    elif is_heading(line, before.last if before and not fresh else None, following, flow.fonts, gap, edges[1]):
        if before and not fresh and before.kind == Kind.HEADING and _same_heading(before, line, gap, flow.fonts):
            _grow(flow, before, line)
            return
        start = _new(Kind.HEADING, line, page.number, edges)
    elif CAPTION.match(text) and (before is None or fresh or _ends(before, line, flow.fonts, gap)):
        start = _new(Kind.CAPTION, line, page.number, edges)
    else:
        _text_line(flow, page, line, edges, fresh, gap)
        return
    flow.close()
    if start.kind not in (Kind.FOOTNOTE, Kind.CAPTION):
        flow.resumable = None
    flow.open = start
    flow.done.append(start)


def _text_line(flow: _Flow, page: PageLayout, line: Line, edges: tuple[float, float], fresh: bool, gap: float) -> None:
    before = flow.open
    item = _item_text(line)
    grows = before is not None and before.kind in (Kind.PARAGRAPH, Kind.ITEM, Kind.CAPTION)
    if item is None and not fresh and before is not None and grows and not _ends(before, line, flow.fonts, gap):
        _grow(flow, before, line)
        return
    if item is None and fresh:
        flow.close()
        open_ended = flow.resumable
        if open_ended is not None and _goes_on(open_ended, line, edges):
            _grow(flow, open_ended, line)
            flow.open = open_ended
            flow.open.edges = edges
            return
    flow.close()
    if item is not None:
        started = _new(Kind.ITEM, replace(line, text=item), page.number, edges)
        started.first = line
    else:
        started = _new(Kind.PARAGRAPH, line, page.number, edges)
    flow.open = started
    flow.resumable = None
    flow.done.append(started)


def _item_text(line: Line) -> str | None:
    """An item's text without its bullet, or with its number; None for a line that begins none."""
    bare = split_bullet(line.text)
    if bare is not None:
        return bare
    return line.text if NUMBER.match(line.text) or (" … " in line.text and line.text[-1].isdigit()) else None


def _new(kind: Kind, line: Line, page: int, edges: tuple[float, float]) -> _Open:
    return _Open(kind, line.text, page, box_of(line), line, line, edges)


def _grow(flow: _Flow, block: _Open, line: Line, text: str | None = None) -> None:
    block.text = join_texts(block.text, line.text, flow.words) if text is None else text
    box = box_of(line)
    if line.base >= block.last.base and abs(line.x0 - block.box[0]) < 400:
        own = block.box
        block.box = min(own[0], box[0]), min(own[1], box[1]), max(own[2], box[2]), max(own[3], box[3])
    block.last = line
    block.lines += 1


def _same_heading(before: _Open, line: Line, gap: float, fonts: Fonts) -> bool:
    """Whether a heading goes on in a second line."""
    return (
        abs(before.last.size - line.size) < 0.6
        and before.last.bold == line.bold
        and gap < 1.45 * max(fonts.leading, 1.2)
        and not NUMBER.match(line.text)
        and not re.match(r"^(?:\d+(?:\.\d+)*\s|第.{1,4}[章节条]|[一二三四五六七八九十]+、)", line.text)
        and not (ENDS_SENTENCE.search(before.text) and len(before.text) > 30)
        and (abs(before.last.x0 - line.x0) < 3 * line.size or _centred(before.last, line))
        and (
            before.last.x1 > before.edges[1] - 0.3 * (before.edges[1] - before.edges[0]) or _centred(before.last, line)
        )
    )


def _centred(upper: Line, lower: Line) -> bool:
    """Two lines about one middle, as titles are set."""
    return abs((upper.x0 + upper.x1) - (lower.x0 + lower.x1)) < 6 and abs(upper.x0 - lower.x0) > 3


def _ends(before: _Open, line: Line, fonts: Fonts, gap: float) -> bool:
    """Whether the paragraph `before` is over above `line`."""
    last = before.last
    if abs(last.size - line.size) > 0.12 * max(last.size, line.size):
        return True
    usual = max(fonts.leading, 1.15) if before.lines < 2 else max(fonts.leading, 1.1)
    if gap > 1.22 * usual + 0.05 or gap < -0.5:
        return True
    size = line.size
    if last.text.endswith(("-", "‐")) and line.text[0].islower():
        return False
    if last.bold != line.bold and (ENDS_SENTENCE.search(last.text) or _room(before, line)):
        return True
    if before.kind == Kind.ITEM:
        # A line that hangs below the item's text belongs to it; one further left does not.
        if line.x0 < before.first.x0 - 0.6 * size:
            return True
        if line.x0 > before.first.x0 + 0.6 * size:
            return False
    elif line.x0 > last.x0 + 0.9 * size and before.lines >= 2 and line.x0 < before.edges[0] + 5 * size:
        return True  # the first line of the next paragraph is set in
    elif before.lines == 1 and abs(line.x0 - last.x0) < 2 and _set_in(before, line):
        return True
    return _room(before, line)


def _set_in(before: _Open, line: Line) -> bool:
    """Two lines that are both set in as first lines of paragraphs are."""
    inset = line.x0 - before.edges[0]
    return 1.2 * line.size < inset < 3 * line.size and bool(ENDS_SENTENCE.search(before.text))


def _room(before: _Open, line: Line) -> bool:
    """Whether the line above had room for the first word of this one: then its end was meant."""
    last = before.last
    first = line.text[0]
    if is_cjk(first):
        wanted = 2.2 * line.size
    else:
        word = line.text.split(" ", 1)[0]
        wanted = (line.x1 - line.x0) / max(len(line.text), 1) * (len(word) + 1) + 0.8 * line.size
    right = max(before.edges[1], last.x1)
    short = right - last.x1
    if ENDS_SENTENCE.search(last.text):
        return short > max(wanted, 0.08 * (right - before.edges[0]))
    return short > wanted + 2.5 * line.size


def _goes_on(before: _Open, line: Line, edges: tuple[float, float]) -> bool:
    """Whether a paragraph that a page's or column's end cut goes on with `line`."""
    if ENDS_SENTENCE.search(before.text) or abs(before.last.size - line.size) > 0.5 or before.last.bold != line.bold:
        return False
    if before.text.endswith(("-", "‐", ",", "，", "、")):
        return True
    first = line.text[0]
    full = before.last.x1 > before.edges[1] - 4 * line.size
    if is_cjk(first):
        return full and line.x0 < edges[0] + 1.2 * line.size
    return first.islower() or (full and line.x0 < edges[0] + 0.8 * line.size and before.kind == Kind.PARAGRAPH)


def _table(flow: _Flow, table: Table, page: int) -> None:
    rows: Sequence[Sequence[str]] = table.rows
    title, rows = split_title(rows)
    rows = joined_header(rows)
    before = _table_before(flow)
    if before is not None and _is_continuation(before, rows, table, page):
        header = before.rows[0]
        same = [_folded(cell) for cell in rows[0]] == [_folded(cell) for cell in header]
        body = rows[1:] if same else table.rows
        place = next(index for index, done in enumerate(flow.done) if done is before)
        # Notes of the page before come behind the table; that it goes on need not be said.
        notes = [done for done in flow.done[place + 1 :] if isinstance(done, _Open) and done.kind == Kind.FOOTNOTE]
        part = _Table([header, *body], page, table.box, table.xs, CONTINUED)
        flow.done[place + 1 :] = [part, *notes]
        return
    if title:
        flow.done.append(Block(Kind.CAPTION, title, page, _rounded(table.box)))
    if rows:
        flow.done.append(_Table(rows, page, table.box, table.xs))


def _folded(cell: str) -> str:
    return "".join(cell.split()).lower()


def _table_before(flow: _Flow) -> _Table | None:
    """The table that stands directly before, captions that say «continued» left aside."""
    for done in reversed(flow.done):
        if isinstance(done, _Table):
            return done
        if (
            isinstance(done, _Open)
            and done.kind in (Kind.CAPTION, Kind.PARAGRAPH)
            and _CONTINUED_CAPTION.match(done.text)
        ):
            continue
        if isinstance(done, _Open) and done.kind == Kind.FOOTNOTE:
            continue
        return None
    return None


def _is_continuation(before: _Table, rows: Sequence[Sequence[str]], table: Table, page: int) -> bool:
    if page not in (before.page, before.page + 1) or not rows or len(rows[0]) != len(before.rows[0]):
        return False
    same_header = [_folded(cell) for cell in rows[0]] == [_folded(cell) for cell in before.rows[0]]
    if page == before.page:
        return same_header and abs(before.xs[0] - table.xs[0]) > 20  # from one column into the next
    aligned = all(abs(left - right) < 8 for left, right in zip(before.xs, table.xs, strict=False))
    return same_header or (aligned and len(before.xs) == len(table.xs))


def _rounded(box: Box) -> Box:
    x0, top, x1, bottom = (round(value, 1) for value in box)
    return x0, top, x1, bottom


def _finished(flow: _Flow) -> Iterator[Block]:
    headings = [each for each in flow.done if isinstance(each, _Open) and each.kind == Kind.HEADING]
    depth = iter(levels([(each.first, each.text) for each in headings]))
    insets: list[float] = []
    labels = Labels()
    pending: list[Block] = []
    for each in flow.done:
        if isinstance(each, _Open) and each.kind == Kind.ITEM:
            level = _nesting(insets, each.first.x0)
        else:
            level = 0
            if not (isinstance(each, _Open) and each.kind == Kind.FOOTNOTE):
                insets.clear()
        if isinstance(each, Block):
            pending.append(each)
        elif isinstance(each, _Table):
            pending.append(
                Block(Kind.TABLE, markdown_table(each.rows), each.page, _rounded(each.box), 0, "", each.note)
            )
        elif each.kind == Kind.FOOTNOTE:
            pending.append(labels.note(pending, each.text, each.page, _rounded(each.box)))
        else:
            level = next(depth) if each.kind == Kind.HEADING else level
            pending.append(Block(each.kind, each.text, each.page, _rounded(each.box), level))
    yield from pending


def _nesting(insets: list[float], x0: float) -> int:
    """How deep an item is nested, from how far its mark is set in."""
    while insets and x0 < insets[-1] - 4:
        insets.pop()
    if not insets or x0 > insets[-1] + 4:
        insets.append(x0)
    return len(insets) - 1
