"""`almanac eval`: a file of questions, what is right, and the wrong ones by name."""

from __future__ import annotations

import argparse
import dataclasses
import json
from pathlib import Path

from kb import fsio
from kb.answer.evaluation import Outcome, Summary, below, evaluate, read_questions, summary
from kb.answer.runtime import Runtime
from kb.cli.ask import prepare
from kb.cli.output import Output
from kb.config import Config
from kb.errors import ExitCode
from kb.plain import one_line


def run(arguments: argparse.Namespace, config: Config) -> int:
    """Ask the questions and print the report; ExitCode.OK whatever the shares are."""
    output = Output(config)
    questions = read_questions(Path(arguments.set).expanduser())[: arguments.limit]
    runtime = Runtime(dataclasses.replace(config, keep_answers=False, way=arguments.way))
    progress = output.progress()
    try:
        prepare(runtime, output)
        outcomes = evaluate(
            below(questions, runtime.root),
            runtime.answerer,
            lambda done, total: progress("eval", done, total),
            config.stop.is_set,
        )
        version = runtime.version()
    finally:
        progress.clear()
        runtime.close()
    found = summary(outcomes)
    report = {
        "schema": 1,
        "set": str(arguments.set),
        "knowledge_version": dataclasses.asdict(version),
        "summary": dataclasses.asdict(found),
        "outcomes": [{**dataclasses.asdict(item), "right": item.right} for item in outcomes],
    }
    if arguments.out:
        fsio.write_text(Path(arguments.out).expanduser().absolute(), json.dumps(report, ensure_ascii=False, indent=1))
    if arguments.json:
        output.json(report)
    else:
        _show(found, [item for item in outcomes if not item.right], output)
    return ExitCode.OK


def _show(found: Summary, wrong: list[Outcome], output: Output) -> None:
    output.tell("eval_questions", answerable=found.answerable, other=found.other)
    rows = (
        ("eval_document", found.document_first, found.document_five),
        ("eval_evidence", found.evidence_first, found.evidence_three),
        ("eval_answer", found.holds, found.f1),
        ("eval_refused", found.refused_wrongly, found.refused_rightly),
        ("eval_unsupported", found.unsupported),
    )
    for key, *values in rows:
        output.say(f"  {'  '.join(f'{value:.3f}' for value in values):14}{output.text(key)}")
    output.say(f"  {found.evidence_ms:<5.0f}  {found.evidence_ms_95:<7.0f}{output.text('eval_time')}")
    if wrong:
        output.tell("eval_wrong", count=len(wrong))
    for item in wrong:
        said = one_line(item.text, 70) or output.text("no_answer")
        output.say(f"  {item.id}  {one_line(item.question, 70)}  ->  {said}  {item.cited}")
