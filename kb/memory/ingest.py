"""Documents into a knowledge tree: each as a Markdown file that keeps the contract, with its pictures beside it.

A document that came from here carries the digest of its source and of its own body. So the same source is not written
twice, a changed one replaces its document, and what a person edited is kept. Two sources of one name in two folders are
two documents; the folder is kept as a digest, for a path would tell readers about the machine it came from.
"""

from __future__ import annotations

import datetime
import hashlib
import io
import re
from collections.abc import Iterator, Sequence
from dataclasses import dataclass, field
from pathlib import Path, PurePosixPath

from ruamel.yaml import YAML
from ruamel.yaml.comments import CommentedMap
from ruamel.yaml.error import YAMLError

from kb import fsio
from kb.errors import AlmanacError, ExitCode, KnowledgeError
from kb.memory.block import Block, Kind
from kb.memory.chunks import keywords
from kb.memory.markdown import to_markdown
from kb.memory.pipeline import DocPipeline, Reading, file_digest
from kb.memory.reading.kinds import DocKind
from kb.memory.reading.marks import section_level
from kb.memory.reading.pdf import SCAN, UNREADABLE
from kb.tree import frontmatter
from kb.tree.textfile import read_text
from kb.tree.walk import inside

SOURCE_DIGEST = "source_digest"
BODY_DIGEST = "body_sha256"
SOURCE_FOLDER = "source_folder"
# domain/category/subcategory/item.md
_FOLDERS = 3
_MAX_NAME = 80
_UNSAFE = re.compile(r"[^\w.()（）\-]+")
_DIGEST_LINE = re.compile(rf"^{SOURCE_DIGEST}: [\"']?([0-9a-f]{{64}})", re.MULTILINE)
_HEAD_BYTES = 8192
_EDITION = re.compile(r"(?<=.)_(?:19|20)\d\d_v\d{1,3}$")
_FIRST_VERSION = "1.0"
# What says nothing of the subject.
_ASIDE = (Kind.COMMENT, Kind.IMAGE)


@dataclass(frozen=True, slots=True)
class Plan:
    """What a person asked for: `into` is a folder below the knowledge; empty fields are taken from the document."""

    into: str = "imported"
    title: str = ""
    type: str = ""
    valid_to: datetime.date | None = None
    dry_run: bool = False
    replace: bool = False
    """Whether a source replaces the document made of one of the same name in another folder."""


@dataclass(frozen=True, slots=True)
class Outcome:
    """What became of a source. `status`: written, replaced, unchanged, kept (a person changed the document), would.
    `path` is relative to the knowledge; `beside` is the document of a source of the same name from another folder."""

    source: Path
    path: str
    status: str
    digest: str
    pages: int = 0
    blocks: Sequence[Block] = field(default=(), repr=False)
    images: int = 0
    beside: str = ""

    @property
    def tables(self) -> int:
        """How many tables were read, each part on another page counted."""
        return sum(block.kind == Kind.TABLE for block in self.blocks)

    def noted(self, note: str) -> int:
        """How many pages carry `note`."""
        return sum(block.kind == Kind.COMMENT and block.note == note for block in self.blocks)

    @property
    def scans(self) -> int:
        """Pages that are pictures without text."""
        return self.noted(SCAN)

    @property
    def unreadable(self) -> int:
        """Pages that could not be read."""
        return self.noted(UNREADABLE)


def folder_in(into: str) -> str:
    """`into` as a clean path below the knowledge. AlmanacError when it leads outside or too deep."""
    parts = PurePosixPath(into.replace("\\", "/").strip()).parts
    if not parts or any(part in ("..", "/", ".") or part.startswith(".") or ":" in part for part in parts):
        raise AlmanacError("ingest_outside", ExitCode.USAGE, path=into)
    if len(parts) > _FOLDERS:
        raise AlmanacError("ingest_deep", ExitCode.USAGE, path=into)
    return "/".join(parts)


def sources(path: Path) -> Iterator[tuple[Path, str]]:
    """The files at `path` with the folder of each below it (''), sorted; hidden ones and links are left out."""
    if not path.is_dir():
        yield path, ""
        return
    for found in sorted(path.rglob("*")):
        relative = found.relative_to(path)
        hidden = any(part.startswith((".", "~$")) for part in relative.parts)
        if not hidden and found.is_file() and not found.is_symlink():
            yield found, relative.parent.as_posix().removeprefix(".")


class Ingest:
    """Reads sources into the knowledge tree at `root`."""

    def __init__(self, pipeline: DocPipeline, root: Path, today: datetime.date) -> None:
        self._pipeline = pipeline
        self._root = root
        self._today = today
        self._known: dict[str, list[_Known]] = {}  # by folder, read once
        self._seen: dict[str, int] = {}  # by folder, its time of change when it was read or last written here
        self._taken: dict[str, Path] = {}  # documents of this run, with what each was made of

    def take(self, source: Path, plan: Plan, below: str = "") -> Outcome:
        """Read `source` and write its document; `below` is its folder in a folder of sources.

        Raises KnowledgeError when it cannot be read, AlmanacError when nothing can be written.
        """
        folder = _joined(folder_in(plan.into), below)
        digest = file_digest(source)
        path, existing, beside = self._place(folder, source, digest, plan)
        if status := _settled(existing, digest, plan):
            return Outcome(source, path, status, digest)
        with self._pipeline.reading(source, digest) as read:
            if not any(block.text or block.note for block in read.blocks):
                raise KnowledgeError("reading_empty", path=str(source))
            if plan.dry_run:
                return self._written(source, read, plan, (path, existing, beside), folder)
            with fsio.locked(self._pipeline.folder / "ingest.lock"):
                if self._changed(folder) != self._seen.get(folder):
                    # Another run has written here while this one read: the source may have its document by now.
                    self._known.pop(folder, None)
                    path, existing, beside = self._place(folder, source, digest, plan)
                    if status := _settled(existing, digest, plan):
                        return Outcome(source, path, status, digest)
                return self._written(source, read, plan, (path, existing, beside), folder)

    def _written(
        self, source: Path, read: Reading, plan: Plan, place: tuple[str, _Existing | None, str], folder: str
    ) -> Outcome:
        """Write the document of a source that was read, unless it is only asked what would be written."""
        path, existing, beside = place
        digest = read.digest
        text, images = self._document(source, read, plan, existing)
        status = "would" if plan.dry_run else "replaced" if existing is not None else "written"
        outcome = Outcome(source, path, status, digest, read.pages, tuple(read.blocks), len(images), beside)
        if not plan.dry_run:
            target = self._target(path)
            for name in images:
                picture = target.parent / name
                if not picture.exists():
                    fsio.write_bytes(picture, (read.folder / name).read_bytes())
            fsio.write_text(target, text)
            self._taken[path] = source
            self._known[folder] = [each for each in self._folder(folder) if each.path != path]
            self._known[folder].append(_Known(path, digest, source.name, folder_digest(source)))
            self._seen[folder] = self._changed(folder)
        return outcome

    def _changed(self, folder: str) -> int:
        """The time at which `folder` last changed, 0 when it is not there."""
        place = self._root / folder
        return place.stat().st_mtime_ns if place.is_dir() else 0

    def _target(self, path: str) -> Path:
        """Where `path` lies; nothing is written through a link that leads out of the knowledge."""
        target = self._root / path
        fsio.make_folder(target.parent)
        if not target.parent.resolve().is_relative_to(self._root.resolve()) or target.is_symlink():
            raise KnowledgeError("path_outside", path=path)
        return target

    def _place(self, folder: str, source: Path, digest: str, plan: Plan) -> tuple[str, _Existing | None, str]:
        """The document's path; what stands there already from the same source, of the same bytes, else of the same name
        and folder; and the document of another source of that name."""
        known = self._folder(folder)
        named = [
            each for each in known if each.source == source.name and self._taken.get(each.path, source) == source
        ]  # fmt: skip
        same = [each for each in known if each.digest == digest]
        same += [each for each in named if plan.replace or each.folder == folder_digest(source)]
        if same:
            return same[0].path, self._existing(same[0].path), ""
        beside = next((each.path for each in known if each.source == source.name), "")
        name, edition = _name(source)
        path = f"{folder}/{name}{edition}.md"
        if (self._root / path).exists() or path in self._taken:
            path = f"{folder}/{name}_{digest[:8]}{edition}.md"
        return path, self._existing(path), beside

    def _folder(self, folder: str) -> list[_Known]:
        """The documents in `folder` that came from here."""
        if folder not in self._known:
            place = self._root / folder
            self._seen[folder] = self._changed(folder)
            found = []
            for path in sorted(place.glob("*.md")) if place.is_dir() else ():
                try:
                    with path.open("rb") as file:
                        head = file.read(_HEAD_BYTES).decode("utf-8", "replace")
                except OSError:
                    continue
                digest = _DIGEST_LINE.search(head)
                existing = self._existing(f"{folder}/{path.name}") if digest else None
                if digest and existing is not None:
                    found.append(_Known(f"{folder}/{path.name}", digest[1], existing.name, existing.folder))
            self._known[folder] = found
        return self._known[folder]

    def _existing(self, path: str) -> _Existing | None:
        """The document at `path` when it came from here."""
        try:
            text = read_text(inside(self._root.resolve(), path)).text
            parts = frontmatter.split(text)
            meta = YAML().load(parts.yaml or "") or CommentedMap()
        except (AlmanacError, frontmatter.FrontMatterError, YAMLError):
            return None
        if not isinstance(meta, CommentedMap) or SOURCE_DIGEST not in meta:
            return None
        return _Existing(meta, body_digest(parts.body) != str(meta.get(BODY_DIGEST)))

    def _document(self, source: Path, read: Reading, plan: Plan, existing: _Existing | None) -> tuple[str, list[str]]:
        """The document's text and the names of its pictures."""
        own: dict[str, frontmatter.Value] = {}
        if read.kind == DocKind.MARKDOWN:
            # Markdown stays as it was written.
            try:
                parts = frontmatter.split(read_text(source).text)
                own, body = (frontmatter.parse(parts.yaml) if parts.yaml else {}), parts.body
            except frontmatter.FrontMatterError:
                body = to_markdown(read.blocks)
        else:
            body = to_markdown(read.blocks)
        first = next((block for block in read.blocks if block.kind == Kind.HEADING), None)
        # A numbered heading is one of several: it names a part, not the document.
        heading = first.text if first is not None and first.level == 1 and not section_level(first.text) else ""
        title = " ".join((plan.title or frontmatter.as_text(own.get("title")) or heading or source.stem).split())
        if not any(block.kind == Kind.HEADING for block in read.blocks):
            body = f"# {title}\n\n{body}"
        body = f"\n{body.strip()}\n"
        meta = existing.meta if existing is not None else CommentedMap(own)
        self._describe(meta, source, read, plan, title, body, fresh=existing is None)
        images = sorted(set(re.findall(r"\]\((images/[0-9a-f]{16}\.\w{1,5})\)", body)))
        return f"---\n{_yaml(meta)}---\n{body}", [name for name in images if (read.folder / name).is_file()]

    def _describe(
        self, meta: CommentedMap, source: Path, read: Reading, plan: Plan, title: str, body: str, *, fresh: bool
    ) -> None:
        """Fill in the front matter; on a second reading a person's fields stay."""
        made = datetime.date.fromtimestamp(source.stat().st_mtime)
        plain = " ".join(block.text for block in read.blocks if block.kind not in _ASIDE)
        first = {
            "title": title, "version": _FIRST_VERSION, "date_created": self._today.isoformat(),
            "date_updated": made.isoformat(), "type": plan.type,
            "keywords": list(keywords(plain[:200_000])),
        }  # fmt: skip
        for name, value in first.items():
            if value and (name not in meta or (name == "date_updated" and not fresh)):
                meta[name] = value
        if plan.title:
            meta["title"] = title
        if plan.type:
            meta["type"] = plan.type
        if plan.valid_to is not None:
            meta["valid_to"] = plan.valid_to.isoformat()
        meta["source"] = source.name
        meta[SOURCE_FOLDER] = folder_digest(source)
        meta[SOURCE_DIGEST] = read.digest
        meta[BODY_DIGEST] = body_digest(body)


@dataclass(frozen=True, slots=True)
class _Known:
    """A document that came from here: its path, and the digest, name and folder (as a digest) of its source."""

    path: str
    digest: str
    source: str
    folder: str


@dataclass(frozen=True, slots=True)
class _Existing:
    """A document that came from here: its front matter, and whether a person changed its body."""

    meta: CommentedMap
    edited: bool

    @property
    def source(self) -> str:
        """The digest of the source it was made from."""
        return str(self.meta[SOURCE_DIGEST])

    @property
    def name(self) -> str:
        """The name of that source."""
        return str(self.meta.get("source", ""))

    @property
    def folder(self) -> str:
        """The digest of the folder it lay in; empty when it is not known."""
        return str(self.meta.get(SOURCE_FOLDER, ""))


def folder_digest(source: Path) -> str:
    """The folder of a source as 16 hexadecimal digits: enough to tell folders apart, and it says nothing of them."""
    folder = source.resolve().parent.as_posix()
    return hashlib.sha256(folder.encode("utf-8", "surrogateescape")).hexdigest()[:16]


def body_digest(body: str) -> str:
    """The digest by which a person's change is seen; line ends and blank lines at the ends do not count."""
    return hashlib.sha256(body.replace("\r\n", "\n").strip().encode("utf-8", "replace")).hexdigest()


def _settled(existing: _Existing | None, digest: str, plan: Plan) -> str:
    """Why nothing is to be written: "kept" (a person changed the document), "unchanged"; '' when something is."""
    if existing is None:
        return ""
    if existing.edited:
        return "kept"
    return "unchanged" if existing.source == digest and not _asks_change(existing.meta, plan) else ""


def _asks_change(meta: CommentedMap, plan: Plan) -> bool:
    """Whether the plan names a field that the document has otherwise."""
    wanted = {
        "title": plan.title, "type": plan.type, "valid_to": plan.valid_to.isoformat() if plan.valid_to else "",
    }  # fmt: skip
    return any(value and str(meta.get(name, "")) != value for name, value in wanted.items())


def _joined(into: str, below: str) -> str:
    """The folder of a source's document: its own folders below `into`, as many as the tree's depth allows."""
    parts = [*into.split("/"), *(_clean(part) for part in PurePosixPath(below).parts)]
    return "/".join(part for part in parts[:_FOLDERS] if part)


def _clean(name: str) -> str:
    return _UNSAFE.sub("_", name.strip()).strip("._ ")[:_MAX_NAME]


def _name(source: Path) -> tuple[str, str]:
    """The document's name and edition (`_2024_v1`): the source's name in lower case, with `_` for what paths should not
    hold; the edition it names, else the year in which it was last changed."""
    stem = _clean(source.stem).lower() or "document"
    found = _EDITION.search(stem)
    if found:
        return stem[: found.start()], found[0]
    return stem, f"_{datetime.date.fromtimestamp(source.stat().st_mtime).year}_v1"


def _yaml(meta: CommentedMap) -> str:
    yaml = YAML()
    yaml.width = 4096
    yaml.allow_unicode = True
    stream = io.StringIO()
    yaml.dump(meta, stream)
    return stream.getvalue()
