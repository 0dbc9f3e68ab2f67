"""A picture file as a document: the picture itself, and its words where text recognition is installed."""

from __future__ import annotations

import io
import warnings
from collections.abc import Callable
from pathlib import Path

from PIL import Image, UnidentifiedImageError

from kb.errors import KnowledgeError
from kb.memory.block import Block, Kind
from kb.memory.reading.limits import Limits
from kb.memory.reading.ocr import Recogniser
from kb.memory.reading.pdf import SCAN, blocks, recognised_page

_MAX_PIXELS = 80_000_000
_KEPT = {"PNG": ".png", "JPEG": ".jpg", "GIF": ".gif", "WEBP": ".webp"}


def read_picture(
    path: Path, limits: Limits, save: Callable[[bytes, str], str], recogniser: Recogniser | None
) -> list[Block]:
    """The picture as a block, and the text on it. KnowledgeError when it is damaged or has too many pixels."""
    try:
        with warnings.catch_warnings():
            warnings.simplefilter("ignore", Image.DecompressionBombWarning)
            with Image.open(path) as opened:
                if opened.width * opened.height > _MAX_PIXELS:
                    raise KnowledgeError("reading_too_large", path=str(path), limit=limits.memory_mb)
                name = opened.format or ""
                image = opened.convert("RGB")
    except (UnidentifiedImageError, Image.DecompressionBombError, OSError, SyntaxError, ValueError) as error:
        raise KnowledgeError("reading_damaged", path=str(path), reason=str(error)) from error
    if name in _KEPT:
        named = save(path.read_bytes(), _KEPT[name])
    else:
        data = io.BytesIO()
        image.save(data, "PNG")
        named = save(data.getvalue(), ".png")
    shown = Block(Kind.IMAGE, f"![]({named})", 1)
    if recogniser is None:
        return [shown, Block(Kind.COMMENT, "", 1, note=SCAN)]
    words = recogniser(image)
    # Pixels stand for points here: only proportions matter.
    page = recognised_page(words, 1.0, 1, float(image.width), float(image.height))
    return [shown, *blocks([page], {})]
