"""`almanac cards`: look at knowledge cards, check them, begin a new one."""

from __future__ import annotations

import argparse
import dataclasses
import datetime
from collections import Counter
from collections.abc import Callable, Iterable, Mapping
from pathlib import Path

from kb.cli.output import Output, parse_day
from kb.config import Config
from kb.errors import AlmanacError, ExitCode
from kb.plain import one_line
from kb.supply.card import Card, CardStatus, CardType, Layer
from kb.supply.check import check_cards
from kb.supply.roster import default_roster, load_roster, looked_at
from kb.supply.schema import Finding
from kb.supply.store import FOLDER, find_card, read_cards
from kb.supply.store_new import Draft, card_path, write_new
from kb.supply.worker import AUTHOR
from kb.tree.textfile import read_text
from kb.tree.walk import inside, resolve_root
from kb.versions.git import Git
from kb.versions.history import History

_SOON_DAYS = 30
_MOST_CHANGES = 20_000


def run(arguments: argparse.Namespace, config: Config) -> int:
    """Do one action of `almanac cards`."""
    if arguments.action == "distill":
        from kb.cli import cards_distill  # search and models are loaded for this action alone

        return cards_distill.run(arguments, config)
    actions: Mapping[str, Callable[[argparse.Namespace, Path, Output], int]] = {
        "list": _list,
        "show": _show,
        "check": _check,
        "new": _new,
        "stats": _stats,
    }
    return actions[arguments.action](arguments, resolve_root(config.knowledge), Output(config))


def _looked_at(config: Config, root: Path) -> dict[str, datetime.date]:
    """When a person last changed each card; nothing where there is no history to tell."""
    history = History(root, Git.find(config.git, config.environment.get("PATH")))
    try:
        return looked_at(history.changes(FOLDER, limit=_MOST_CHANGES), (AUTHOR,))
    except AlmanacError:
        return {}


def _day(arguments: argparse.Namespace) -> datetime.date:
    return parse_day(arguments.on) or datetime.date.today()


def _list(arguments: argparse.Namespace, root: Path, output: Output) -> int:
    day = _day(arguments)
    wanted = {name: getattr(arguments, name) for name in ("status", "type", "layer", "area", "owner")}
    found = read_cards(root)
    chosen = [
        card
        for card in found.cards
        if all(value is None or str(getattr(card, name)) == value for name, value in wanted.items())
    ]
    if arguments.due:
        roster, looked = load_roster(root) or default_roster(), _looked_at(output.config, root)
        chosen = [card for card in chosen if roster.due_on(card, looked.get(card.path)) < day]
    if arguments.json:
        output.json({"schema": 1, "cards": [as_json(card) for card in chosen]})
    for card in [] if arguments.json else chosen:
        late = "  " + output.text("expired", date=card.valid_until) if card.expired_on(day) else ""
        output.say(f"{one_line(card.id):<28} {card.status:<8} {card.type:<8} {one_line(card.title)}{late}")
        output.say(f"    {one_line(card.conclusion)}")
    if not chosen and not arguments.json:
        output.tell("card_none")
    errors = [finding for finding in found.findings if not finding.warning]
    if errors and not arguments.json:
        output.tell("card_some_broken", count=len({finding.path for finding in errors}))
    return ExitCode.OK if chosen else ExitCode.NO_ANSWER


def as_json(card: Card) -> dict[str, object]:
    """A card for programs: its fields, its path and its version."""
    return {**dataclasses.asdict(card), "version": card.version}


def _show(arguments: argparse.Namespace, root: Path, output: Output) -> int:
    card = find_card(root, arguments.id)
    if arguments.json:
        output.json({"schema": 1, **as_json(card)})
        return ExitCode.OK
    output.say(f"# {card.path}  {card.version}")
    output.say(read_text(inside(root, card.path)).text.rstrip("\n"))
    return ExitCode.OK


def _check(arguments: argparse.Namespace, root: Path, output: Output) -> int:
    report = check_cards(root, _day(arguments))
    findings = _about(arguments.paths, root, report.findings)
    errors = sum(not finding.warning for finding in findings)
    lang = output.config.lang
    if arguments.json:
        listed = [
            {"path": one.path, "line": one.line, "rule": one.key, "severity": "warning" if one.warning else "error",
             "message": one.text(lang)}
            for one in findings
        ]  # fmt: skip
        output.json({"schema": 1, "cards": len(report.cards), "errors": errors, "findings": listed})
    else:
        for one in findings:
            place = f"{one.path}:{one.line}" if one.line else one.path
            note = output.text("card_warning" if one.warning else "card_error")
            output.say(f"{one_line(place)}: {note}: {one_line(one.text(lang))}")
        output.tell("card_checked", cards=len(report.cards), errors=errors, warnings=len(findings) - errors)
    return ExitCode.BAD_KNOWLEDGE if errors else ExitCode.OK


def _about(paths: list[str], root: Path, findings: Iterable[Finding]) -> list[Finding]:
    """The findings of the files that were named, all without names. Files are named from the root or from here."""
    if not paths:
        return list(findings)
    named = set()
    for path in paths:
        whole = Path(path).absolute()
        inner = whole.relative_to(root).as_posix() if whole.is_relative_to(root) else path
        if not inner.startswith(f"{FOLDER}/") or not inside(root, inner):
            raise AlmanacError("card_no_file", ExitCode.USAGE, path=path)
        named.add(inner)
    return [finding for finding in findings if finding.path in named]


def _new(arguments: argparse.Namespace, root: Path, output: Output) -> int:
    area, _, name = arguments.name.partition("/")
    path = card_path(area, name)
    known = read_cards(root).get(name)
    # A card that is not finished has no id that counts yet, but its file bears the name.
    taken = known.path if known else next((root.glob(f"{FOLDER}/*/{name}.yaml")), None)
    if taken is not None:
        raise AlmanacError("card_id_taken", ExitCode.BAD_KNOWLEDGE, id=name, path=taken)
    roster = load_roster(root)
    if arguments.owner and roster is not None and arguments.owner not in roster.owners:
        raise AlmanacError("card_owner_unknown", ExitCode.USAGE, owner=arguments.owner, owners=", ".join(roster.owners))
    draft = Draft(name, CardType(arguments.type), arguments.title, owner=arguments.owner, layer=Layer(arguments.layer))
    target = write_new(root, path, draft, _day(arguments), output.config.lang)
    output.tell("card_written", path=target)
    return ExitCode.OK


def _stats(arguments: argparse.Namespace, root: Path, output: Output) -> int:
    day = _day(arguments)
    found = read_cards(root)
    roster, looked = load_roster(root) or default_roster(), _looked_at(output.config, root)
    counts = {
        name: dict(sorted(Counter(str(getattr(card, name)) for card in found.cards).items()))
        for name in ("status", "type", "confidence", "layer", "area", "owner")
    }
    live = [card for card in found.cards if card.status is CardStatus.ACTIVE]
    soon = day + datetime.timedelta(days=_SOON_DAYS)
    values = {
        "cards": len(found.cards),
        "broken": len({finding.path for finding in found.findings if not finding.warning}),
        "expired": sum(card.expired_on(day) for card in live),
        "expiring": sum(not card.expired_on(day) and card.expired_on(soon) for card in live),
        "due": sum(roster.due_on(card, looked.get(card.path)) < day for card in live),
        **{name: sum(getattr(card.metrics, name) for card in found.cards) for name in ("injected", "adopted", "liked")},
    }
    if arguments.json:
        output.json({"schema": 1, "on": day, **values, "by": counts})
        return ExitCode.OK
    for name, value in values.items():
        output.say(f"{output.text(f'card_stat_{name}')}: {value}")
    for name, some in counts.items():
        output.say(f"{name}: " + ", ".join(f"{one_line(key)} {count}" for key, count in some.items()))
    return ExitCode.OK
