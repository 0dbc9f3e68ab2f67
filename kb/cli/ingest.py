"""`almanac ingest`: documents of other formats into the knowledge, and what they say into memory."""

from __future__ import annotations

import argparse
import contextlib
import datetime
import time
from pathlib import Path
from typing import Any

from kb.cli.output import Output, parse_day
from kb.config import Config
from kb.errors import AlmanacError, ExitCode, KnowledgeError
from kb.memory.ingest import Ingest, Outcome, Plan, folder_in, sources
from kb.memory.pipeline import DocPipeline
from kb.memory.store import Ingested, MemoryStore
from kb.memory.store_ingest import learn
from kb.plain import one_line
from kb.tree.walk import resolve_root


def run(arguments: argparse.Namespace, config: Config) -> int:
    """Read every source, write its document and take that into memory, one after the other: a run that was stopped goes
    on where it was, and what memory has is not read again.

    A source that cannot be read or remembered is reported and the others go on; the exit code is then BAD_KNOWLEDGE.
    """
    output = Output(config)
    plan = Plan(
        into=folder_in(arguments.into), title=arguments.title or "", type=arguments.type or "",
        valid_to=parse_day(arguments.valid_to), dry_run=arguments.dry_run, replace=arguments.replace,
    )  # fmt: skip
    root = resolve_root(config.knowledge)
    if root.is_relative_to(config.home.resolve()) and not plan.dry_run:
        raise AlmanacError("ingest_shipped", ExitCode.USAGE)
    found = _found(arguments.source, plan)
    progress = output.progress()
    pipeline = DocPipeline(
        home=config.home, command=config.self_command or None, report=progress, stop=config.stop,
        search_path=config.environment.get("PATH"),
    )  # fmt: skip
    ingest = Ingest(pipeline, root, datetime.date.today())
    remembering = not (plan.dry_run or arguments.no_memory)
    report = _Report(output, bool(arguments.json), remembering)
    with contextlib.ExitStack() as stack:
        store = stack.enter_context(MemoryStore(config.home)) if remembering else None
        for source, below in found:
            if config.stop.is_set():
                raise AlmanacError("interrupted", ExitCode.INTERRUPTED)
            started = time.monotonic()
            try:
                outcome = ingest.take(source, plan, below)
            except KnowledgeError as error:
                progress.clear()
                report.failed(source, error)
                continue
            learned: Ingested | KnowledgeError | None = None
            if store is not None:
                try:
                    learned = learn(store, root, outcome.path)
                except KnowledgeError as error:
                    learned = error
            progress.clear()
            report.taken(outcome, learned, time.monotonic() - started)
    return report.close()


def _found(named: list[str], plan: Plan) -> list[tuple[Path, str]]:
    """All sources. AlmanacError for a name that is not there, or a title for several documents."""
    found: list[tuple[Path, str]] = []
    for name in named:
        path = Path(name).expanduser()
        if not path.exists():
            raise AlmanacError("ingest_no_source", ExitCode.USAGE, path=name)
        below = list(sources(path))
        if not below:
            raise AlmanacError("ingest_nothing", ExitCode.BAD_KNOWLEDGE, path=name)
        found.extend(below)
    if plan.title and len(found) > 1:
        raise AlmanacError("ingest_title_many", ExitCode.USAGE, count=len(found))
    return found


class _Report:
    """Says what became of each source, as lines or as JSON."""

    def __init__(self, output: Output, as_json: bool, remembering: bool) -> None:
        self._output = output
        self._as_json = as_json
        self._remembering = remembering
        self._remembered = self._forgotten = 0
        self._only_tried = False
        self._documents: list[dict[str, Any]] = []
        self._counts = {"written": 0, "same": 0, "kept": 0, "failed": 0}

    def taken(self, outcome: Outcome, learned: Ingested | KnowledgeError | None, seconds: float) -> None:
        """A source that was read, or did not have to be, and what memory made of its document (None: was not asked)."""
        self._remembered += isinstance(learned, Ingested)
        self._forgotten += isinstance(learned, KnowledgeError)
        group = {"unchanged": "same", "kept": "kept"}.get(outcome.status, "written")
        self._counts[group] += 1
        self._only_tried |= outcome.status == "would"
        numbers = {
            "pages": outcome.pages, "blocks": len(outcome.blocks), "tables": outcome.tables, "images": outcome.images,
        }  # fmt: skip
        if self._as_json:
            self._documents.append({
                "source": str(outcome.source), "path": outcome.path, "status": outcome.status, "sha256": outcome.digest,
                **numbers, "scanned_pages": outcome.scans, "unreadable_pages": outcome.unreadable,
                "beside": outcome.beside or None, "memory": self._memory_fields(learned), "seconds": round(seconds, 2),
                "error": None,
            })  # fmt: skip
            return
        self._output.tell(
            f"ingest_{outcome.status}", source=one_line(outcome.source.name), path=outcome.path, **numbers
        )
        if outcome.scans:
            self._output.tell("ingest_scans", count=outcome.scans)
        if outcome.unreadable:
            self._output.tell("ingest_unreadable", count=outcome.unreadable)
        if outcome.beside:
            self._output.tell("ingest_beside", source=one_line(outcome.source.name), path=outcome.beside)
        if isinstance(learned, KnowledgeError):
            reason = self._output.text(learned.key, **learned.params)
            self._output.tell("ingest_not_remembered", reason=one_line(reason))
        elif learned is not None and learned.changed:
            self._output.tell("ingest_remembered", counts=self._output.text("memory_counts", **_counts(learned)))

    def _memory_fields(self, learned: Ingested | KnowledgeError | None) -> dict[str, Any] | None:
        if isinstance(learned, KnowledgeError):
            reason = self._output.text(learned.key, **learned.params)
            return {"error": {"key": learned.key, "message": reason}}
        if learned is None:
            return None
        return {"doc_id": learned.doc_id, "changed": learned.changed, **_counts(learned), "error": None}

    def failed(self, source: Path, error: KnowledgeError) -> None:
        """A source that could not be read."""
        self._counts["failed"] += 1
        reason = self._output.text(error.key, **error.params)
        if self._as_json:
            self._documents.append({
                "source": str(source), "path": None, "status": "failed", "error": {"key": error.key, "message": reason},
            })  # fmt: skip
        else:
            self._output.tell("ingest_skipped", source=one_line(source.name), reason=one_line(reason))

    def close(self) -> int:
        """The sum, and the exit code."""
        if self._as_json:
            memory = {"in_memory": self._remembered, "not_in_memory": self._forgotten} if self._remembering else {}
            self._output.json({"schema": 1, **self._counts, **memory, "documents": self._documents})
        elif sum(self._counts.values()) > 1:
            self._output.tell("ingest_would_done" if self._only_tried else "ingest_done", **self._counts)
            if self._remembering:
                self._output.tell("ingest_done_memory", done=self._remembered, failed=self._forgotten)
        return ExitCode.BAD_KNOWLEDGE if self._counts["failed"] or self._forgotten else ExitCode.OK


def _counts(learned: Ingested) -> dict[str, int]:
    names = ("entities", "attributes", "relations", "events", "constraints")
    return {name: getattr(learned, name) for name in names}
