"""The verb about the kiosk: its PIN and its settings. The kiosk itself is opened by `--kiosk` without a verb."""

from __future__ import annotations

import argparse

from kb.cli.grammar.actions import Actions
from kb.cli.grammar.verb import Say, Verb, json_flag


def _kiosk(parser: argparse.ArgumentParser, say: Say) -> None:
    actions = Actions("kiosk", parser, say)
    actions.add("pin", _pin)
    actions.add("status", json_flag)


def _pin(parser: argparse.ArgumentParser, say: Say) -> None:
    parser.add_argument("--remove", action="store_true", help=say("cli_kiosk_remove"))


def interface_options(parser: argparse.ArgumentParser, say: Say) -> None:
    """What the interface is told of the kiosk; None where nothing was said."""
    parser.add_argument("--kiosk", action=argparse.BooleanOptionalAction, default=None, help=say("cli_kiosk_flag"))
    parser.add_argument("--idle", type=int, default=None, metavar="SECONDS", help=say("cli_idle"))
    parser.add_argument("--keep-gaps", action=argparse.BooleanOptionalAction, default=None, help=say("cli_keep_gaps"))


VERBS = (Verb("kiosk", "kb.cli.kiosk:run", _kiosk),)
