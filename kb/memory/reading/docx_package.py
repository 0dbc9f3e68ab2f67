"""The package of a DOCX file: its parts, opened with limits, parsed without entities, nothing fetched from outside."""

from __future__ import annotations

import posixpath
import zipfile
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

from lxml import etree

from kb.errors import KnowledgeError
from kb.memory.reading.limits import Limits

W = "{http://schemas.openxmlformats.org/wordprocessingml/2006/main}"
R = "{http://schemas.openxmlformats.org/officeDocument/2006/relationships}"
M = "{http://schemas.openxmlformats.org/officeDocument/2006/math}"
A = "{http://schemas.openxmlformats.org/drawingml/2006/main}"
WP = "{http://schemas.openxmlformats.org/drawingml/2006/wordprocessingDrawing}"
MC = "{http://schemas.openxmlformats.org/markup-compatibility/2006}"
_STRICT = b"http://purl.oclc.org/ooxml/"
_TRANSITIONAL = (
    (b"http://purl.oclc.org/ooxml/wordprocessingml/main", b"http://schemas.openxmlformats.org/wordprocessingml/2006/main"),
    (b"http://purl.oclc.org/ooxml/officeDocument/relationships",
     b"http://schemas.openxmlformats.org/officeDocument/2006/relationships"),
    (b"http://purl.oclc.org/ooxml/officeDocument/math", b"http://schemas.openxmlformats.org/officeDocument/2006/math"),
    (b"http://purl.oclc.org/ooxml/drawingml/main", b"http://schemas.openxmlformats.org/drawingml/2006/main"),
    (b"http://purl.oclc.org/ooxml/drawingml/wordprocessingDrawing",
     b"http://schemas.openxmlformats.org/drawingml/2006/wordprocessingDrawing"),
)  # fmt: skip
_RELATION = "{http://schemas.openxmlformats.org/package/2006/relationships}Relationship"
_SMALL = 1_000_000

Element = Any  # lxml's elements have no types


@dataclass(slots=True)
class Package:
    """An opened DOCX: `main` is the name of its document part."""

    archive: zipfile.ZipFile
    path: Path
    limits: Limits
    main: str
    _left: int
    _targets: dict[str, dict[str, str]] = field(default_factory=dict)

    def close(self) -> None:
        """Close the file."""
        self.archive.close()

    def data(self, name: str) -> bytes | None:
        """A part unpacked, None when there is none. KnowledgeError when it is larger than it says or allowed."""
        try:
            info = self.archive.getinfo(name)
        except KeyError:
            return None
        try:
            with self.archive.open(info) as part:
                data = part.read(min(info.file_size, self._left) + 1)
        except (zipfile.BadZipFile, OSError, EOFError, NotImplementedError, RuntimeError, ValueError) as error:
            raise KnowledgeError("reading_damaged", path=str(self.path), reason=f"{name}: {error}") from error
        except Exception as error:
            if type(error).__name__ == "error":  # zlib.error has no public base
                raise KnowledgeError("reading_damaged", path=str(self.path), reason=f"{name}: {error}") from error
            raise
        if len(data) > info.file_size or len(data) > self._left:
            raise KnowledgeError("reading_bomb", path=str(self.path))
        self._left -= len(data)
        return data

    def tree(self, name: str) -> Element | None:
        """A part as XML; None when there is none. KnowledgeError when it is not well-formed or carries a DTD."""
        data = self.data(name)
        if data is None:
            return None
        if _STRICT in data[:4096]:
            for strict, usual in _TRANSITIONAL:
                data = data.replace(strict, usual)
        return parse_xml(data, self.path, name)

    def targets(self, part: str) -> dict[str, str]:
        """The parts that `part` refers to, by relation id. What lies outside of the file is not among them."""
        if part not in self._targets:
            folder, name = posixpath.split(part)
            root = self.tree(f"{folder}/_rels/{name}.rels" if folder else f"_rels/{name}.rels")
            found: dict[str, str] = {}
            for relation in root.iter(_RELATION) if root is not None else ():
                if relation.get("TargetMode") != "External":
                    target = posixpath.normpath(posixpath.join("/" + folder, relation.get("Target", "")))
                    found[relation.get("Id", "")] = target.lstrip("/")
            self._targets[part] = found
        return self._targets[part]

    def beside(self, name: str) -> str:
        """The name of a part in the main part's folder."""
        return posixpath.join(posixpath.dirname(self.main), name)


def parse_xml(data: bytes, path: Path, name: str) -> Element:
    """`data` as an XML tree, without entities, DTD or network. KnowledgeError when it is not well-formed."""
    parser = etree.XMLParser(resolve_entities=False, no_network=True, load_dtd=False, huge_tree=False)
    try:
        root = etree.fromstring(data, parser)
    except (etree.XMLSyntaxError, ValueError) as error:
        raise KnowledgeError("reading_damaged", path=str(path), reason=f"{name}: {error}") from error
    if root.getroottree().docinfo.internalDTD is not None:
        raise KnowledgeError("reading_bomb", path=str(path))
    return root


def open_package(path: Path, limits: Limits) -> Package:
    """Open a DOCX. KnowledgeError: damaged, locked, without a document, or larger unpacked than the limits allow."""
    try:
        archive = zipfile.ZipFile(path)
    except (OSError, zipfile.BadZipFile, ValueError) as error:
        raise KnowledgeError("reading_damaged", path=str(path), reason=str(error)) from error
    entries = archive.infolist()
    limit = limits.unpacked_mb * 1_000_000
    total = sum(entry.file_size for entry in entries)
    inflated = any(
        entry.file_size > _SMALL and entry.file_size > limits.ratio * max(entry.compress_size, 1) for entry in entries
    )
    if len(entries) > limits.entries or total > limit or inflated:
        archive.close()
        raise KnowledgeError("reading_bomb", path=str(path))
    if any(entry.flag_bits & 1 for entry in entries):
        archive.close()
        raise KnowledgeError("reading_locked", path=str(path))
    package = Package(archive, path, limits, "word/document.xml", limit)
    names = set(archive.namelist())
    for target in package.targets("").values():
        if target.endswith(".xml") and target.startswith("word/document") and target in names:
            package.main = target
    if package.main not in names:
        archive.close()
        raise KnowledgeError("reading_damaged", path=str(path), reason=package.main)
    return package
