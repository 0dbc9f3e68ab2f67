"""`almanac agent`: a question looked up with tools, step by step; `almanac tools`: the tools for other agents."""

from __future__ import annotations

import argparse
import dataclasses
import sys
from pathlib import Path

from kb.answer.agent import words
from kb.answer.agent.assembly import build_agent
from kb.answer.agent.export import exported
from kb.answer.agent.loop import Agent, Limits, Listener
from kb.answer.agent.values import Report, Step
from kb.answer.agent.words import Line, Style
from kb.answer.runtime import Runtime
from kb.cli.answer_lines import sources
from kb.cli.ask import prepare
from kb.cli.output import Output
from kb.config import Config
from kb.errors import ExitCode
from kb.plain import one_line

SCHEMA = 1


def run(arguments: argparse.Namespace, config: Config) -> int:
    """Print steps and report; ExitCode.OK when the documents explain what was seen, else ExitCode.NO_ANSWER."""
    output = Output(config)
    runtime = Runtime(config)

    def tell(step: Step) -> None:
        show_step(step, output)

    try:
        prepare(runtime, output)
        agent = _agent(runtime, arguments, config)
        listener = Listener(cancelled=config.stop.is_set)
        if not arguments.json:
            listener = dataclasses.replace(listener, on_step=tell)
        report = agent.run(" ".join(arguments.question), listener)
    finally:
        runtime.close()
    if arguments.json:
        output.json({"schema": SCHEMA, **dataclasses.asdict(report)})
    else:
        output.say()
        show(report, output)
    return ExitCode.OK if report.answered else ExitCode.NO_ANSWER


def _agent(runtime: Runtime, arguments: argparse.Namespace, config: Config) -> Agent:
    return build_agent(
        runtime.retriever,
        config.lang,
        data=Path(arguments.data) if arguments.data else None,
        model=runtime.text_model,
        version=runtime.version,
        limits=Limits(arguments.steps, arguments.seconds),
        journal=runtime.kept_journal,
    )


def show_step(step: Step, output: Output) -> None:
    """A step as soon as it is done."""
    lang = output.config.lang
    output.say(words.step_line(step, lang))
    output.say(f"   {words.saw(step.result, lang)}")
    sys.stdout.flush()


def show(report: Report, output: Output) -> None:
    """The report as a person reads it in a terminal."""
    lang = output.config.lang
    before: Style | None = None
    for line in words.lines(report, lang):
        if before not in (None, line.style) and line.style in (Style.HEADING, Style.WARNING, Style.NOTE):
            output.say()
        output.say(_in_terminal(line))
        before = line.style
    if report.evidence:
        output.say()
        output.tell("agent_sources")
    for source in sources(report.evidence, output):
        output.say(source)
    version = report.knowledge_version
    output.say()
    output.tell("agent_version", version=version.label or output.text("version_unknown"))


def _in_terminal(line: Line) -> str:
    match line.style:
        case Style.SUBJECT:
            return f"  {line.label}  ({line.text})"
        case Style.EXPLANATION:
            label = f"{line.label}: " if line.label else ""
            return f"    {label}{line.text}  [{line.source}]"
        case Style.FACT:
            return f"  {line.label}  {line.text}"
        case Style.WARNING:
            return f"! {line.text}  ({line.label})"
        case _:
            return line.text


def run_tools(arguments: argparse.Namespace, config: Config) -> int:
    """Print the tools with their rules."""
    output = Output(config)
    runtime = Runtime(config)
    try:
        agent = build_agent(runtime.retriever, config.lang)
    finally:
        runtime.close()
    if arguments.json:
        output.json({"schema": SCHEMA, **exported(agent.tools, agent.rules, config.lang)})
        return ExitCode.OK
    for tool in agent.tools:
        names = ", ".join(tool.parameters.get("properties", {}))
        output.say(f"{tool.name}({names})")
        output.say(f"  {one_line(tool.description)}")
    output.say()
    output.say(str(exported(agent.tools, agent.rules, config.lang)["system_prompt"]))
    return ExitCode.OK
