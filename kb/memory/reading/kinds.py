"""What kind of document a file is, by its content: names lie."""

from __future__ import annotations

import re
import zipfile
from enum import StrEnum
from pathlib import Path

from kb.errors import KnowledgeError
from kb.tree.textfile import read_text
from kb.tree.walk import is_document

_HEAD = 8192
_OLE = b"\xd0\xcf\x11\xe0\xa1\xb1\x1a\xe1"
_ENCRYPTED = "EncryptedPackage".encode("utf-16-le")
_PART = 1_000_000
# A PDF that lost its beginning.
_BARE_PDF = re.compile(rb"\s*\d{1,7} \d{1,5} obj\b")
_IMAGES = (b"\x89PNG\r\n\x1a\n", b"\xff\xd8\xff", b"GIF87a", b"GIF89a", b"II*\0", b"MM\0*", b"BM")
_HTML = re.compile(
    r"^\s*(?:<!--.*?-->\s*)*(?:<\?xml[^>]*>\s*)?<(?:!doctype\s+html|html|head|body)\b", re.IGNORECASE | re.DOTALL
)
_TAGS = re.compile(
    r"</?(?:p|div|table|tr|td|th|ul|ol|li|h[1-6]|span|br|a|section|article|dl|dt|dd)\b[^>]*>", re.IGNORECASE
)
_MARKDOWN = re.compile(
    r"^(?:#{1,6} \S|[-*+] \S|\d{1,3}\. \S|```|\|.*\|\s*$|---\s*$|> \S)|\[[^\]\n]+\]\([^)\n]+\)", re.MULTILINE
)


class DocKind(StrEnum):
    """The formats that can be read."""

    PDF = "pdf"
    DOCX = "docx"
    HTML = "html"
    MARKDOWN = "markdown"
    TEXT = "text"
    IMAGE = "image"


def kind_of(path: Path) -> DocKind:
    """The kind of document that `path` holds.

    Raises KnowledgeError for an empty file, one that cannot be opened, or one of a kind that is not read.
    """
    try:
        size = path.stat().st_size
        with path.open("rb") as file:
            head = file.read(_HEAD)
    except OSError as error:
        raise KnowledgeError("unreadable", path=str(path), reason=error.strerror or str(error)) from error
    if not size or not head.strip(b"\0 \r\n\t"):
        raise KnowledgeError("reading_empty", path=str(path))
    # A PDF may have up to 1,024 bytes before its header (ISO 32000-1, annex H, note 13).
    if b"%PDF-" in head[:1029]:
        return DocKind.PDF
    if head.startswith(b"PK\x03\x04"):
        return _packed(path)
    if head.startswith(_OLE):
        raise KnowledgeError("reading_locked" if _is_encrypted(path) else "reading_old_word", path=str(path))
    if _BARE_PDF.match(head):
        raise KnowledgeError("reading_damaged", path=str(path), reason="PDF")
    if head.startswith(_IMAGES) or (head[:4] == b"RIFF" and head[8:12] == b"WEBP"):
        return DocKind.IMAGE
    if head.startswith(b"{\\rtf"):
        raise KnowledgeError("reading_unsupported", path=str(path), kind="RTF")
    return _textual(path)


def _is_encrypted(path: Path) -> bool:
    """Whether a compound file holds a document that was saved with a password: the name of its stream stands there
    (MS-OFFCRYPTO 2.3.4)."""
    before = b""
    with path.open("rb") as file:
        while part := file.read(_PART):
            if _ENCRYPTED in before + part:
                return True
            before = part[-len(_ENCRYPTED) :]
    return False


def _packed(path: Path) -> DocKind:
    try:
        with zipfile.ZipFile(path) as archive:
            names = set(archive.namelist())
    except (OSError, zipfile.BadZipFile, ValueError) as error:
        raise KnowledgeError("reading_damaged", path=str(path), reason=str(error)) from error
    if "[Content_Types].xml" in names and any(name.startswith("word/") for name in names):
        return DocKind.DOCX
    known = {"xl/": "XLSX", "ppt/": "PPTX", "META-INF/": "ODT/EPUB/JAR"}
    kind = next((kind for prefix, kind in known.items() if any(name.startswith(prefix) for name in names)), "ZIP")
    raise KnowledgeError("reading_unsupported", path=str(path), kind=kind)


def _textual(path: Path) -> DocKind:
    text = read_text(path).text[:_HEAD]
    if _HTML.match(text) or (len(_TAGS.findall(text)) >= 6 and text.lstrip().startswith("<")):
        return DocKind.HTML
    if is_document(path.name) or len(_MARKDOWN.findall(text)) >= 2:
        return DocKind.MARKDOWN
    return DocKind.TEXT
