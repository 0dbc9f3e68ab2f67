"""`almanac ledger`: check, show, judge and add to what agents were given."""

from __future__ import annotations

import argparse
import dataclasses
import re
import sys
from pathlib import Path

from kb.answer.runtime import Runtime
from kb.cli.output import Output
from kb.config import Config
from kb.errors import AlmanacError, ExitCode
from kb.plain import one_line
from kb.supply.adoption import judge as judge_by_rules
from kb.supply.adoption_meaning import Meaning
from kb.supply.chain import Row
from kb.supply.feedback import judge_task, record_feedback
from kb.supply.ledger import Ledger
from kb.supply.store import find_card, read_cards
from kb.tree.textfile import read_text
from kb.tree.walk import inside, resolve_root

_HEAD = re.compile(r"(\d{1,15}):([0-9a-fA-F]{64})")
_VERDICTS = {True: "ledger_followed", False: "ledger_contradicted", None: "ledger_unrelated"}


def run(arguments: argparse.Namespace, config: Config) -> int:
    """One action on the ledger of this home."""
    actions = {"verify": _verify, "show": _show, "judge": _judge, "feedback": _feedback}
    with Ledger(config.home) as ledger:
        return actions[arguments.action](arguments, config, ledger)


def _verify(arguments: argparse.Namespace, config: Config, ledger: Ledger) -> int:
    """Compare every row with its digest. BAD_KNOWLEDGE when one differs; it is named."""
    output = Output(config)
    noted = None
    if arguments.head:
        written = _HEAD.fullmatch(arguments.head)
        if written is None:
            raise AlmanacError("ledger_bad_head", ExitCode.USAGE, value=arguments.head[:100])
        noted = (int(written[1]), written[2])
    broken = ledger.verify(noted)
    number, digest = ledger.head() if broken is None else (0, "")
    if arguments.json:
        found = None if broken is None else dataclasses.asdict(broken)
        output.json({"schema": 1, "whole": broken is None, "broken": found, "rows": number, "head": digest})
    elif broken is None:
        output.tell("ledger_whole", rows=number, head=f"{number}:{digest}")
    else:
        output.tell(f"ledger_broken_{broken.reason}", row=broken.number, path=ledger.path)
    return ExitCode.OK if broken is None else ExitCode.BAD_KNOWLEDGE


def _show(arguments: argparse.Namespace, config: Config, ledger: Ledger) -> int:
    """Print the last rows."""
    output = Output(config)
    if arguments.task or arguments.card:
        rows = ledger.rows(task=arguments.task or "", card=arguments.card or "")[-arguments.top :]
    else:
        rows = ledger.latest(arguments.top)
    if arguments.json:
        output.json([_as_json(row) for row in rows])
    for row in () if arguments.json else rows:
        entry = row.entry
        parts = [f"{row.number:>7}  {entry.time:%Y-%m-%d %H:%M}", output.text(f"ledger_kind_{entry.kind}")]
        parts += [one_line(part, 60) for part in (entry.task, entry.agent, entry.card) if part]
        if entry.kind == "verdict":
            parts.append(output.text(_VERDICTS[entry.adopted]))
        if entry.feedback:
            parts.append("+1" if entry.feedback > 0 else "-1")
        parts.append(one_line(entry.note, 60))
        output.say("  ".join(part for part in parts if part))
    if not rows and not arguments.json:
        output.tell("ledger_empty")
    return ExitCode.OK if rows else ExitCode.NO_ANSWER


def _as_json(row: Row) -> dict[str, object]:
    return {"number": row.number, **dataclasses.asdict(row.entry), "digest": row.digest.hex()}


def _judge(arguments: argparse.Namespace, config: Config, ledger: Ledger) -> int:
    """Judge what a task produced and write the verdicts."""
    output = Output(config)
    written = sys.stdin.read() if arguments.text == "-" else read_text(Path(arguments.text).absolute()).text
    cards = read_cards(resolve_root(config.knowledge)).cards
    runtime = Runtime(dataclasses.replace(config, use_model=False))
    try:
        if config.embedder is not None:
            runtime.load()
        judge = Meaning(runtime.embedder.embed_passages).judge if runtime.embedder else judge_by_rules
        found = judge_task(ledger, cards, arguments.task, written, judge)
    finally:
        runtime.close()
    if arguments.json:
        output.json(
            [
                {
                    "card": row.entry.card,
                    "row": row.number,
                    "adopted": judgement.adopted,
                    "evidence": [dataclasses.asdict(proof) for proof in judgement.proofs],
                }
                for row, judgement in found
            ]
        )
        return ExitCode.OK
    for row, judgement in found:
        output.say(f"{one_line(row.entry.card)}: {output.text(_VERDICTS[judgement.adopted])}")
        for proof in judgement.proofs[:3]:
            said = output.text(f"ledger_{proof.relation}", said=one_line(proof.text), card=one_line(proof.statement))
            output.say(f"    {proof.start}-{proof.end}  {said}")
    return ExitCode.OK


def _feedback(arguments: argparse.Namespace, config: Config, ledger: Ledger) -> int:
    """Write down a like or dislike of a card or document that exists."""
    root = resolve_root(config.knowledge)
    if "/" in arguments.card or arguments.card.endswith(".md"):
        inside(root, arguments.card)
    else:
        find_card(root, arguments.card)
    version = Runtime(dataclasses.replace(config, use_model=False, embedder=None)).version()
    rows = record_feedback(
        ledger, [arguments.card], arguments.like, note=arguments.note, task=arguments.task, agent=arguments.agent,
        version=version,
    )  # fmt: skip
    Output(config).tell("ledger_noted", row=rows[0])
    return ExitCode.OK
