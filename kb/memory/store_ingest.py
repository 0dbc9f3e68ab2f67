"""From files to memory: which documents a path names, each read, extracted and stored by itself."""

from __future__ import annotations

import threading
from collections.abc import Callable, Iterable, Sequence
from dataclasses import dataclass, replace
from pathlib import Path, PurePath

from kb.config import ProgressReport, no_progress
from kb.errors import AlmanacError, KnowledgeError
from kb.memory.block import Block
from kb.memory.extract.blocks import from_blocks
from kb.memory.extract.document import ReadDocument, from_markdown, own_id
from kb.memory.extract.reading import extract
from kb.memory.store import Ingested, MemoryStore
from kb.tree import document
from kb.tree.document import Parsed
from kb.tree.walk import is_document, walk

Reader = Callable[[], ReadDocument]
ReadBlocks = Callable[[Path], Sequence[Block]]
"""Reads a PDF, Word or other file (DocPipeline.extract_blocks)."""


# Characters of a document that memory takes: about 2,500 printed pages. Reading them may need a hundred times as much.
_LONGEST = 8_000_000


@dataclass(frozen=True, slots=True)
class Job:
    """A document to read: `name` for messages, `read` does it."""

    name: str
    read: Reader


@dataclass(frozen=True, slots=True)
class Report:
    """What became of each document: `done` those in memory, `failed` name and error of the others."""

    done: tuple[Ingested, ...]
    failed: tuple[tuple[str, AlmanacError], ...]
    stopped: bool = False


def tree_jobs(root: Path) -> list[Job]:
    """The documents of a knowledge tree; their ids are their paths below the root."""
    return [_tree_job(root, state.path) for state in sorted(walk(root), key=lambda state: state.path)]


def _tree_job(root: Path, path: str) -> Job:
    return Job(path, lambda: _from_markdown(document.load(root, path)))


def file_jobs(paths: Sequence[Path], read_blocks: ReadBlocks | None = None) -> list[Job]:
    """The documents that paths name: Markdown, folders with all Markdown below them, others by `read_blocks`.

    KnowledgeError for what is not there, and for other kinds of files without `read_blocks`.
    """
    jobs = []
    for named in paths:
        path = named.expanduser().absolute()
        if path.is_dir():
            states = sorted(walk(path), key=lambda state: state.path)
            jobs += [_job(path / state.path, state.path) for state in states]
        elif path.is_file() and is_document(path.name):
            jobs.append(_job(path, path.name))
        elif path.is_file() and read_blocks is not None:
            jobs.append(_block_job(path, read_blocks))
        elif path.exists():
            raise KnowledgeError("memory_not_markdown", path=str(named))
        else:
            raise KnowledgeError("memory_no_file", path=str(named))
    return jobs


def _job(path: Path, doc_id: str) -> Job:
    def read() -> ReadDocument:
        parsed = document.load(path.parent, path.name)
        return _from_markdown(parsed, own_id(parsed) or doc_id, str(path))

    return Job(str(path), read)


def _block_job(path: Path, read_blocks: ReadBlocks) -> Job:
    return Job(str(path), lambda: from_blocks(read_blocks(path), path.name, str(path)))


def learn(store: MemoryStore, root: Path, path: str) -> Ingested:
    """Take the document at `path` of the knowledge tree into memory. KnowledgeError when it cannot be."""
    return _stored(store, _tree_job(root, path).read())


def _from_markdown(parsed: Parsed, doc_id: str | None = None, path: str | None = None) -> ReadDocument:
    """The document in pieces; KnowledgeError where it is too long, before any of it is cut."""
    _check_length(parsed.text, path or parsed.facts.path)
    return from_markdown(parsed, doc_id, path)


def _check_length(text: str, path: str) -> None:
    if len(text) > _LONGEST:
        raise KnowledgeError("memory_long", path=path, size=len(text) / 1e6, limit=_LONGEST / 1e6)


def _stored(store: MemoryStore, read: ReadDocument) -> Ingested:
    _check_length(read.text, read.path)
    chosen = _own_id(store, read)
    beside, read = ("", read) if chosen == read.doc_id else (read.doc_id, replace(read, doc_id=chosen))
    taken = Ingested(chosen, False) if store.holds(read) else store.take(read, extract(read))
    return replace(taken, beside=beside)


def _own_id(store: MemoryStore, read: ReadDocument) -> str:
    """The id under which `read` is kept. One that is only the end of its path (`manual.pdf`), and which a document from
    another place has, is made longer (`pump/manual.pdf`); one that a person gave stays."""
    parts = PurePath(read.path).parts
    ends = ["/".join(parts[place:]) for place in reversed(range(len(parts)))]
    if read.doc_id not in ends:
        return read.doc_id
    kept = store.id_at(read.path)
    if kept in ends:
        return kept
    longer = ends[ends.index(read.doc_id) :]
    return next((end for end in longer if store.path_of(end) in (None, read.path)), read.doc_id)


def ingest(
    store: MemoryStore,
    jobs: Iterable[Job],
    progress: ProgressReport = no_progress,
    stop: threading.Event | None = None,
) -> Report:
    """Read and store each document; one that fails does not stop the others. What is there already costs little."""
    todo = list(jobs)
    done: list[Ingested] = []
    failed: list[tuple[str, AlmanacError]] = []
    for number, job in enumerate(todo):
        if stop is not None and stop.is_set():
            return Report(tuple(done), tuple(failed), True)
        progress("memory", number, len(todo))
        try:
            done.append(_stored(store, job.read()))
        except KnowledgeError as error:
            failed.append((job.name, error))
    progress("memory", len(todo), len(todo))
    return Report(tuple(done), tuple(failed))
