"""`almanac cards distill`: is an event worth a card, and what would the card say."""

from __future__ import annotations

import argparse
import dataclasses
import datetime
import sys
from pathlib import Path

from kb.cli.distilling import open_distiller
from kb.cli.output import Output
from kb.cli.worker import open_repository
from kb.config import Config
from kb.errors import AlmanacError, ExitCode
from kb.plain import one_line
from kb.supply.distill_propose import Outcome
from kb.supply.events import MOST_BYTES, Event, EventError, parse_event
from kb.tree.textfile import decode


def run(arguments: argparse.Namespace, config: Config) -> int:
    """Judge the events of a file; ExitCode.NO_ANSWER when none of them is worth a card."""
    output = Output(config)
    events = _events(arguments.file, output)
    with open_distiller(config, open_repository(config)) as distiller:
        outcomes = distiller.propose(events, dry=not arguments.propose)
    if arguments.json:
        output.json({"schema": 1, "events": [_as_json(one) for one in outcomes]})
    else:
        for one in outcomes:
            _show(one, arguments.propose, output)
    return ExitCode.OK if any(one.distilled.decision.save for one in outcomes) else ExitCode.NO_ANSWER


def _events(name: str, output: Output) -> list[Event]:
    """The events of a file, `-` for standard input; a line that is none is named on standard output and left out."""
    if name == "-":
        data = sys.stdin.buffer.read(64 * MOST_BYTES)
    else:
        try:
            data = Path(name).read_bytes()
        except OSError as error:
            raise AlmanacError("unreadable", path=name, reason=error.strerror or str(error)) from error
    text = decode(data, name).text
    events: list[Event] = []
    try:
        return [parse_event(text)]  # one event, written over several lines
    except EventError as error:
        whole = error
    for number, line in enumerate(text.splitlines(), start=1):
        if line.strip():
            try:
                events.append(parse_event(line))
            except EventError as error:
                output.say(f"{one_line(name)}:{number}: {one_line(output.text(error.key, **error.params))}")
    if not events:
        raise whole
    return events


def _show(one: Outcome, proposed: bool, output: Output) -> None:
    found = one.distilled
    answer = "yes" if found.decision.save else "no"
    output.say(f"{one_line(found.event.id)}  SHOULD_SAVE: {answer}  {found.reason}")
    if found.draft is None:
        return
    if one.match is not None and one.match.same:
        output.tell("card_like", id=one_line(one.match.card.id), similarity=f"{one.match.similarity:.2f}")
    if one.proposal is not None:
        output.tell("worker_proposed", name=one_line(one.proposal.name))
    elif proposed:
        output.tell("card_not_proposed")
    else:
        for line in found.draft.render(datetime.date.today(), output.config.lang).splitlines():
            output.say(f"    {line}")


def _as_json(one: Outcome) -> dict[str, object]:
    found = one.distilled
    draft = None if found.draft is None else dataclasses.asdict(found.draft)
    return {
        "id": found.event.id,
        "should_save": found.decision.save,
        "reason": found.reason,
        "rule": found.decision.reason.value,
        "draft": draft,
        "evidence": [{"field": field, **dataclasses.asdict(span)} for field, span in found.evidence],
        "like": None if one.match is None else {
            "id": one.match.card.id, "similarity": round(one.match.similarity, 3), "same": one.match.same,
        },
        "proposal": None if one.proposal is None else one.proposal.name,
    }  # fmt: skip
