"""`almanac inject`: the block of knowledge for an agent's task, before it starts."""

from __future__ import annotations

import argparse
import dataclasses
import sys
import uuid
from collections.abc import Callable
from pathlib import Path

from kb.answer.runtime import Runtime
from kb.answer.supply_desk import SupplyDesk
from kb.cli.output import Output
from kb.config import Config
from kb.errors import AlmanacError, ExitCode
from kb.plain import one_line, visible
from kb.supply.inject import Given, Injection, Task
from kb.tree import frontmatter
from kb.tree.frontmatter import FrontMatterError
from kb.tree.textfile import read_text

_FIELDS = ("id", "title", "text", "repo", "type", "agent")
_VOICES = ("text", "situation", "meaning")
_LONGEST_TASK = 100_000


def run(arguments: argparse.Namespace, config: Config) -> int:
    """Print the block. NO_ANSWER when no card fits the task."""
    output = Output(config)
    task = read_task(arguments, sys.stdin.read)
    runtime = Runtime(config)
    try:
        desk = SupplyDesk(runtime)
        if not desk.live.index().cards:
            raise AlmanacError("inject_no_cards", ExitCode.BAD_KNOWLEDGE, path=runtime.root / "cards")
        # Only the embedder: the answer model's vocabulary is enough to count with.
        runtime.load_embedder(output.progress())
        prepared = desk.inject(task, budget=arguments.budget, note_down=not arguments.dry_run)
        tokenizer = desk.counter()[1]
    finally:
        runtime.close()
    if arguments.json:
        output.json({**as_json(prepared), "tokenizer": tokenizer})
    else:
        if prepared.block:
            output.say(prepared.block)
        _tell(output, prepared, desk)
    return ExitCode.OK if prepared.given else ExitCode.NO_ANSWER


def _tell(output: Output, prepared: Injection, desk: SupplyDesk) -> None:
    """Beside the block, which may go into a file: what is in it, and what is wrong with files."""
    lines = [
        output.text(
            "inject_done" if prepared.given else "inject_none",
            task=one_line(prepared.task.id),
            cards=len(prepared.given),
            tokens=prepared.tokens,
            budget=prepared.budget,
        )
    ]
    lines += [f"  {one_line(item.path)}: {one_line(item.text(output.config.lang))}" for item in desk.live.findings]
    sys.stderr.write("".join(visible(line) + "\n" for line in lines))


def as_json(prepared: Injection) -> dict[str, object]:
    """An injection as a program reads it."""
    return {
        "schema": 1,
        "task": prepared.task.id,
        "knowledge_version": dataclasses.asdict(prepared.version),
        "tokens": prepared.tokens,
        "budget": prepared.budget,
        "packs": [pack.path for pack in prepared.packs if pack.path],
        "cards": [_card(given) for given in prepared.given],
        "left_out": [card.id for card in prepared.left],
        "block": prepared.block,
    }


def _card(given: Given) -> dict[str, object]:
    match = given.match
    return {
        "id": given.card.id,
        "title": given.card.title,
        "version": given.card.version,
        "position": given.position,
        "tokens": given.tokens,
        "pinned": match is None,
        "score": None if match is None else round(match.score, 4),
        "voices": None if match is None else {name: round(getattr(match, name), 4) for name in _VOICES},
    }


def read_task(arguments: argparse.Namespace, read_input: Callable[[], str]) -> Task:
    """The task of the command line: a file (YAML, JSON or plain text), `-` for standard input, or the text itself."""
    named: str = arguments.task
    written = named
    if named == "-":
        written = read_input()
    elif len(named) < 1000 and not {"\n", "\0"} & set(named) and Path(named).is_file():
        written = read_text(Path(named).absolute()).text
    fields = _fields(written[:_LONGEST_TASK])
    for name in ("repo", "type", "agent", "id"):
        given = getattr(arguments, name)
        if given:
            fields[name] = given
    return Task(**{**fields, "id": fields.get("id") or f"task-{uuid.uuid4().hex[:12]}"})


def _fields(written: str) -> dict[str, str]:
    """The fields of a task that is written as a mapping with a title or text; else all of it is the text."""
    try:
        found = frontmatter.parse(written)
    except FrontMatterError:
        found = {}
    if not {"title", "text"} & found.keys():
        return {"text": written}
    return {name: frontmatter.as_text(found.get(name)) for name in _FIELDS}
