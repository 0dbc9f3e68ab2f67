"""The file behind an image of a document: relative, inside the knowledge root, existing."""

from __future__ import annotations

import re
from pathlib import Path, PurePosixPath
from urllib.parse import unquote

from kb.errors import KnowledgeError
from kb.tree.walk import inside

_REMOTE = re.compile(r"^[a-zA-Z][a-zA-Z0-9+.-]*:")


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
