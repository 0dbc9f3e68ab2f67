"""Verbs about knowledge cards: cards, review, worker. Each has actions of its own."""

from __future__ import annotations

import argparse

from kb.cli.grammar.actions import Actions
from kb.cli.grammar.verb import Say, Verb, json_flag

STATUSES = ("draft", "staging", "active", "archived")
TYPES = ("spec", "pitfall", "pattern", "decision", "faq")
LAYERS = ("common", "domain", "scenario", "event")


def _on(parser: argparse.ArgumentParser, say: Say) -> None:
    parser.add_argument("--on", metavar="DATE", help=say("cli_cards_on"))


def _cards(parser: argparse.ArgumentParser, say: Say) -> None:
    actions = Actions("cards", parser, say)
    actions.add("list", _list)
    actions.add("show", _show)
    actions.add("check", _check)
    actions.add("new", _new)
    actions.add("stats", _stats)
    actions.add("distill", _distill)


def _list(parser: argparse.ArgumentParser, say: Say) -> None:
    parser.add_argument("--status", choices=STATUSES, help=say("cli_cards_status"))
    parser.add_argument("--type", choices=TYPES, help=say("cli_cards_type"))
    parser.add_argument("--layer", choices=LAYERS, help=say("cli_cards_layer"))
    parser.add_argument("--area", metavar="NAME", help=say("cli_cards_area"))
    parser.add_argument("--owner", metavar="ROLE", help=say("cli_cards_owner"))
    parser.add_argument("--due", action="store_true", help=say("cli_cards_due"))
    _on(parser, say)
    json_flag(parser, say)


def _show(parser: argparse.ArgumentParser, say: Say) -> None:
    parser.add_argument("id", metavar="ID", help=say("cli_cards_id"))
    json_flag(parser, say)


def _check(parser: argparse.ArgumentParser, say: Say) -> None:
    parser.add_argument("paths", nargs="*", metavar="FILE", help=say("cli_cards_paths"))
    _on(parser, say)
    json_flag(parser, say)


def _new(parser: argparse.ArgumentParser, say: Say) -> None:
    parser.add_argument("name", metavar="AREA/NAME", help=say("cli_cards_name"))
    parser.add_argument("--title", default="", metavar="TEXT", help=say("cli_cards_title"))
    parser.add_argument("--type", choices=TYPES, default="pitfall", help=say("cli_cards_type"))
    parser.add_argument("--layer", choices=LAYERS, default="scenario", help=say("cli_cards_layer"))
    parser.add_argument("--owner", default="", metavar="ROLE", help=say("cli_cards_owner"))
    _on(parser, say)


def _stats(parser: argparse.ArgumentParser, say: Say) -> None:
    _on(parser, say)
    json_flag(parser, say)


def _distill(parser: argparse.ArgumentParser, say: Say) -> None:
    parser.add_argument("file", metavar="FILE", help=say("cli_cards_events"))
    parser.add_argument("--propose", action="store_true", help=say("cli_cards_propose"))
    json_flag(parser, say)


def _worker(parser: argparse.ArgumentParser, say: Say) -> None:
    actions = Actions("worker", parser, say)
    actions.add("run", _run)
    actions.add("signal", _signal)


def _run(parser: argparse.ArgumentParser, say: Say) -> None:
    how = parser.add_mutually_exclusive_group()
    how.add_argument("--once", action="store_true", help=say("cli_worker_once"))
    how.add_argument("--daemon", action="store_true", help=say("cli_worker_daemon"))
    how.add_argument("--dry-run", action="store_true", help=say("cli_worker_dry"))
    parser.add_argument("--every", type=_minutes, default=60, metavar="MIN", help=say("cli_worker_every"))
    parser.add_argument("--trust-clock", action="store_true", help=say("cli_worker_trust"))
    _on(parser, say)
    json_flag(parser, say)


def _signal(parser: argparse.ArgumentParser, say: Say) -> None:
    parser.add_argument("--requirement", required=True, metavar="ID", help=say("cli_worker_requirement"))
    parser.add_argument("--state", required=True, metavar="STATE", help=say("cli_worker_state"))
    parser.add_argument("--id", metavar="ID", help=say("cli_worker_id"))
    parser.add_argument("--at", metavar="TIME", help=say("cli_worker_at"))


def _minutes(written: str) -> int:
    """Minutes between two passes, from one to a week."""
    minutes = int(written)
    if not 1 <= minutes <= 7 * 24 * 60:
        raise ValueError(written)
    return minutes


def _review(parser: argparse.ArgumentParser, say: Say) -> None:
    actions = Actions("review", parser, say)
    actions.add("list", _review_list)
    actions.add("show", _review_show)
    actions.add("accept", _review_accept)
    actions.add("reject", _review_reject)


def _review_list(parser: argparse.ArgumentParser, say: Say) -> None:
    parser.add_argument("--reviewer", metavar="ROLE", help=say("cli_review_reviewer"))
    json_flag(parser, say)


def _review_show(parser: argparse.ArgumentParser, say: Say) -> None:
    parser.add_argument("name", metavar="NAME", help=say("cli_review_name"))
    json_flag(parser, say)


def _review_accept(parser: argparse.ArgumentParser, say: Say) -> None:
    parser.add_argument("name", metavar="NAME", help=say("cli_review_name"))
    parser.add_argument("--by", metavar="ROLE", help=say("cli_review_by"))


def _review_reject(parser: argparse.ArgumentParser, say: Say) -> None:
    _review_accept(parser, say)
    parser.add_argument("--reason", required=True, metavar="TEXT", help=say("cli_review_reason"))


VERBS = (
    Verb("cards", "kb.cli.cards:run", _cards),
    Verb("review", "kb.cli.review:run", _review),
    Verb("worker", "kb.cli.worker:run", _worker),
)
