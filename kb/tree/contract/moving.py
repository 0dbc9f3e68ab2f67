"""Moving documents with their images, every link to them rewritten, and nothing lost when it is interrupted.

Order: a journal that names every move; the files under their new names; the links of the other documents; only then
the old files go; last the journal. Each step does nothing when it was done before, so an interrupted move is finished
by doing it again.
"""

from __future__ import annotations

import contextlib
import datetime
import json
import posixpath
import re
from collections.abc import Iterator, Mapping
from dataclasses import dataclass, field
from pathlib import Path

from kb import fsio
from kb.errors import KnowledgeError
from kb.tree.contract.fields import check_fields
from kb.tree.contract.files import DiskFiles, exists
from kb.tree.contract.findings import Edit, Finding
from kb.tree.contract.fixing import apply_edits, recoded, repair
from kb.tree.contract.links import Kind, Link, find_links, written
from kb.tree.contract.naming import IMAGE_FOLDER
from kb.tree.contract.source import Source, read_source
from kb.tree.contract.targets import joined, relative
from kb.tree.indexfile import FILE_NAME as INDEX_FILE
from kb.tree.walk import inside

JOURNAL = ".almanac-move.json"
# Fields of the front matter that name other documents.
_NAMING = ("references", "supersedes")
_VALUE_BEFORE = re.compile(r"(?:\bid:|\bsupersedes:|^\s*-|[\[,])[ \t]*[\"']?$")
_VALUE_BEHIND = re.compile(r"[\"']?[ \t]*(?:[,}\]#]|$)")


@dataclass(frozen=True, slots=True)
class Moves:
    """What is called otherwise afterwards, paths below the root: `documents`, and `images` that go with them.

    `copies` are images that other documents still show: they stay, and are there twice.
    """

    documents: Mapping[str, str]
    images: Mapping[str, str] = field(default_factory=dict)
    copies: Mapping[str, str] = field(default_factory=dict)


@dataclass(frozen=True, slots=True)
class Done:
    """What a move did: the moves, and which other files had a link rewritten."""

    moves: Moves
    rewritten: tuple[str, ...]

    @property
    def paths(self) -> list[str]:
        """Every path that is there, gone or otherwise than before."""
        moves = self.moves
        changed = {*moves.documents, *moves.documents.values(), *moves.images, *moves.images.values()}
        return sorted({*changed, *moves.copies.values(), *self.rewritten})


def execute(root: Path, moves: Moves) -> Done:
    """Move on disk. KnowledgeError, before anything is changed, when a document cannot be read or a name is taken."""
    files = DiskFiles(root)
    for old, new in {**moves.documents, **moves.images, **moves.copies}.items():
        inside(root, old)
        if exists(files, new):
            raise KnowledgeError("name_taken", path=new)
    for old in moves.documents:
        read_source(old, files.read(old))
    fsio.write_text(root / JOURNAL, _journal(moves))
    return _carry_out(root, moves)


def resume(root: Path) -> Done | None:
    """Finish a move that was interrupted; None when there is none. KnowledgeError when its journal is damaged."""
    journal = root / JOURNAL
    if not journal.is_file():
        return None
    try:
        found = json.loads(journal.read_text("utf-8"))
        parts = [{str(old): str(new) for old, new in found[name].items()} for name in _PARTS]
    except (OSError, ValueError, KeyError, TypeError, AttributeError) as error:
        raise KnowledgeError("journal_damaged", path=str(journal)) from error
    for mapping in parts:
        for path in (*mapping, *mapping.values()):
            if joined("", path) != path:
                raise KnowledgeError("journal_damaged", path=str(journal))
    return _carry_out(root, Moves(*parts))


_PARTS = ("documents", "images", "copies")


def _journal(moves: Moves) -> str:
    return json.dumps({name: dict(getattr(moves, name)) for name in _PARTS}, ensure_ascii=False, indent=1) + "\n"


def _carry_out(root: Path, moves: Moves) -> Done:
    for old, new in {**moves.images, **moves.copies}.items():
        if (root / old).is_file():
            _write_new(root, old, new, (root / old).read_bytes())
    names = {**moves.documents, **moves.images}
    for old, new in moves.documents.items():
        if (root / old).is_file():
            data = rewritten(old, (root / old).read_bytes(), new, {**names, **moves.copies})
            _write_new(root, old, new, data)
            fsio.make_folder((root / new).parent / IMAGE_FOLDER)
    others: list[str] = []
    for path in DiskFiles(root).documents():
        if path in names or path in moves.documents.values():
            continue
        data = (root / path).read_bytes()
        with contextlib.suppress(KnowledgeError):  # what cannot be decoded has no links to rewrite
            changed = rewritten(path, data, path, names)
            if changed != data:
                fsio.write_bytes((root / path).resolve(), changed)
                others.append(path)
    others += _index(root, moves.documents)
    _remove(root, names)
    (root / JOURNAL).unlink(missing_ok=True)
    fsio.sync_folder(root)
    return Done(moves, tuple(others))


def _write_new(root: Path, old: str, new: str, data: bytes) -> None:
    """Write a file under its new name; KnowledgeError when a person changed one of the two since an interruption."""
    target = root / new
    if not target.exists():
        fsio.write_bytes(target, data)
    elif target.read_bytes() != data:
        raise KnowledgeError("move_conflict", old=old, new=new)


def _remove(root: Path, names: Mapping[str, str]) -> None:
    """Take the old files away, and the folders that held nothing else."""
    folders: set[Path] = set()
    for old in names:
        (root / old).unlink(missing_ok=True)
        folders.add((root / old).parent)
    for folder in sorted(folders, key=lambda one: len(one.parts), reverse=True):
        if folder.is_dir():
            fsio.sync_folder(folder)
        here = folder
        while here != root:
            with contextlib.suppress(OSError):
                (here / IMAGE_FOLDER).rmdir()
            try:
                here.rmdir()
            except OSError:
                break
            here = here.parent


def rewritten(path: str, data: bytes, new_path: str, names: Mapping[str, str]) -> bytes:
    """The document `path` as it must read at `new_path`, when files are called what `names` says.

    Only the destinations of links, and references (`references`, `supersedes`) that name a moved document, change; of a
    moved document also the front matter where it has a safe repair. KnowledgeError when the bytes cannot be decoded.
    """
    source = read_source(path, data)
    edits = [*_link_edits(source, new_path, names), *_reference_edits(source, new_path, names)]
    if edits:
        data = apply_edits(data if source.encoding == "utf-8" else recoded(data, path), edits)
    return data if new_path == path else repaired(new_path, data)


def repaired(path: str, data: bytes) -> bytes:
    """The document with what the contract wants of its front matter, where it can only mean one thing."""

    def check(found: bytes) -> list[Finding]:
        # No day lies behind the last one: dates in the future are a person's business.
        return list(check_fields(read_source(path, found), datetime.date.max))

    if not any(finding.fixable for finding in check(data)):
        return data
    return repair(path, data if read_source(path, data).encoding == "utf-8" else recoded(data, path), check)


def _link_edits(source: Source, new_path: str, names: Mapping[str, str]) -> list[Edit]:
    text = "\n".join(source.lines)
    edits: list[Edit] = []
    for link in find_links(text, source.body_line):
        to = _wiki(link, names) if link.kind is Kind.WIKI else _destination(source.path, new_path, link, names)
        if to is not None and to != text[link.start : link.end] and "\n" not in text[link.start : link.end]:
            start = link.start - (text.rfind("\n", 0, link.start) + 1)
            if link.kind is Kind.WIKI and text[link.end] == "]":
                to = f"{to}|{text[link.start : link.end]}"
            edits.append(Edit(link.line, start, start + link.end - link.start, to))
    return edits


def _destination(path: str, new_path: str, link: Link, names: Mapping[str, str]) -> str | None:
    """How a link of `path` is written from `new_path`; None when it stays as it is."""
    target = joined(path, link.target) if link.target and not re.match(r"[a-zA-Z][\w+.-]+:|/", link.target) else None
    if target is None:
        return None
    moved = names.get(target, target)
    if moved == target and posixpath.dirname(path) == posixpath.dirname(new_path):
        return None
    to = relative(new_path, moved) + ("/" if link.target.endswith("/") else "")
    return to + link.fragment if link.kind is Kind.HTML else written(to, link.fragment)


def _wiki(link: Link, names: Mapping[str, str]) -> str | None:
    """Obsidian's `[[name]]` finds a note by its stem, or by its path without `.md`."""
    for old, new in names.items():
        stem, new_stem = old.removesuffix(".md"), new.removesuffix(".md")
        if link.target in (old, stem):
            return (new if link.target == old else new_stem) + link.fragment
        if link.target in (posixpath.basename(old), posixpath.basename(stem)):
            return posixpath.basename(new if link.image else new_stem) + link.fragment
    return None


def _reference_edits(source: Source, new_path: str, names: Mapping[str, str]) -> list[Edit]:
    edits: list[Edit] = []
    for field_name in _NAMING:
        first, last = source.fields.get(field_name, (1, 0))
        for number in range(first, last + 1):
            line = source.lines[number - 1]
            for old, new in names.items():
                edits += _line_edits(number, line, _spellings(source.path, new_path, old, new))
    return edits


def _line_edits(number: int, line: str, spellings: Mapping[str, str]) -> Iterator[Edit]:
    """The first way in which `line` names a moved document, as an edit."""
    for written_as, to in spellings.items():
        found = re.search(rf"(?<![\w/.]){re.escape(written_as)}(?![\w/.])", line)
        if found is None:
            continue
        # Without its suffix a path may be words of a title: only as a value of its own.
        alone = _VALUE_BEFORE.search(line[: found.start()]) and _VALUE_BEHIND.match(line[found.end() :])
        if written_as.endswith(".md") or alone:
            yield Edit(number, found.start(), found.end(), to)
            return


def _spellings(path: str, new_path: str, old: str, new: str) -> dict[str, str]:
    """How a document at `path` may name `old`, and how it names it at `new_path` when that is called `new`: by its
    path, as it lies from here, each with and without `.md`."""
    ways = {old: new}
    here = relative(path, old)
    if "/" in here:
        ways[here] = relative(new_path, new)
    ways |= {
        written_as.removesuffix(".md"): to.removesuffix(".md") for written_as, to in ways.items() if "/" in written_as
    }
    return dict(sorted(ways.items(), key=lambda way: -len(way[0])))


def _index(root: Path, documents: Mapping[str, str]) -> list[str]:
    """Rename the entries of `_index.yaml`, so that what a person wrote in them stays."""
    path = root / INDEX_FILE
    if not path.is_file():
        return []
    text = path.read_bytes().decode("utf-8", "surrogateescape")
    changed = text
    for old, new in documents.items():
        entry = rf"^([ \t]*-?[ \t]*file:[ \t]*[\"']?){re.escape(old)}(?=[\"']?[ \t]*(?:#.*)?\r?$)"
        escaped = new.replace("\\", r"\\")
        changed = re.sub(entry, rf"\g<1>{escaped}", changed, flags=re.MULTILINE)
    if changed == text:
        return []
    fsio.write_bytes(path, changed.encode("utf-8", "surrogateescape"))
    return [INDEX_FILE]
