"""Which documents go where, so that paths and names keep the contract."""

from __future__ import annotations

import datetime
import posixpath
import re
from collections.abc import Iterable, Sequence
from dataclasses import dataclass

from kb.errors import KnowledgeError
from kb.tree import frontmatter
from kb.tree.contract.files import Files, exists
from kb.tree.contract.findings import Severity
from kb.tree.contract.links import Kind, find_links
from kb.tree.contract.moving import Moves, repaired
from kb.tree.contract.naming import IMAGE_FOLDER, MAX_LEVELS, check_place, is_image_name
from kb.tree.contract.source import read_source
from kb.tree.contract.targets import joined
from kb.tree.contract.translate import Edition, Words, split_edition
from kb.tree.document import language_of

_VERSION = re.compile(r"((?:19|20)\d\d)(?:_v(\d+))?")
_SNAKE = re.compile(r"[a-z0-9]+(?:_[a-z0-9]+)*")
_PLACE = re.compile(r"[a-z0-9]+(?:_[a-z0-9]+)*(?:/[a-z0-9]+(?:_[a-z0-9]+)*)*")

# How the English edition of a document is told from the Chinese one beside it.
_ENGLISH = "_en"


@dataclass(frozen=True, slots=True)
class Wish:
    """What a person says about the new name: the item's `name` (or a whole path), and the folder to lie `into`."""

    name: str | None = None
    into: str | None = None


@dataclass(frozen=True, slots=True)
class Plan:
    """The moves, and the documents for which there is none with the reason."""

    moves: Moves
    refused: tuple[tuple[str, KnowledgeError], ...] = ()


def misplaced(path: str) -> bool:
    """Whether the path of a document breaks the contract, so that a whole folder can be gone through."""
    return any(finding.severity is Severity.ERROR or finding.rule == "path-hyphen" for finding in check_place(path))


def plan(files: Files, paths: Sequence[str], words: Words, today: datetime.date, wish: Wish | None = None) -> Plan:
    """Where the documents `paths` go. One that cannot be named is refused, the others go on."""
    taken: set[str] = set()
    documents: dict[str, str] = {}
    refused: list[tuple[str, KnowledgeError]] = []
    for path in paths:
        try:
            new = _target(files, path, words, today, wish or Wish(), taken)
        except KnowledgeError as error:
            refused.append((path, error))
            continue
        if new != path:
            documents[path] = new
            taken.add(new)
    images, copies = _images(files, documents, words, taken)
    return Plan(Moves(documents, images, copies), tuple(refused))


def _target(files: Files, path: str, words: Words, today: datetime.date, wish: Wish, taken: Iterable[str]) -> str:
    """The path of the contract for one document; KnowledgeError when a word or place is missing."""
    *folders, name = path.split("/")
    stem, edition = split_edition(name.rsplit(".", 1)[0])
    data = files.read(path)
    source = read_source(path, data)
    if wish.name is not None:
        folder, item, named = _wished(wish, folders, words)
        edition = Edition(named.year or edition.year, named.revision or edition.revision)
    else:
        folder, item = _found(folders, stem, words, wish)
        if not item.endswith(_ENGLISH) and language_of(source.body[:2000]) == "en":
            item += _ENGLISH
    # As it will be written: a date like 2024/6/5 tells the year only once it is repaired.
    written = read_source(path, repaired(path, data)).metadata
    year, revision = _edition(edition, written or {}, today)
    parts = [*folder.split("/"), item] if folder else [item]
    if len(parts) > MAX_LEVELS:
        raise KnowledgeError("too_deep", path="/".join(parts), most=MAX_LEVELS)
    for number in range(revision, 1000):
        made = "/".join(parts) + f"_{year}_v{number}.md"
        if made == path or (made not in taken and not exists(files, made)):
            return made
    raise KnowledgeError("name_taken", path="/".join(parts))


def _found(folders: Sequence[str], stem: str, words: Words, wish: Wish) -> tuple[str, str]:
    """Folder and item from the words of the path."""
    if folders or wish.into is not None:
        folder = words.place(folders, wish.into)
        return folder, words.word(stem, words.items)
    pieces = words.pieces(stem, {folder.rsplit("/", 1)[-1] for folder in words.folders})
    if len(pieces) < 2:
        raise KnowledgeError("place_unknown", name=stem)
    return words.place([pieces[0]]), "_".join(pieces[1:])


def _wished(wish: Wish, folders: Sequence[str], words: Words) -> tuple[str, str, Edition]:
    """Folder, item and edition as a person gives them; KnowledgeError when the name breaks the contract."""
    name = (wish.name or "").removesuffix(".md")
    if not _PLACE.fullmatch(name):
        raise KnowledgeError("name_form", name=name)
    folder, _, item = name.rpartition("/")
    stem, edition = split_edition(item)
    stem = stem.replace(" ", "_")
    if not _SNAKE.fullmatch(stem):
        raise KnowledgeError("name_form", name=name)
    if not folder:
        folder = words.place(folders, wish.into)
    return folder, stem, edition


def _edition(named: Edition, metadata: object, today: datetime.date) -> tuple[int, int]:
    """Year and revision: from the file's name, its version, its dates, or today."""
    fields = metadata if isinstance(metadata, dict) else {}
    year, revision = named.year, named.revision
    version = _VERSION.fullmatch(frontmatter.as_text(fields.get("version")).strip())
    if version is not None:
        year = year or int(version[1])
        revision = revision or (int(version[2]) if version[2] else None)
    for name in ("valid_from", "date_updated", "date_created"):
        written = frontmatter.as_text(fields.get(name)).strip()
        if year is None and re.match(r"(?:19|20)\d\d\b", written):
            year = int(written[:4])
    return year or today.year, revision or 1


def _images(
    files: Files, documents: dict[str, str], words: Words, taken: set[str]
) -> tuple[dict[str, str], dict[str, str]]:
    """The images of moved documents: those to move, and those to copy because another document shows them too."""
    if not documents:
        return {}, {}
    shown = {path: _shown(files, path) for path in files.documents()}
    elsewhere = {image for path, images in shown.items() if path not in documents for image in images}
    moved: dict[str, str] = {}
    copied: dict[str, str] = {}
    for old, new in documents.items():
        for number, image in enumerate(shown.get(old, ()), start=1):
            if image in moved or image in copied:
                continue
            target = _image_name(files, image, new, number, words, taken)
            if target != image:
                (copied if image in elsewhere else moved)[image] = target
                taken.add(target)
    return moved, copied


def _shown(files: Files, path: str) -> list[str]:
    """The images of the tree that a document shows, in order."""
    try:
        source = read_source(path, files.read(path))
    except KnowledgeError:
        return []
    links = find_links("\n".join(source.lines), source.body_line)
    named = [joined(path, link.target) for link in links if link.image and link.target and link.kind is not Kind.WIKI]
    return [image for image in dict.fromkeys(named) if image and exists(files, image)]


def _image_name(files: Files, image: str, document: str, number: int, words: Words, taken: set[str]) -> str:
    """Where an image goes: into images/ beside its document, its own name when that says what it shows."""
    folder = posixpath.join(posixpath.dirname(document), IMAGE_FOLDER)
    name = posixpath.basename(image)
    stem, suffix = posixpath.splitext(name)
    if not is_image_name(name):
        item, edition = split_edition(posixpath.basename(document).rsplit(".", 1)[0])
        plain, own = split_edition(stem)
        try:
            said = words.word(plain)
        except KnowledgeError:
            said = f"{item.replace(' ', '_')}_figure_{number}"
        stem = f"{said}_{own.year or edition.year}"
        suffix = suffix.lower()
    for count in range(1, 1000):
        head, _, tail = stem.rpartition("_")
        numbered = stem if count == 1 else f"{head}_{count}_{tail}"
        target = f"{folder}/{numbered}{suffix}"
        if target == image or (target not in taken and not exists(files, target)):
            return target
    raise KnowledgeError("name_taken", path=f"{folder}/{stem}{suffix}")
