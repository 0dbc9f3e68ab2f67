"""Images of a document: relative, inside the knowledge root, existing."""

from __future__ import annotations

import re
from dataclasses import dataclass
from pathlib import Path, PurePosixPath
from urllib.parse import unquote

from markdown_it import MarkdownIt
from markdown_it.token import Token

from kb.errors import KnowledgeError
from kb.tree.walk import inside

_REMOTE = re.compile(r"^[a-zA-Z][a-zA-Z0-9+.-]*:")


@dataclass(frozen=True, slots=True)
class ImageLink:
    """An image as a document names it: `target` decoded, `alt` text, `line` of its block (from 1)."""

    target: str
    alt: str
    line: int


def image_links(markdown: str) -> list[ImageLink]:
    """All images in `markdown`, in order; code blocks and code spans do not count."""
    links: list[ImageLink] = []
    for token in MarkdownIt("commonmark").enable("table").parse(markdown):
        if token.type == "inline":
            line = token.map[0] + 1 if token.map else 0
            links.extend(_of_children(token.children or [], line))
    return links


def _of_children(children: list[Token], line: int) -> list[ImageLink]:
    return [
        ImageLink(unquote(str(child.attrs.get("src", ""))), child.content, line)
        for child in children
        if child.type == "image"
    ]


def image_path(root: Path, document: str, image: str) -> Path:
    """The file behind `image` as written in `document`.

    Raises KnowledgeError for a network address, an absolute path, a file outside the root or a missing one.
    """
    written = image.strip().removeprefix("<").removesuffix(">")
    if _REMOTE.match(written) or written.startswith(("/", "\\")):
        raise KnowledgeError("image_not_relative", path=document, image=image)
    for target in dict.fromkeys((written, unquote(written))):
        try:
            return inside(root, _joined(document, target, image))
        except KnowledgeError as error:
            if error.key != "no_such_document":
                raise
    raise KnowledgeError("image_missing", path=document, image=image)


def _joined(document: str, target: str, image: str) -> str:
    """`target` beside `document`, as a path below the root."""
    parts: list[str] = list(PurePosixPath(document).parent.parts)
    for part in PurePosixPath(target).parts:
        if part == "..":
            if not parts:
                raise KnowledgeError("path_outside", path=image)
            parts.pop()
        elif part != ".":
            parts.append(part)
    return "/".join(parts)
