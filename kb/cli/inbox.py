"""`almanac inbox`: the few decisions that need people, and deciding them."""

from __future__ import annotations

import argparse
import dataclasses

from kb.answer.runtime import Runtime
from kb.answer.supply_workbench import Workbench
from kb.cli.output import Output
from kb.config import Config
from kb.errors import AlmanacError, ExitCode
from kb.plain import one_line
from kb.supply.inbox import ARCHIVE, RENEW, Waiting


def run(arguments: argparse.Namespace, config: Config) -> int:
    """List what waits, or decide one card. NO_ANSWER for a list when nothing waits."""
    output = Output(config)
    bench = Workbench(Runtime(dataclasses.replace(config, use_model=False, embedder=None)))
    if arguments.action in (RENEW, ARCHIVE):
        if not arguments.card:
            raise AlmanacError("inbox_which", ExitCode.USAGE)
        card = bench.decide(arguments.card, arguments.action)
        output.tell(f"inbox_{arguments.action}d", id=card.id)
        return ExitCode.OK
    if arguments.action == "board":
        contributions = bench.contributions()
        if arguments.json:
            output.json([dataclasses.asdict(one) for one in contributions])
        for one in () if arguments.json else contributions:
            counts = output.text(
                "inbox_contribution", added=one.added, changed=one.changed, given=one.given, followed=one.followed
            )
            output.say(f"{one_line(one.author, 30):<30}  {counts}")
        return ExitCode.OK if contributions else ExitCode.NO_ANSWER
    waiting = bench.look().waiting
    if arguments.json:
        output.json([_as_json(item) for item in waiting])
    elif not waiting:
        output.tell("inbox_empty")
    else:
        _show(waiting, output)
    return ExitCode.OK if waiting else ExitCode.NO_ANSWER


def _show(waiting: tuple[Waiting, ...], output: Output) -> None:
    queue = None
    for item in waiting:
        if item.queue is not queue:
            queue = item.queue
            output.tell(f"inbox_{queue}", count=sum(other.queue is queue for other in waiting))
        card = item.card
        facts = output.text("inbox_facts", used=item.used, until=card.valid_until, owner=one_line(card.owner))
        output.say(f"  {card.id}  {one_line(card.title, 60)}")
        output.say(f"      {facts}")
        for note in item.notes:
            output.say(f"      - {one_line(note, 100)}")


def _as_json(item: Waiting) -> dict[str, object]:
    card = item.card
    return {
        "queue": item.queue.value,
        "id": card.id,
        "title": card.title,
        "path": card.path,
        "status": card.status.value,
        "owner": card.owner,
        "valid_until": card.valid_until,
        "used": item.used,
        "against": item.against,
        "notes": list(item.notes),
    }
