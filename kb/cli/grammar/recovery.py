"""Verbs that save everything and bring it back: backup, restore."""

from __future__ import annotations

import argparse

from kb.cli.grammar.verb import Say, Verb, json_flag

DEFAULT_KEEP = 14


def _backup(parser: argparse.ArgumentParser, say: Say) -> None:
    parser.add_argument("folder", nargs="?", metavar="DIR", help=say("cli_backup_folder"))
    parser.add_argument("--keep", type=int, default=DEFAULT_KEEP, metavar="N", help=say("cli_backup_keep"))
    parser.add_argument("--days", type=int, metavar="N", help=say("cli_backup_days"))
    parser.add_argument("--gc", action="store_true", help=say("cli_backup_gc"))
    parser.add_argument("--verify", action="store_true", help=say("cli_backup_verify"))
    json_flag(parser, say)


def _restore(parser: argparse.ArgumentParser, say: Say) -> None:
    parser.add_argument("source", metavar="FILE|DIR", help=say("cli_restore_from"))
    parser.add_argument("--into", metavar="DIR", help=say("cli_restore_into"))
    parser.add_argument("--yes", "-y", action="store_true", help=say("cli_restore_yes"))
    json_flag(parser, say)


VERBS = (
    Verb("backup", "kb.cli.backup:run", _backup),
    Verb("restore", "kb.cli.restore:run", _restore),
)
