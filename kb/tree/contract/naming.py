"""Names: at most four levels of ASCII snake case, a year or revision at the end; images named for what they show."""

from __future__ import annotations

import re
from collections.abc import Iterator

from kb.tree.contract.findings import Finding, Severity

MAX_LEVELS = 4
IMAGE_FOLDER = "images"
_SNAKE = re.compile(r"_?[a-z0-9]+(?:_[a-z0-9]+)*")
_KEBAB = re.compile(r"_?[a-z0-9]+(?:[_-][a-z0-9]+)*")
_EDITION = re.compile(r"_(?:(?:19|20)\d\d(?:_v\d+)?|v\d+)$")
_IMAGE = re.compile(r"[A-Za-z0-9]+(?:_[A-Za-z0-9]+)*_(?:(?:19|20)\d\d(?:_v\d+)?|v\d+)\.(?:png|jpe?g|svg|gif|webp|bmp)")


def check_place(path: str) -> Iterator[Finding]:
    """Findings about the path of a document."""
    parts = path.split("/")
    if len(parts) > MAX_LEVELS:
        yield Finding(path, 0, "path-levels", params={"levels": str(len(parts)), "most": str(MAX_LEVELS)})
    stem, _, suffix = parts[-1].rpartition(".")
    if suffix != "md":
        yield Finding(path, 0, "path-suffix", Severity.WARNING, {"name": parts[-1]})
    for part in (*parts[:-1], stem):
        if _SNAKE.fullmatch(part):
            continue
        if _KEBAB.fullmatch(part):
            yield Finding(path, 0, "path-hyphen", Severity.WARNING, {"name": part, "to": part.replace("-", "_")})
        else:
            yield Finding(path, 0, "path-name", params={"name": part})
    if not _EDITION.search(stem):
        yield Finding(path, 0, "path-edition", Severity.WARNING, {"name": parts[-1]})


def is_image_name(name: str) -> bool:
    """Whether an image's name says what it shows and of which year or revision: `soybean_R5_potassium_2024.png`."""
    return _IMAGE.fullmatch(name) is not None
