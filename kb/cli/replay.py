"""`almanac replay` and `almanac gaps`: answers once more, and what the documents did not say."""

from __future__ import annotations

import argparse
import dataclasses

from kb.answer.journal import Journal, Kept
from kb.answer.replay import Replayed, replay
from kb.answer.runtime import Runtime
from kb.cli.answer_lines import show
from kb.cli.ask import as_json, prepare
from kb.cli.output import Output
from kb.config import Config
from kb.errors import ExitCode
from kb.plain import one_line


def run(arguments: argparse.Namespace, config: Config) -> int:
    """Answer a kept question again; ExitCode.NO_ANSWER when the answer is another one. Without an id: list answers."""
    output = Output(config)
    if not arguments.id:
        return _list(arguments, config, output)
    with Journal(config.home) as journal:
        kept = journal.get(arguments.id)
    made = kept.answer.get("made_with", {})
    # What worded the answer then is loaded now.
    budget = made.get("budget") or config.token_budget
    runtime = Runtime(dataclasses.replace(config, way=made.get("way") or None, token_budget=budget))
    try:
        prepare(runtime, output)
        found = replay(kept, runtime.answerer)
    finally:
        runtime.close()
    if arguments.json:
        output.json({"schema": 1, "same": found.same, "changed": found.changed, "before": found.before.answer,
                     "now": as_json(found.now)})  # fmt: skip
    else:
        _show(found, output)
    return ExitCode.OK if found.same else ExitCode.NO_ANSWER


def _list(arguments: argparse.Namespace, config: Config, output: Output) -> int:
    with Journal(config.home) as journal:
        found = journal.latest(arguments.top)
    if arguments.json:
        output.json([dataclasses.asdict(item) for item in found])
    elif not found:
        output.tell("no_answers_kept")
    else:
        for item in found:
            said = one_line(item.answer["text"], 60) or output.text("no_answer")
            output.say(f"{item.id}  {item.asked[:16]}  {one_line(item.question, 50)}  ->  {said}")
    return ExitCode.OK


def _show(found: Replayed, output: Output) -> None:
    output.tell("replay_same" if found.same else "replay_differs", date=found.before.asked[:16])
    if found.changed:
        names = ", ".join(output.text(f"replay_{name}") for name in found.changed)
        output.tell("replay_changed", what=names)
    if not found.same:
        output.tell("replay_before", text=_said(found.before, output))
        output.tell("replay_now", text=one_line(found.now.text) or output.text("no_answer"))
    output.say()
    show(found.now, output)


def _said(kept: Kept, output: Output) -> str:
    return one_line(str(kept.answer["text"])) or output.text("no_answer")


def run_gaps(arguments: argparse.Namespace, config: Config) -> int:
    """List what the documents did not answer."""
    output = Output(config)
    with Journal(config.home) as journal:
        found = journal.gaps(closed=arguments.all)
    if arguments.json:
        output.json([dataclasses.asdict(gap) for gap in found])
    elif not found:
        output.tell("no_gaps")
    for gap in found if not arguments.json else ():
        output.tell("gap_line", count=gap.count, question=one_line(gap.question, 100), date=gap.last[:10])
        if gap.closed:
            output.say("    " + output.text("gap_closed", date=gap.closed[:10]))
        for path in gap.nearest:
            output.say(f"    - {path}")
    return ExitCode.OK
