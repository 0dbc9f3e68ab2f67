"""`almanac index`: bring the search index up to date, or write `_index.yaml`."""

from __future__ import annotations

import argparse
import dataclasses

from kb.answer.runtime import Runtime
from kb.cli.output import Output
from kb.config import Config
from kb.errors import ExitCode
from kb.plain import one_line
from kb.tree.indexfile import FILE_NAME, write_index
from kb.tree.walk import resolve_root


def run(arguments: argparse.Namespace, config: Config) -> int:
    """Write `_index.yaml` and prepare search for all documents; lists the files that could not be read."""
    output = Output(config)
    root = resolve_root(config.knowledge)
    outcome = write_index(root) if arguments.write else None
    runtime = Runtime(dataclasses.replace(config, use_model=False))
    progress = output.progress()
    try:
        report = runtime.retriever.update(progress)
        runtime.load(progress)
        embedded = runtime.embed_missing(progress)
        status = runtime.retriever.status()
    finally:
        progress.clear()
        runtime.close()
    if arguments.json:
        output.json({
            "schema": 1, "documents": status.documents, "sections": status.sections, "changed": report.changed,
            "removed": report.removed, "renewed": report.renewed, "with_vector": status.embedded,
            "new_vectors": embedded,
            "index_file": outcome and dataclasses.asdict(outcome),
            "problems": [dataclasses.asdict(problem) for problem in status.problems],
        })  # fmt: skip
        return ExitCode.OK
    if outcome is not None:
        output.tell("index_written", path=root / FILE_NAME, **dataclasses.asdict(outcome))
    if report.renewed:
        output.tell("index_renewed")
    output.tell("index_done", documents=status.documents, sections=status.sections, embedded=status.embedded)
    for problem in status.problems:
        output.say(f"  {problem.path}:{problem.line}: {one_line(problem_text(problem.reason, problem.detail, output))}")
    return ExitCode.OK


def problem_text(reason: str, detail: str, output: Output) -> str:
    """A problem's reason in the run's language; a whole message stands in `detail` for unreadable files."""
    if reason.startswith(("fm_", "bad_date")):
        return output.text(reason, detail=detail)
    return detail
