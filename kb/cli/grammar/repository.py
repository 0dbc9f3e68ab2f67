"""Verbs about writing knowledge and keeping it: check, new, normalise, kb, report."""

from __future__ import annotations

import argparse

from kb.cli.grammar.verb import Say, Verb, json_flag


def _check(parser: argparse.ArgumentParser, say: Say) -> None:
    parser.add_argument("paths", nargs="*", metavar="PATH", help=say("cli_check_paths"))
    parser.add_argument("--all", action="store_true", help=say("cli_check_all"))
    parser.add_argument("--fix", action="store_true", help=say("cli_check_fix"))
    json_flag(parser, say)


VERBS = (Verb("check", "kb.cli.check:run", _check),)
