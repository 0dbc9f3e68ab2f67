"""A DOCX document as blocks: the text with all revisions accepted, what was deleted and remarked beside it."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator
from dataclasses import dataclass, field, replace
from pathlib import Path, PurePosixPath

from kb.memory.block import Block, Kind
from kb.memory.reading.docx_numbering import Numbering
from kb.memory.reading.docx_package import Element, Package, W, open_package
from kb.memory.reading.docx_styles import Style, Styles
from kb.memory.reading.docx_text import Words, noted, signature, words_of
from kb.memory.reading.limits import Limits
from kb.memory.reading.marks import CAPTION, SECTION, levels_without_gaps, section_level, split_bullet
from kb.memory.reading.tables import joined_header, markdown_table, split_title

Save = Callable[[bytes, str], str]
_PICTURES = {".png", ".jpg", ".jpeg", ".gif", ".bmp", ".webp", ".tif", ".tiff"}
_MIN_PICTURE_BYTES = 200


@dataclass(slots=True)
class _Reader:
    package: Package
    styles: Styles
    numbering: Numbering
    save: Save
    limits: Limits
    comments: dict[str, Element] = field(default_factory=dict)
    notes: dict[tuple[str, str], Element] = field(default_factory=dict)
    labels: dict[tuple[str, str], str] = field(default_factory=dict)
    saved: dict[str, str] = field(default_factory=dict)
    page: int = 0
    report: Callable[[int, int], None] = lambda done, total: None


def read_docx(
    path: Path, limits: Limits, save: Save, report: Callable[[int, int], None] = lambda done, total: None
) -> list[Block]:
    """The blocks of the DOCX at `path`; pictures go through `save` (bytes, suffix), which names them.

    Raises KnowledgeError: damaged, locked, larger than the limits allow. Macros are never looked at, and nothing
    outside of the file is fetched.
    """
    package = open_package(path, limits)
    try:
        reader = _Reader(package, Styles.load(package), Numbering.load(package), save, limits, report=report)
        _load_notes(reader)
        root = package.tree(package.main)
        body = root.find(f"{W}body") if root is not None else None
        found = list(_blocks(reader, body, 0)) if body is not None else []
    finally:
        package.close()
    return _levelled(_guessed_headings(found))


def _load_notes(reader: _Reader) -> None:
    package = reader.package
    comments = package.tree(package.beside("comments.xml"))
    for each in comments.findall(f"{W}comment") if comments is not None else ():
        reader.comments[each.get(f"{W}id", "")] = each
    for kind in ("footnote", "endnote"):
        root = package.tree(package.beside(f"{kind}s.xml"))
        for each in root.findall(f"{W}{kind}") if root is not None else ():
            if each.get(f"{W}type", "normal") == "normal":
                reader.notes[kind, each.get(f"{W}id", "")] = each


def _blocks(reader: _Reader, parent: Element, depth: int) -> Iterator[Block]:
    """The blocks of a body, cell or text box."""
    if depth > reader.limits.nesting:
        return
    total = len(parent)
    for index, child in enumerate(parent):
        if depth == 0 and index % 200 == 0:
            reader.report(index, total)
        if child.tag == f"{W}p":
            yield from _paragraph(reader, child, depth)
        elif child.tag == f"{W}tbl":
            yield from _table(reader, child, depth)
        elif child.tag in (f"{W}sdt", f"{W}customXml", f"{W}ins", f"{W}moveTo"):
            content = child.find(f"{W}sdtContent") if child.tag == f"{W}sdt" else child
            if content is not None:
                yield from _blocks(reader, content, depth + 1)


def _paragraph(reader: _Reader, paragraph: Element, depth: int) -> Iterator[Block]:
    style = reader.styles.of(paragraph)
    words = words_of(paragraph, reader.labels)
    number = _number(reader, paragraph, style) if words.text else None
    block = _text_block(words, style, paragraph, number)
    if block is not None:
        yield block
    for relation, label in words.pictures:
        named = _picture(reader, relation, label)
        if named:
            yield Block(Kind.IMAGE, named)
    yield from _aside(reader, words, depth)
    for box in words.boxes:
        yield from _blocks(reader, box, depth + 1)


def _aside(reader: _Reader, words: Words, depth: int) -> Iterator[Block]:
    """What hangs on a paragraph or cell: deleted text, comments, notes."""
    for revision in words.deleted:
        yield Block(Kind.COMMENT, revision.text, note=noted("deleted", revision.who))
    for number in dict.fromkeys(words.comments):
        comment = reader.comments.get(number)
        if comment is not None:
            text = _plain(reader, comment, depth + 1)
            if text:
                yield Block(Kind.COMMENT, text, note=noted("comment", signature(comment)))
    for key in words.notes:
        note = reader.notes.get(key)
        text = _plain(reader, note, depth + 1) if note is not None else ""
        if text:
            yield Block(Kind.FOOTNOTE, f"[^{reader.labels[key]}]: {text}")


def _plain(reader: _Reader, parent: Element, depth: int) -> str:
    """The text of a note or comment."""
    if depth > reader.limits.nesting:
        return ""
    return " ".join(
        text for each in parent.iter(f"{W}p") if (text := words_of(each, reader.labels).text.replace("\n", " "))
    )


def _number(reader: _Reader, paragraph: Element, style: Style) -> tuple[str, int] | None:
    """The list number and level that Word draws before the paragraph."""
    own = paragraph.find(f"{W}pPr/{W}numPr")
    which, depth = style.number, style.depth
    if own is not None:
        named, deep = own.find(f"{W}numId"), own.find(f"{W}ilvl")
        which = named.get(f"{W}val", "") if named is not None else which
        written = deep.get(f"{W}val", "") if deep is not None else ""
        depth = int(written) if written.isdigit() else depth
    found = reader.numbering.next(which, depth) if which else None
    return (found.text, found.level) if found is not None else None


def _text_block(words: Words, style: Style, paragraph: Element, number: tuple[str, int] | None) -> Block | None:
    text = words.text
    if not text:
        return None
    note = _insertions(each.who for each in words.inserted)
    outline = paragraph.find(f"{W}pPr/{W}outlineLvl")
    level = style.level
    if outline is not None and outline.get(f"{W}val", "").isdigit():
        level = int(outline.get(f"{W}val")) + 1 if int(outline.get(f"{W}val")) < 9 else 0
    if words.formulas and not words.plain:
        return Block(Kind.FORMULA, "\n".join(words.formulas), note=note)
    if style.is_code:
        return Block(Kind.CODE, text, note=note)
    marked = f"{number[0]} {text}" if number and number[0] else text
    if level and not style.is_contents and len(text) < 300:
        return Block(Kind.HEADING, marked.replace("\n", " "), level=min(level, 6), note=note)
    if number is not None or style.is_contents:
        return Block(Kind.ITEM, marked, level=number[1] if number else 0, note=note)
    if style.is_caption or (CAPTION.match(text) and len(text) < 120 and "\n" not in text and text[-1] not in "。.;；"):
        return Block(Kind.CAPTION, text, note=note)
    if style.is_quote:
        return Block(Kind.QUOTE, text, note=note)
    bare = split_bullet(text)
    if bare is not None:
        return Block(Kind.ITEM, bare, note=note)
    return Block(Kind.PARAGRAPH, text, note=_look(words, style, note))


def _insertions(authors: Iterable[str]) -> str:
    """Who inserted something, each once; '' for nobody."""
    return "; ".join(dict.fromkeys(noted("inserted", who) for who in authors))


_FAKE = "\0heading"


def _look(words: Words, style: Style, note: str) -> str:
    """Remember, for a document without heading styles, that a paragraph looks like a heading."""
    bold = style.bold or (words.plain and words.bold > 0.9 * words.plain)
    large = max([*words.sizes, style.size]) >= 14 if words.sizes or style.size else False
    short = len(words.text) <= 60 and "\n" not in words.text and words.text[-1] not in "。.;；，,:："
    return note + _FAKE if short and (bold or large) and not words.inserted else note


def _guessed_headings(found: list[Block]) -> list[Block]:
    """Headings that are only drawn as such, in documents that have no heading styles; the marks of `_look` go."""
    styled = any(block.kind == Kind.HEADING for block in found)
    result: list[Block] = []
    for block in found:
        fake = block.note.endswith(_FAKE)
        note = block.note.removesuffix(_FAKE)
        if fake and not styled:
            level = section_level(block.text) or (1 if not any(each.kind == Kind.HEADING for each in result) else 2)
            result.append(Block(Kind.HEADING, block.text, level=level, note=note))
        elif not styled and block.kind == Kind.PARAGRAPH and _is_section(block.text):
            result.append(Block(Kind.HEADING, block.text, level=section_level(block.text), note=note))
        else:
            result.append(replace(block, note=note))
    return result


def _is_section(text: str) -> bool:
    found = SECTION.match(text)
    if found is None or len(text) > 30 or "\n" in text or text[-1] in "。.;；，,:：！？":
        return False
    return bool(found["chapter"] or found["part"] or found["section"] or found["han"])


def _levelled(found: list[Block]) -> list[Block]:
    """Heading levels without gaps; a title has the level TITLE, which is below all numbers."""
    levels = iter(levels_without_gaps(block.level for block in found if block.kind == Kind.HEADING))
    return [replace(block, level=next(levels)) if block.kind == Kind.HEADING else block for block in found]


def _picture(reader: _Reader, relation: str, label: str) -> str:
    """The Markdown of a picture, saved once; '' for one of another kind or a speck."""
    target = reader.package.targets(reader.package.main).get(relation, "")
    suffix = PurePosixPath(target).suffix.lower()
    if suffix not in _PICTURES or len(reader.saved) >= reader.limits.pictures:
        return ""
    if target not in reader.saved:
        data = reader.package.data(target)
        reader.saved[target] = reader.save(data, suffix) if data and len(data) >= _MIN_PICTURE_BYTES else ""
    named = reader.saved[target]
    return f"![{label.replace(']', ')').replace(chr(10), ' ')}]({named})" if named else ""


# -- tables --------------------------------------------------------------------------------------------------------


def _table(reader: _Reader, table: Element, depth: int) -> Iterator[Block]:
    asides: list[Block] = []
    rows = _rows(reader, table, depth, asides)
    if not rows:
        yield from asides
        return
    if len(rows) == 1 and len(rows[0]) == 1:
        # A frame around text: what stands in it is what it would be without.
        for cell in table.iter(f"{W}tc"):
            yield from _blocks(reader, cell, depth + 1)
            return
    title, below = split_title(rows)
    if title:
        yield Block(Kind.CAPTION, title)
    inserted = _insertions(signature(mark) for mark in table.iterfind(f".//{W}ins"))
    yield Block(Kind.TABLE, markdown_table(joined_header(below)), note=inserted)
    yield from asides


def _rows(reader: _Reader, table: Element, depth: int, asides: list[Block]) -> list[list[str]]:
    """The texts of all places of a table: a merged cell's in every place it covers."""
    rows: list[list[str]] = []
    for row in _children(table, f"{W}tr"):
        if row.find(f"{W}trPr/{W}del") is not None:
            gone = " | ".join(text for cell in _children(row, f"{W}tc") if (text := _cell(reader, cell, depth, [])))
            asides.append(Block(Kind.COMMENT, gone, note="deleted"))
            continue
        texts: list[str] = []
        skipped = row.find(f"{W}trPr/{W}gridBefore")
        texts += [""] * (_span(skipped) if skipped is not None else 0)
        for cell in _children(row, f"{W}tc"):
            properties = cell.find(f"{W}tcPr")
            span = _span(properties.find(f"{W}gridSpan")) if properties is not None else 1
            merged = properties.find(f"{W}vMerge") if properties is not None else None
            if merged is not None and merged.get(f"{W}val", "continue") == "continue" and rows:
                above = rows[-1][len(texts) : len(texts) + span]
                texts += above + [""] * (span - len(above))
            else:
                texts += [_cell(reader, cell, depth, asides)] * span
        rows.append(texts)
    return [row for row in rows if any(row)]


def _children(parent: Element, tag: str) -> Iterator[Element]:
    """The rows or cells of a table, those inside of content controls and revisions included."""
    for child in parent:
        if child.tag == tag:
            yield child
        elif child.tag in (f"{W}sdt", f"{W}sdtContent", f"{W}customXml", f"{W}ins"):
            yield from _children(child, tag)


def _span(element: Element | None) -> int:
    value = element.get(f"{W}val", "1") if element is not None else "1"
    return min(max(int(value), 1), 200) if value.isdigit() else 1


def _cell(reader: _Reader, cell: Element, depth: int, asides: list[Block]) -> str:
    """A cell's text, one line a paragraph; a table within it as lines of `a | b`."""
    lines: list[str] = []
    if depth > reader.limits.nesting:
        return ""
    for child in cell:
        if child.tag == f"{W}p":
            style = reader.styles.of(child)
            words = words_of(child, reader.labels)
            number = _number(reader, child, style) if words.text else None
            if words.text:
                lines.append(f"{number[0] or '•'} {words.text}" if number else words.text)
            asides.extend(_aside(reader, words, depth))
            for relation, label in words.pictures:
                named = _picture(reader, relation, label)
                if named:
                    asides.append(Block(Kind.IMAGE, named))
            for box in words.boxes:
                lines.append(_plain(reader, box, depth + 1))
        elif child.tag == f"{W}tbl":
            inner = _rows(reader, child, depth + 1, asides)
            lines += [" | ".join(dict.fromkeys(text.replace("\n", " ") for text in row)) for row in inner]
        elif child.tag in (f"{W}sdt", f"{W}sdtContent"):
            content = child.find(f"{W}sdtContent") if child.tag == f"{W}sdt" else child
            if content is not None:
                lines.append(_cell(reader, content, depth + 1, asides))
    return "\n".join(line for line in lines if line)
