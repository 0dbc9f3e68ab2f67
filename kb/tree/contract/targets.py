"""Images and links of one document: relative, inside the tree, existing, well named."""

from __future__ import annotations

import posixpath
import re
from collections.abc import Iterator
from dataclasses import replace

from kb.tree.contract.files import Files, exists, other_case
from kb.tree.contract.findings import Edit, Finding, Severity
from kb.tree.contract.links import Kind, Link, find_links, written
from kb.tree.contract.naming import IMAGE_FOLDER, is_image_name
from kb.tree.contract.source import Source

_SCHEME = re.compile(r"[a-zA-Z][a-zA-Z0-9+.-]+:|//")
_DRIVE = re.compile(r"[a-zA-Z]:[\\/]")


def check_targets(source: Source, files: Files) -> Iterator[Finding]:
    """Findings about every image and link of `source`."""
    text = "\n".join(source.lines)
    starts = _line_starts(source.lines)
    for link in find_links(text, source.body_line):
        place = _Place(source.path, link, starts[link.line - 1], text[link.start : link.end])
        yield from [_wiki(place, text, files)] if link.kind is Kind.WIKI else _check(place, files)


def joined(document: str, target: str) -> str | None:
    """The path below the root that `target` names from `document`; None when it leads out of the tree."""
    path = posixpath.normpath(posixpath.join(posixpath.dirname(document), target))
    return None if path.startswith(("../", "/")) or path == ".." else path


def relative(document: str, path: str) -> str:
    """How `document` names `path`; both are relative to the root."""
    return posixpath.relpath(path, posixpath.dirname(document) or ".")


class _Place:
    """A link of a document, and the making of findings and edits there."""

    def __init__(self, path: str, link: Link, line_start: int, shown: str) -> None:
        self.path = path
        self.link = link
        self.shown = shown
        self.line_start = line_start

    def finding(self, rule: str, severity: Severity = Severity.ERROR, to: str = "", /, **params: str) -> Finding:
        """A finding here; `to` is what the destination should be written as ('': no safe repair)."""
        edits: tuple[Edit, ...] = ()
        if to and "\n" not in self.shown:
            start = self.link.start - self.line_start
            edits = (Edit(self.link.line, start, start + len(self.shown), to),)
        return Finding(self.path, self.link.line, rule, severity, {"target": self.shown, **params}, edits)

    def kind(self, rule: str) -> str:
        """`image-…` or `link-…`."""
        return f"{'image' if self.link.image else 'link'}-{rule}"


def _wiki(place: _Place, text: str, files: Files) -> Finding:
    """Obsidian's `[[name|label]]`, written as every Markdown reader knows it where one file only can be meant."""
    link = place.link
    severity = Severity.ERROR if link.image else Severity.WARNING
    found = place.finding(place.kind("wiki"), severity)
    meant = _named(place.path, link, files)
    if len(meant) != 1:
        return found
    opened, closed = text.rindex("[[", 0, link.start), text.index("]]", link.end) + 2
    label = text[link.end : closed - 2].lstrip("|").strip()
    if not label or (link.image and re.fullmatch(r"\d+(?:x\d+)?", label)):  # a size is no name
        label = posixpath.basename(link.target)
    start = opened - place.line_start
    to = f"[{label}]({written(relative(place.path, meant.pop()), link.fragment)})"
    return replace(found, edits=(Edit(link.line, start, start + closed - opened, to),))


def _named(path: str, link: Link, files: Files) -> set[str]:
    """The files that Obsidian's name may mean: by path, beside the document, or a document of that name anywhere."""
    name = posixpath.normpath(link.target)
    ends = ("",) if link.image else ("", ".md")
    places = [joined(path, name), joined(path, f"{IMAGE_FOLDER}/{name}"), joined("", name)]
    found = {place + end for place in places if place for end in ends if exists(files, place + end)}
    if link.image or "/" in name:
        return found
    return found | {each for each in files.documents() if posixpath.basename(each) in (name, f"{name}.md")}


def _check(place: _Place, files: Files) -> Iterator[Finding]:
    link = place.link
    if _SCHEME.match(link.target) and not _DRIVE.match(link.target):
        if link.image:
            yield place.finding("image-remote")
        return
    if link.kind is Kind.HTML:
        yield place.finding("image-html", Severity.WARNING)
    if not link.target or "\0" in link.target:
        if link.image and not link.fragment:
            yield place.finding("image-missing")
        return
    if link.kind is Kind.SPACED:
        path = joined(place.path, link.target)
        there = path is not None and exists(files, path)
        yield place.finding(place.kind("spaces"), Severity.ERROR, written(link.target) if there else "")
        return
    yield from _local(place, files)


def _local(place: _Place, files: Files) -> Iterator[Finding]:
    """A path on this machine: the commonest faults first, each with the path that was meant where one exists."""
    link = place.link
    if _DRIVE.match(link.target):
        yield place.finding(place.kind("absolute"))
        return
    slashed = link.target.replace("\\", "/")
    if slashed.startswith("/"):
        path = slashed.lstrip("/")
        to = written(relative(place.path, path), link.fragment) if path and exists(files, path) else ""
        yield place.finding(place.kind("absolute"), Severity.ERROR, to)
        return
    path = joined(place.path, slashed) or ""
    if not path:
        yield place.finding(place.kind("outside"))
        return
    if slashed != link.target:
        to = written(slashed, link.fragment) if exists(files, path) else ""
        yield place.finding(place.kind("backslash"), Severity.ERROR, to)
        return
    if exists(files, path):
        if link.image:
            yield from _image(place, path)
        return
    if not link.image and _is_folder(files, path):
        return
    meant = other_case(files, path)
    if meant is not None:
        to = written(relative(place.path, meant), link.fragment)
        yield place.finding(place.kind("case"), Severity.ERROR, to, to=meant)
    else:
        yield place.finding(place.kind("missing"))


def _is_folder(files: Files, path: str) -> bool:
    inner = path if path != "." else ""
    return bool(files.names(inner)) or any(name.startswith(f"{inner}/") for name in files.documents())


def _image(place: _Place, path: str) -> Iterator[Finding]:
    folder, _, name = path.rpartition("/")
    beside = posixpath.join(posixpath.dirname(place.path), IMAGE_FOLDER)
    if folder != beside:
        yield place.finding("image-folder", Severity.WARNING, folder=beside)
    if not is_image_name(name):
        yield place.finding("image-name", Severity.WARNING)


def _line_starts(lines: tuple[str, ...]) -> list[int]:
    starts = [0]
    for line in lines:
        starts.append(starts[-1] + len(line) + 1)
    return starts
