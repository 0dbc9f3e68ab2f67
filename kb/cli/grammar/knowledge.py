"""Verbs about the knowledge itself: show, history, index."""

from __future__ import annotations

import argparse

from kb.cli.grammar.verb import Say, Verb, json_flag, top_option


def _show(parser: argparse.ArgumentParser, say: Say) -> None:
    parser.add_argument("path", metavar="DOCUMENT", help=say("cli_path"))
    json_flag(parser, say)


def _history(parser: argparse.ArgumentParser, say: Say) -> None:
    parser.add_argument("path", nargs="?", metavar="DOCUMENT", help=say("cli_path"))
    top_option(parser, say, 20)
    json_flag(parser, say)


def _index(parser: argparse.ArgumentParser, say: Say) -> None:
    parser.add_argument("--write", action="store_true", help=say("cli_index_write"))
    json_flag(parser, say)


VERBS = (
    Verb("show", "kb.cli.search:run_show", _show, serves=True),
    Verb("history", "kb.cli.search:run_history", _history, serves=True),
    Verb("index", "kb.cli.index:run", _index),
)
