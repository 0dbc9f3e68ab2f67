"""`almanac ask`: a question, its answer, where it stands."""

from __future__ import annotations

import argparse
import dataclasses
import datetime

from kb.answer.answer import Answer, Evidence, Way
from kb.answer.answerer import Listener
from kb.answer.followup import Session
from kb.answer.models import State
from kb.answer.runtime import Runtime
from kb.cli import changes
from kb.cli.output import Output, parse_day
from kb.config import Config
from kb.errors import AlmanacError, ExitCode, KnowledgeError
from kb.plain import one_line
from kb.search.snapshot import Filter
from kb.versions.asked import answered

SCHEMA = 2
# Up to this many sections are given their vector before the first question is answered (a few seconds).
_EMBED_AT_ONCE = 40


def run(arguments: argparse.Namespace, config: Config) -> int:
    """Print the answer; ExitCode.OK when answered, ExitCode.NO_ANSWER when the documents do not say."""
    output = Output(config)
    day = parse_day(arguments.on)
    question = " ".join(arguments.question)
    config = dataclasses.replace(
        config,
        keep_answers=config.keep_answers and not arguments.no_record,
        way=arguments.way,
        token_budget=arguments.budget,
    )
    runtime = Runtime(config)
    try:
        if _tell_changes(runtime, question, arguments.json, output):
            return ExitCode.OK
        prepare(runtime, output)
        limits = Filter(on=day) if day else None
        answer = runtime.answerer.ask(
            question, _session(runtime, arguments.after), listener=Listener(cancelled=config.stop.is_set), limits=limits
        )
    finally:
        runtime.close()
    unless_stopped(config)
    if arguments.json:
        output.json(as_json(answer))
    else:
        show(answer, output)
        _mention_problem(runtime, output)
    return ExitCode.NO_ANSWER if answer.refused else ExitCode.OK


def _session(runtime: Runtime, earlier: list[str]) -> Session:
    """The conversation so far: earlier questions may lean on each other too."""
    session = Session()
    for question in earlier:
        session = session.after(runtime.answerer.resolve(question, session))
    return session


def _tell_changes(runtime: Runtime, question: str, json: bool, output: Output) -> bool:
    """Answer a question about changes of the knowledge from its history; False when it is about something else."""
    try:
        found = answered(question, runtime.history, runtime.root, datetime.date.today(), output.config.lang)
    except AlmanacError:
        return False  # without history a document may still say something
    if found is None:
        return False
    lines = list(changes.lines_of(found, output))
    if json:
        told = {"text": "\n".join(lines), "refused": False, "changes": changes.as_json(found)}
        output.json({"schema": SCHEMA, **told})
    else:
        for line in lines:
            output.say(line)
    return True


def prepare(runtime: Runtime, output: Output) -> None:
    """Load the models and bring a small tree's index and vectors up to date, with progress."""
    progress = output.progress()
    runtime.retriever.update(progress)
    runtime.load(progress)
    status = runtime.retriever.status()
    if not status.documents:
        raise KnowledgeError("root_empty", path=runtime.root)
    if status.sections - status.embedded <= _EMBED_AT_ONCE:
        runtime.embed_missing(progress)
    progress.clear()
    unless_stopped(runtime.config)


def unless_stopped(config: Config) -> None:
    """KeyboardInterrupt when the run was interrupted meanwhile: nothing is said after «Stopped.»."""
    if config.stop.is_set():
        raise KeyboardInterrupt


def _mention_problem(runtime: Runtime, output: Output) -> None:
    for problem in (*runtime.status.problems, runtime.answerer.not_kept):
        if problem is not None:
            output.say()
            output.tell(problem.key, **problem.params)
    if runtime.config.way == Way.COMPOSE and runtime.status.answer is State.SPARE:
        output.say()
        output.tell("way_cannot_compose")
    wants_model = runtime.config.way in (Way.SELECT, Way.COMPOSE)
    if wants_model and not runtime.status.problems and runtime.models.sizing.model_choice.lacking:
        output.say()
        output.tell("sizing_quote_instead")


def as_json(answer: Answer) -> dict[str, object]:
    """The answer as the stable schema that programs read (README, «ask --json»)."""
    return {"schema": SCHEMA, **dataclasses.asdict(answer)}


def show(answer: Answer, output: Output) -> None:
    """The answer as a person reads it in a terminal."""
    if answer.resolved != answer.question:
        output.tell("resolved_as", question=one_line(answer.resolved))
    if answer.refused:
        output.tell("no_answer")
        output.tell("looked_for", words=" ".join(one_line(word) for word in answer.looked_for))
        if answer.nearest:
            output.tell("nearest")
        for near in answer.nearest:
            output.say(f"  - {one_line(near.title)}  ({near.path})")
        return
    output.say(answer.text)
    for warning in answer.warnings:
        output.say(f"! {one_line(warning.plain)}")
    for limit in answer.limits:
        output.say(f"! {one_line(limit.about)}: {one_line(limit.text)}  ({limit.path}:{limit.lines[0]})")
    if answer.way in (Way.SELECT, Way.COMPOSE):
        output.say()
        for place in answer.cited:
            output.say(f"“{one_line(answer.evidence[place].plain)}”")
    output.say()
    if answer.conflicts:
        output.tell("conflict")
        for item in answer.conflicts:
            output.say(f"  - {item.date_updated}  {one_line(item.plain)}  [{one_line(item.title)}]")
        output.say()
    for number, item in enumerate(answer.evidence, start=1):
        output.say(f"[{number}] {citation(item, output)}")
    output.say()
    if answer.replaced:
        output.tell("sentences_replaced", count=answer.replaced)
    version = answer.knowledge_version
    output.say(
        f"{output.text(f'way_{answer.way.value}')} · "
        + output.text("knowledge_line", version=version.label or output.text("version_unknown"))
        + f" · {answer.id}"
    )


def citation(item: Evidence, output: Output) -> str:
    """Document, heading, version, validity, place."""
    parts = [" › ".join(one_line(name) for name in (item.title, *item.trail))]
    if item.version:
        parts.append(one_line(item.version))
    if item.valid_to:
        parts.append(output.text("valid_to", date=item.valid_to))
    parts.append(f"{item.path}:{item.lines[0]}")
    parts.extend(one_line(reference) for reference in item.references[:1])
    return "  ".join(parts)
