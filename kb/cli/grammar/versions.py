"""Verbs about versions of the whole: snapshot, diff, verify, publish, rollback, promote, retire, route."""

from __future__ import annotations

import argparse

from kb.cli.grammar.verb import Say, Verb, json_flag, top_option

ENVIRONMENTS = ("dev", "test", "prod")


def percent(written: str) -> int:
    """A share of users, 1..100."""
    number = int(written)
    if not 1 <= number <= 100:
        raise ValueError(written)
    return number


def _where(parser: argparse.ArgumentParser, say: Say) -> None:
    parser.add_argument("--env", choices=ENVIRONMENTS, default="prod", help=say("cli_version_env"))
    parser.add_argument("--agent", metavar="NAME", default="", help=say("cli_version_agent"))


def _actor(parser: argparse.ArgumentParser, say: Say) -> None:
    parser.add_argument("--by", metavar="NAME", help=say("cli_version_by"))
    parser.add_argument("--why", metavar="TEXT", default="", help=say("cli_version_why"))


def _snapshot(parser: argparse.ArgumentParser, say: Say) -> None:
    chosen = parser.add_mutually_exclusive_group()
    chosen.add_argument("--version", metavar="X.Y.Z", help=say("cli_snapshot_version"))
    chosen.add_argument("--bump", choices=("major", "minor", "patch"), help=say("cli_snapshot_bump"))
    parser.add_argument("--message", "-m", metavar="TEXT", default="", help=say("cli_snapshot_message"))
    parser.add_argument("--include-changes", action="store_true", help=say("cli_snapshot_changes"))
    parser.add_argument("--by", metavar="NAME", help=say("cli_version_by"))
    json_flag(parser, say)


def _diff(parser: argparse.ArgumentParser, say: Say) -> None:
    parser.add_argument("old", metavar="A", help=say("cli_diff_old"))
    parser.add_argument("new", nargs="?", default="HEAD", metavar="B", help=say("cli_diff_new"))
    json_flag(parser, say)


def _verify(parser: argparse.ArgumentParser, say: Say) -> None:
    parser.add_argument("tag", nargs="?", metavar="TAG", help=say("cli_verify_tag"))
    json_flag(parser, say)


def _publish(parser: argparse.ArgumentParser, say: Say) -> None:
    parser.add_argument("tag", nargs="?", metavar="TAG", help=say("cli_publish_tag"))
    _where(parser, say)
    parser.add_argument("--weight", type=percent, default=100, metavar="PERCENT", help=say("cli_publish_weight"))
    parser.add_argument("--at", metavar="TIME", help=say("cli_publish_at"))
    parser.add_argument("--leave-out-drafts", action="store_true", help=say("cli_publish_drafts"))
    parser.add_argument("--dry-run", action="store_true", help=say("cli_publish_dry"))
    parser.add_argument("--impact", action="store_true", help=say("cli_publish_impact"))
    parser.add_argument("--questions", metavar="FILE", help=say("cli_publish_questions"))
    parser.add_argument("--yes", "-y", action="store_true", help=say("cli_publish_yes"))
    _actor(parser, say)
    json_flag(parser, say)


def _rollback(parser: argparse.ArgumentParser, say: Say) -> None:
    parser.add_argument("--to", metavar="TAG", help=say("cli_rollback_to"))
    _where(parser, say)
    _actor(parser, say)
    json_flag(parser, say)


def _promote(parser: argparse.ArgumentParser, say: Say) -> None:
    _where(parser, say)
    parser.add_argument("--to", choices=ENVIRONMENTS[1:], help=say("cli_promote_to"))
    _actor(parser, say)
    json_flag(parser, say)


def _retire(parser: argparse.ArgumentParser, say: Say) -> None:
    chosen = parser.add_mutually_exclusive_group(required=True)
    chosen.add_argument("tag", nargs="?", metavar="TAG", help=say("cli_retire_tag"))
    chosen.add_argument("--unused", action="store_true", help=say("cli_retire_unused"))
    json_flag(parser, say)


def _route(parser: argparse.ArgumentParser, say: Say) -> None:
    parser.add_argument("action", choices=("list", "show", "set", "drop", "log"), help=say("cli_route_action"))
    parser.add_argument("tag", nargs="?", metavar="TAG", help=say("cli_route_tag"))
    _where(parser, say)
    parser.add_argument("--user", metavar="ID", default="", help=say("cli_route_user"))
    parser.add_argument("--weight", type=percent, default=100, metavar="PERCENT", help=say("cli_publish_weight"))
    parser.add_argument("--at", metavar="TIME", help=say("cli_publish_at"))
    top_option(parser, say, 20)
    _actor(parser, say)
    json_flag(parser, say)


VERBS = (
    Verb("snapshot", "kb.cli.versions:run_snapshot", _snapshot),
    Verb("diff", "kb.cli.versions:run_diff", _diff),
    Verb("verify", "kb.cli.versions:run_verify", _verify),
    Verb("publish", "kb.cli.version_publish:run", _publish),
    Verb("rollback", "kb.cli.version_routes:run_rollback", _rollback),
    Verb("promote", "kb.cli.version_routes:run_promote", _promote),
    Verb("retire", "kb.cli.version_routes:run_retire", _retire),
    Verb("route", "kb.cli.version_routes:run_route", _route),
)
