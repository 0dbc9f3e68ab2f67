"""A small DOCX writer for documents with known truth: every construct that reading has to understand, as raw XML."""

from __future__ import annotations

import io
import zipfile
from dataclasses import dataclass, field
from xml.sax.saxutils import escape

_W = "http://schemas.openxmlformats.org/wordprocessingml/2006/main"
_R = "http://schemas.openxmlformats.org/officeDocument/2006/relationships"
_NAMES = f'xmlns:w="{_W}" xmlns:r="{_R}"'
_HEAD = '<?xml version="1.0" encoding="UTF-8" standalone="yes"?>\n'
_LEVEL = '<w:lvl w:ilvl="{0}"><w:start w:val="1"/><w:numFmt w:val="{1}"/><w:lvlText w:val="{2}"/></w:lvl>'


def run(text: str, properties: str = "") -> str:
    """A run of text; `properties` is the XML inside of `w:rPr`."""
    styled = f"<w:rPr>{properties}</w:rPr>" if properties else ""
    return f'<w:r>{styled}<w:t xml:space="preserve">{escape(text)}</w:t></w:r>'


def paragraph(content: str, style: str = "", number: tuple[int, int] | None = None) -> str:
    """A paragraph of runs; `number` is (list, level)."""
    inner = f'<w:pStyle w:val="{style}"/>' if style else ""
    if number is not None:
        inner += f'<w:numPr><w:ilvl w:val="{number[1]}"/><w:numId w:val="{number[0]}"/></w:numPr>'
    return f"<w:p><w:pPr>{inner}</w:pPr>{content}</w:p>"


def deleted(text: str, author: str, day: str) -> str:
    """A deletion that is not accepted yet."""
    return (
        f'<w:del w:id="1" w:author="{escape(author)}" w:date="{day}T08:00:00Z"><w:r>'
        f'<w:delText xml:space="preserve">{escape(text)}</w:delText></w:r></w:del>'
    )


def inserted(text: str, author: str, day: str) -> str:
    """An insertion that is not accepted yet."""
    return f'<w:ins w:id="2" w:author="{escape(author)}" w:date="{day}T08:00:00Z">{run(text)}</w:ins>'


def footnote(number: int) -> str:
    """A reference to footnote `number`."""
    return f'<w:r><w:footnoteReference w:id="{number}"/></w:r>'


def comment(number: int) -> str:
    """A reference to comment `number`."""
    return f'<w:r><w:commentReference w:id="{number}"/></w:r>'


@dataclass(frozen=True)
class Cell:
    """A table cell: `wide` columns, `high` is "" (alone), "restart" or "continue" of a vertical merge; `inner` XML."""

    text: str = ""
    wide: int = 1
    high: str = ""
    inner: str = ""


def table(rows: list[list[Cell]]) -> str:
    """A table."""
    written = []
    for row in rows:
        cells = []
        for cell in row:
            properties = f'<w:gridSpan w:val="{cell.wide}"/>' if cell.wide > 1 else ""
            if cell.high:
                properties += f'<w:vMerge w:val="{cell.high}"/>' if cell.high == "restart" else "<w:vMerge/>"
            cells.append(f"<w:tc><w:tcPr>{properties}</w:tcPr>{cell.inner}{paragraph(run(cell.text))}</w:tc>")
        written.append(f"<w:tr>{''.join(cells)}</w:tr>")
    return f"<w:tbl><w:tblPr/>{''.join(written)}</w:tbl>"


@dataclass
class Docx:
    """A document under construction: `body` is XML, notes and comments by number."""

    body: list[str] = field(default_factory=list)
    footnotes: dict[int, str] = field(default_factory=dict)
    comments: dict[int, tuple[str, str, str]] = field(default_factory=dict)  # author, day, text

    def data(self) -> bytes:
        """The bytes of the file."""
        parts = {
            "document": f"<w:document {_NAMES}><w:body>{''.join(self.body)}</w:body></w:document>",
            "styles": _styles(),
            "numbering": _numbering(),
            "footnotes": "<w:footnotes {}>{}</w:footnotes>".format(_NAMES, "".join(
                f'<w:footnote w:id="{number}">{paragraph(run(text))}</w:footnote>'
                for number, text in self.footnotes.items())),
            "comments": "<w:comments {}>{}</w:comments>".format(_NAMES, "".join(
                f'<w:comment w:id="{number}" w:author="{escape(author)}" w:date="{day}T09:00:00Z">'
                f"{paragraph(run(text))}</w:comment>" for number, (author, day, text) in self.comments.items())),
        }  # fmt: skip
        kind = "application/vnd.openxmlformats-officedocument.wordprocessingml"
        types = "".join(
            f'<Override PartName="/word/{name}.xml" ContentType="{kind}.{name}{extra}+xml"/>'
            for name in parts
            for extra in (".main" if name == "document" else "",)
        )
        relations = "".join(
            f'<Relationship Id="r{place}" Type="{_R}/{name}" Target="{name}.xml"/>'
            for place, name in enumerate(parts) if name != "document"
        )  # fmt: skip
        package = "http://schemas.openxmlformats.org/package/2006"
        out = io.BytesIO()
        with zipfile.ZipFile(out, "w", zipfile.ZIP_DEFLATED) as archive:

            def put(name: str, text: str) -> None:
                # A fixed date: the same document has the same digest.
                archive.writestr(zipfile.ZipInfo(name, (2026, 1, 1, 0, 0, 0)), _HEAD + text, zipfile.ZIP_DEFLATED)

            put(
                "[Content_Types].xml",
                f'<Types xmlns="{package}/content-types">'
                '<Default Extension="rels" ContentType="application/vnd.openxmlformats-package.relationships+xml"/>'
                f'<Default Extension="xml" ContentType="application/xml"/>{types}</Types>',
            )
            put(
                "_rels/.rels",
                f'<Relationships xmlns="{package}/relationships">'
                f'<Relationship Id="r1" Type="{_R}/officeDocument" Target="word/document.xml"/></Relationships>',
            )
            put(
                "word/_rels/document.xml.rels",
                f'<Relationships xmlns="{package}/relationships">{relations}</Relationships>',
            )
            for name, text in parts.items():
                put(f"word/{name}.xml", text)
        return out.getvalue()


def _styles() -> str:
    headings = "".join(
        f'<w:style w:type="paragraph" w:styleId="H{level}"><w:name w:val="heading {level}"/>'
        f'<w:pPr><w:outlineLvl w:val="{level - 1}"/></w:pPr></w:style>'
        for level in range(1, 5)
    )
    return (
        f'<w:styles {_NAMES}><w:style w:type="paragraph" w:default="1" w:styleId="N"><w:name w:val="Normal"/></w:style>'
        f'<w:style w:type="paragraph" w:styleId="T"><w:name w:val="Title"/></w:style>{headings}</w:styles>'
    )


def _numbering() -> str:
    """List 1: 1. / 1.1 / (a); list 2: bullets; list 3: 第一条."""
    definitions = (
        (
            _LEVEL.format(0, "decimal", "%1."),
            _LEVEL.format(1, "decimal", "%1.%2"),
            _LEVEL.format(2, "lowerLetter", "(%3)"),
        ),
        (_LEVEL.format(0, "bullet", "\uf0b7"), _LEVEL.format(1, "bullet", "o")),
        (_LEVEL.format(0, "chineseCounting", "第%1条"),),
    )
    abstract = "".join(
        f'<w:abstractNum w:abstractNumId="{place}">{"".join(levels)}</w:abstractNum>'
        for place, levels in enumerate(definitions, start=1)
    )
    lists = "".join(
        f'<w:num w:numId="{place}"><w:abstractNumId w:val="{place}"/></w:num>'
        for place in range(1, len(definitions) + 1)
    )
    return f"<w:numbering {_NAMES}>{abstract}{lists}</w:numbering>"
