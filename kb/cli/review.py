"""`almanac review`: proposed cards, to look at, to accept or to reject."""

from __future__ import annotations

import argparse
import dataclasses
import datetime
import difflib
from collections.abc import Callable, Mapping
from pathlib import Path

from kb.cli.output import Output
from kb.cli.worker import open_repository
from kb.config import Config
from kb.errors import AlmanacError, ExitCode
from kb.plain import one_line
from kb.supply.proposals import Proposal, Proposals, ProposedFile
from kb.supply.roster import load_roster
from kb.tree import textfile


def run(arguments: argparse.Namespace, config: Config) -> int:
    """Do one action of `almanac review`."""
    actions: Mapping[str, Callable[[argparse.Namespace, Proposals, Path, Output], int]] = {
        "list": _list,
        "show": _show,
        "accept": _accept,
        "reject": _reject,
    }
    repository = open_repository(config)
    return actions[arguments.action](arguments, Proposals(repository), repository.root, Output(config))


def _list(arguments: argparse.Namespace, proposals: Proposals, root: Path, output: Output) -> int:
    found = [one for one in proposals.all() if arguments.reviewer in (None, one.reviewer)]
    if arguments.json:
        output.json({"schema": 1, "proposals": [dataclasses.asdict(one) for one in found]})
        return ExitCode.OK
    for one in found:
        output.say(f"{one_line(one.name)}  {one.created[:10]}  {one_line(one.reviewer)}")
        output.say(f"    {one_line(one.summary)}")
    if not found:
        output.tell("review_none")
    return ExitCode.OK


def _show(arguments: argparse.Namespace, proposals: Proposals, root: Path, output: Output) -> int:
    proposal = proposals.get(arguments.name)
    files = proposals.files(proposal, datetime.date.today())
    if arguments.json:
        output.json({"schema": 1, **dataclasses.asdict(proposal), "files": [_as_json(file, output) for file in files]})
        return ExitCode.OK
    _facts(proposal, output)
    for file in files:
        for line in _difference(file):
            output.say(line)
        for finding in file.findings:
            note = output.text("card_warning" if finding.warning else "card_error")
            output.say(f"{one_line(finding.path)}: {note}: {one_line(finding.text(output.config.lang))}")
    return ExitCode.OK


def _facts(proposal: Proposal, output: Output) -> None:
    output.say(one_line(proposal.summary))
    for name in ("reviewer", "origin", "updates", "author", "created"):
        value = getattr(proposal, name)
        if value:
            output.say(f"{output.text(f'review_{name}')}: {one_line(value)}")


def _text(data: bytes | None, path: str) -> list[str]:
    return [] if data is None else textfile.decode(data, path).text.splitlines()


def _difference(file: ProposedFile) -> list[str]:
    before, after = _text(file.before, file.path), _text(file.after, file.path)
    if file.before is None:
        return [f"+++ {file.path}", *(f"+ {line}" for line in after)]
    return list(difflib.unified_diff(before, after, file.path, file.path, n=2, lineterm=""))


def _as_json(file: ProposedFile, output: Output) -> dict[str, object]:
    return {
        "path": file.path,
        "new": file.before is None,
        "diff": "\n".join(_difference(file)),
        "findings": [
            {"rule": one.key, "severity": "warning" if one.warning else "error",
             "message": one.text(output.config.lang)}
            for one in file.findings
        ],
    }  # fmt: skip


def _by(arguments: argparse.Namespace, proposal: Proposal, root: Path) -> str:
    """Who decides: --by, else the reviewer; a role of the roster where there is one."""
    who = arguments.by or proposal.reviewer or "reviewer"
    roster = load_roster(root)
    if arguments.by and roster is not None and who not in roster.owners:
        raise AlmanacError("card_owner_unknown", ExitCode.USAGE, owner=who, owners=", ".join(roster.owners))
    return str(who)


def _accept(arguments: argparse.Namespace, proposals: Proposals, root: Path, output: Output) -> int:
    proposal = proposals.get(arguments.name)
    now = datetime.datetime.now(datetime.UTC)
    for file in proposals.accept(proposal.name, _by(arguments, proposal, root), now):
        state = file.card.status.value if file.card else ""
        output.tell("review_accepted", path=one_line(file.path), status=state)
        for finding in file.findings:
            output.say(f"    {one_line(finding.text(output.config.lang))}")
    return ExitCode.OK


def _reject(arguments: argparse.Namespace, proposals: Proposals, root: Path, output: Output) -> int:
    proposal = proposals.get(arguments.name)
    tag = proposals.reject(proposal.name, arguments.reason, _by(arguments, proposal, root))
    output.tell("review_rejected", name=one_line(proposal.name), tag=tag)
    return ExitCode.OK
