"""`almanac update`: newer knowledge or a newer program from a stick, shown, agreed to, put in place, taken back."""

from __future__ import annotations

import argparse
import dataclasses
import sys
from pathlib import Path

from kb.answer.release_trial import machine
from kb.cli.output import Output
from kb.cli.update_words import found_json, outcome_json, show_found, show_outcome
from kb.cli.version_wiring import actor, source_of
from kb.config import Config
from kb.errors import AlmanacError, ExitCode, KnowledgeError
from kb.plain import one_line
from kb.versions.update import making, signature, updating
from kb.versions.update.knowledge import WHERE
from kb.versions.update.offers import Age, Allowed, Found, Kind, Machine, Offer, Outcome, Refused

_AGREED = frozenset({"yes", "y", "是", "好"})


def run(arguments: argparse.Namespace, config: Config) -> int:
    """Do what the action says; without one, look for an update and put it in place."""
    actions = {"make": _make, "keys": _keys, "trust": _trust, "distrust": _distrust}
    _fits(arguments)
    if arguments.action in actions:
        return actions[arguments.action](arguments, config, Output(config))
    output = Output(config)
    progress = output.progress()
    here = machine(config, actor(arguments, config), progress)
    try:
        if arguments.undo:
            return _undo(arguments, here, output)
        only = Kind(arguments.only) if arguments.only else None
        places = [_path(place) for place in arguments.places]
        allowed = Allowed(arguments.allow_older, arguments.allow_unrelated)
        found = updating.find(here, places, only=only, older=allowed.older)
        wanted, found = _sorted(found, allowed)
        progress.clear()
        if arguments.action == "check":
            return _check(arguments, wanted, found, output)
        return _apply(arguments, here, wanted, found, allowed, output)
    finally:
        progress.clear()


def _fits(arguments: argparse.Namespace) -> None:
    """AlmanacError for words that have no meaning together."""
    if arguments.action in ("make", "trust", "distrust") and not arguments.target:
        raise AlmanacError("update_needs_target", ExitCode.USAGE, action=arguments.action)
    if arguments.action in (None, "check", "keys") and arguments.target:
        raise AlmanacError("update_stray_target", ExitCode.USAGE, target=arguments.target)
    if arguments.undo and arguments.action is not None:
        raise AlmanacError("update_stray_target", ExitCode.USAGE, target="--undo")


def _path(written: str) -> Path:
    return Path(written).expanduser().absolute()


def _sorted(found: Found, allowed: Allowed) -> tuple[list[Offer], Found]:
    """What can be put in place; what cannot is refused with its reason."""
    wanted: list[Offer] = []
    refused = list(found.refused)
    for offer in found.offers:
        if offer.age is Age.SAME or (offer.age is Age.OLDER and not allowed.older):
            continue
        try:
            updating.refuse(offer, allowed)
            wanted.append(offer)
        except KnowledgeError as error:
            refused.append(Refused(offer.file, error))
    return wanted, dataclasses.replace(found, refused=tuple(refused))


def _check(arguments: argparse.Namespace, wanted: list[Offer], found: Found, output: Output) -> int:
    if arguments.json:
        output.json(found_json(found, output))
    else:
        show_found(found, output)
    if wanted:
        return ExitCode.OK
    return ExitCode.BAD_KNOWLEDGE if found.refused else ExitCode.NO_ANSWER


def _apply(
    arguments: argparse.Namespace, here: Machine, wanted: list[Offer], found: Found, allowed: Allowed, output: Output
) -> int:
    if not arguments.json:
        show_found(found, output)
    if wanted and not arguments.yes and not _agreed(arguments, wanted, output):
        output.tell("update_left")
        return ExitCode.NO_ANSWER
    outcomes: list[Outcome] = []
    for offer in wanted:
        outcomes.append(updating.apply(here, offer, allowed))
        if not arguments.json:
            output.say()
            show_outcome(outcomes[-1], output)
            _other_environment(arguments, outcomes[-1], output)
    if arguments.json:
        output.json({**found_json(found, output), "applied": [outcome_json(outcome) for outcome in outcomes]})
    elif outcomes:
        output.tell("update_restart" if any(outcome.restart for outcome in outcomes) else "update_back")
    return ExitCode.BAD_KNOWLEDGE if found.refused and not outcomes else ExitCode.OK


def _other_environment(arguments: argparse.Namespace, outcome: Outcome, output: Output) -> None:
    """Say it where this copy is not answered from the environment that an update changes."""
    _, changed = WHERE
    asked = arguments.in_env or output.config.environment.get("ALMANAC_ENV") or changed
    if outcome.kind is Kind.KNOWLEDGE and asked != changed:
        output.tell("update_other_environment", changed=changed, asked=one_line(asked))


def _agreed(arguments: argparse.Namespace, wanted: list[Offer], output: Output) -> bool:
    if arguments.json or not sys.stdin.isatty():
        raise AlmanacError("restore_needs_yes", ExitCode.USAGE)
    return _ask("update_ask", output, names=", ".join(offer.version for offer in wanted))


def _ask(key: str, output: Output, **params: object) -> bool:
    sys.stdout.write(output.text(key, **params))
    sys.stdout.flush()
    return sys.stdin.readline().strip().lower() in _AGREED


def _undo(arguments: argparse.Namespace, here: Machine, output: Output) -> int:
    outcome = updating.undo(here, Kind(arguments.only) if arguments.only else None)
    if arguments.json:
        output.json({"schema": 1, "undone": outcome_json(outcome)})
        return ExitCode.OK
    output.tell(
        f"update_undone_{outcome.kind}", version=outcome.version or output.text("update_own"), previous=outcome.previous
    )
    if outcome.restart:
        output.tell("update_restart")
    return ExitCode.OK


def _make(arguments: argparse.Namespace, config: Config, output: Output) -> int:
    """An update to hand out, from the repository of the knowledge."""
    progress = output.progress()
    try:
        made = making.make(
            source_of(arguments, config), _path(arguments.target), arguments.tag or "", progress, config.stop
        )
    finally:
        progress.clear()
    if arguments.json:
        output.json({"schema": 1, **dataclasses.asdict(made)})
        return ExitCode.OK
    output.tell("update_made", path=made.file, size=f"{made.size / 1e6:.1f}", tag=made.tag, documents=made.documents)
    output.tell("update_made_sign", name=made.file.name)
    return ExitCode.OK


def _keys(arguments: argparse.Namespace, config: Config, output: Output) -> int:
    kept = signature.keys(config.home)
    if arguments.json:
        output.json({"schema": 1, "keys": [{"id": key.id, "key": key.line} for key in kept]})
        return ExitCode.OK
    for key in kept:
        output.say(f"{key.id}  {key.line}")
    output.tell("update_keys_required" if kept else "update_keys_none")
    return ExitCode.OK


def _trust(arguments: argparse.Namespace, config: Config, output: Output) -> int:
    """Keep a key that the owner names: a file, or the key itself as minisign prints it."""
    try:
        key = signature.parse_key(arguments.target)
    except ValueError:
        key = signature.read_key(_path(arguments.target))
    if not arguments.json:
        output.tell("update_key_shown", id=key.id, line=key.line)
    if not arguments.yes:
        if arguments.json or not sys.stdin.isatty():
            raise AlmanacError("restore_needs_yes", ExitCode.USAGE)
        if not _ask("update_key_ask", output):
            output.tell("update_left")
            return ExitCode.NO_ANSWER
    added = signature.trust(config.home, key)
    if arguments.json:
        output.json({"schema": 1, "id": key.id, "key": key.line, "new": added})
    else:
        output.tell("update_key_kept", id=key.id)
    return ExitCode.OK


def _distrust(arguments: argparse.Namespace, config: Config, output: Output) -> int:
    signature.distrust(config.home, arguments.target)
    left = len(signature.keys(config.home))
    if arguments.json:
        output.json({"schema": 1, "left": left})
    else:
        output.tell("update_key_gone", id=arguments.target.strip().upper())
        if not left:
            output.tell("update_keys_none")
    return ExitCode.OK
