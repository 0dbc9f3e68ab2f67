"""Searching logs: any size, any content, a place for every line, stopped at once."""

from __future__ import annotations

import os
import re
from collections import deque
from collections.abc import Iterator
from dataclasses import dataclass
from pathlib import Path
from typing import IO

from kb.answer.agent.names import holds
from kb.answer.agent.tools import Cancelled
from kb.answer.agent.values import LogLine, Note, ToolResult
from kb.errors import KnowledgeError

# Whole blocks are searched for the bytes first; only lines of blocks that hold them are looked at.
BLOCK = 1 << 20
SHOWN = 20
MAX_FILES = 500
MAX_DEPTH = 4
LINE_CHARACTERS = 400
_LOG_NAME = re.compile(r"\.log(?:\.\d{1,4})?$", re.IGNORECASE)
# A bare number is an order's only near a word that says so: it may be an amount, a port, a duration.
_NEAR = r"(?:order|ord|oid|订单|单号)[^0-9\n]{0,16}?"
_MAGIC = (b"\x1f\x8b", b"BZh", b"\xfd7zXZ", b"PK\x03\x04", b"(\xb5/\xfd")


@dataclass(frozen=True, slots=True)
class _Wanted:
    """What a line must hold: some bytes of it for the quick look, then the whole."""

    order_id: str
    query: str

    def needles(self) -> list[bytes]:
        """Bytes one of which a block must hold, in lower case; UTF-8 and GB18030 spell Chinese differently."""
        text = (self.order_id or self.query).lower()
        return list({text.encode(name, "ignore").lower() for name in ("utf-8", "gb18030")} - {b""})

    def fits(self, line: str) -> bool:
        """Whether `line` concerns the order and holds the words."""
        if self.order_id and not _concerns(line, self.order_id):
            return False
        return not self.query or holds(line, self.query)


def _concerns(line: str, order_id: str) -> bool:
    if not order_id.isdecimal():
        return holds(line, order_id)
    pattern = rf"(?<![A-Za-z]){_NEAR}{re.escape(order_id)}(?![0-9A-Za-z_]|[.:/-][0-9A-Za-z])"
    return re.search(pattern, line, re.IGNORECASE) is not None


def search_logs(folder: Path, order_id: str, query: str, cancelled: Cancelled = lambda: False) -> ToolResult:
    """The last SHOWN lines of `*.log` files below `folder` that concern `order_id` and hold `query` (one may be '').

    KnowledgeError when there is no log at all. Files that are not text are named in a note.
    """
    wanted = _Wanted(order_id.strip(), query.strip())
    kept: deque[LogLine] = deque(maxlen=SHOWN)
    total = 0
    skipped: list[str] = []
    files = list(_log_files(folder))
    if not files:
        raise KnowledgeError("agent_no_logs", path=str(folder))
    for path in files:
        name = path.relative_to(folder).as_posix()
        try:
            for line in _search(path, name, wanted, cancelled):
                total += 1
                kept.append(line)
        except (OSError, _NotTextError):
            skipped.append(name)
        if cancelled():
            break
    notes = []
    if skipped:
        notes.append(Note("agent_logs_skipped", {"files": ", ".join(skipped[:5]), "count": len(skipped)}))
    if total > len(kept):
        notes.append(Note("agent_logs_more", {"shown": len(kept), "count": total}))
    text = "\n".join(f"{line.place}: {line.text}" for line in kept)
    return ToolResult(found=bool(kept), text=text, lines=tuple(kept), notes=tuple(notes))


class _NotTextError(Exception):
    """A file that holds NUL bytes or is compressed."""


def _log_files(folder: Path) -> Iterator[Path]:
    """Files named *.log or *.log.N below `folder`, in the order of their names; links are followed to inside only."""
    root = folder.resolve()
    count = 0
    for parent, folders, names in os.walk(root):
        depth = len(Path(parent).relative_to(root).parts)
        folders[:] = sorted(name for name in folders if name[0] != "." and depth < MAX_DEPTH)
        for name in sorted(names):
            path = Path(parent, name)
            if _LOG_NAME.search(name) and path.resolve().is_relative_to(root) and path.is_file():
                yield path
                count += 1
                if count == MAX_FILES:
                    return


def _search(path: Path, name: str, wanted: _Wanted, cancelled: Cancelled) -> Iterator[LogLine]:
    needles = wanted.needles()
    number = 1
    with path.open("rb") as file:
        for block in _blocks(file, cancelled):
            if number == 1 and block.startswith(_MAGIC):
                raise _NotTextError
            lowered = block.lower()
            if any(needle in lowered for needle in needles):
                yield from _lines(block, name, number, wanted)
            number += block.count(b"\n")


def _blocks(file: IO[bytes], cancelled: Cancelled) -> Iterator[bytes]:
    """The file in blocks that end at line ends; a line longer than a block is given in parts."""
    rest = b""
    while not cancelled():
        chunk = file.read(BLOCK)
        if b"\0" in chunk:
            raise _NotTextError
        if not chunk:
            if rest:
                yield rest
            return
        whole = rest + chunk
        cut = whole.rfind(b"\n") + 1
        if cut == 0 and len(whole) < 2 * BLOCK:
            rest = whole
            continue
        yield whole[: cut or len(whole)]
        rest = whole[cut:] if cut else b""


def _lines(block: bytes, name: str, first: int, wanted: _Wanted) -> Iterator[LogLine]:
    needles = wanted.needles()
    for offset, raw in enumerate(block.split(b"\n")):
        lowered = raw.lower()
        if not any(needle in lowered for needle in needles):
            continue
        for start in range(0, len(raw), BLOCK // 16):
            # A line of megabytes is looked at in parts, each a little into the one before it.
            line = _decoded(raw[max(start - 200, 0) : start + BLOCK // 16]).rstrip("\r")
            if wanted.fits(line):
                shown = _around(line, wanted.query or wanted.order_id)
                yield LogLine(
                    name, first + offset, shown, len(shown) < len(raw.rstrip(b"\r").decode("utf-8", "ignore"))
                )
                break


def _around(line: str, name: str) -> str:
    """LINE_CHARACTERS of `line`, from its beginning unless `name` stands further on."""
    place = line.casefold().find(name.casefold())
    start = 0 if place + len(name) <= LINE_CHARACTERS else place - LINE_CHARACTERS // 2
    return line[start : start + LINE_CHARACTERS]


def _decoded(raw: bytes) -> str:
    for encoding in ("utf-8", "gb18030"):
        try:
            return raw.decode(encoding)
        except UnicodeDecodeError:
            continue
    return raw.decode("utf-8", "replace")
