"""Documents to blocks: `DocPipeline` reads one file in a child process and gives back what stands in it."""

from __future__ import annotations

import contextlib
import dataclasses
import hashlib
import json
import shutil
import threading
from collections.abc import Iterator, Sequence
from dataclasses import dataclass, replace
from pathlib import Path
from typing import Any

from kb import fsio, paths
from kb.config import ProgressReport, no_progress
from kb.errors import AlmanacError, ExitCode, KnowledgeError
from kb.memory import markdown
from kb.memory.block import Block, from_record
from kb.memory.reading.child import RESULT, read_into, skip
from kb.memory.reading.kinds import DocKind, kind_of
from kb.memory.reading.limits import Limits
from kb.memory.worker import Ended, run_child

# Part of the name of the folder with half-read documents: raise it when what is kept there changes.
VERSION = "2"
# A child that is lost on a page is started again without this page, so often.
_LOSSES = 5


@dataclass(frozen=True, slots=True)
class Reading:
    """A document that was read. `folder` holds its pictures in `images/`; `digest` is the SHA-256 of the file."""

    blocks: list[Block]
    kind: DocKind
    pages: int
    digest: str
    folder: Path


class DocPipeline:
    """Reads documents. `home` holds half-read ones, so that an interrupted run goes on where it was."""

    def __init__(
        self,
        limits: Limits | None = None,
        *,
        home: Path | None = None,
        command: Sequence[str] | None = None,
        report: ProgressReport = no_progress,
        stop: threading.Event | None = None,
        search_path: str | None = None,
    ) -> None:
        """`command` starts this program again (default: the running one); `search_path` is where programs for text
        recognition are looked for."""
        self._limits = limits or Limits()
        self._home = home
        self._command = tuple(command if command is not None else paths.self_command())
        self._report = report
        self._stop = stop or threading.Event()
        self._search_path = search_path

    @property
    def folder(self) -> Path:
        """Where half-read documents and locks lie."""
        return (self._home or paths.default_home()) / "reading"

    def extract_blocks(self, path: str | Path) -> list[Block]:
        """The blocks of the document at `path`, in reading order.

        Raises KnowledgeError: the file cannot be read, is locked, damaged, empty, of another kind, or goes beyond the
        limits; AlmanacError("interrupted") when `stop` was set.
        """
        with self.reading(path) as read:
            return read.blocks

    def to_markdown(self, blocks: Sequence[Block]) -> str:
        """Blocks as Markdown that Almanac itself can search."""
        return markdown.to_markdown(blocks)

    @contextlib.contextmanager
    def reading(self, path: str | Path, digest: str = "") -> Iterator[Reading]:
        """As `extract_blocks`, with kind, pages and pictures; the pictures are gone when the block ends. A caller that
        has the file's digest gives it."""
        source = Path(path).absolute()
        kind_of(source)
        digest = digest or file_digest(source)
        parent = self.folder
        folder = parent / f"{digest[:32]}-{VERSION}"
        with fsio.locked(parent / f"{folder.name}.lock"):
            if _load(folder, digest) is None:
                self._fill(source, folder)
            found = _load(folder, digest)
            if found is None:
                raise KnowledgeError("reading_failed", path=str(source), reason=RESULT)
            try:
                yield found
            finally:
                shutil.rmtree(folder, ignore_errors=True)
        with contextlib.suppress(OSError):
            (parent / f"{folder.name}.lock").unlink()

    def _fill(self, source: Path, folder: Path) -> None:
        """Have the document read into `folder`; pages on which the child is lost are left out."""
        fsio.make_folder(folder)
        if len(self._command) > 1 and not Path(self._command[-1]).exists():
            # Used as a library, without the program: no child can be started.
            read_into(source, folder, self._limits, self._hear_progress, self._search_path)
            return
        for _ in range(_LOSSES):
            heard: dict[str, Any] = {}

            def hear(said: dict[str, Any], heard: dict[str, Any] = heard) -> None:
                heard.update(said)
                self._hear_progress(said)

            request = {
                "path": str(source), "folder": str(folder), "limits": dataclasses.asdict(self._limits),
                "search_path": self._search_path,
            }  # fmt: skip
            ended = run_child(
                [*self._command, "_read"], request, hear, seconds=self._limits.seconds,
                stalled_seconds=self._limits.stalled_seconds, stop=self._stop,
            )  # fmt: skip
            if heard.get("ok") and (folder / RESULT).is_file():
                return
            if "error" in heard:
                raise _heard_error(heard)
            if ended.stopped == "person":
                raise AlmanacError("interrupted", ExitCode.INTERRUPTED)
            lost = int(heard.get("done", 0)) + 1
            if ended.stopped == "time" or heard.get("total", 1) <= 1 or lost > heard.get("total", 1):
                raise _lost(source, ended, self._limits)
            skip(folder, [lost])
        raise KnowledgeError("reading_failed", path=str(source), reason=f"> {_LOSSES}")

    def _hear_progress(self, said: dict[str, Any]) -> None:
        if "total" in said:
            self._report("reading", int(said["done"]), int(said["total"]))


def _heard_error(heard: dict[str, Any]) -> AlmanacError:
    params = {str(name): value for name, value in heard.get("params", {}).items()}
    return KnowledgeError(str(heard["error"]), **params)


def _lost(source: Path, ended: Ended, limits: Limits) -> KnowledgeError:
    """Why a child ended without a word: too slow, out of memory, or a fault in a library."""
    if ended.stopped == "time":
        return KnowledgeError("reading_too_slow", path=str(source), seconds=limits.seconds)
    if ended.stopped == "stall":
        return KnowledgeError("reading_too_slow", path=str(source), seconds=limits.stalled_seconds)
    last = ended.last_words.strip().splitlines()[-1:] or [f"exit {ended.code}"]
    if "MemoryError" in last[0] or ended.code in (-9, -6):
        return KnowledgeError("reading_too_large", path=str(source), limit=limits.memory_mb)
    return KnowledgeError("reading_failed", path=str(source), reason=last[0][:200])


def _load(folder: Path, digest: str) -> Reading | None:
    """A complete result in `folder`, or None."""
    try:
        record = json.loads((folder / RESULT).read_text("utf-8"))
        blocks = [replace(from_record(each), source=digest) for each in record["blocks"]]
        return Reading(blocks, DocKind(record["kind"]), int(record["pages"]), digest, folder)
    except (OSError, ValueError, KeyError, TypeError):
        return None


def file_digest(path: Path) -> str:
    """The SHA-256 of a file in hexadecimal. KnowledgeError when it cannot be read."""
    try:
        with path.open("rb") as file:
            return hashlib.file_digest(file, "sha256").hexdigest()
    except OSError as error:
        raise KnowledgeError("unreadable", path=str(path), reason=error.strerror or str(error)) from error
