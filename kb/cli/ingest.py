"""`almanac ingest`: documents of other formats into the knowledge."""

from __future__ import annotations

import argparse
import datetime
import time
from collections.abc import Callable
from pathlib import Path
from typing import Any

from kb.cli.output import Output, parse_day
from kb.config import Config
from kb.errors import AlmanacError, ExitCode, KnowledgeError
from kb.memory.ingest import Ingest, Outcome, Plan, folder_in, sources
from kb.memory.pipeline import DocPipeline
from kb.plain import one_line
from kb.tree.walk import resolve_root

Learn = Callable[[Outcome], None]


def run(arguments: argparse.Namespace, config: Config, learn: Learn | None = None) -> int:
    """Read every source and write its document. `learn` is given each that was written, for structured memory.

    A source that cannot be read is reported and the others go on; the exit code is then BAD_KNOWLEDGE.
    """
    output = Output(config)
    plan = Plan(
        into=folder_in(arguments.into), title=arguments.title or "", type=arguments.type or "",
        valid_to=parse_day(arguments.valid_to), dry_run=arguments.dry_run,
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
    ingest = Ingest(pipeline, root, datetime.date.today(), learn)
    report = _Report(output, bool(arguments.json))
    for source, below in found:
        started = time.monotonic()
        try:
            outcome = ingest.take(source, plan, below)
        except KnowledgeError as error:
            progress.clear()
            report.failed(source, error)
        else:
            progress.clear()
            report.taken(outcome, time.monotonic() - started)
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

    def __init__(self, output: Output, as_json: bool) -> None:
        self._output = output
        self._as_json = as_json
        self._documents: list[dict[str, Any]] = []
        self._counts = {"written": 0, "same": 0, "kept": 0, "failed": 0}

    def taken(self, outcome: Outcome, seconds: float) -> None:
        """A source that was read, or did not have to be."""
        group = {"unchanged": "same", "kept": "kept"}.get(outcome.status, "written")
        self._counts[group] += 1
        numbers = {
            "pages": outcome.pages, "blocks": len(outcome.blocks), "tables": outcome.tables, "images": outcome.images,
        }  # fmt: skip
        if self._as_json:
            self._documents.append({
                "source": str(outcome.source), "path": outcome.path, "status": outcome.status, "sha256": outcome.digest,
                **numbers, "scanned_pages": outcome.scans, "unreadable_pages": outcome.unreadable,
                "seconds": round(seconds, 2), "error": None,
            })  # fmt: skip
            return
        self._output.tell(
            f"ingest_{outcome.status}", source=one_line(outcome.source.name), path=outcome.path, **numbers
        )
        if outcome.scans:
            self._output.tell("ingest_scans", count=outcome.scans)
        if outcome.unreadable:
            self._output.tell("ingest_unreadable", count=outcome.unreadable)

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
            self._output.json({"schema": 1, **self._counts, "documents": self._documents})
        elif sum(self._counts.values()) > 1:
            self._output.tell("ingest_done", **self._counts)
        return ExitCode.BAD_KNOWLEDGE if self._counts["failed"] else ExitCode.OK
