"""Verbs of the supply line: inject, ledger, inbox, metrics."""

from __future__ import annotations

import argparse

from kb.cli.grammar.actions import Actions
from kb.cli.grammar.verb import Say, Verb, json_flag, top_option


def _inject(parser: argparse.ArgumentParser, say: Say) -> None:
    parser.add_argument("--task", required=True, metavar="FILE|TEXT", help=say("cli_inject_task"))
    parser.add_argument("--agent", metavar="NAME", help=say("cli_inject_agent"))
    parser.add_argument("--repo", metavar="NAME", help=say("cli_inject_repo"))
    parser.add_argument("--type", metavar="NAME", help=say("cli_inject_type"))
    parser.add_argument("--id", metavar="ID", help=say("cli_inject_id"))
    parser.add_argument("--budget", type=_tokens, metavar="N", help=say("cli_inject_budget"))
    parser.add_argument("--dry-run", action="store_true", help=say("cli_inject_dry"))
    json_flag(parser, say)


def _tokens(written: str) -> int:
    """A budget in tokens; argparse says so when it is none."""
    number = int(written)
    if not 50 <= number <= 1_000_000:
        raise argparse.ArgumentTypeError("50..1000000")
    return number


def _ledger(parser: argparse.ArgumentParser, say: Say) -> None:
    actions = Actions("ledger", parser, say)
    verify = actions.add("verify")
    verify.add_argument("--head", metavar="N:DIGEST", help=say("cli_ledger_head"))
    json_flag(verify, say)
    show = actions.add("show")
    show.add_argument("--task", metavar="ID", help=say("cli_ledger_task"))
    show.add_argument("--card", metavar="ID", help=say("cli_ledger_card"))
    top_option(show, say, 20)
    json_flag(show, say)
    judge = actions.add("judge")
    judge.add_argument("--task", required=True, metavar="ID", help=say("cli_ledger_task"))
    judge.add_argument("--text", required=True, metavar="FILE", help=say("cli_ledger_text"))
    json_flag(judge, say)
    feedback = actions.add("feedback")
    feedback.add_argument("card", metavar="CARD", help=say("cli_ledger_item"))
    way = feedback.add_mutually_exclusive_group(required=True)
    way.add_argument("--like", action="store_true", help=say("cli_ledger_like"))
    way.add_argument("--dislike", action="store_true", help=say("cli_ledger_dislike"))
    feedback.add_argument("--note", default="", metavar="TEXT", help=say("cli_ledger_note"))
    feedback.add_argument("--task", default="", metavar="ID", help=say("cli_ledger_task"))
    feedback.add_argument("--agent", default="", metavar="NAME", help=say("cli_inject_agent"))


def _inbox(parser: argparse.ArgumentParser, say: Say) -> None:
    parser.add_argument(
        "action", nargs="?", default="list", choices=("list", "renew", "archive", "board"), metavar="ACTION",
        help=say("cli_inbox_action"),
    )  # fmt: skip
    parser.add_argument("card", nargs="?", metavar="CARD", help=say("cli_inbox_card"))
    json_flag(parser, say)


def _metrics(parser: argparse.ArgumentParser, say: Say) -> None:
    parser.add_argument("--svg", metavar="FILE", help=say("cli_metrics_svg"))
    parser.add_argument("--csv", metavar="FILE", help=say("cli_metrics_csv"))
    json_flag(parser, say)


VERBS = (
    Verb("inject", "kb.cli.inject:run", _inject),
    Verb("ledger", "kb.cli.ledger:run", _ledger),
    Verb("inbox", "kb.cli.inbox:run", _inbox),
    Verb("metrics", "kb.cli.metrics:run", _metrics),
)
