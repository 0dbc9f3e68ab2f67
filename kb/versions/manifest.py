"""manifest.json: what exactly one version of the knowledge consists of.

Its bytes are canonical (one entry a line, keys and paths sorted), so the SHA-256 of the file names the content of the
whole: two trees with the same digest answer alike.
"""

from __future__ import annotations

import hashlib
import json
from collections.abc import Callable, Collection, Iterable
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from kb.errors import AlmanacError, KnowledgeError
from kb.tree import document
from kb.tree.frontmatter import as_list, as_text
from kb.tree.textfile import decode
from kb.tree.walk import is_document
from kb.versions.source import is_hidden

FILE_NAME = "manifest.json"
SCHEMA = 1


@dataclass(frozen=True, slots=True)
class DocumentEntry:
    """A document in a version: dates are ISO texts ('' for none), `sha256` is that of the file's bytes."""

    path: str
    id: str
    title: str
    version: str
    status: str
    valid_from: str
    valid_to: str
    affected_agents: tuple[str, ...]
    sha256: str


@dataclass(frozen=True, slots=True)
class FileEntry:
    """Another file that belongs to the knowledge: an image, the taxonomy, a card."""

    path: str
    sha256: str


@dataclass(frozen=True, slots=True)
class Manifest:
    """The content of one version, entries in path order; `created` is UTC, `2026-11-29T08:00:00Z`."""

    version: str
    created: str
    documents: tuple[DocumentEntry, ...]
    files: tuple[FileEntry, ...] = ()

    def to_bytes(self) -> bytes:
        """The canonical file."""
        head = {"schema": SCHEMA, "version": self.version, "created": self.created}
        lines = [_line(head)[:-1] + ","]
        for name, entries in (("documents", self.documents), ("files", self.files)):
            body = ",\n".join(_line({key: getattr(entry, key) for key in entry.__slots__}) for entry in entries)
            lines.append(f'"{name}":[' + (f"\n{body}\n" if body else "") + ("]," if name == "documents" else "]}"))
        return ("\n".join(lines) + "\n").encode()

    @property
    def digest(self) -> str:
        """SHA-256 of the canonical file."""
        return hashlib.sha256(self.to_bytes()).hexdigest()

    def same_content(self, other: Manifest) -> bool:
        """Whether both describe the same files, whatever they are called."""
        return self.documents == other.documents and self.files == other.files

    def hashes(self) -> dict[str, str]:
        """The SHA-256 of every file by path."""
        documents = {entry.path: entry.sha256 for entry in self.documents}
        return documents | {entry.path: entry.sha256 for entry in self.files}


@dataclass(frozen=True, slots=True)
class Mismatch:
    """How files differ from a manifest; paths in order."""

    missing: tuple[str, ...] = ()
    extra: tuple[str, ...] = ()
    changed: tuple[str, ...] = ()

    @property
    def names(self) -> list[str]:
        """All paths that differ, changed ones first."""
        return [*self.changed, *self.missing, *self.extra]

    def __bool__(self) -> bool:
        return bool(self.missing or self.extra or self.changed)


def _line(value: object) -> str:
    return json.dumps(value, ensure_ascii=False, sort_keys=True, separators=(",", ":"))


def sha256(data: bytes) -> str:
    """Hexadecimal."""
    return hashlib.sha256(data).hexdigest()


def build(
    version: str,
    created: str,
    files: Iterable[tuple[str, bytes]],
    earlier: Manifest | None = None,
    same: Collection[str] = (),
) -> Manifest:
    """The manifest of `files` (path and bytes; a manifest among them does not count) and of those that are the `same`
    as in `earlier`, by path.

    A document that `earlier` describes with the same bytes is not parsed again. KnowledgeError names a document that
    cannot be read.
    """
    known = {entry.path: entry for entry in earlier.documents} if earlier is not None else {}
    documents = [entry for path, entry in known.items() if path in same]
    others = [entry for entry in earlier.files if entry.path in same] if earlier is not None else []
    for path, data in files:
        if path == FILE_NAME:
            continue
        digest = sha256(data)
        if not is_document(path):
            others.append(FileEntry(path, digest))
            continue
        kept = known.get(path)
        documents.append(kept if kept is not None and kept.sha256 == digest else _entry(path, data, digest))
    return Manifest(
        version,
        created,
        tuple(sorted(documents, key=lambda entry: entry.path)),
        tuple(sorted(others, key=lambda entry: entry.path)),
    )


def _entry(path: str, data: bytes, digest: str) -> DocumentEntry:
    facts = document.parse(path, decode(data, path).text).facts
    metadata = facts.metadata
    return DocumentEntry(
        path=path,
        id=as_text(metadata.get("id")).strip(),
        title=facts.title,
        version=facts.version,
        status=facts.status,
        valid_from=facts.valid_from.isoformat() if facts.valid_from else "",
        valid_to=facts.valid_to.isoformat() if facts.valid_to else "",
        affected_agents=tuple(as_list(metadata.get("affected_agents"))),
        sha256=digest,
    )


def parse(data: bytes, path: str) -> Manifest:
    """A manifest from its bytes; KnowledgeError (naming `path`) when they are not one, or not canonical."""
    try:
        found = json.loads(data)
        manifest = Manifest(
            version=_text(found["version"]),
            created=_text(found["created"]),
            documents=tuple(_document(entry) for entry in found["documents"]),
            files=tuple(FileEntry(_text(entry["path"]), _text(entry["sha256"])) for entry in found["files"]),
        )
        schema = found["schema"]
    except (ValueError, KeyError, TypeError, RecursionError) as error:
        raise KnowledgeError("manifest_damaged", path=path, reason=type(error).__name__) from error
    if schema != SCHEMA:
        raise KnowledgeError("manifest_schema", path=path, schema=schema)
    if manifest.to_bytes() != data:
        raise KnowledgeError("manifest_damaged", path=path, reason="not canonical")
    return manifest


def _document(entry: dict[str, Any]) -> DocumentEntry:
    return DocumentEntry(
        path=_text(entry["path"]),
        id=_text(entry["id"]),
        title=_text(entry["title"]),
        version=_text(entry["version"]),
        status=_text(entry["status"]),
        valid_from=_text(entry["valid_from"]),
        valid_to=_text(entry["valid_to"]),
        affected_agents=tuple(_text(agent) for agent in entry["affected_agents"]),
        sha256=_text(entry["sha256"]),
    )


def _text(value: object) -> str:
    if not isinstance(value, str):
        raise TypeError(type(value).__name__)
    return value


def listed(root: Path) -> list[str]:
    """All plain files below `root` but hidden ones and the manifest, in path order; links do not count."""
    found: list[str] = []
    stack = [root]
    while stack:
        try:
            for entry in stack.pop().iterdir():
                if entry.name.startswith(".") or entry.is_symlink():
                    continue
                if entry.is_dir():
                    stack.append(entry)
                else:
                    found.append(entry.relative_to(root).as_posix())
        except OSError as error:
            raise AlmanacError("unreadable", path=error.filename, reason=error.strerror) from error
    return sorted(path for path in found if path != FILE_NAME)


def compare(manifest: Manifest, paths: Iterable[str], digest: Callable[[str], str | None]) -> Mismatch:
    """How the files at `paths` differ from `manifest`; `digest` gives a file's SHA-256, None where it is not there."""
    wanted = manifest.hashes()
    there = {path for path in paths if path != FILE_NAME and not is_hidden(path)}
    missing: list[str] = []
    changed: list[str] = []
    for path, expected in wanted.items():
        found = digest(path) if path in there else None
        if found is None:
            missing.append(path)
        elif found != expected:
            changed.append(path)
    return Mismatch(tuple(sorted(missing)), tuple(sorted(there - wanted.keys())), tuple(sorted(changed)))


def verify(manifest: Manifest, root: Path, paths: Iterable[str] | None = None) -> Mismatch:
    """How the folder `root` (or the files `paths` of it) differs from `manifest`; every file is read."""

    def digest(path: str) -> str | None:
        try:
            return sha256((root / path).read_bytes())
        except FileNotFoundError:
            return None
        except OSError as error:
            raise AlmanacError("unreadable", path=root / path, reason=error.strerror) from error

    return compare(manifest, listed(root) if paths is None else paths, digest)
