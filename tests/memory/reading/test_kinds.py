"""kb.memory.reading.kinds: what a file is, by its content."""

from __future__ import annotations

from pathlib import Path

import pytest
from docx_writer import Docx, paragraph, run
from pdf_writer import PdfPage, write_pdf

from kb.errors import KnowledgeError
from kb.memory.reading.kinds import DocKind, kind_of

_DOCX = Docx(body=[paragraph(run("x"))]).data()


@pytest.mark.parametrize(
    ("name", "data", "kind"),
    [
        ("a.txt", write_pdf([PdfPage()]), DocKind.PDF),
        ("a.pdf", _DOCX, DocKind.DOCX),
        ("a.bin", b"junk before\n" + write_pdf([PdfPage()]), DocKind.PDF),
        ("a.docx", b"<!DOCTYPE html><html><body>x</body></html>", DocKind.HTML),
        ("a", b"\xef\xbb\xbf<html><p>x</p></html>", DocKind.HTML),
        ("a.md", "标题".encode(), DocKind.MARKDOWN),
        ("a.txt", b"# Title\n\n- one\n- two\n", DocKind.MARKDOWN),
        ("a.txt", "水泵不能启动时，先检查电源和保险丝。".encode("gbk"), DocKind.TEXT),
        ("a.txt", "水泵不能启动时，先检查电源。".encode("utf-16"), DocKind.TEXT),
        ("a.dat", b"\x89PNG\r\n\x1a\n....", DocKind.IMAGE),
    ],
)
def test_content_decides(tmp_path: Path, name: str, data: bytes, kind: DocKind) -> None:
    path = tmp_path / name
    path.write_bytes(data)
    assert kind_of(path) == kind


@pytest.mark.parametrize(
    ("data", "key"),
    [
        (b"", "reading_empty"),
        (b"\0\0\0\0", "reading_empty"),
        (b"\xd0\xcf\x11\xe0\xa1\xb1\x1a\xe1" + b"x" * 600, "reading_old_word"),
        (b"1 0 obj\n<</Type/Catalog>>\nendobj\n", "reading_damaged"),
        (b"PK\x03\x04broken", "reading_damaged"),
        (b"{\\rtf1 hello}", "reading_unsupported"),
        (bytes(range(256)) * 8, "unknown_encoding"),
    ],
)
def test_what_cannot_be_read_is_said(tmp_path: Path, data: bytes, key: str) -> None:
    path = tmp_path / "a.docx"
    path.write_bytes(data)
    with pytest.raises(KnowledgeError) as caught:
        kind_of(path)
    assert caught.value.key == key
    assert "a.docx" in str(caught.value)


def test_a_document_with_a_password_is_told_from_an_old_one(tmp_path: Path) -> None:
    path = tmp_path / "a.docx"
    path.write_bytes(b"\xd0\xcf\x11\xe0\xa1\xb1\x1a\xe1" + b"x" * 999_980 + "EncryptedPackage".encode("utf-16-le"))
    with pytest.raises(KnowledgeError) as caught:
        kind_of(path)
    assert caught.value.key == "reading_locked"


def test_a_long_chinese_text_is_not_cut_inside_a_character(tmp_path: Path) -> None:
    for shift in range(4):
        path = tmp_path / "a.txt"
        path.write_bytes(("x" * shift + "水泵" * 5000).encode())
        assert kind_of(path) == DocKind.TEXT


def test_a_missing_file(tmp_path: Path) -> None:
    with pytest.raises(KnowledgeError):
        kind_of(tmp_path / "nothing.pdf")
