"""The verb that brings newer knowledge and a newer program from a stick."""

from __future__ import annotations

import argparse

from kb.cli.grammar.verb import Say, Verb, json_flag

ACTIONS = ("check", "make", "keys", "trust", "distrust")
KINDS = ("knowledge", "program")


def _update(parser: argparse.ArgumentParser, say: Say) -> None:
    parser.add_argument("action", nargs="?", choices=ACTIONS, help=say("cli_update_action"))
    parser.add_argument("target", nargs="?", metavar="TARGET", help=say("cli_update_target"))
    parser.add_argument(
        "--from", dest="places", action="append", default=[], metavar="DIR", help=say("cli_update_from")
    )
    parser.add_argument("--only", choices=KINDS, help=say("cli_update_only"))
    parser.add_argument("--undo", action="store_true", help=say("cli_update_undo"))
    parser.add_argument("--allow-older", action="store_true", help=say("cli_update_older"))
    parser.add_argument("--allow-unrelated", action="store_true", help=say("cli_update_unrelated"))
    parser.add_argument("--tag", metavar="TAG", help=say("cli_update_tag"))
    parser.add_argument("--yes", "-y", action="store_true", help=say("cli_update_yes"))
    parser.add_argument("--by", metavar="NAME", help=say("cli_version_by"))
    parser.add_argument("--why", metavar="TEXT", default="", help=say("cli_version_why"))
    json_flag(parser, say)


VERBS = (Verb("update", "kb.cli.update:run", _update),)
