"""Verbs about this copy of the program: doctor, self-test, licences, completion, desktop."""

from __future__ import annotations

import argparse

from kb.cli.grammar.actions import Actions
from kb.cli.grammar.verb import Say, Verb, json_flag


def _completion(parser: argparse.ArgumentParser, say: Say) -> None:
    parser.add_argument("shell", choices=("bash", "zsh", "fish"), metavar="SHELL", help="bash, zsh, fish")


def _doctor(parser: argparse.ArgumentParser, say: Say) -> None:
    parser.add_argument("--timing", action="store_true", help=say("cli_timing"))
    json_flag(parser, say)


def _licences(parser: argparse.ArgumentParser, say: Say) -> None:
    parser.add_argument("component", nargs="?", metavar="NAME", help=say("cli_licences_name"))
    json_flag(parser, say)


def _desktop(parser: argparse.ArgumentParser, say: Say) -> None:
    actions = Actions("desktop", parser, say)
    actions.add("install", _desktop_install)
    actions.add("remove", _desktop_users)


def _desktop_install(parser: argparse.ArgumentParser, say: Say) -> None:
    parser.add_argument("--icon", action="store_true", help=say("cli_desktop_icon"))
    _desktop_users(parser, say)


def _desktop_users(parser: argparse.ArgumentParser, say: Say) -> None:
    parser.add_argument("--all-users", action="store_true", help=say("cli_desktop_all_users"))


def _self_test(parser: argparse.ArgumentParser, say: Say) -> None:
    parser.add_argument("--patience", type=int, default=60, metavar="SECONDS", help=say("cli_patience"))


VERBS = (
    Verb("doctor", "kb.cli.doctor:run", _doctor, serves=True),
    Verb("self-test", "kb.cli.selftest:run", _self_test),
    Verb("licences", "kb.cli.licences:run", _licences),
    Verb("completion", "kb.cli.completion:run", _completion),
    Verb("desktop", "kb.cli.desktop:run", _desktop),
)
