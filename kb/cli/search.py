"""`almanac search`, `show`, `lookup` and `history`: looking into the documents without asking a model."""

from __future__ import annotations

import argparse
import dataclasses
import datetime

from kb.answer.runtime import Runtime
from kb.cli.ask import prepare
from kb.cli.output import Output, parse_day
from kb.config import Config
from kb.errors import ExitCode
from kb.plain import one_line
from kb.search.lookup import lookup
from kb.search.retriever import Found
from kb.search.snapshot import Filter
from kb.tree import document
from kb.tree.walk import inside, resolve_root


def run(arguments: argparse.Namespace, config: Config) -> int:
    """Print the documents that fit, best first; ExitCode.NO_ANSWER when none does."""
    output = Output(config)
    day = parse_day(arguments.on) or datetime.date.today()
    runtime = Runtime(dataclasses.replace(config, use_model=False))
    try:
        prepare(runtime, output)
        limits = Filter(
            on=None if arguments.all_dates else day,
            released_only=not arguments.all_dates,
            domain=arguments.domain,
            type=arguments.type,
            lang=arguments.doc_lang,
        )
        chosen = runtime.retriever.find_documents(" ".join(arguments.query), arguments.top, limits)
        version = runtime.version()
    finally:
        runtime.close()
    if arguments.json:
        output.json(
            {
                "schema": 1,
                "knowledge_version": dataclasses.asdict(version),
                "results": [_as_json(item) for item in chosen],
            }
        )
    elif not chosen:
        output.tell("nothing_found")
    else:
        for number, item in enumerate(chosen, start=1):
            _show(number, item, day, arguments.explain, output)
    return ExitCode.OK if chosen else ExitCode.NO_ANSWER


def _as_json(item: Found) -> dict[str, object]:
    facts = item.document.facts
    return {
        "path": item.path,
        "title": facts.title,
        "heading": list(item.section.trail),
        "lines": [item.section.start, item.section.end],
        "confidence": round(item.confidence, 4),
        "voices": dataclasses.asdict(item.voices),
        "version": facts.version,
        "status": facts.status,
        "valid_from": facts.valid_from,
        "valid_to": facts.valid_to,
        "value": item.value.text if item.value else "",
        "passage": item.passage,
        "text": item.section.text,
    }


def _show(number: int, item: Found, day: datetime.date, explain: bool, output: Output) -> None:
    facts = item.document.facts
    heading = " › ".join(one_line(name) for name in item.section.trail if name != facts.title)
    title = f"{one_line(facts.title)} › {heading}" if heading else one_line(facts.title)
    notes = [item.path + f":{item.section.start}", one_line(facts.version)]
    if facts.valid_to and day > facts.valid_to:
        notes.append(output.text("expired", date=facts.valid_to))
    if facts.valid_from and day < facts.valid_from:
        notes.append(output.text("not_yet_valid", date=facts.valid_from))
    if facts.status != document.RELEASED:
        notes.append(one_line(facts.status))
    output.say(f"{number}. {title}   {item.confidence:.2f}")
    output.say("   " + "  ".join(note for note in notes if note))
    if item.value:
        output.say("   " + output.text("value_found", value=one_line(item.value.text)))
    output.say("   " + one_line(item.passage or item.section.text, 160))
    if explain:
        values = dataclasses.asdict(item.voices)
        output.say("   " + "  ".join(f"{name} {value:.2f}" for name, value in values.items()))


def run_show(arguments: argparse.Namespace, config: Config) -> int:
    """Print one document as it stands."""
    root = resolve_root(config.knowledge)
    inside(root, arguments.path)
    found = document.load(root, arguments.path)
    if arguments.json:
        Output(config).json({"schema": 1, **dataclasses.asdict(found.facts), "text": found.text})
    else:
        Output(config).say(found.text.rstrip("\n"))
    return ExitCode.OK


def run_lookup(arguments: argparse.Namespace, config: Config) -> int:
    """Print what `lookup_knowledge` returns, as JSON."""
    found = lookup(config.knowledge, " ".join(arguments.query))
    Output(config).json(found)
    return ExitCode.OK if found["found"] else ExitCode.NO_ANSWER


def run_history(arguments: argparse.Namespace, config: Config) -> int:
    """Print the latest changes of the knowledge, or of one document."""
    output = Output(config)
    runtime = Runtime(dataclasses.replace(config, use_model=False, embedder=None))
    changes = runtime.history.changes(arguments.path, limit=max(arguments.top, 1))
    code = ExitCode.OK if changes else ExitCode.NO_ANSWER
    if arguments.json:
        output.json([dataclasses.asdict(change) for change in changes])
        return code
    if not changes:
        output.tell("history_none", path=one_line(arguments.path or "."))
    for change in changes:
        output.say(f"{change.date:%Y-%m-%d}  {change.commit[:10]}  {one_line(change.summary)}")
        for status, path in change.files[:12]:
            output.say(f"    {status} {path}")
        if len(change.files) > 12:
            output.say(f"    … {len(change.files) - 12}")
    return code
