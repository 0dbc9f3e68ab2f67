"""An HTML page as blocks: what is read on it, without navigation, scripts and forms."""

from __future__ import annotations

import base64
import binascii
import re
from collections.abc import Callable, Iterator
from dataclasses import dataclass
from pathlib import Path

import lxml.html
from lxml import etree

from kb.errors import KnowledgeError
from kb.memory.block import Block, Kind
from kb.memory.reading.docx_package import Element
from kb.memory.reading.limits import Limits
from kb.memory.reading.scripts import scripted
from kb.memory.reading.tables import joined_header, markdown_table, split_title
from kb.tree.textfile import decode, read_bytes

Save = Callable[[bytes, str], str]

_SKIPPED = {
    "script", "style", "noscript", "template", "head", "nav", "iframe", "object", "svg", "button", "select", "input",
    "form", "dialog", "canvas", "audio", "video", "link", "meta",
}  # fmt: skip
_ASIDE = {"header", "footer", "aside", "menu"}
_INLINE = {
    "a", "abbr", "b", "bdi", "bdo", "big", "cite", "code", "data", "del", "dfn", "em", "font", "i", "ins", "kbd",
    "label", "mark", "q", "rp", "rt", "ruby", "s", "samp", "small", "span", "strike", "strong", "sub", "sup", "time",
    "tt", "u", "var", "wbr", "br", "img", "nobr", "acronym", "math",
}  # fmt: skip
_TABLE_PARTS = {"caption", "colgroup", "col", "thead", "tbody", "tfoot", "tr", "td", "th"}
_HEADINGS = {f"h{level}": level for level in range(1, 7)}
_CHARSET = re.compile(rb"<meta[^>]{0,200}?charset\s*=\s*[\"']?\s*([\w-]{2,30})", re.IGNORECASE)
_HIDDEN = re.compile(r"display\s*:\s*none|visibility\s*:\s*hidden", re.IGNORECASE)
_DATA_IMAGE = re.compile(r"^data:image/(png|jpeg|gif|webp);base64,([A-Za-z0-9+/=\s]+)$")
_MAX_SPAN = 200


@dataclass(slots=True)
class _Page:
    save: Save
    limits: Limits
    pictures: int = 0


def read_html(path: Path, limits: Limits, save: Save) -> list[Block]:
    """The blocks of the page at `path`. Only pictures inside of the file are taken (`data:`); nothing is fetched.

    Raises KnowledgeError when the file cannot be read or decoded, or holds nothing.
    """
    text = _decoded(read_bytes(path), str(path))
    # The parser refuses a declared encoding on text; the text is decoded already.
    text = re.sub(r"^\s*<\?xml[^>]*\?>", "", text)
    # Of a document type with entities of its own the parser would show the end.
    text = re.sub(r"^\s*<!DOCTYPE[^>\[]*\[[^\]]*\]\s*>", "", text, count=1, flags=re.IGNORECASE)
    parser = lxml.html.HTMLParser(no_network=True, remove_comments=True, remove_pis=True, huge_tree=False)
    try:
        root = lxml.html.document_fromstring(text, parser=parser)
    except (etree.ParserError, etree.XMLSyntaxError, ValueError) as error:
        raise KnowledgeError("reading_damaged", path=str(path), reason=str(error)) from error
    page = _Page(save, limits)
    found = list(_blocks(page, _main(root), 0, 0))
    title = root.findtext(".//title")
    if title and title.strip() and not any(block.kind == Kind.HEADING and block.level == 1 for block in found):
        found.insert(0, Block(Kind.HEADING, " ".join(title.split()), level=1))
    return found


def _decoded(data: bytes, path: str) -> str:
    """As the page declares it where that works, else as for any text."""
    declared = _CHARSET.search(data[:4096])
    if declared and not data.startswith((b"\xef\xbb\xbf", b"\xff\xfe", b"\xfe\xff")):
        name = declared[1].decode("ascii", "replace").lower()
        name = {"gb2312": "gb18030", "gbk": "gb18030", "iso-8859-1": "cp1252", "big5": "big5hkscs"}.get(name, name)
        try:
            return data.decode(name)
        except (UnicodeDecodeError, LookupError):
            pass
    return decode(data, path).text


def _main(root: Element) -> Element:
    """The part of the page that is its content: `main` or a single `article` where it holds most of the words."""
    body = root.find("body")
    body = root if body is None else body
    whole = len(body.text_content())
    for candidates in (root.findall(".//main"), root.findall(".//*[@role='main']"), root.findall(".//article")):
        if len(candidates) == 1 and len(candidates[0].text_content()) > 0.4 * whole:
            return candidates[0]
    return body


def _blocks(page: _Page, element: Element, depth: int, nesting: int) -> Iterator[Block]:
    """The blocks inside `element`; loose text between them makes paragraphs."""
    if depth > page.limits.nesting:
        return
    loose: list[str] = [element.text or ""]
    for child in element:
        if not isinstance(child.tag, str) or _is_hidden(child):
            loose.append(child.tail or "")
            continue
        name = child.tag.lower()
        if name == "img":
            yield from _flush(loose)
            yield from _image(page, child)
        elif name in _INLINE and not _has_blocks(child, depth):
            loose.append(_inline(child, depth))
        else:
            yield from _flush(loose)
            yield from _block(page, child, name, depth, nesting)
        loose.append(child.tail or "")
    yield from _flush(loose)


def _flush(loose: list[str]) -> Iterator[Block]:
    text = _tidy("".join(loose))
    loose.clear()
    if text:
        yield Block(Kind.PARAGRAPH, text)


def _tidy(text: str) -> str:
    lines = [" ".join(line.split()) for line in text.replace("\n", " ").split("\0")]
    return "\n".join(line for line in lines if line)


def _is_hidden(element: Element) -> bool:
    name = element.tag.lower()
    if name in _SKIPPED or element.get("hidden") is not None or element.get("aria-hidden") == "true":
        return True
    if name in _ASIDE and element.getparent() is not None and element.getparent().tag in ("body", "html"):
        return True
    return bool(_HIDDEN.search(element.get("style", "")))


def _has_blocks(element: Element, depth: int) -> bool:
    return depth < 200 and any(
        isinstance(child.tag, str) and (child.tag.lower() not in _INLINE or _has_blocks(child, depth + 1))
        for child in element
    )


def _inline(element: Element, depth: int) -> str:
    """The text of an inline element; `br` is a line end (kept as NUL until white space is folded)."""
    name = element.tag.lower()
    if name == "br":
        return "\0"
    if name == "img":
        return str(element.get("alt", ""))
    if name in ("rt", "rp") or depth > 200:
        return ""
    text = (element.text or "") + "".join(
        (_inline(child, depth + 1) if isinstance(child.tag, str) and not _is_hidden(child) else "") + (child.tail or "")
        for child in element
    )
    if name in ("sup", "sub"):
        return scripted(text.strip(), 1 if name == "sup" else -1)
    if name in ("del", "s", "strike"):
        return ""
    return text


def _text(element: Element, depth: int) -> str:
    """All text of an element on one or more lines."""
    parts = [element.text or ""]
    for child in element:
        if isinstance(child.tag, str) and not _is_hidden(child):
            block = child.tag.lower() not in _INLINE
            inner = (_text(child, depth + 1) if block else _inline(child, depth + 1)) if depth < 200 else ""
            parts.append("\0" + inner.replace("\n", "\0") + "\0" if block else inner)
        parts.append(child.tail or "")
    return _tidy("".join(parts))


def _block(page: _Page, element: Element, name: str, depth: int, nesting: int) -> Iterator[Block]:
    if name in _HEADINGS:
        text = _text(element, depth).replace("\n", " ")
        if text:
            yield Block(Kind.HEADING, text, level=_HEADINGS[name])
    elif name in ("ul", "ol", "menu", "dir"):
        yield from _list(page, element, name == "ol", depth, nesting)
    elif name == "table":
        yield from _table(page, element, depth)
    elif name in ("pre", "listing", "xmp"):
        code = "".join(element.itertext()).strip("\n")
        if code.strip():
            yield Block(Kind.CODE, code)
    elif name == "blockquote":
        text = _text(element, depth)
        if text:
            yield Block(Kind.QUOTE, text)
    elif name in ("figcaption", "caption"):
        text = _text(element, depth)
        if text:
            yield Block(Kind.CAPTION, text)
    elif name == "dl":
        yield from _definitions(page, element, depth, nesting)
    else:
        yield from _blocks(page, element, depth + 1, nesting)


def _list(page: _Page, element: Element, ordered: bool, depth: int, nesting: int) -> Iterator[Block]:
    start = element.get("start", "1")
    number = int(start) if start.lstrip("-").isdigit() else 1
    for child in element:
        if not isinstance(child.tag, str) or _is_hidden(child):
            continue
        if child.tag.lower() in ("ul", "ol"):
            yield from _block(page, child, child.tag.lower(), depth + 1, nesting + 1)
            continue
        first = True
        for block in _blocks(page, child, depth + 1, nesting + 1):
            if first and block.kind in (Kind.PARAGRAPH, Kind.HEADING):
                mark = f"{number}. " if ordered else ""
                yield Block(Kind.ITEM, mark + block.text, level=min(nesting, 6))
                first = False
            else:
                yield block
        number += 1


def _definitions(page: _Page, element: Element, depth: int, nesting: int) -> Iterator[Block]:
    """Terms with their definitions: `term: definition`."""
    term = ""
    if depth > page.limits.nesting:
        return
    for child in element:
        name = child.tag.lower() if isinstance(child.tag, str) else ""
        if name == "div":
            yield from _definitions(page, child, depth + 1, nesting)
        elif name == "dt":
            if term:
                yield Block(Kind.PARAGRAPH, term)
            term = _text(child, depth).replace("\n", " ")
        elif name == "dd":
            mark = "：" if term and "\u4e00" <= term[-1] <= "\u9fff" else ": "
            for block in _blocks(page, child, depth + 1, nesting + 1):
                if term and block.kind != Kind.PARAGRAPH:
                    yield Block(Kind.PARAGRAPH, term)
                if block.kind == Kind.PARAGRAPH:
                    text = f"{term}{mark}{block.text}" if term else block.text
                    block = Block(Kind.ITEM, text, level=min(nesting, 6))
                yield block
                term = ""
    if term:
        yield Block(Kind.PARAGRAPH, term)


def _table(page: _Page, element: Element, depth: int) -> Iterator[Block]:
    rows = [row for row in element.iter("tr") if _owner(row) is element]
    yield from _outside_cells(page, element, depth)
    if element.find(".//table") is not None and _is_layout(element, rows):
        for cell in (cell for row in rows for cell in row):
            yield from _blocks(page, cell, depth + 1, 0)
        return
    caption = element.find("caption")
    if caption is not None and _text(caption, depth):
        yield Block(Kind.CAPTION, _text(caption, depth))
    grid = _grid(rows, depth)
    if not grid:
        return
    if len(grid[0]) == 1 and len(grid) == 1:
        yield Block(Kind.PARAGRAPH, grid[0][0])
        return
    title, below = split_title(grid)
    if title:
        yield Block(Kind.CAPTION, title)
    yield Block(Kind.TABLE, markdown_table(joined_header(below)))
    for picture in element.iter("img"):
        yield from _image(page, picture)


def _outside_cells(page: _Page, element: Element, depth: int) -> Iterator[Block]:
    """What stands in a table beside its cells: browsers show it above the table."""
    loose: list[str] = []
    for part in (element, *element.iter("thead", "tbody", "tfoot", "tr")):
        if part is not element and _owner(part) is not element:
            continue
        loose.append(part.text or "")
        for child in part:
            known = not isinstance(child.tag, str) or child.tag.lower() in _TABLE_PARTS or _is_hidden(child)
            if not known and child.tag.lower() in _INLINE:
                loose.append(_inline(child, depth))
            elif not known:
                yield from _flush(loose)
                yield from _block(page, child, child.tag.lower(), depth + 1, 0)
            loose.append(child.tail or "")
        yield from _flush(loose)


def _owner(row: Element) -> Element | None:
    """The table that a row belongs to."""
    parent = row.getparent()
    while parent is not None and parent.tag != "table":
        parent = parent.getparent()
    return parent


def _is_layout(element: Element, rows: list[Element]) -> bool:
    """Whether a table with tables inside only arranges the page: it has no header and hardly any cells of its own."""
    cells = sum(len(row) for row in rows)
    return element.find("caption") is None and all(row.find("th") is None for row in rows) and cells <= 4


def _grid(rows: list[Element], depth: int) -> list[list[str]]:
    """The texts of all places; a cell over several rows or columns is in each."""
    grid: list[list[str]] = []
    hanging: dict[int, tuple[int, str]] = {}  # column -> (rows still covered, text)
    for row in rows:
        texts: list[str] = []

        def fill(texts: list[str] = texts) -> None:
            while len(texts) in hanging:
                left, text = hanging.pop(len(texts))
                if left > 1:
                    hanging[len(texts)] = (left - 1, text)
                texts.append(text)

        for cell in row:
            if not isinstance(cell.tag, str) or cell.tag.lower() not in ("td", "th"):
                continue
            fill()
            text = _text(cell, depth)
            wide, high = _span(cell.get("colspan")), _span(cell.get("rowspan"))
            for _ in range(wide):
                if high > 1:
                    hanging[len(texts)] = (high - 1, text)
                texts.append(text)
        fill()
        grid.append(texts)
    return [row for row in grid if any(row)]


def _span(value: str | None) -> int:
    return min(max(int(value), 1), _MAX_SPAN) if value and value.isdigit() else 1


def _image(page: _Page, element: Element) -> Iterator[Block]:
    """A picture that lies in the page itself; of others only what they are said to show."""
    label = " ".join(element.get("alt", "").split()).replace("]", ")")
    found = _DATA_IMAGE.match(element.get("src", ""))
    if found and page.pictures < page.limits.pictures:
        try:
            data = base64.b64decode(found[2], validate=False)
        except (binascii.Error, ValueError):
            data = b""
        named = page.save(data, f".{found[1].replace('jpeg', 'jpg')}") if len(data) > 200 else ""
        if named:
            page.pictures += 1
            yield Block(Kind.IMAGE, f"![{label}]({named})")
            return
    if len(label) > 3:
        yield Block(Kind.CAPTION, label)
