"""`almanac ask`: a question, its answer, where it stands."""

from __future__ import annotations

import argparse
import dataclasses
import datetime

from kb.answer.answer import Answer, Way
from kb.answer.answerer import Listener
from kb.answer.followup import Session
from kb.answer.models import State
from kb.answer.runtime import Runtime
from kb.cli import changes
from kb.cli.answer_lines import show
from kb.cli.output import Output, parse_day
from kb.config import Config
from kb.errors import AlmanacError, ExitCode, KnowledgeError
from kb.search.snapshot import Filter
from kb.versions.asked import ChangesFound, answered

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
        found = _changes(question, runtime)
        if found is not None:
            _tell_changes(question, found, runtime, as_object=arguments.json, output=output)
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


def _changes(question: str, runtime: Runtime) -> ChangesFound | None:
    """What the history says to a question about changes of the knowledge. None for any other question, and without a
    history: a document may still say something."""
    try:
        return answered(question, runtime.history, runtime.root, datetime.date.today(), runtime.config.lang)
    except AlmanacError:
        return None


def _tell_changes(question: str, found: ChangesFound, runtime: Runtime, *, as_object: bool, output: Output) -> None:
    """Print what changed; `as_object` as JSON, in the fields of every answer."""
    lines = list(changes.lines_of(found, output))
    if not as_object:
        for line in lines:
            output.say(line)
        return
    answer = Answer(
        id="",
        question=question,
        resolved=question,
        text="\n".join(lines),
        refused=False,
        confidence=1.0,
        way=Way.HISTORY,
        day=datetime.date.today().isoformat(),
        knowledge_version=runtime.version(),
    )
    output.json(as_json(answer, found))


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


def as_json(answer: Answer, found: ChangesFound | None = None) -> dict[str, object]:
    """The answer as the stable schema that programs read (README, «Answers as JSON»); `found` are the changes that it
    tells of."""
    return {
        "schema": SCHEMA, **dataclasses.asdict(answer), "changes": None if found is None else changes.as_json(found),
    }  # fmt: skip
