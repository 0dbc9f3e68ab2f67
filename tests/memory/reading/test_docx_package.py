"""kb.memory.reading.docx_package: opened with limits, nothing fetched, no entities."""

from __future__ import annotations

import zipfile
from pathlib import Path

import pytest
from docx_writer import Docx, paragraph, run

from kb.errors import KnowledgeError
from kb.memory.reading.docx_package import open_package, parse_xml
from kb.memory.reading.limits import Limits

_W = "http://schemas.openxmlformats.org/wordprocessingml/2006/main"


def _write(path: Path, parts: dict[str, bytes]) -> Path:
    with zipfile.ZipFile(path, "w", zipfile.ZIP_DEFLATED) as archive:
        for name, data in parts.items():
            archive.writestr(name, data)
    return path


def _refused(path: Path, limits: Limits | None = None) -> str:
    with pytest.raises(KnowledgeError) as caught:
        package = open_package(path, limits or Limits())
        package.tree(package.main)
    return caught.value.key


def test_a_document_opens(tmp_path: Path) -> None:
    (tmp_path / "a.docx").write_bytes(Docx(body=[paragraph(run("x"))]).data())
    package = open_package(tmp_path / "a.docx", Limits())
    assert package.main == "word/document.xml"
    assert package.tree("word/nothing.xml") is None
    assert "word/styles.xml" in package.targets(package.main).values()
    package.close()


def test_a_bomb_is_refused_before_it_is_unpacked(tmp_path: Path) -> None:
    path = _write(tmp_path / "bomb.docx", {"word/document.xml": b"<w/>", "word/media/big.xml": b"\0" * 30_000_000})
    assert _refused(path) == "reading_bomb"


def test_a_part_that_lies_about_its_size_is_refused(tmp_path: Path) -> None:
    path = _write(tmp_path / "lie.docx", {"word/document.xml": b"<w>" + b" " * 500_000 + b"</w>"})
    data = bytearray(path.read_bytes())
    size = (500_007).to_bytes(4, "little")
    assert data.count(size) == 2
    path.write_bytes(bytes(data).replace(size, (100).to_bytes(4, "little")))
    assert _refused(path) in ("reading_bomb", "reading_damaged")


def test_too_many_parts(tmp_path: Path) -> None:
    path = _write(tmp_path / "many.docx", {"word/document.xml": b"<w/>", **{f"word/{n}.xml": b"x" for n in range(20)}})
    assert _refused(path, Limits(entries=10)) == "reading_bomb"


def test_entities_are_refused(tmp_path: Path) -> None:
    laughs = b'<!DOCTYPE w [<!ENTITY a "ha"><!ENTITY b "&a;&a;&a;">]><w>&b;</w>'
    assert _refused(_write(tmp_path / "laugh.docx", {"word/document.xml": laughs})) == "reading_bomb"
    outside = b'<!DOCTYPE w [<!ENTITY a SYSTEM "file:///etc/passwd">]><w>&a;</w>'
    with pytest.raises(KnowledgeError):
        parse_xml(outside, tmp_path, "x")


def test_broken_xml_and_broken_packages(tmp_path: Path) -> None:
    assert _refused(_write(tmp_path / "xml.docx", {"word/document.xml": b"<w><p></w>"})) == "reading_damaged"
    assert _refused(_write(tmp_path / "none.docx", {"word/other.xml": b"<w/>"})) == "reading_damaged"
    whole = Docx(body=[paragraph(run("x" * 3000))]).data()
    (tmp_path / "cut.docx").write_bytes(whole[: len(whole) // 2])
    assert _refused(tmp_path / "cut.docx") == "reading_damaged"


def test_what_lies_outside_is_no_target(tmp_path: Path) -> None:
    relations = (
        b'<Relationships xmlns="http://schemas.openxmlformats.org/package/2006/relationships">'
        b'<Relationship Id="r1" TargetMode="External" Target="http://example.org/a.png"/>'
        b'<Relationship Id="r2" Target="../../../etc/passwd"/></Relationships>'
    )
    parts = {"word/document.xml": f'<w:document xmlns:w="{_W}"/>'.encode(), "word/_rels/document.xml.rels": relations}
    package = open_package(_write(tmp_path / "links.docx", parts), Limits())
    assert package.targets(package.main) == {"r2": "etc/passwd"}
    assert package.data("etc/passwd") is None
    package.close()
