"""What the reading child does: one document into a folder, page by page, so that nothing is read twice.

The folder holds `pages-NNNNN.json` (batches of read pages), `images/`, and at the end `blocks.json`. The child writes
one JSON object a line: `{"done": 3, "total": 40}`, at the end `{"ok": true}` or `{"error": key, "params": {...}}`.
"""

from __future__ import annotations

import contextlib
import hashlib
import json
import os
import sys
import threading
from collections.abc import Callable, Sequence
from pathlib import Path
from typing import Any

from kb import fsio
from kb.errors import AlmanacError, KnowledgeError
from kb.memory.block import Block, to_record
from kb.memory.reading import pdf, pdf_layout
from kb.memory.reading.docx import read_docx
from kb.memory.reading.html import read_html
from kb.memory.reading.kinds import DocKind, kind_of
from kb.memory.reading.limits import Limits
from kb.memory.reading.ocr import Recogniser, find
from kb.memory.reading.picture import read_picture
from kb.memory.reading.text import read_markdown, read_plain

BATCH = 16
RESULT = "blocks.json"
SKIPPED = "skipped.json"
IMAGES = "images"

Say = Callable[[dict[str, Any]], None]


def main() -> int:
    """Read the request on standard input, do it, report on standard output. 0: the result or a clear error is out."""
    request = json.loads(sys.stdin.readline())
    # Standard input stays open as long as the program that asks runs: however that ends, nobody waits any more.
    threading.Thread(target=_end_with, args=(sys.stdin.fileno(),), daemon=True).start()
    limits = Limits(**request["limits"])
    _limit_memory(limits)

    def say(message: dict[str, Any]) -> None:
        sys.stdout.write(json.dumps(message) + "\n")
        sys.stdout.flush()

    try:
        read_into(Path(request["path"]), Path(request["folder"]), limits, say, request.get("search_path"))
        say({"ok": True})
    except AlmanacError as error:
        say({"error": error.key, "params": {name: str(value) for name, value in error.params.items()}})
    except (MemoryError, RecursionError):
        say({"error": "reading_too_large", "params": {"path": request["path"], "limit": str(limits.memory_mb)}})
    return 0


def _end_with(watched: int) -> None:
    """End this process when the other end of the pipe `watched` is closed."""
    os.read(watched, 1)
    os._exit(1)


def _limit_memory(limits: Limits) -> None:
    if sys.platform == "win32":
        return
    import resource

    with contextlib.suppress(ValueError, OSError):
        size = limits.memory_mb * 1_000_000
        resource.setrlimit(resource.RLIMIT_AS, (size, size))
        resource.setrlimit(resource.RLIMIT_CPU, (limits.seconds + 60, limits.seconds + 60))
        resource.setrlimit(resource.RLIMIT_CORE, (0, 0))


def read_into(path: Path, folder: Path, limits: Limits, say: Say, search_path: str | None = None) -> None:
    """Read `path` and leave the result in `folder`. Raises KnowledgeError with what is wrong with the document."""
    kind = kind_of(path)
    size = path.stat().st_size
    if size > limits.file_mb * 1_000_000:
        raise KnowledgeError("file_too_large", path=str(path), size=size // 1_000_000, limit=limits.file_mb)
    saver = _Saver(folder / IMAGES)

    def report(done: int, total: int) -> None:
        say({"done": done, "total": total})

    report(0, 1)
    pages = 0
    if kind == DocKind.PDF:
        blocks, pages = _pdf(path, folder, limits, saver, report, search_path)
    elif kind == DocKind.DOCX:
        blocks = read_docx(path, limits, saver, report)
    elif kind == DocKind.HTML:
        blocks = read_html(path, limits, saver)
    elif kind == DocKind.IMAGE:
        blocks, pages = read_picture(path, limits, saver, find(search_path)), 1
    elif kind == DocKind.MARKDOWN:
        blocks = read_markdown(path)
    else:
        blocks = read_plain(path)
    record = {"kind": kind.value, "pages": pages, "blocks": [to_record(block) for block in blocks]}
    fsio.write_text(folder / RESULT, json.dumps(record, ensure_ascii=False))


class _Saver:
    """Writes pictures under the digest of their bytes; gives the path to name in Markdown."""

    def __init__(self, folder: Path) -> None:
        self._folder = folder

    def __call__(self, data: bytes, suffix: str) -> str:
        name = f"{hashlib.sha256(data).hexdigest()[:16]}{suffix}"
        if not (self._folder / name).exists():
            fsio.write_bytes(self._folder / name, data)
        return f"{IMAGES}/{name}"


def _pdf(
    path: Path, folder: Path, limits: Limits, saver: _Saver, report: Callable[[int, int], None], search_path: str | None
) -> tuple[list[Block], int]:
    file = pdf.open_pdf(path, limits)
    recogniser: list[Recogniser | None] = []  # looked for at the first scan only

    def recognise() -> Recogniser | None:
        if not recogniser:
            recogniser.append(find(search_path))
        return recogniser[0]

    pages: list[pdf_layout.PageLayout] = []
    skipped = _skipped(folder)
    for first in range(1, file.pages + 1, BATCH):
        store = folder / f"pages-{first:05d}.json"
        batch = _stored(store)
        if batch is None:
            batch = []
            for number in range(first, min(first + BATCH, file.pages + 1)):
                if number in skipped:
                    batch.append(pdf_layout.PageLayout(number, 0.0, 0.0, note=pdf.UNREADABLE))
                    continue
                report(number - 1, file.pages)
                batch.append(pdf.read_one(file, number, recognise))
            fsio.write_text(store, json.dumps([pdf_layout.to_record(page) for page in batch], ensure_ascii=False))
        pages.extend(batch)
    if all(page.note == pdf.UNREADABLE for page in pages):
        raise KnowledgeError("reading_damaged", path=str(path), reason="PDF")
    report(file.pages, file.pages)
    named = pdf.pictures(file, pages, saver, limits, lambda: report(file.pages, file.pages))
    return pdf.blocks(pages, named), file.pages


def _stored(store: Path) -> list[pdf_layout.PageLayout] | None:
    """A batch that an interrupted run left; None where it has to be read."""
    try:
        return [pdf_layout.from_record(record) for record in json.loads(store.read_text("utf-8"))]
    except (OSError, ValueError, KeyError, TypeError):
        return None


def _skipped(folder: Path) -> set[int]:
    try:
        return {int(number) for number in json.loads((folder / SKIPPED).read_text("utf-8"))}
    except (OSError, ValueError, TypeError):
        return set()


def skip(folder: Path, numbers: Sequence[int]) -> None:
    """Remember pages on which a child was lost, so that the next one goes past them."""
    fsio.write_text(folder / SKIPPED, json.dumps(sorted({*_skipped(folder), *numbers})))
